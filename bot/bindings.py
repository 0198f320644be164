"""Which thread shows which view of which session, and how far: `Binding`, kept in the store and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elenchus.bot.rendering.post import Mark
from elenchus.bot.shards import ONLY, Shard
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.service.lab.stored_documents import readable, stored

NAMESPACE = "bindings"

OVER = "over"
"""Why a thread is closed whose session has ended and is wholly shown."""


@dataclass(frozen=True, slots=True)
class ViewKey:
    """One view of a session: `name` is "" for what everybody may see, `3` for what seat 3 sees (by its place among the
    session's seats), `c2` for the control room's view of the scene of subject 2 (from 1).
    """

    session: str
    name: str = ""

    @classmethod
    def of_seat(cls, session: str, place: int) -> ViewKey:
        """The view of a seat."""
        return cls(session, str(place))

    @classmethod
    def of_control(cls, session: str, number: int) -> ViewKey:
        """The control room's view."""
        return cls(session, f"c{number}")

    @property
    def is_public(self) -> bool:
        """Whether it is the one view of a session that is no scene."""
        return not self.name

    @property
    def seat(self) -> int | None:
        """The place of the seat whose view this is, None for another."""
        return int(self.name) if self.name.isdecimal() else None

    @property
    def subject(self) -> int | None:
        """The subject's number in a control room's view, None for another."""
        return int(self.name[1:]) if self.name.startswith("c") else None

    def __str__(self) -> str:
        return f"{self.session}@{self.name}" if self.name else self.session


class Binding(FrozenModel):
    """A view of a session and its thread in `channel` of `guild`; ids are Discord's.

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
    view: str = ""

    @property
    def key(self) -> ViewKey:
        """Which view of which session it is."""
        return ViewKey(self.session, self.view)

    @property
    def confirmed(self) -> Mark:
        """The last mark that is known to stand in the thread."""
        return Mark(self.cursor, self.part)


async def all_bindings(store: KeyValueStore) -> list[Binding]:
    """Those of all shards, as they are in the store at this moment. Raises StorageError, NewerSchema."""
    return [stored(Binding, key, document) for key, document in (await store.all(NAMESPACE)).items()]


class Bindings:
    """All bindings in the servers of one shard, read once and written through. One process uses them."""

    def __init__(self, store: KeyValueStore, shard: Shard = ONLY) -> None:
        self._store, self._shard = store, shard
        self._known: dict[ViewKey, Binding] = {}

    async def load(self) -> None:
        """Read them. Raises StorageError."""
        known = readable(Binding, await self._store.all(NAMESPACE))
        self._known |= {binding.key: binding for binding in known if self._shard.has(binding.guild)}

    def __iter__(self) -> Iterator[Binding]:
        return iter(list(self._known.values()))

    @property
    def public(self) -> list[Binding]:
        """Those of sessions with one public view: whatever is no scene."""
        return [binding for binding in self if binding.key.is_public]

    @property
    def scenes(self) -> list[Binding]:
        """The control room's view of each scene."""
        return [binding for binding in self if binding.key.subject is not None]

    @property
    def paid(self) -> list[Binding]:
        """One of each session: whatever is paid from its server's budget of the day."""
        return [*self.public, *self.scenes]

    def of(self, key: ViewKey) -> Binding:
        """The binding of a view. Raises UnknownSession."""
        if key not in self._known:
            raise UnknownSession(msg("sessions-not-shown-here", session=key.session))
        return self._known[key]

    def find(self, key: ViewKey) -> Binding | None:
        """The binding of a view, if it has one."""
        return self._known.get(key)

    def views_of(self, session: str) -> list[Binding]:
        """All bindings of a session."""
        return [binding for binding in self if binding.session == session]

    def main(self, session: str) -> Binding | None:
        """The public view of a session, or the control room's."""
        return next((binding for binding in self.paid if binding.session == session), None)

    def shown_in(self, thread: int) -> list[Binding]:
        """What a thread shows: a control room several scenes, another one view."""
        return [binding for binding in self if binding.thread == thread]

    def in_thread(self, thread: int | None) -> Binding:
        """The public view that a thread shows. Raises UsageError."""
        found = self.shown_in(thread) if thread is not None else []
        if not found or not found[0].key.is_public:
            raise UsageError(msg("sessions-no-debates-thread"))
        return found[0]

    async def put(self, binding: Binding) -> None:
        """Keep a binding: known here at once, so that changes made side by side all count. Raises StorageError."""
        self._known[binding.key] = binding
        await self._store.put(NAMESPACE, str(binding.key), binding.model_dump(mode="json"))

    async def change(self, key: ViewKey, **changes: Any) -> Binding:
        """Keep a view's binding with some fields changed. Raises UnknownSession, StorageError."""
        await self.put(self.of(key).model_copy(update=changes))
        return self.of(key)

    async def remove(self, key: ViewKey) -> None:
        """Forget a view's binding, if it has one. Raises StorageError."""
        await self._store.remove(NAMESPACE, str(key))
        self._known.pop(key, None)
