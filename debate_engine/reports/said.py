"""What a session shows whose protocol has no wishes of its own: words as they reach somebody, the outcome. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import EVERYONE, Recorded, Said, model_in
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.reports.blocks import Block, Fact, Note, Speech

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.view import SessionView


def shown(r: Recorded, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """What was said."""
    if isinstance(r.event, Said):
        yield from said_blocks(r.event, view, seats)


def ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The outcome as it was returned; subjects, who are debriefed, are told none."""
    if not (seats and view.spec.has_subjects):
        yield from (Fact(name, text) for name, text in facts(view.outcome or {}))


def sections(view: SessionView) -> Sequence[Section]:
    """The outcome in a report, as it was returned."""
    from elenchus.debate_engine.reports import safe, words
    from elenchus.debate_engine.reports.document import Section, table
    from elenchus.debate_engine.reports.escape import inline

    rows = [[inline(name), inline(safe.text(value))] for name, value in facts(view.outcome or {})]
    return [Section("result", words.HEADINGS["result"], (table(["", ""], rows),))] if rows else []


def facts(outcome: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The values of an outcome by name, each as one line of text; what is nested stands as JSON."""
    from elenchus.debate_engine.printable import json_text

    return [(name, value if isinstance(value, str) else json_text(value)) for name, value in outcome.items()]


def said_blocks(
    said: Said, view: SessionView, seats: Collection[str] = (), heat: float | None = None
) -> Iterator[Block]:
    """A speech to all, or a line to some, where all of these seats have heard it; no seats: the moderator, who does."""
    if not all(reached(seat, said) for seat in seats):
        return
    if EVERYONE in said.to:
        yield Speech(said.speaker, said.about, said.text, heat, model_of(view, said.speaker) if not seats else "")
    else:
        tone = "warn" if said.about == "warning" else "moderator"
        yield Note(f"{said.speaker} → {', '.join(said.to)}: {said.text}", tone)


def model_of(view: SessionView, seat: str) -> str:
    """The model on a seat; "" for a person, and for who has no seat."""
    seats = view.started.seats if view.started else ()
    spec = next((s.spec for s in seats if s.name == seat), "")
    return "" if is_human(spec) else model_in(spec)
