"""What a viewer may see of a session: the one filter behind pages, documents for programs and streams. Pure.

A moderator sees all; of a session with subjects all that is said in it, and not who said no, left or withdrew. Who sits
in a seat sees what reaches that seat, the audience what everybody hears; what was scored, both see at the end. Of a
session with subjects the audience sees nothing, as whoever may still become one would know what it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from elenchus.debate_engine.events import Recorded, Redacted, Said, SessionFinished
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.reports.blocks import Block
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at one session; `seat` for somebody who sits in it."""

    role: Literal["moderator", "seat", "audience"]
    seat: str = ""

    @property
    def seats(self) -> Collection[str]:
        """As presentations want it: none for whoever sees all. The audience sits on none of them, which is "": what
        everybody hears reaches it.
        """
        return () if self.role == "moderator" else (self.seat,)


MODERATOR = Viewer("moderator")
AUDIENCE = Viewer("audience")


def seat_viewer(seat: str) -> Viewer:
    """Who sits there."""
    return Viewer("seat", seat)


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def blocks_for(viewer: Viewer, r: Recorded, view: SessionView) -> list[Block]:
    """What this event, the last one that the view has taken in, adds to what the viewer sees."""
    return list(_blocks(viewer, r, view)) if _may_see(viewer, r, view) else []


def _may_see(viewer: Viewer, r: Recorded, view: SessionView) -> bool:
    if viewer.role == "audience" and view.spec.has_subjects:
        return False
    return not isinstance(r.event, Said) or all(reached(seat, r.event) for seat in viewer.seats)


def _blocks(viewer: Viewer, r: Recorded, view: SessionView) -> Iterator[Block]:
    yield from view.spec.present.shown(r, view, viewer.seats)
    if isinstance(r.event, SessionFinished):
        yield from view.spec.present.ended(view, viewer.seats)


def concerns(viewer: Viewer, r: Recorded, view: SessionView, blocks: Collection[Block]) -> bool:
    """Whether the viewer is told of this event at all: kinds alone would tell what others do."""
    return bool(blocks) or isinstance(r.event, Redacted) or _sees_all(viewer, view)


def event_for(viewer: Viewer, r: Recorded, view: SessionView) -> dict[str, Any] | None:
    """The event itself as JSON, for whoever may see all of it."""
    return r.event.model_dump(mode="json") if _sees_all(viewer, view) else None


def _sees_all(viewer: Viewer, view: SessionView) -> bool:
    return viewer.role == "moderator" and not view.spec.has_subjects


# ── how it stands ────────────────────────────────────────────────────────────────────────────────────────────────────


def sees_scores(viewer: Viewer, view: SessionView) -> bool:
    """Whether the viewer may know what was scored, which could sway whoever still argues, judges or votes."""
    return viewer.role == "moderator" or view.ended


def turns_for(viewer: Viewer, view: SessionView) -> list[OpenTurn]:
    """The open turns that the viewer may know of: of a seat its own."""
    turns = [turn for turn in view.asked if turn.seat not in view.moderation.left]
    match viewer.role:
        case "moderator":
            return turns
        case "seat":
            return [turn for turn in turns if turn.seat == viewer.seat]
    return []


def sees_drafts(viewer: Viewer, view: SessionView, step: str) -> bool:
    """Whether a text may be shown to the viewer while it is written.

    Nobody else has heard it yet: it may be withheld, or not be meant for the other side before its own turn.
    """
    return viewer.role == "moderator" and not view.spec.has_subjects and view.spec.is_draft(step)
