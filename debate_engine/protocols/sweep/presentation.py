"""How a sweep over heats is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import Recorded, Said
from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.debate_engine.protocols.sweep import report
from elenchus.debate_engine.protocols.sweep.schemas import Sweep
from elenchus.debate_engine.reports.blocks import Block, Heading, Paragraph, Speech
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Figure, Section
from elenchus.debate_engine.reports.said import model_of, said_blocks

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

NAME = "sweep"


def _shown(r: Recorded, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The speeches, which the moderator alone hears."""
    match r.event:
        case Said(speaker=speaker, about=about, text=text) if speaker in SIDES:
            yield Speech(speaker, about, text, None, model_of(view, speaker) if not seats else "")
        case Said() as said:
            yield from said_blocks(said, view, seats)


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if (sweep := view.outcome_as(Sweep)) is None:
        return
    for title, text in (
        ("heard at each heat", report.phrases_table(sweep)),
        ("measured", report.numbers_table(sweep)),
        ("change with the heat", report.trends_table(sweep)),
    ):
        yield Heading(title, "good")
        yield Paragraph(text, markdown=True)


def _sections(view: SessionView) -> list[Section]:
    if (sweep := view.outcome_as(Sweep)) is None:
        return []
    from elenchus.debate_engine.protocols.sweep.plot import alt_text

    picture = Figure(NAME, alt_text(sweep))
    return [Section(NAME, "The same motion at different heats", (picture, *report.of_sweep(sweep)))]


def _pictures(view: SessionView) -> list[Picture]:
    if (sweep := view.outcome_as(Sweep)) is None:
        return []
    from elenchus.debate_engine.protocols.sweep.plot import plot_sweep

    return [plot_sweep(sweep, simulated=view.simulated)]


def _rows(view: SessionView) -> Iterator[dict[str, Any]]:
    if sweep := view.outcome_as(Sweep):
        yield from report.csv_rows(sweep)


_COLUMNS = [Column("session", "the session's id"), *(Column(name, what) for name, what in report.CODEBOOK.items())]

PRESENTATION = Presentation(
    shown=_shown,
    ended=_ended,
    sections=_sections,
    apart=("agenda",),
    pictures=_pictures,
    scores=Scores(_COLUMNS, _rows, "One row is one speech of the sweep."),
)
