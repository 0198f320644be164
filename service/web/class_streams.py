"""Server-sent events of a class: how it stands for the room, for its teacher, or for one person in it.

Each message is the whole document, so that whoever comes back needs nothing of what was before. What everybody in the
room sees is made once, however many look.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from elenchus.service.lab.classes.shown import person_view, room_view, teacher_view
from elenchus.service.web.streams import FIRST, GONE, HERE
from elenchus.service.web.viewer_documents import message

if TYPE_CHECKING:
    from elenchus.service.lab.classes.change_signal import Signal
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.live_class import LiveClass

AT_MOST_EVERY = 0.25
"""Seconds between two messages of one stream: thirty phones that answer at once are one message to a projector."""

_ROOMS: WeakKeyDictionary[Signal, tuple[int, bytes]] = WeakKeyDictionary()
"""What the room of a class is shown, by what tells of its changes: as of which revision."""


@dataclass(frozen=True, slots=True)
class ClassStream:
    """What is sent of a class, anew whenever its signal says that something changed."""

    about: str
    changed: Signal
    shown: Callable[[], bytes]
    gone: Callable[[], bool]

    async def messages(self, heartbeat: float) -> AsyncGenerator[bytes]:
        """One write after the other; what has not changed is not sent again. See `Stream.messages`."""
        yield FIRST
        revision, last = 0, b""
        while True:
            known, revision = revision, await self.changed.after(revision, heartbeat)
            if revision == known:
                yield HERE
                continue
            if self.gone():
                yield GONE
                return
            if (told := self.shown()) != last:
                last = told
                yield told
            await asyncio.sleep(AT_MOST_EVERY)


def of_room(progress: ClassProgress) -> ClassStream:
    """For everybody in the room."""

    def shown() -> bytes:
        known = _ROOMS.get(progress.changed)
        if known is None or known[0] != progress.changed.revision:
            document = room_view(progress).model_dump(mode="json", exclude={"revision"})
            known = _ROOMS[progress.changed] = (progress.changed.revision, message("class", document))
        return known[1]

    return ClassStream(f"the class {progress.room.id}", progress.changed, shown, lambda: progress.removed)


def of_teacher(live: LiveClass) -> ClassStream:
    """For who teaches it."""

    def shown() -> bytes:
        document = teacher_view(live.progress, live.clock()).model_dump(mode="json", exclude={"revision"})
        return message("class", document)

    return ClassStream(
        f"the class {live.progress.room.id}", live.progress.changed, shown, lambda: live.progress.removed
    )


def of_person(progress: ClassProgress, member: Member) -> ClassStream:
    """For one person."""

    def shown() -> bytes:
        return message("class", person_view(progress, member).model_dump(mode="json", exclude={"revision"}))

    return ClassStream(f"the class {progress.room.id}", member.changed, shown, lambda: progress.removed)
