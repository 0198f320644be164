"""`Rooms`: runs the sessions of scenes, and owns a task for each thread that shows one of their views.

It is a `House` whose bindings are views (`keys`): a thread that cannot be posted to never hurts its session, what was
not said goes on when the bot is back, and a thread that is gone pauses its scene and is told to whoever runs it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial

from elenchus.bot.bindings import OVER, Binding, Bindings
from elenchus.bot.desk import Desk
from elenchus.bot.openings import Opener, Opening
from elenchus.bot.panel.board import Board
from elenchus.bot.people import drafts
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.people.held import held_on
from elenchus.bot.posting.poster import Poster, Transport
from elenchus.bot.posting.trouble import Kind
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Mark
from elenchus.bot.running import House
from elenchus.bot.scenes.follower import SceneFollower
from elenchus.bot.scenes.keys import number_in, seat_in, session_of
from elenchus.bot.scenes.panels import ScenePanel
from elenchus.bot.scenes.people import People
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings import scenes as words
from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import SeatLeft
from elenchus.debate_engine.forgetting import PATIENCE
from elenchus.debate_engine.protocols.rulegen.people.leaving import withdraw
from elenchus.debate_engine.reports.moderation import OpenTurn

DRAWER, THREADS = "scene-threads", "scene-openings"
"""Where the shelf keeps views, and threads that are being made for them."""

SHORT_PATIENCE = 5.0
LOOKS_EVERY = 0.1
"""Seconds in all, and between two looks, for a scene to be over."""


class Rooms(House):
    """All threads of all scenes. Where a House takes a session, this takes a key or a session's id.

    Threads are made by `threads`, in one channel one after the other (`one_at_a_time`), as they are called alike.
    `moved` are told of a control room that has another thread now.
    """

    def __init__(self, desk: Desk, transport: Transport, people: People, panel_pause: float = 3.0) -> None:
        super().__init__(desk, replace(transport, bindings=Bindings(desk.shelf, DRAWER)), panel_pause)
        self.people = people
        self.threads = Opener(desk, self, THREADS)
        self.one_at_a_time = defaultdict[int, asyncio.Lock](asyncio.Lock)
        self.moved: list[Callable[[int, int], Awaitable[None]]] = []
        self.when_over.append(self.forget_invitees)

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    def begin(self, session: str) -> None:
        """Run a new session and show it in its threads, to which it is bound."""
        self.show_all(session)
        self.run(session)

    async def view(self, session: str) -> SceneView:
        """How the scene stands at this moment. Raises UnknownSession, StorageError."""
        events = await self._desk.log.read(session_of(session))
        return SceneView.of(session_of(session), events, await self.people.behind(events))

    async def board(self, session: str) -> Board:
        """The same, as far as it is like a debate's."""
        return await super().board(session_of(session))

    def runs(self, session: str) -> bool:
        """Whether the session runs in this process."""
        return super().runs(session_of(session))

    def run(self, session: str) -> None:
        """Run the session unless it runs here already."""
        super().run(session_of(session))

    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """The open turns for free texts of the seat whose thread this is, with its member."""
        if (place := seat_in(binding.session)) is None:
            return []
        view = await self.view(binding.session)
        seat = view.seats[place].name
        member = view.member_on(seat)
        mine = [turn for turn in view.open_turns if turn.seat == seat and turn.answer_schema is None]
        return [(turn, member) for turn in mine if member is not None and not turn.answered and not view.over]

    async def called_in_log(self, member: int) -> str:
        """How a member is called where something is sent to a log."""
        return await self.people.name_of(member)

    def views_of(self, session: str) -> list[Binding]:
        """The threads that show a session."""
        return [binding for binding in self.bindings if session_of(binding.session) == session]

    def billed(self) -> list[Binding]:
        """One binding for each session, under the session's id: for the server's budget of the day."""
        controls = [binding for binding in self.bindings if seat_in(binding.session) is None]
        return [one.model_copy(update={"session": session_of(one.session)}) for one in controls]

    def control_of(self, session: str) -> Binding:
        """The control room's view of a session. Raises UnknownSession."""
        found = (binding for binding in self.views_of(session) if seat_in(binding.session) is None)
        if (binding := next(found, None)) is None:
            raise UnknownSession(words.NO_SCENE)
        return binding

    def is_shown(self, session: str) -> bool:
        """Whether nothing of an ended session waits to be shown: each thread shows all of it, or is gone."""
        return not any(binding.session in self._shows for binding in self.views_of(session))

    def show_all(self, session: str) -> None:
        """Show the session in all its threads; where that is being done already, try again at once."""
        for binding in self.views_of(session):
            self.show(binding.session)

    async def resume(self, session: str, by: str) -> None:
        """Go on with a session, in new threads where some are gone. Raises UnknownSession, StorageError."""
        for binding in self.views_of(session):
            if binding.closed not in ("", OVER):
                await self._reopen_thread(binding)
        self.show_all(session)
        await super().resume(session, by)

    async def _reopen_thread(self, binding: Binding) -> None:
        """The view in a new thread, which shows it from its beginning. Raises discord.HTTPException.

        A control room is made anew once, for all the scenes that it showed.
        """
        place = seat_in(binding.session)
        view = await self.view(binding.session)
        seat = "" if place is None else view.seats[place].name
        title = words.control_thread(view.board.view.title)
        if place is not None:
            title = words.seat_thread(seat, await self._number_on(place, binding.session), judge=view.is_judge(seat))
        opening = Opening(
            session=binding.session, guild=binding.guild, channel=binding.channel, moderator=binding.moderator,
            private=True, title=title, click=binding.thread,
            members=tuple(filter(None, [view.member_on(seat) or binding.moderator])),
        )  # fmt: skip
        async with self.one_at_a_time[binding.channel]:
            if self.bindings.of(binding.session).thread != binding.thread:
                return  # it was made anew meanwhile
            made = await self.threads.open(self._transport.client, opening)
            if place is None:
                await self._move(binding.thread, made.thread)

    async def _number_on(self, place: int, session: str) -> int:
        """The number in the name of a seat's thread, 0 for none."""
        play = await Plays(self._desk.shelf).of_session(session_of(session))
        return play.number_on(place, number_in(self.control_of(session_of(session)).session)) if play else 0

    async def _move(self, old: int, new: int) -> None:
        """Show in a new control room whatever the old one showed."""
        for other in self.bindings:
            if other.thread == old:
                fresh = {"panel": None, "cursor": 0, "part": 0, "last_message": None, "closed": ""}
                await self.bindings.change(other.session, thread=new, **fresh)
                self.show(other.session)
        for moved in self.moved:
            await moved(old, new)

    async def forget(self, session: str, member: int) -> int | None:
        """Remove a member from a scene: out of the seats, the words, the name; how many texts that changed.

        A subject who is still in it withdraws by that. None where the session is no scene shown here. Raises
        StorageError.
        """
        name = await self.people.known_name_of(member)
        if not self.views_of(session) or name is None:
            return None
        view = await self.view(session)
        for seat in view.seats_of(member) if not view.over else ():
            if view.is_subject(seat):
                await withdraw(self._desk.log, self._desk.runner, session, seat, name)
                await self._let_go(session)
            else:
                await self._desk.log.send(session, SeatLeft(by=name, seat=seat))
        await drafts.forget(self._desk.shelf, member=member, session=session)
        count = await self._desk.runner.forget_wherever(session, name)
        self.show_all(session)
        return count

    async def forget_invitees(self, session: str) -> None:
        """Keep nothing of the people who never agreed to take part in a scene that is over: part of its end. Raises
        StorageError.
        """
        view = await self.view(session)
        unknown = {m for seat in view.seats if (m := view.member_on(seat.name)) and not view.agreed.get(seat.name)}
        for member in unknown:
            await self._unnamed(session, member)

    async def dismiss(self, session: str, member: int) -> None:
        """Keep nothing of a member who did not agree to take part, not even the made-up name. Raises StorageError."""
        async with self.ending[session]:
            await self._let_go(session, SHORT_PATIENCE)  # others may still be asked whether they agree
            await self._unnamed(session, member)

    async def _unnamed(self, session: str, member: int) -> None:
        if (name := await self.people.known_name_of(member)) is None:
            return
        await self._desk.runner.forget_wherever(session, name)
        self.show_all(session)
        if not await held_on(self._desk, member):
            await self.people.forget(member)

    async def _let_go(self, session: str, patience: float = PATIENCE) -> None:
        """Wait so long until a scene that somebody has left for good is over and held by nobody."""
        for _ in range(int(patience / LOOKS_EVERY)):
            info = await self._desk.log.info(session)
            if info.state in ("finished", "stopped") and not info.owner:
                return
            await asyncio.sleep(LOOKS_EVERY)

    async def _ended(self, session: str) -> bool:
        """The same for all threads of a session."""
        return await super()._ended(session_of(session))

    # ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _attempt(self, binding: Binding, attempt: int) -> float | None:
        """Follow one view; who runs the scene is told where it broke off."""
        wait = await super()._attempt(binding, attempt)
        shown = wait is None and seat_in(binding.session) is None and self.bindings.find(binding.session) is not None
        if shown and (await self.board(binding.session)).state == "failed":
            await self._tell(binding.session, "failed", words.broke_off(await self._title(binding.session)))
        return wait

    def _follower(self, session: str) -> SceneFollower:  # type: ignore[override]  # House only runs it
        panel = ScenePanel(
            self._transport.client, self.bindings, session, self._between_edits, partial(self._may_not_pin, session)
        )
        forgetter = Forgetter(self._desk, self, self._transport)

        async def unpost(marks: Iterable[Mark]) -> None:
            await forgetter.unposted(self.bindings.of(session), marks)

        poster = Poster(self._transport, session)
        return SceneFollower(self._desk.log, session, poster, panel, self.people, unpost, self._look_at)

    async def _tell_trouble(self, binding: Binding, kind: Kind, reference: str, server: str = "") -> None:
        title = await self._title(binding.session)
        await self._tell(binding.session, kind, words.trouble(kind, title, safe.inline(server), reference))

    async def _tell(self, session: str, what: Kind | str, text: str) -> None:
        key = session if "@" in session else self.control_of(session).session
        await super()._tell(key, what, text)
