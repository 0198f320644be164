"""The labelled judge against people's labels."""

from __future__ import annotations

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.reports.export import contents_of
from elenchus.detectors.checks import SEAT
from elenchus.detectors.evaluation.schemas import EvaluatorConfig, EvaluatorResult, LabelledAnswer
from elenchus.detectors.evaluation.spec import EVALUATOR
from tests.detectors.evaluation.stage import GARBLED, Bench, Written

HUMAN = [(True, True, False), (True,), (False,), (False, False), (True, False)]


def judge(call: Call) -> Written:
    """Yes of the first and the third item, no of the others; the third repeat of the second cannot be read."""
    if call.step == "item-2/label/3":
        return GARBLED
    yes = call.step.startswith(("item-1", "item-3"))
    return {"reason": "It says “the answer to it”.", "present": "yes" if yes else "no"}


def bench() -> Bench:
    items = tuple(
        LabelledAnswer(id=f"item-{n}", bias="sunk-cost-fallacy", answer=f"This is the answer to it: {n}.", human=human)
        for n, human in enumerate(HUMAN, 1)
    )
    return Bench(
        EVALUATOR.name, EvaluatorConfig(items=items, repeats=3), {SEAT: "scripted:judge"}, {"detectors/label": judge}
    )


async def test_the_judge_is_asked_so_often_of_each_item_and_compared_with_the_people() -> None:
    run = bench()
    found = EvaluatorResult.model_validate(await run.outcome())
    assert [row.judge for row in found.rows] == [
        (True,) * 3, (False, False, None), (True,) * 3, (False,) * 3, (False,) * 3,
    ]  # fmt: skip
    agreement = found.agreement
    # The people: yes, yes, no, no, and a tie that is left out; the judge: yes, no, yes, no.
    assert (agreement.accuracy.count, agreement.accuracy.of) == (2, 4)
    assert (agreement.left_out, agreement.unread, agreement.kappa.value) == (1, 1, 0)
    assert agreement.repeats.value == 1


async def test_a_yes_by_invented_words_is_no_label_and_counted_in_the_table_and_in_every_row() -> None:
    def inventing(call: Call) -> Written:
        said = judge(call)
        return {**said, "reason": "It says “nobody ever said this”."} if isinstance(said, dict) else said

    run = bench()
    run.answers = {"detectors/label": inventing}
    found = EvaluatorResult.model_validate(await run.outcome())
    assert [(row.judge, row.unfounded) for row in found.rows[:2]] == [((None,) * 3, 3), ((False, False, None), 0)]
    assert (found.agreement.unread, found.agreement.unfounded) == (1, 6)
    files = contents_of("s", await run.recorded())
    assert "item-1,sunk-cost-fallacy,yes yes no,'- - -,3\n" in files["scores.csv"].decode()
    assert "| answers of the judge that were unfounded | 6 |" in files["report.md"].decode()


async def test_the_judge_is_never_shown_what_people_said() -> None:
    run = bench()
    await run.outcome()
    shown = "\n".join(message.content for call in run.client.asked for message in call.messages)
    assert "human" not in shown.casefold()


async def test_an_export_has_the_figures_with_their_definitions_and_a_row_an_item() -> None:
    run = bench()
    await run.outcome()
    files = contents_of("s", await run.recorded())
    assert "item-1,sunk-cost-fallacy,yes yes no,yes yes yes,0\n" in files["scores.csv"].decode()
    report = files["report.md"].decode()
    assert "50% (15–85, 2 of 4)" in report
    assert "mean share of pairs of repeats that agree" in report
