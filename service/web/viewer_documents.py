"""What the viewers of one session have been shown, as documents in order; made once for all viewers of a kind."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.printable import json_text
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.viewers import Viewer, blocks_for, concerns, event_for
from elenchus.service.web.documents import block_document

if TYPE_CHECKING:
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.reports.blocks import Block

AsHtml = Callable[[Sequence["Block"]], str]
"""Renders blocks for a page, always in the same way for the same `form`."""

JSON = ""
"""The form in which blocks are documents for programs; any other name is one of HTML, such as `html-de`."""

AT_ONCE = 200
"""Events that are taken in before others have their turn on the event loop."""


@dataclass(slots=True)
class Item:
    """What one event adds; its documents are made when they are first wanted."""

    seq: int
    kind: str
    at: str
    blocks: Sequence[Block]
    event: dict[str, Any] | None
    _made: dict[str, dict[str, Any]] = field(default_factory=dict)
    _messages: dict[str, bytes] = field(default_factory=dict)

    def document(self, form: str = JSON, as_html: AsHtml | None = None) -> dict[str, Any]:
        """As it is sent: with blocks, or with HTML in their place."""
        if (known := self._made.get(form)) is None:
            known = {"seq": self.seq, "at": self.at, "kind": self.kind}
            if as_html is not None:
                known["html"] = as_html(self.blocks)
            else:
                known["blocks"] = [block_document(block) for block in self.blocks]
                known |= {} if self.event is None else {"event": self.event}
            self._made[form] = known
        return known

    def message(self, form: str = JSON, as_html: AsHtml | None = None) -> bytes:
        """As a server-sent event, with its number, at which a stream goes on after a break."""
        if (known := self._messages.get(form)) is None:
            data = json_text(self.document(form, as_html))
            known = self._messages[form] = f"id: {self.seq}\nevent: {self.kind}\ndata: {data}\n\n".encode()
        return known


@dataclass(slots=True)
class ViewerItems:
    """All items of one kind of viewer. `seen` is the last event that was looked at, shown or not."""

    viewer: Viewer
    items: list[Item] = field(default_factory=list)
    seen: int = 0

    def take(self, r: Recorded, view: SessionView) -> bool:
        """Look at the event that the view has taken in last; whether it adds something."""
        if r.seq <= self.seen:
            return False
        self.seen = r.seq
        blocks = blocks_for(self.viewer, r, view)
        if not concerns(self.viewer, r, view, blocks):
            return False
        self.items.append(Item(r.seq, r.event.kind, r.at.isoformat(), blocks, event_for(self.viewer, r, view)))
        return True

    def place(self, seq: int) -> int:
        """The place of the first item beyond this event; of one that is not there yet, nothing is known: 0."""
        return bisect_right(self.items, seq, key=attrgetter("seq")) if seq <= self.seen else 0

    def part(self, after: int, most: int) -> Part:
        """At most so many items beyond an event."""
        start = self.place(after)
        items = self.items[start : start + most]
        more = start + len(items) < len(self.items)
        return Part(items, items[-1].seq if more else self.seen, more)


class Part(NamedTuple):
    """Some of the items; the event after which to ask for the next, and whether there are more now."""

    items: Sequence[Item]
    next: int
    more: bool


async def caught_up(log: EventLog, session: str, viewer: Viewer, until: Callable[[], int]) -> ViewerItems:
    """All that is in the log for a viewer, at least up to the event `until()`; others run in between.

    Raises UnknownSession, StorageError.
    """
    viewed, view = ViewerItems(viewer), SessionView(session)
    while True:
        for n, r in enumerate(await log.read(session, after=viewed.seen), 1):
            view.apply(r)
            viewed.take(r, view)
            viewed.seen = r.seq
            if n % AT_ONCE == 0:
                await asyncio.sleep(0)
        if viewed.seen >= until():
            return viewed


def message(kind: str, document: Any) -> bytes:
    """What is sent beside the log: it has no number, and is not sent again."""
    return f"event: {kind}\ndata: {json_text(document)}\n\n".encode()
