"""Rules set in fields, over several lines, or with their labels behind them."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes.lenient.lines import bare_lines
from tests.debate_engine.scenes.lenient.readings import whole

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
        "Rule {n}\nMode: {mode}\nRule purpose: {purpose}\nMessage content: {said}",
        "{n}. Mode: {mode}; purpose: {purpose}; content: {said}",
        "{n}. {said} [{mode}] [{purpose}]",
        "{n}. {said} ({mode}) ({purpose})",
        "{n}. {said} → {mode}, {purpose}",
        "{n}. {said} - {mode}, {purpose}",
        "Rule {n}\nMode of communication: {mode}\nRule purpose: {purpose}\nMessage content: {said}",
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


@pytest.mark.parametrize("mark", ["3.", "-"])
@pytest.mark.parametrize("head", ["What to watch", "How you can tell", "What we note down"])
def test_a_rule_that_begins_like_a_heading_of_everyday_words_is_a_rule_still(head: str, mark: str) -> None:
    reading = whole(CAST, f"1. Cleo welcomes everyone.\n2. Ben praises the tea to Ada.\n{mark} {head}: Cleo asks Ada.")
    assert "Cleo asks Ada" in reading.rules[-1].rule.content
    assert reading.observation == "Count."


@pytest.mark.parametrize("bullet", ["▪", "◦", "•"])
def test_a_bullet_is_one_before_few_words_too(bullet: str) -> None:
    lines = bare_lines(f"{bullet} Cleo opens.\n{bullet} Ben tells Ada of the green tea.")
    assert [line.mark for line in lines] == ["-", "-"]


def test_a_picture_that_begins_several_rules_is_a_bullet() -> None:
    reading = whole(CAST, "👉 Cleo opens the tasting for everyone.\n👉 Ada answers Ben.\n👉 Ben jokes with Ada now.")
    assert [read.rule.content for read in reading.rules][1:] == ["Ada answers Ben.", "Ben jokes with Ada now."]


def test_a_picture_before_a_heading_is_an_ornament() -> None:
    assert [(line.mark, line.text) for line in bare_lines("🎯 Purpose\n🎭 Roles:")] == [("", "Purpose"), ("", "Roles:")]


def test_dots_within_quoted_speech_stay() -> None:
    said = "Ben says “Hmm ... take the green one” to Ada."
    assert whole(CAST, f"1. (Unicast) {said}").rules[0].rule.content == said
