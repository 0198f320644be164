"""Questions written by a model: from the bias's entry, held to the same rules, marked as nobody's reviewed work."""

from __future__ import annotations

import itertools
from typing import Any

from elenchus.config.catalogue import find_bias
from elenchus.config.static_questions import load_questions
from elenchus.detectors.evaluation.questions import SEAT
from elenchus.detectors.evaluation.schemas import QuestionsConfig, QuestionsResult
from elenchus.detectors.evaluation.spec import QUESTIONS
from tests.detectors.evaluation.stage import GARBLED, Bench, Says, Written

BIAS = find_bias("sunk-cost-fallacy")
OURS = next(file for file in load_questions() if file.bias == BIAS.id).questions[0]


def written(**change: Any) -> dict[str, Any]:
    """What a good writer answers."""
    good = OURS.model_dump(mode="json", exclude={"origin"})
    return {**good, **change}


def bench(says: Says, count: int = 1) -> Bench:
    cfg = QuestionsConfig(bias=BIAS.id, model="scripted:w", count=count, used=("harbour",))
    return Bench(QUESTIONS.name, cfg, {SEAT: "scripted:w"}, {"detectors/evaluation/write": says})


async def result(of: Bench) -> QuestionsResult:
    return QuestionsResult.model_validate(await of.outcome())


async def test_the_writer_is_given_name_description_elements_and_recipe() -> None:
    run = bench(written())
    (question,) = (await result(run)).questions
    assert question.origin == "written by scripted:w, not reviewed"
    shown = run.shown("write/1")
    for told in (BIAS.name, BIAS.definition, BIAS.recipe, *BIAS.elements, "harbour"):
        assert told in shown
    assert "120 to 200 words" in shown


async def test_each_further_question_is_told_the_fields_of_life_before_it() -> None:
    fields = itertools.count(1)
    run = bench(lambda call: written(domain=f"field {next(fields)}"), count=3)
    assert [question.domain for question in (await result(run)).questions] == ["field 1", "field 2", "field 3"]
    assert "field 1; field 2" in run.shown("write/3")


async def test_what_is_too_short_closed_names_the_bias_or_has_wrong_signs_is_refused_with_the_reason() -> None:
    filler = "There are many words here that lead to nothing at all. " * 12
    bad: list[Written] = [
        written(question="Short. What do you do?"),
        written(question=f"{filler} Do you go on?"),
        written(question=f"{filler} It is the sunk cost fallacy. What do you do?"),
        written(criteria=[{"elements": [9], "shown": "So."}] * 2),
        GARBLED,
    ]
    answers = iter(bad)
    found = await result(bench(lambda call: next(answers, GARBLED), count=5))
    assert found.questions == ()
    reasons = ("100 to 260 words", "nothing open", "names the bias", "no number 9", "unreadable")
    assert [reason for reason, why in zip(reasons, found.refused, strict=True) if reason not in why] == []
