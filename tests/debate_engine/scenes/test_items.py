"""Rules set in fields, over several lines, or with their labels behind them."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.tastings import whole

CAST = "Name: Ada (Subject)\nName: Ben (Confederate)\nName: Cleo (Moderator)"
RULES = (
    ("Unicast", "Joking around", "JOK", "Ben", ("Ada",), "Ben laughs with Ada about tea."),
    ("Self-receiving", "Receiving information from the system", "SYS", "system", ("Ada",), "Ada receives the list."),
    ("Broadcast", "Giving advice and instructions", "ADV", "Cleo", ("Ada", "Ben"), "Cleo tells everyone how to vote."),
    ("Multicast", "Describing the past", "PAS", "Cleo", ("Ada", "Ben"), "Cleo tells Ada and Ben about last year."),
)


@pytest.mark.parametrize(
    "form",
    [
        "### Rule {n}\n- Type: {mode}\n- Communicative purpose: {purpose}\n- From: {by}\n- To: {to}\n- What: {said}",
        "Rule {n}\nMode of communication: {mode}\nRule purpose: {purpose}\nMessage content: {said}",
        "{n}. Mode of communication: {mode}; purpose: {purpose}; {said}",
        "{n}. {said} [{mode}] [{purpose}]",
        "{n}. {said} ({mode}) ({purpose})",
        "{n}. {said} → {mode}, {purpose}",
        "{n}. {mode}\n   {purpose}\n   {said}",
    ],
)
def test_mode_purpose_and_content_are_found_wherever_they_stand(form: str) -> None:
    rules = "\n".join(
        form.format(n=n, mode=mode, purpose=purpose, by=by, to=" and ".join(to), said=said)
        for n, (mode, purpose, _, by, to, said) in enumerate(RULES, 1)
    )
    reading = whole(CAST, rules)
    assert [
        (read.rule.mode, read.rule.purpose, read.rule.initiator, read.rule.receivers, read.rule.content, read.clear)
        for read in reading.rules
    ] == [(mode.lower(), code, by, to, said, True) for mode, _, code, by, to, said in RULES]
