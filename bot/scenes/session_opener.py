"""A subject gets a place: a session, a thread for each person's seat, and the control room's view, whole or not at all.

What is to come about is in the store before the first of them (a `Place`) and leaves it after the last, so a bot that
died in between finishes it at its next start (`bot.thread_opener` does the same for each single thread).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.debate.options import members_of
from elenchus.bot.discord_internals import delete_channel
from elenchus.bot.notifier import notify_moderator
from elenchus.bot.rendering import scenes as wording
from elenchus.bot.scenes.casting import seat_for, with_stand_in
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.plays import Play, Plays
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import Opening
from elenchus.debate_engine.errors import ElenchusError, StorageError, UnknownSession, UsageError
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import drawn
from elenchus.debate_engine.protocols.rulegen.schemas import Assignment
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.service.lab.grid import scene_started
from elenchus.service.lab.options import RunOptions

NAMESPACE = "scene-places"
"""Where the store keeps places that are being made."""


Check = Callable[[Play], Awaitable[None]]


class Place(FrozenModel):
    """A subject's place in the play `play` that is to be: `threads` are the seats' own, the subject's the first.

    `lot` is the subject's number in the lot.
    """

    play: str
    session: str
    number: int
    lot: int
    started: SessionStarted
    threads: tuple[Opening, ...]


@dataclass(frozen=True)
class Opener:
    """Opens places. All raise UsageError, StorageError, discord.HTTPException.

    In one channel one place is made after the other, as their threads are called alike; none before what was left
    unfinished is finished.
    """

    services: BotServices
    scenes: SceneSessions
    plays: Plays
    library: Library
    caught_up: asyncio.Event = field(default_factory=asyncio.Event)
    _left: list[Place] = field(default_factory=list)

    async def subject(
        self, client: discord.Client, play_id: str, spec: str, click: int, check: Check | None = None
    ) -> int | None:
        """Give a subject (a member's or a model's spec) the next place; the thread of a member's seat.

        `click` is the interaction that asked for it; `check` refuses it, by what it raises, when its turn comes.
        """
        await self.caught_up.wait()
        async with self.scenes.one_at_a_time[(await self.plays.get(play_id)).channel]:
            play = await self.plays.get(play_id)
            if check is not None:
                await check(play)
            if not play.free:
                raise UsageError(msg("scenes-full"))
            place = await self._place(play, spec, click)
            await self.services.store.put(NAMESPACE, place.session, place.model_dump(mode="json"))
            try:
                await self._made(client, place)
            except Exception:
                await self._undone(client, place)
                raise
        own = self.scenes.bindings.find(ViewKey.of_seat(place.session, 0))
        return own.thread if own else None

    async def _place(self, play: Play, spec: str, click: int) -> Place:
        """What is to be made for the next subject."""
        names = {member: await self.scenes.people.name_of(member) for member in members_of([spec])}
        lot = play.next_lot
        scene = await self.version_for(play, lot_of(play, lot))
        behind = await self.scenes.people.members_of([seat.spec for seat in play.seats])
        others = tuple(with_stand_in(seat, behind) for seat in play.seats)
        subject = seat_for(play.subject_seat, spec, names, play.deadline)
        started = started_of(play, scene, (subject, *others), lot_of(play, lot))
        members = {**behind, **dict.fromkeys([subject.spec], next(iter(names), 0))}
        session = new_id()
        number = len(play.sessions) + 1
        threads = [
            Opening(
                session=session, view=str(n), guild=play.guild, channel=play.channel,
                moderator=play.moderator, private=True, click=click, members=(members[seat.spec],),
                title=wording.seat_thread(
                    seat.name, play.number_on(n, number), judge=seat.name in started.config["human_judges"]
                ),
            )
            for n, seat in enumerate(started.seats)
            if is_human(seat.spec)
        ]  # fmt: skip
        return Place(play=play.id, session=session, number=number, lot=lot, started=started, threads=tuple(threads))

    async def version_for(self, play: Play, lot: Assignment | None) -> Scene:
        """The version of the scene that the lot gives to a subject."""
        scene = await self.library.find(play.guild, play.scene)
        if lot is None:
            return scene
        condition = drawn(lot)
        twin = await self.library.twin(play.guild, scene)
        versions = {one.condition: one for one in (scene, twin) if one is not None}
        if condition not in versions:
            raise UsageError(msg("scenes-no-twin"))
        return versions[condition]

    async def _made(self, client: discord.Client, place: Place) -> None:
        """Make what is not there yet of a place, and begin."""
        play = await self.plays.get(place.play)
        try:
            await self.services.log.info(place.session)
        except UnknownSession:
            await self.services.runner.start(place.started, place.session)
        for thread in place.threads:
            if self.scenes.bindings.find(thread.key) is None:
                await self.scenes.opener.open(client, thread)
        key = ViewKey.of_control(place.session, place.number)
        if self.scenes.bindings.find(key) is None:
            await self.scenes.bindings.put(control_view(play, key))
        await self.plays.change(play.id, lambda known: known.with_subject(place.session, place.lot))
        await self.services.store.remove(NAMESPACE, place.session)
        self.scenes.manager.begin(place.session)

    async def _undone(self, client: discord.Client, place: Place) -> None:
        """Take back what there is of it: the place is free again."""
        for binding in self.scenes.bindings.views_of(place.session):
            if binding.key.seat is not None:
                with suppress(discord.HTTPException, *errors.DISCONNECTED):
                    await delete_channel(client, binding.thread)
            await self.scenes.bindings.remove(binding.key)
        with suppress(UnknownSession):
            await self.services.log.delete(place.session)
        await self.services.store.remove(NAMESPACE, place.session)

    # ── after a death ────────────────────────────────────────────────────────────────────────────────────────────

    async def load(self) -> None:
        """Read what was left unfinished, before anybody can ask for more. Raises StorageError."""
        self._left.extend(Place.model_validate(left) for left in (await self.services.store.all(NAMESPACE)).values())

    async def finish(self, client: discord.Client) -> None:
        """Finish what was left, once. What cannot be finished is undone and told. Raises nothing of Discord's."""
        left, self._left[:] = list(self._left), []
        for place in left:
            try:
                await self._made(client, place)
            except (ElenchusError, discord.HTTPException, *errors.DISCONNECTED) as error:
                await self._failed(client, place, error)
        self.caught_up.set()

    async def _failed(self, client: discord.Client, place: Place, error: Exception) -> None:
        if isinstance(error, (StorageError, discord.DiscordServerError, *errors.DISCONNECTED)):
            errors.logged(error, f"the place {place.session} is not opened yet")
            return
        name = errors.logged(error, f"the place {place.session} could not be opened")
        await self._undone(client, place)
        with suppress(UsageError):
            play = await self.plays.get(place.play)
            text = msg("sessions-not-opened", title=place.started.title, why=errors.sentence(error))
            await notify_moderator(
                client,
                control_view(play, ViewKey(place.session)),
                msg("errors-with-reference", sentence=text, name=name),
            )


def control_view(play: Play, key: ViewKey) -> Binding:
    """A view of a session in the play's control room."""
    return Binding(
        session=key.session, view=key.name, guild=play.guild, channel=play.channel, thread=play.control,
        moderator=play.moderator, private=True,
    )  # fmt: skip


def lot_of(play: Play, number: int) -> Assignment | None:
    """The lot of this number, None where the scene has no versions."""
    return Assignment(seed=play.seed, number=number, of=play.conditions) if play.conditions else None


def started_of(play: Play, scene: Scene, seats: tuple[Seat, ...], lot: Assignment | None) -> SessionStarted:
    """The first event of one subject's scene. Raises UsageError where it cannot be played."""
    started = scene_started(scene, seats, RunOptions(), play.seed, assignment=lot)
    limits = ("budget_usd", "budget_tokens", "unpriced_usd")
    return started.model_copy(update={name: getattr(play, name) for name in limits})
