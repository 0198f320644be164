"""What the foot of the live view says of whoever is at work: words, and no step's key."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.socrasynth.shown import worth_of
from tests.service.cli.program import Program
from tests.twins import ROOM

DEMO = ("--others", "scripted:demo", "--judge", "scripted:demo")


@pytest.mark.parametrize(
    "arguments",
    [
        ("scene", "run", ROOM, "--subject", "scripted:demo", *DEMO, "--condition", "control"),
        ("bench", "unlabelled", "--method", "zero-shot", "--method", "cot", "--model", "scripted:demo", "--limit", "2"),
    ],
)
def test_every_call_of_a_session_has_words_for_what_it_does(elenchus: Program, arguments: tuple[str, ...]) -> None:
    assert elenchus(*arguments).code == 0
    steps = {event["step"] for event in elenchus.events("step_done") if event["calls"]}
    (started,) = elenchus.events("session_started")
    spec = spec_of(started["protocol"])
    assert steps
    assert [step for step in steps if spec.doing(step).startswith("works on")] == []


def test_who_is_asked_once_more_does_the_same_once_more() -> None:
    asked = spec_of("bench-unlabelled").doing("cot/ostrich-effect/sound/choose/again")
    assert asked == "names the bias once more"
    asked = spec_of("rulegen").doing("evaluation/subject/1/judge-1/again")
    assert asked == "judges whether the bias is there once more"
    assert spec_of("detect").doing("check/ikea-effect/again") == "checks a bias once more"


def test_a_session_is_called_by_what_it_is_to_a_person() -> None:
    assert [spec_of(name).kind for name in ("socrasynth", "rulegen", "crit")] == ["debate", "scene", "crit"]


@pytest.mark.parametrize(
    "step, words, shown",
    [
        ("opening/pro/topic/1/sample/1", "opens", True),
        ("round/2/con/topic/2/sample/1", "refutes", True),
        ("round/2/con/topic/2/sample/3", "refutes", False),
        ("agenda/concerns/pro/sample/4", "names concerns", False),
        ("conciliation/draft/topic/1/sample/2", "drafts the joint text", False),
        ("conciliation/review/1/con/topic/2", "signs or amends the joint text", False),
        ("claim", "puts the motion as a claim", False),
    ],
)
def test_a_small_models_samples_have_words_and_one_of_them_is_shown_as_it_is_written(
    step: str, words: str, shown: bool
) -> None:
    assert (spec_of("socrasynth").doing(step), spec_of("socrasynth").is_draft(step)) == (words, shown)


def test_what_very_small_models_scored_is_said_to_be_worth_nothing() -> None:
    debated = DebateConfig(motion="Homework should end", small=("pro", "con"))
    assert worth_of(DebateProjection(debated)) == ""
    scored = debated.model_copy(update={"small": ("pro", "crit", "judge-1")})
    assert "(crit, judge-1): their numbers" in worth_of(DebateProjection(scored))
