"""What the foot of the live view says of whoever is at work: words, and no step's key."""

from __future__ import annotations

import pytest

from debate_engine.reports.doing import doing
from service.cli.show.naming import kind_of
from tests.service.cli.program import Program

DEMO = ("--others", "scripted:demo", "--judge", "scripted:demo")


@pytest.mark.parametrize(
    "arguments",
    [
        ("scene", "run", "decoy", "--subject", "scripted:demo", *DEMO, "--condition", "control"),
        ("bench", "unlabelled", "--method", "zero-shot", "--method", "cot", "--model", "scripted:demo", "--limit", "2"),
    ],
)
def test_every_call_of_a_session_has_words_for_what_it_does(elenchus: Program, arguments: tuple[str, ...]) -> None:
    assert elenchus(*arguments).code == 0
    steps = {event["step"] for event in elenchus.events("step_done") if event["calls"]}
    assert steps
    assert [step for step in steps if doing(step).startswith("works on")] == []


def test_a_session_is_called_by_what_it_is_to_a_person() -> None:
    assert [kind_of(name) for name in ("socrasynth", "rulegen", "crit")] == ["debate", "scene", "crit"]
