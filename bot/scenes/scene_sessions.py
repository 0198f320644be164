"""The sessions of scenes: how one stands and is shown, how it goes on in new threads, who is forgotten in it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import discord

from elenchus.bot.bindings import OVER, Binding, Bindings, ViewKey, all_bindings
from elenchus.bot.people.forgetting_messages import NOBODY
from elenchus.bot.people.members import person
from elenchus.bot.posting.failures import Kind
from elenchus.bot.rendering import scenes as wording
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.member_names import MemberNames
from elenchus.bot.scenes.plays import Play, Plays
from elenchus.bot.scenes.scene_thread import SceneThread
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.services import BotServices
from elenchus.bot.session_kind import SessionKind, title_of
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import PendingThread, ThreadOpener
from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import SeatLeft
from elenchus.debate_engine.privacy.forgetting import PATIENCE
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.service.lab.session_status import SessionStatus

SHORT_PATIENCE = 5.0
LOOKS_EVERY = 0.1
"""Seconds in all, and between two looks, for a scene to be over."""


@dataclass(frozen=True)
class SceneSessions(SessionKind):
    """What scenes need beside the manager of all sessions; their `SessionKind`.

    Threads are made by `opener`, in one channel one scene after the other (`channel_locks`), as they are called alike.
    """

    services: BotServices
    manager: SessionManager
    opener: ThreadOpener
    plays: Plays
    names: MemberNames
    channel_locks: defaultdict[int, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    @property
    def bindings(self) -> Bindings:
        """Which thread shows which view, of whatever session."""
        return self.manager.bindings

    async def view(self, session: str) -> SceneView:
        """How the scene stands at this moment. Raises UnknownSession, StorageError."""
        events = await self.services.log.read(session)
        return SceneView.of(session, events, await self.names.members_in(events))

    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """The open turns for free texts of the seat whose thread this is, with its member."""
        if (place := binding.key.seat) is None:
            return []
        view = await self.view(binding.session)
        seat = view.seats[place].name
        member = view.member_on(seat)
        mine = [turn for turn in view.open_turns if turn.seat == seat and turn.answer_schema is None]
        return [(turn, member) for turn in mine if member is not None and not turn.answered and not view.over]

    async def called_in_log(self, member: int) -> str:
        """How a member is called where something is sent to a log."""
        return await self.names.name_of(member)

    def control_of(self, session: str) -> Binding:
        """The control room's view of a session. Raises UnknownSession."""
        binding = self.bindings.main(session)
        if binding is None or binding.key.is_public:
            raise UnknownSession(msg("scenes-no-scene"))
        return binding

    # ── how they are shown ───────────────────────────────────────────────────────────────────────────────────────

    def thread_view(self, key: ViewKey) -> SceneThread:
        """What the thread of a view shows."""
        return SceneThread(key, self.names, self.services.pictures)

    def failure(self, kind: Kind, title: str, _session: str, server: str, reference: str) -> str:
        """The sentence for whoever runs the scene about what hinders posting."""
        return wording.posting_failure(kind, title, server, reference)

    def broke_off(self, status: SessionStatus) -> str:
        """The same about a scene that broke off."""
        return msg("scenes-broke-off", title=title_of(status)) if status.state == "failed" else ""

    # ── new threads ──────────────────────────────────────────────────────────────────────────────────────────────

    async def resume(self, client: discord.Client, session: str, by: str) -> None:
        """Go on with a session, in new threads where some are gone. Raises UnknownSession, StorageError."""
        for binding in self.bindings.views_of(session):
            if binding.closed not in ("", OVER):
                await self._reopen_thread(client, binding)
        await self.manager.resume(session, by)

    async def _reopen_thread(self, client: discord.Client, binding: Binding) -> None:
        """The view in a new thread, which shows it from its beginning. Raises discord.HTTPException.

        A control room is made anew once, for all the scenes that it showed.
        """
        place = binding.key.seat
        view = await self.view(binding.session)
        seat = "" if place is None else view.seats[place].name
        title = wording.control_thread(view.status.view.title)
        if place is not None:
            number = await self._number_on(place, binding.session)
            title = wording.seat_thread(seat, number, judge=view.scene.is_judge(seat))
        pending = PendingThread.again(binding, title, binding.thread, [view.member_on(seat) or binding.moderator])
        async with self.channel_locks[binding.channel]:
            if self.bindings.of(binding.key).thread != binding.thread:
                return  # it was made anew meanwhile
            made = await self.opener.open(client, pending)
            if place is None:
                await self._move(binding.thread, made.thread)

    async def _number_on(self, place: int, session: str) -> int:
        """The number in the name of a seat's thread, 0 for none."""
        play = await self.plays.of_session(session)
        return play.number_on(place, self.control_of(session).key.subject or 0) if play else 0

    async def _move(self, old: int, new: int) -> None:
        """Show in a new control room whatever the old one showed."""
        for other in self.bindings.shown_in(old):
            fresh = {"panel": None, "cursor": 0, "part": 0, "last_message": None, "closed": ""}
            await self.bindings.change(other.key, thread=new, **fresh)
            self.manager.show(other.key)
        await self.plays.moved(old, new)

    # ── forgetting ───────────────────────────────────────────────────────────────────────────────────────────────

    async def forget(self, session: str, member: int) -> int | None:
        """Remove a member from a scene: out of the seats, the words, the name; how many texts that changed.

        A subject who is still in it withdraws by that. None where the session is no scene shown here. Raises
        StorageError.
        """
        name = await self.names.known_name_of(member)
        if name is None or all(binding.key.is_public for binding in self.bindings.views_of(session)):
            return None
        view = await self.view(session)
        for seat in view.seats_of(member) if not view.over else ():
            if view.scene.is_subject(seat):
                await withdraw(self.services.log, self.services.runner, session, seat, name)
                await self._wait_until_over(session)
            else:
                await self.services.log.send(session, SeatLeft(by=name, seat=seat))
        count = await self.services.people.forget_in(session, name)
        self.manager.show_all(session)
        return count

    async def ended(self, session: str) -> None:
        """Keep nothing of the people who never agreed to take part in a scene that is over: part of its end. Raises
        StorageError.
        """
        view = await self.view(session)
        unknown = {
            m for seat in view.seats if (m := view.member_on(seat.name)) and not view.scene.agreed.get(seat.name)
        }
        for member in unknown:
            await self._forget_name(session, member)
        await self.services.retention.settle(session)

    async def dismiss(self, session: str, member: int) -> None:
        """Keep nothing of a member who did not agree to take part, not even the made-up name. Raises StorageError."""
        async with self.manager.ending[session]:
            await self._wait_until_over(session, SHORT_PATIENCE)  # others may still be asked whether they agree
            await self._forget_name(session, member)

    async def _forget_name(self, session: str, member: int) -> None:
        if (name := await self.names.known_name_of(member)) is None:
            return
        await self.services.runner.forget_wherever(session, name)
        self.manager.show_all(session)
        await self.services.people.forget_key_of(person(member), session)

    async def has_withdrawn(self, session: str, member: int) -> None:
        """Keep no key to the made-up name of a member who has just withdrawn, once the log has it no more. Raises
        StorageError.
        """
        async with self.manager.ending[session]:
            await self._wait_until_over(session)
            await self.services.retention.settle(session)

    async def _wait_until_over(self, session: str, patience: float = PATIENCE) -> None:
        """Wait so long until a scene that somebody has left for good is over and held by nobody."""
        for _ in range(int(patience / LOOKS_EVERY)):
            info = await self.services.log.info(session)
            if info.state in ("finished", "stopped") and not info.owner:
                return
            await asyncio.sleep(LOOKS_EVERY)


@dataclass(frozen=True, slots=True)
class SceneOrganiserRecords:
    """Plays with their threads, and scripts. All raise StorageError."""

    scenes: SceneSessions
    plays: Plays
    library: Library

    async def document(self, member: int) -> dict[str, Any]:
        """All of it, as JSON."""
        bound = (one for one in await all_bindings(self.scenes.services.store) if one.moderator == member)
        views = [str(one.key) for one in bound if not one.key.is_public]
        return {
            "scenes run": [play.id for play in await self._runs(member, "")],
            "views of scenes run": views,
            "scripts added": await self.library.added_by(member),
        }

    async def forget(self, member: int, session: str) -> int:
        """Forget who ran what is over (or the one scene) and who added what; how many scenes the member still runs.

        A play in which somebody still plays keeps its organiser: whoever takes part must be helped, and let go, by
        somebody. Free places of a play that nobody runs are offered no more.
        """
        if not session:
            await self.library.forget(member)
        running = 0
        for play in await self._runs(member, session):
            if not self.scenes.services.shard.has(play.guild):
                continue
            if await self._goes_on(play):
                running += 1
                continue
            await self.plays.change(
                play.id, lambda known: known.model_copy(update={"moderator": NOBODY, "closed": True})
            )
            for binding in [b for one in play.sessions for b in self.scenes.bindings.views_of(one)]:
                await self.scenes.bindings.change(binding.key, moderator=NOBODY)
        return running

    async def servers(self, member: int, session: str) -> set[int]:
        """Those in which the member runs scenes."""
        return {play.guild for play in await self._runs(member, session)}

    async def _runs(self, member: int, session: str) -> list[Play]:
        return [play for play in await self.plays.run_by(member) if session in ("", *play.sessions)]

    async def _goes_on(self, play: Play) -> bool:
        for session in play.sessions:
            try:
                if not (await self.scenes.manager.status(session)).over:
                    return True
            except UnknownSession:
                continue
        return False
