"""Debates out of finished detections."""

from __future__ import annotations

import numpy as np

from elenchus.detectors.decision.data import Debate
from elenchus.detectors.decision.learning.objective import Table
from elenchus.detectors.decision.record import debates_of, known_texts
from elenchus.detectors.evaluation.schemas import Sample, UnlabelledConfig
from elenchus.detectors.evaluation.spec import UNLABELLED
from elenchus.detectors.evaluation.unlabelled import unlabelled_seats
from elenchus.detectors.matches import by_scores
from elenchus.detectors.schemas import Detection
from tests.detectors.evaluation.stage import Bench
from tests.detectors.scripted_detection import (
    GARBLED,
    IKEA,
    LOSS,
    PLAIN,
    PLAN,
    SUNK,
    TEXT,
    Answer,
    DetectionSession,
    by_bias,
    yes_to,
)

LABELLED = next(text for text, bias in known_texts().items() if bias == SUNK)
QUOTING: dict[str, Answer] = {"detectors/check": yes_to(SUNK, LOSS, IKEA, PLAN, quote=" ".join(LABELLED.split()[:6]))}
"""A yes counts only by words of the text at hand, which here is the labelled one."""


def test_all_labelled_texts_are_known() -> None:
    assert len(known_texts()) == 73


async def test_the_debates_in_which_one_side_is_right_are_taken_with_every_sheet() -> None:
    detection = DetectionSession(QUOTING, text="  " + LABELLED.replace(". ", ".\n", 1))
    found = await detection.found()
    taken = debates_of(await detection.recorded())
    assert taken is not None
    sided = [match for match in found.matches if SUNK in (match.first, match.second)]
    assert [(debate.first, debate.second) for debate in taken.debates] == [(m.first, m.second) for m in sided]
    assert taken.without_right_side == len(found.matches) - len(sided) > 0
    for debate in taken.debates:
        assert debate.origin == "recorded"
        assert (debate.first if debate.right == "first" else debate.second) == SUNK
        assert len(debate.sheets) == 8
        assert {sheet.shown_first for sheet in debate.sheets} == {"first", "second"}
    assert agrees(found, taken.debates)


async def test_all_debates_about_one_text_are_one_group_in_whichever_session_they_were_held() -> None:
    groups = []
    for settings, text in (({}, LABELLED), ({"labels": [SUNK, LOSS]}, LABELLED), ({"labels": [SUNK, LOSS]}, TEXT)):
        detection = DetectionSession(QUOTING if text == LABELLED else {}, settings, text)
        await detection.found()
        taken = debates_of(await detection.recorded(), SUNK)
        assert taken is not None
        groups.append({debate.group for debate in taken.debates})
    assert groups[0] == groups[1] != groups[2]
    assert [len(group) for group in groups] == [1, 1, 1]


def agrees(found: Detection, debates: tuple[Debate, ...]) -> bool:
    """Whether weights decide the recorded debates as the detector decided the matches."""
    assert found.decision is not None
    weights = found.decision.weights
    assert weights is not None
    winners = {(m.first, m.second): by_scores(m.cards, m.first, m.second, weights)[0] or m.first for m in found.matches}
    right = [winners[debate.first, debate.second] == SUNK for debate in debates]
    return Table.of(debates).accuracy(np.array(weights.values)) == sum(right) / len(right)


async def test_an_unknown_text_needs_a_label() -> None:
    detection = DetectionSession(text=TEXT)
    await detection.found()
    assert debates_of(await detection.recorded()) is None
    taken = debates_of(await detection.recorded(), LOSS)
    assert taken is not None
    assert {debate.first if debate.right == "first" else debate.second for debate in taken.debates} == {LOSS}


async def test_a_debate_that_no_referee_scored_is_counted_and_left_out() -> None:
    detection = DetectionSession(QUOTING | {"detectors/marks": GARBLED}, {"labels": [SUNK, LOSS]}, LABELLED)
    await detection.found()
    taken = debates_of(await detection.recorded())
    assert taken is not None
    assert (taken.debates, taken.unscored) == ((), 1)


async def test_a_sheet_that_could_not_be_read_stays_unread() -> None:
    marks = by_bias({SUNK: 8, LOSS: 6, IKEA: 3})
    detection = DetectionSession(
        QUOTING | {"detectors/marks": lambda call: GARBLED if "intuitive" in call.step else marks(call)},
        {"labels": [SUNK, LOSS]},
        LABELLED,
    )
    await detection.found()
    taken = debates_of(await detection.recorded())
    assert taken is not None
    (debate,) = taken.debates
    assert sum(sheet.scores is None for sheet in debate.sheets) == 4
    assert len(debate.cards_of("first")) == len(debate.cards_of("second")) == 2


async def test_the_debates_of_a_bench_are_taken_with_what_its_texts_show() -> None:
    samples = (Sample(id="mine", text=TEXT, bias=SUNK), Sample(id="sound", text="We stop, as it leads nowhere."))
    seats = dict.fromkeys(unlabelled_seats(("full",)), "scripted:x")
    bench = Bench(UNLABELLED.name, UnlabelledConfig(samples=samples, methods=("full",)), seats, PLAIN)
    run = await bench.run()
    assert run.state == "finished", run.reason
    taken = debates_of(await bench.recorded())
    detection = DetectionSession(text=TEXT)
    await detection.found()
    alone = debates_of(await detection.recorded(), SUNK)
    assert taken is not None
    assert alone is not None
    assert taken == alone, "the same debates, cards and group as of a detection alone; none of the text without a bias"
    assert len(taken.debates) > 0


async def test_an_unfinished_session_and_another_protocols_give_nothing() -> None:
    detection = DetectionSession(text=LABELLED)
    await detection.found()
    recorded = await detection.recorded()
    assert debates_of(recorded[:-1]) is None
    assert debates_of([]) is None
