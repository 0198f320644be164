"""Answers for a rehearsal: each fits its form, and where it can the outcome turns on them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.examples import ordinary, others_than
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.measures import Choice, FreeText, Measure, Number, Rating, Scale, YesNo, stated
from elenchus.debate_engine.scenes.scene import Scene
from tests.debate_engine.scenes.test_trials import LINES

BOUNDS = st.one_of(st.none(), st.integers(-1000, 1000))
MEASURES: st.SearchStrategy[Measure] = st.one_of(
    st.builds(lambda low, size: Number(name="a", low=low, high=None if low is None else low + size, whole=True),
              BOUNDS, st.integers(1, 500)),
    st.builds(lambda low, size: Rating(name="a", low=low, high=low + size), st.integers(-5, 5), st.integers(1, 20)),
    st.builds(lambda n: FreeText(name="a", words=n), st.integers(1, 400)),
    st.sampled_from([YesNo(name="a"), YesNo(name="a", serves="met-before"), Scale(name="a"), Number(name="a"),
                     Choice(name="a", options=("x", "y", "z"))]),
)  # fmt: skip


@given(MEASURES)
def test_an_ordinary_answer_and_each_end_are_answers_to_the_measure(measure: Measure) -> None:
    for answer in (ordinary(Scene(measures=(measure,)))["a"], *measure.answers.ends):
        stated(measure, answer)


@pytest.mark.parametrize(
    ("measure", "answer"),
    [
        (Number(name="a", low=0, high=10), 5.0),
        (Number(name="a", low=0, high=10, example=3), 3),
        (Number(name="a", low=0, high=1000, whole=True, right="a = 120"), 120),
        (Choice(name="a", options=("x", "y")), "x"),
        (Choice(name="a", options=("x", "y"), right='a = "y"'), "y"),
        (YesNo(name="a"), True),
        (YesNo(name="a", serves="met-before"), False),
        (YesNo(name="a", right="a = (1 = 2)"), False),
        (Rating(name="a", low=-3, high=3), 0),
        (FreeText(name="a", words=2), "An example"),
    ],
)
def test_an_ordinary_answer_is_the_files_own_or_right_or_in_the_middle(measure: Measure, answer: object) -> None:
    assert ordinary(Scene(measures=(measure,)))["a"] == answer


def test_trials_are_answered_rightly_and_then_wrongly() -> None:
    scene = canonical.read(LINES)
    first = ordinary(scene)
    assert {first["lines_1"], first["lines_2"]} == {"2", "3"}
    (block,) = scene.trials
    errors = {block.counts(answers)["lines_errors"] for answers in others_than(scene, first, ["lines_errors"])}
    assert errors == {1}


PRICED = LINES.replace(
    "   trials: lines", "   trials: lines\n3. **unicast, DES** Mika → Sunna: Say.\n   measure: price"
).replace(
    "# Observation",
    '# Measures\n\nprice: {kind: number, low: 0, high: 10, ask: "How much?", example: 7}\n\n# Observation',
)


@pytest.mark.parametrize("example", ["12", "dear", "-1"])
def test_an_example_that_is_no_answer_is_refused(example: str) -> None:
    assert canonical.read(PRICED).measure("price").example == 7
    with pytest.raises(FaultyScene) as caught:
        canonical.read(PRICED.replace("example: 7", f"example: {example}"))
    assert [finding.what for finding in caught.value.findings] == ["the example of price is no answer to it"]
