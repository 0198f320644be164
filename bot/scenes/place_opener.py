"""A subject gets a place: a session, a thread for each person's seat, and the control room's view."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping
from contextlib import suppress

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.debate.seats import members_of
from elenchus.bot.discord_internals import delete_channel
from elenchus.bot.pending import PendingWork
from elenchus.bot.people.members import member_of
from elenchus.bot.rendering import safe, scenes as wording
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import PendingThread
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.config import Assignment
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.scene import Condition, Scene
from elenchus.debate_engine.scenes.versions import common_to
from elenchus.service.lab.allocation import assignment_of
from elenchus.service.lab.grid import scene_started
from elenchus.service.lab.options import RunOptions

NAMESPACE = "scene-places"
"""Where the store keeps places that are being made."""


Check = Callable[[Play], Awaitable[None]]


class Place(FrozenModel):
    """A subject's place in the play `play` that is to be: `threads` are the seats' own, the subject's the first."""

    play: str
    session: str
    number: int
    started: SessionStarted
    threads: tuple[PendingThread, ...]


class PlaceOpener(PendingWork[Place]):
    """Opens places. All raise UsageError, StorageError, discord.HTTPException.

    In one channel one place is made after the other, as their threads are called alike; none before what was left
    unfinished is finished.
    """

    namespace, model = NAMESPACE, Place

    def __init__(self, services: BotServices, scenes: SceneSessions, library: Library) -> None:
        super().__init__(services)
        self.scenes = scenes
        self.library = library

    def _key(self, pending: Place) -> str:
        return pending.session

    async def _guild(self, pending: Place) -> int:
        with suppress(UsageError):
            return (await self.scenes.plays.get(pending.play)).guild
        return next((thread.guild for thread in pending.threads), 0)

    async def _addressee(self, pending: Place) -> tuple[str, Binding] | None:
        with suppress(UsageError):
            play = await self.scenes.plays.get(pending.play)
            return pending.started.title, control_view(play, ViewKey(pending.session))
        return None

    async def subject(
        self, client: discord.Client, play_id: str, spec: str, click: int, check: Check | None = None
    ) -> int | None:
        """Give a subject (a member's or a model's spec) the next place; the thread of a member's seat.

        `click` is the interaction that asked for it; `check` refuses it, by what it raises, when its turn comes.
        """
        await self.caught_up.wait()
        async with self.scenes.channel_locks[(await self.scenes.plays.get(play_id)).channel]:
            play = await self.scenes.plays.get(play_id)
            if check is not None:
                await check(play)
            if not play.free:
                raise UsageError(msg("scenes-full"))
            place = await self._place(play, spec, click)
            async with self.all_or_nothing(client, place):
                await self._complete(client, place)
            self.scenes.manager.run_and_show(place.session)
        own = self.scenes.bindings.find(ViewKey.of_seat(place.session, 0))
        return own.thread if own else None

    async def _place(self, play: Play, spec: str, click: int) -> Place:
        """What is to be made for the next subject."""
        session = new_id()
        await self.services.retention.promise(session)
        names = {member: await self.scenes.names.name_of(member, session) for member in members_of([spec])}
        versions = await self.versions_of(play)
        await self.library.keep_pictures(versions.values(), self.services.pictures)
        lot = None
        if len(versions) > 1:
            lot = await assignment_of(self.services.store, _study_of(play, spec), session, versions, play.seed)
        behind = await self.scenes.names.members_of([seat.spec for seat in play.seats])
        others = tuple(with_stand_in(seat, behind) for seat in play.seats)
        subject = seat_for(play.subject_seat, spec, names, play.deadline)
        started = first_event_of(play, versions, (subject, *others), lot)
        members = {**behind, **dict.fromkeys([subject.spec], next(iter(names), 0))}
        number = len(play.sessions) + 1
        threads = [
            PendingThread(
                session=session, view=str(n), guild=play.guild, channel=play.channel,
                moderator=play.moderator, private=True, click=click, members=(members[seat.spec],),
                title=wording.seat_thread(
                    seat.name, play.number_on(n, number), judge=seat.name in started.config["human_judges"]
                ),
            )
            for n, seat in enumerate(started.seats)
            if is_human(seat.spec)
        ]  # fmt: skip
        return Place(play=play.id, session=session, number=number, started=started, threads=tuple(threads))

    async def versions_of(self, play: Play) -> dict[Condition, Scene]:
        """The versions of the scene among which the play's subjects are shared out."""
        scene = await self.library.find(play.guild, play.scene)
        known = await self.library.versions(play.guild, scene)
        if not set(play.conditions) <= set(known):
            raise UsageError(msg("scenes-no-twin"))
        return {name: known[name] for name in play.conditions}

    async def _complete(self, client: discord.Client, pending: Place) -> None:
        """Make what is not there yet of a place, and begin."""
        play = await self.scenes.plays.get(pending.play)
        try:
            await self.services.log.info(pending.session)
        except UnknownSession:
            await self.services.retention.promise(pending.session)
            await self.services.runner.create(pending.started, pending.session)
        for thread in pending.threads:
            if self.scenes.bindings.find(thread.key) is None:
                await self.scenes.opener.open(client, thread)
        key = ViewKey.of_control(pending.session, pending.number)
        if self.scenes.bindings.find(key) is None:
            await self.scenes.bindings.put(control_view(play, key))
        await self.scenes.plays.change(play.id, lambda known: known.with_subject(pending.session))

    async def _undo(self, client: discord.Client, pending: Place) -> None:
        """Take back what there is of it: the place is free again."""
        for binding in self.scenes.bindings.views_of(pending.session):
            if binding.key.seat is not None:
                with suppress(discord.HTTPException, *errors.DISCONNECTED):
                    await delete_channel(client, binding.thread)
            await self.scenes.bindings.remove(binding.key)
        with suppress(UnknownSession):
            await self.services.log.delete(pending.session)


def _study_of(play: Play, spec: str) -> str:
    """What the lots are kept under: people are balanced among themselves."""
    return play.id if is_human(spec) or member_of(spec) is not None else f"{play.id}-models"


def control_view(play: Play, key: ViewKey) -> Binding:
    """A view of a session in the play's control room."""
    return Binding(
        session=key.session, view=key.name, guild=play.guild, channel=play.channel, thread=play.control,
        moderator=play.moderator, private=True,
    )  # fmt: skip


def first_event_of(
    play: Play, versions: Mapping[Condition, Scene], seats: tuple[Seat, ...], lot: Assignment | None
) -> SessionStarted:
    """The first event of one subject's scene. Raises UsageError where it cannot be played."""
    promised = {"mode": play.mode, "terms": play.terms, "ethics_approval": play.ethics_approval}
    to_draw = {"assignment": lot, "versions": dict(versions)} if lot else {}
    started = scene_started(common_to(versions), seats, RunOptions(), play.seed, **to_draw, **promised)
    limits = ("budget_usd", "budget_tokens", "unpriced_usd")
    return started.model_copy(update={name: getattr(play, name) for name in limits})


def seat_for(name: str, spec: str, names: Mapping[int, str], deadline: float | None, *, stand_in: str = "") -> Seat:
    """A seat for a model or a member. Nobody stands in for a subject: that would be another's decision."""
    member = member_of(spec.removeprefix(f"{HUMAN}:"))
    if member is None:
        return Seat(name=name, spec=spec, title=safe.plain(name))
    return Seat(name=name, spec=f"{HUMAN}:{names[member]}", title=name, deadline=deadline, stand_in=stand_in)


def with_stand_in(seat: Seat, known: Container[str]) -> Seat:
    """The seat as it is; its stand-in's where it was for a person who is forgotten (whose spec is not `known`)."""
    if not is_human(seat.spec) or seat.spec in known:
        return seat
    return Seat(name=seat.name, spec=seat.stand_in, title=safe.plain(seat.name))
