"""`Play`: one scene offered to one or several subjects, with its control room; kept in the store.

What is played stands in the sessions' logs alone. A play knows which sessions it has, and which places are free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.protocols.rulegen.config import Terms, Use
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.service.lab.stored_documents import readable, stored

NAMESPACE = "plays"


class Play(FrozenModel):
    """A scene (by name) with its control room, in `channel` of `guild`; ids are Discord's.

    `seats` are everybody's but the subject's; `subject_seat` is the role that subjects play. `conditions` are what is
    drawn from, with `seed`; `sessions` are the subjects' scenes in the order in which they began, `places` how many
    there may be, `offered_again` those whose place was offered to somebody else. Budgets hold for each session,
    `deadline` (seconds) for a person's turn. `moderator` is 0 where whoever ran it is forgotten, `control` while there
    is no control room yet. `mode`, `terms` and `ethics_approval` are what people are promised (see `SceneConfig`),
    `minutes` how long it takes by the scene's file.
    """

    id: str
    guild: int
    channel: int
    control: int
    moderator: int
    scene: str
    title: str
    subject_seat: str
    seats: tuple[Seat, ...]
    conditions: tuple[Condition, ...]
    seed: int
    places: int
    deadline: float | None = None
    budget_usd: float | None = None
    budget_tokens: int | None = None
    unpriced_usd: float | None = None
    sessions: tuple[str, ...] = ()
    offered_again: tuple[str, ...] = ()
    closed: bool = False
    mode: Use = ""
    terms: Terms | None = None
    ethics_approval: str = ""
    minutes: tuple[int, int] | None = None

    @property
    def free(self) -> int:
        """How many places are left."""
        return 0 if self.closed else max(0, self.places - len(self.sessions))

    def numbered(self, number: int) -> tuple[str, ...]:
        """The session of the subject with this number, all for 0. Raises UsageError."""
        if number > len(self.sessions):
            raise UsageError(msg("scenes-no-such-number"))
        return self.sessions[number - 1 : number] if number else self.sessions

    def number_on(self, place: int, number: int) -> int:
        """The number in the name of a seat's thread in the scene of the subject with this number, 0 for none.

        One member may have that seat in the scenes of several subjects; a subject is in one alone.
        """
        return number if place and self.places > 1 else 0

    def with_subject(self, session: str) -> Play:
        """The play when the next place is taken. A session that it has already changes nothing."""
        if session in self.sessions:
            return self
        return self.model_copy(update={"sessions": (*self.sessions, session)})

    def with_place_again(self, session: str) -> Play:
        """The play with the place of this session offered to somebody else; nothing is changed by a second time."""
        if session not in self.sessions or session in self.offered_again:
            return self
        places = len(self.sessions) + 1 if self.closed else self.places + 1
        return self.model_copy(
            update={"places": places, "offered_again": (*self.offered_again, session), "closed": False}
        )


@dataclass(frozen=True, slots=True)
class Plays:
    """All plays in the store. One process uses them."""

    store: KeyValueStore
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, play: str) -> Play:
        """A play. Raises UsageError, StorageError."""
        document = await self.store.get(NAMESPACE, play)
        if document is None:
            raise UsageError(msg("scenes-no-play"))
        return stored(Play, play, document)

    async def put(self, play: Play) -> None:
        """Keep it. Raises StorageError."""
        await self.store.put(NAMESPACE, play.id, play.model_dump(mode="json"))

    async def change(self, play: str, changed: Callable[[Play], Play]) -> Play:
        """Keep it as `changed` makes it; one change after the other. Raises UsageError, StorageError."""
        async with self.lock:
            after = changed(await self.get(play))
            await self.put(after)
        return after

    async def of_guild(self, guild: int, wanted: str = "") -> list[Play]:
        """The plays of a server, or the one with this id. Raises StorageError."""
        return [play for play in await self.all() if play.guild == guild and wanted in ("", play.id)]

    async def remove(self, play: str) -> None:
        """Forget a play, if it is there. Raises StorageError."""
        await self.store.remove(NAMESPACE, play)

    async def offer_again(self, session: str) -> Play | None:
        """Offer the place of a session to the next; the play, None where that was done before or there is none."""
        if (play := await self.of_session(session)) is None or session in play.offered_again:
            return None
        return await self.change(play.id, lambda known: known.with_place_again(session))

    async def moved(self, old: int, new: int) -> None:
        """A control room has another thread."""
        for play in await self.all():
            if play.control == old:
                await self.change(play.id, lambda known: known.model_copy(update={"control": new}))

    async def of_session(self, session: str) -> Play | None:
        """The play to which a session belongs."""
        return next((play for play in await self.all() if session in play.sessions), None)

    async def run_by(self, member: int) -> list[Play]:
        """The plays that a member runs."""
        return [play for play in await self.all() if play.moderator == member]

    async def all(self) -> list[Play]:
        """All plays that have a control room. Raises StorageError."""
        return list(readable(Play, await self.store.all(NAMESPACE)))
