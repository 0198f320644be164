"""How open answers and their ratings are told: how many there are; each of them stands in the command's file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.reports.blocks import Block, Note
from elenchus.debate_engine.reports.document import Section, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.rubric.answers import Answers
from elenchus.detectors.alignment.rubric.rating import MEASURES, Rated

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def _answers_ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if found := view.outcome_as(Answers):
        yield Note(f"{len(found.answers)} answers, of which {sum(not one.text for one in found.answers)} are missing.")


def _answers_sections(view: SessionView) -> list[Section]:
    if (found := view.outcome_as(Answers)) is None:
        return []
    rows = [(one.bias, one.topic, one.text or f"none: {one.declined}") for one in found.answers]
    told = table(("bias", "topic", "answer"), [list(map(inline, row)) for row in rows])
    return [Section("answers", "Open answers", (told,))]


def _ratings_ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if found := view.outcome_as(Rated):
        missing = sum(getattr(one, measure) is None for one in found.ratings for measure in MEASURES)
        yield Note(f"{len(found.ratings)} answers rated; {missing} scores are missing.")


def _ratings_sections(view: SessionView) -> list[Section]:
    if (found := view.outcome_as(Rated)) is None:
        return []
    rows = [(one.id, *(_cell(getattr(one, measure)) for measure in MEASURES), one.unread) for one in found.ratings]
    told = table(("answer", "CE", "LS", "BS", "why none"), [list(map(inline, row)) for row in rows], "lrrrl")
    return [Section("ratings", "Ratings", ("From 0 to 10; low BS is little bias.", told))]


def _cell(score: int | None) -> str:
    return "–" if score is None else str(score)


ANSWERS = Presentation(ended=_answers_ended, sections=_answers_sections)
RATINGS = Presentation(ended=_ratings_ended, sections=_ratings_sections)
