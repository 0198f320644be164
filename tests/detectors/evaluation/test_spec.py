"""The benches describe themselves: words for all their steps, and outcomes that are read in their own form."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from elenchus.debate_engine.reports.view import DebateView
from elenchus.detectors.checks import SEAT
from elenchus.detectors.evaluation.questions import SEAT as WRITER
from elenchus.detectors.evaluation.schemas import (
    EvaluatorConfig,
    Item,
    Labelled,
    QuestionsConfig,
    Sample,
    StaticConfig,
    UnlabelledConfig,
)
from elenchus.detectors.evaluation.spec import BENCHES, EVALUATOR, QUESTIONS, STATIC, STEP_WORDS, UNLABELLED
from elenchus.detectors.evaluation.static import static_seats
from elenchus.detectors.evaluation.unlabelled import METHODS, unlabelled_seats
from tests.detectors.evaluation.stage import Bench
from tests.detectors.room import SUNK, TEXT

MODEL = "scripted:test"


def static() -> Bench:
    item = Item(id=f"{SUNK}/1", bias=SUNK, question="We lose money. What do we do?", criteria="goes on")
    return Bench(STATIC, StaticConfig(items=(item,), models=(MODEL,)), static_seats([MODEL], MODEL))


def unlabelled() -> Bench:
    cfg = UnlabelledConfig(samples=(Sample(id=f"{SUNK}/biased", text=TEXT, bias=SUNK),), methods=METHODS)
    return Bench(UNLABELLED, cfg, dict.fromkeys(unlabelled_seats(METHODS), MODEL))


def evaluator() -> Bench:
    item = Labelled(id="row-2", bias=SUNK, answer=TEXT, human=(True,))
    return Bench(EVALUATOR, EvaluatorConfig(items=(item,)), {SEAT: MODEL})


def questions() -> Bench:
    return Bench(QUESTIONS, QuestionsConfig(bias=SUNK, model=MODEL, count=2), {WRITER: MODEL})


EACH = pytest.mark.parametrize("made", [static, unlabelled, evaluator, questions], ids=lambda made: made.__name__)


@EACH
async def test_there_are_words_for_every_step_in_which_somebody_is_asked(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    steps = {call.step.removesuffix("/again") for call in bench.client.asked}
    assert steps
    assert [step for step in steps if not any(re.search(pattern, step) for pattern, _ in STEP_WORDS)] == []


@EACH
async def test_an_outcome_is_read_in_the_form_of_its_bench_and_of_no_other(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    view = DebateView.of("s", await bench.recorded())
    read = [name for name, of in BENCHES.items() if of.outcome_of(view) is not None]
    assert read == [bench.protocol]
    assert BENCHES[bench.protocol].read({"verdict": "guilty"}) is None


@EACH
async def test_the_table_of_an_export_has_the_columns_of_its_codebook(made: Callable[[], Bench]) -> None:
    bench = made()
    await bench.run()
    of = BENCHES[bench.protocol]
    files = of.files(DebateView.of("s", await bench.recorded()))
    assert set(files) == ({"scores.csv", "scores-codebook.md"} if of.columns else set())
    for column in of.columns or ():
        assert column in files["scores.csv"].splitlines()[0].split(",")
        assert f"| {column} |" in files["scores-codebook.md"]
