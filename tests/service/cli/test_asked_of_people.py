"""What people are asked: in words for people, without the marks and orders that are there for models."""

from __future__ import annotations

import re

import pytest

from elenchus.debate_engine.participant import Ask
from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION
from tests.service.cli.test_detect import MODEL, NOTE, SCRIPT
from tests.twins import SEEDS

SEATS = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
FOR_MODELS = re.compile(
    r"~{6}|lines of ~|heading line|## ?number|never tells you|Write in the language|Emphasis: |[Yy]ou are the judge"
    r'|""|empty list|[Ll]eave "|^- \w+: |without a heading',
    re.MULTILINE,
)
OF_A_PERSON = re.compile(r"pro|con|judge-1|crit")


def asks(elenchus: Program, *options: str) -> list[Ask]:
    """All that sides, judges and CRIT were asked in a debate."""
    held = elenchus("debate", MOTION, *SEATS, "--topics", "1", "--max-rounds", "1", "--seed", "1", *options)
    assert held.code == 0, held.err
    given = (done["inputs"] for done in elenchus.events("step_done"))
    inputs = [one for one in given if isinstance(one, dict) and "prompt_id" in one]
    return [ask for ask in map(Ask.model_validate, inputs) if OF_A_PERSON.fullmatch(ask.seat)]


@pytest.mark.parametrize("options", [(), ("--open-question",), ("--open-question", "--compare-qa")])
def test_no_turn_of_a_debate_shows_a_person_what_is_written_for_models(
    elenchus: Program, options: tuple[str, ...]
) -> None:
    found = asks(elenchus, *options)
    assert len({ask.prompt_id for ask in found}) >= 6
    for ask in found:
        assert FOR_MODELS.search(ask.text_for_person) is None, (ask.prompt_id, ask.text_for_person)
        assert ask.asked_of_person != ask.task, f"{ask.prompt_id} has no words for people"


def test_no_turn_of_a_documents_crit_shows_a_person_what_is_written_for_models(elenchus: Program) -> None:
    (elenchus.folder / "essay.md").write_text("Trams are good. They carry many people, says the Institute.\n\n" * 3)
    assert elenchus("crit", "essay.md", "--model", "scripted:demo").code == 0
    assert {"crit/claim", "crit/arguments", "crit/unsaid", "crit/validate"} <= in_words_for_people(elenchus)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "prompts"),
    [
        (("--method", "full"), {"screen", "check", "introduction", "argument", "refutation", "summary", "marks"}),
        (("--method", "tree"), {"rational"}),
        (("--method", "zero-shot"), {"choose"}),
        (("--method", "candidates"), {"reason"}),
        (("--method", "group"), {"talk", "critic", "conclude"}),
        (("--bias", "reactance"), {"label"}),
    ],
)
def test_no_turn_of_a_detection_shows_a_person_what_is_written_for_models(
    elenchus: Program, how: tuple[str, str], prompts: set[str]
) -> None:
    (elenchus.folder / "note.txt").write_text(NOTE)
    (elenchus.folder / "sunk.yaml").write_text(SCRIPT)
    assert elenchus("detect", "note.txt", *MODEL, *how).code == 0
    found = in_words_for_people(elenchus)
    assert {f"detectors/{name}" for name in prompts} <= found


def test_a_scenes_judge_who_is_a_person_is_not_shown_what_is_written_for_models(elenchus: Program) -> None:
    assert elenchus("scene", "run", SEEDS, "--model", "scripted:demo", "--condition", "treatment").code == 0
    assert "rulegen/evaluate" in in_words_for_people(elenchus, "judge-1")


def in_words_for_people(elenchus: Program, seat: str = "") -> set[str]:
    """The prompts of all that was asked (of this seat), each of which has words for people."""
    given = (done["inputs"] for done in elenchus.events("step_done"))
    asked = [Ask.model_validate(one) for one in given if isinstance(one, dict) and "prompt_id" in one]
    found = [ask for ask in asked if seat in ("", ask.seat)]
    for ask in found:
        assert FOR_MODELS.search(ask.text_for_person) is None, (ask.prompt_id, ask.text_for_person)
        assert ask.person, f"{ask.prompt_id} has no words for people"
    return {ask.prompt_id for ask in found}


def test_a_model_is_not_told_the_words_for_people(elenchus: Program) -> None:
    for ask in asks(elenchus):
        assert ask.person not in f"{ask.role}{ask.text}", ask.prompt_id


def test_a_person_at_the_terminal_reads_them(elenchus: Program) -> None:
    done = elenchus(
        "debate", MOTION, "--pro", "human", *SEATS[2:], "--topics", "1", "--max-rounds", "1", stdin="/pass\n" * 40
    )
    assert "[your turn: pro]" in done.out
    assert "Name 5 topics to debate." in done.out
    assert FOR_MODELS.search(done.out) is None
