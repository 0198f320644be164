"""The benches describe themselves: words for all their steps, and outcomes that are read in their own form."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.reports.blocks import Paragraph
from elenchus.debate_engine.reports.scores_csv import codebook, scores_csv
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.checks import SEAT
from elenchus.detectors.evaluation.questions import SEAT as WRITER
from elenchus.detectors.evaluation.schemas import (
    EvaluatorConfig,
    Item,
    LabelledAnswer,
    QuestionsConfig,
    Sample,
    StaticConfig,
    UnlabelledConfig,
)
from elenchus.detectors.evaluation.spec import EVALUATOR, QUESTIONS, STATIC, UNLABELLED
from elenchus.detectors.evaluation.static import static_seats
from elenchus.detectors.evaluation.unlabelled import METHODS, unlabelled_seats
from tests.detectors.evaluation.stage import Bench
from tests.detectors.scripted_detection import SUNK, TEXT

MODEL = "scripted:test"
BENCHES = (STATIC, UNLABELLED, EVALUATOR, QUESTIONS)


def static() -> Bench:
    item = Item(id=f"{SUNK}/1", bias=SUNK, question="We lose money. What do we do?", criteria="goes on")
    return Bench(STATIC.name, StaticConfig(items=(item,), models=(MODEL,)), static_seats([MODEL], MODEL))


def unlabelled() -> Bench:
    cfg = UnlabelledConfig(samples=(Sample(id=f"{SUNK}/biased", text=TEXT, bias=SUNK),), methods=METHODS)
    return Bench(UNLABELLED.name, cfg, dict.fromkeys(unlabelled_seats(METHODS), MODEL))


def evaluator() -> Bench:
    item = LabelledAnswer(id="row-2", bias=SUNK, answer=TEXT, human=(True,))
    return Bench(EVALUATOR.name, EvaluatorConfig(items=(item,)), {SEAT: MODEL})


def questions() -> Bench:
    return Bench(QUESTIONS.name, QuestionsConfig(bias=SUNK, model=MODEL, count=2), {WRITER: MODEL})


EACH = pytest.mark.parametrize("made", [static, unlabelled, evaluator, questions], ids=lambda made: made.__name__)


@EACH
async def test_there_are_words_for_every_step_in_which_somebody_is_asked(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    steps = {call.step for call in bench.client.asked}
    assert steps
    assert [step for step in steps if spec_of(bench.protocol).doing(step).startswith("works on")] == []


@EACH
async def test_settings_and_outcome_are_read_in_the_form_of_their_bench_and_of_no_other(
    made: Callable[[], Bench],
) -> None:
    bench = made()
    outcome = await bench.outcome()
    assert [spec.name for spec in BENCHES if spec.outcome_of(outcome)] == [bench.protocol]
    assert spec_of(bench.protocol).config_of(bench.cfg.model_dump(mode="json")) == bench.cfg
    assert spec_of(bench.protocol).outcome_of({"verdict": "guilty"}) is None


@EACH
async def test_what_has_ended_is_told_in_words(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    view = SessionView.of("s", await bench.recorded())
    assert [block for block in view.spec.present.ended(view, ()) if isinstance(block, Paragraph)]


@EACH
async def test_the_table_of_an_export_has_the_columns_of_its_codebook(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    view = SessionView.of("s", await bench.recorded())
    if (scores := view.spec.present.scores) is None:
        assert bench.protocol == QUESTIONS.name
        return
    head = scores_csv(view, scores).splitlines()[0].split(",")
    assert head == [column.name for column in scores.columns]
    assert all(f"| {column} |" in codebook(scores) for column in head)
