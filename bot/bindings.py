"""Which thread shows which session, and how far: `Binding`, kept on the shelf and in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from elenchus.bot.rendering.post import Mark
from elenchus.bot.shelf import Shelf
from elenchus.bot.strings import sessions as words
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import FrozenModel

DRAWER = "bindings"

OVER = "over"
"""Why a thread is closed whose session has ended and is wholly shown."""


class Binding(FrozenModel):
    """A session and its thread in `channel` of `guild`; ids are Discord's.

    Everything with a mark up to (`cursor`, `part`) stands in the thread; `last_message` is the last of it. `webhooks`
    are those through which anything was posted, `pinned` is the panel that was pinned, or could not be. `closed` says
    why nothing is posted any more.
    """

    session: str
    guild: int
    channel: int
    thread: int
    moderator: int
    private: bool = False
    panel: int | None = None
    pinned: int | None = None
    webhooks: tuple[int, ...] = ()
    cursor: int = 0
    part: int = 0
    last_message: int | None = None
    closed: str = ""

    @property
    def confirmed(self) -> Mark:
        """The last mark that is known to stand in the thread."""
        return Mark(self.cursor, self.part)


class Bindings:
    """All bindings of this bot in one drawer of the shelf, read once and written through. One process uses them.

    `also_paid` gives sessions with threads of another kind that the servers' budgets of the day pay for.
    """

    def __init__(self, shelf: Shelf, drawer: str = DRAWER) -> None:
        self._shelf = shelf
        self._drawer = drawer
        self.also_paid: list[Callable[[], Iterable[Binding]]] = []
        self._by_session: dict[str, Binding] = {}
        self._by_thread: dict[int, str] = {}

    async def load(self) -> None:
        """Read them. Raises StorageError."""
        for document in (await self._shelf.all(self._drawer)).values():
            self._keep(Binding.model_validate(document))

    def __iter__(self) -> Iterator[Binding]:
        return iter(list(self._by_session.values()))

    @property
    def paid(self) -> list[Binding]:
        """A binding of each session that is paid from its server's budget of the day."""
        return [*self, *(binding for more in self.also_paid for binding in more())]

    def of(self, session: str) -> Binding:
        """The session's binding. Raises UnknownSession."""
        if session not in self._by_session:
            raise UnknownSession(words.not_shown_here(session))
        return self._by_session[session]

    def find(self, session: str) -> Binding | None:
        """The session's binding, if it has one."""
        return self._by_session.get(session)

    def in_thread(self, thread: int | None) -> Binding:
        """The binding of a thread. Raises UsageError."""
        if thread is None or thread not in self._by_thread:
            raise UsageError(words.NO_DEBATES_THREAD)
        return self._by_session[self._by_thread[thread]]

    async def put(self, binding: Binding) -> None:
        """Keep a binding: known here at once, so that changes made side by side all count. Raises StorageError."""
        self._keep(binding)
        await self._shelf.put(self._drawer, binding.session, binding.model_dump(mode="json"))

    async def change(self, session: str, **changes: Any) -> Binding:
        """Keep the session's binding with some fields changed. Raises UnknownSession, StorageError."""
        await self.put(self.of(session).model_copy(update=changes))
        return self.of(session)

    async def remove(self, session: str) -> None:
        """Forget the session's binding, if it has one."""
        await self._shelf.remove(self._drawer, session)
        if (known := self._by_session.pop(session, None)) and self._by_thread.get(known.thread) == session:
            del self._by_thread[known.thread]

    def _keep(self, binding: Binding) -> None:
        former = self._by_session.get(binding.session)
        if former is not None and self._by_thread.get(former.thread) == binding.session:
            del self._by_thread[former.thread]
        self._by_session[binding.session] = binding
        self._by_thread[binding.thread] = binding.session
