"""`House`: owns a task for each session that runs here and one for each thread that shows a session.

A thread that cannot be posted to never hurts its session: posting is tried again, or the debate is paused and its
moderator told. Everything ends with `aclose`; what was not said then goes on when the bot is back.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import OVER, Binding, Bindings
from elenchus.bot.desk import Desk
from elenchus.bot.panel.board import Board
from elenchus.bot.panel.keeper import PanelKeeper
from elenchus.bot.posting.follower import Follower
from elenchus.bot.posting.poster import Poster, Transport
from elenchus.bot.posting.trouble import Kind, Trouble, leaves, rest_before, told, trouble_of
from elenchus.bot.rendering import safe
from elenchus.bot.session_tasks import SessionTasks
from elenchus.bot.strings import posting as words
from elenchus.bot.telling import Teller
from elenchus.debate_engine.errors import SessionHeld, UnknownSession
from elenchus.debate_engine.events import PauseAsked, ResumeAsked

OURSELVES = "elenchus"
"""Who sent a command that nobody asked for."""
EDITS_A_SECOND = 10.0
"""Of all panels together, well below what Discord allows a bot."""
TELL_OTHERS_AFTER = 3
"""Failed attempts before the moderator hears of a trouble that may pass by itself."""


class House:
    """Runs and shows sessions. `panel_pause` is the seconds between two edits of one panel.

    `when_over` are told of each session that is over, at least once and one after the other; `ending` is held then, and
    by whoever must not come in between.
    """

    def __init__(self, desk: Desk, transport: Transport, panel_pause: float = 3.0) -> None:
        self._desk = desk
        self._transport = transport
        self._panel_pause = panel_pause
        self._runs, self._shows = SessionTasks("run"), SessionTasks("show")
        self._nudges = defaultdict[str, asyncio.Event](asyncio.Event)
        self._teller = Teller(transport.client, transport.bindings)
        self._opened, self._shut = False, set[str]()
        self._without_pins = set[int]()
        self.ending = defaultdict[str, asyncio.Lock](asyncio.Lock)
        self.when_over: list[Callable[[str], Awaitable[None]]] = []

    @property
    def bindings(self) -> Bindings:
        """Which thread shows which session."""
        return self._transport.bindings

    async def open(self) -> None:
        """Go on with everything that the bot had in hand; the bindings are loaded. Safe to call again."""
        if self._opened:
            return
        self._opened = True
        for binding in self.bindings:
            if binding.closed != OVER:
                await self._reopen(binding)

    async def _reopen(self, binding: Binding) -> None:
        try:
            board = await self.board(binding.session)
        except UnknownSession:  # deleted by another front end
            await self.bindings.remove(binding.session)
            return
        if not binding.closed:
            self.show(binding.session)
        if board.over or not (binding.closed or board.waits_for_moderator):  # one that is over may not be done with
            self.run(binding.session)

    async def aclose(self) -> None:
        """Stop everything, and begin nothing more; running sessions are paused until the bot is back."""
        self._shows.close()
        await self._runs.aclose()
        await self._shows.aclose()

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    def begin(self, session: str) -> None:
        """Run a new session and show it in its thread, to which it is bound."""
        self.show(session)
        self.run(session)

    async def board(self, session: str) -> Board:
        """How the session stands at this moment. Raises UnknownSession, StorageError."""
        return Board.of(session, await self._desk.log.read(session))

    def runs(self, session: str) -> bool:
        """Whether the session runs in this process."""
        return session in self._runs

    def run(self, session: str) -> None:
        """Run the session unless it runs here already."""
        self._runs.begin(session, self._run(session))

    async def resume(self, session: str, by: str) -> None:
        """Go on with a session, wherever it runs, and with showing it. Raises UnknownSession, StorageError."""
        if self.bindings.find(session):
            self.show(session)
        info = await self._desk.log.info(session)
        if info.owner:
            await self._desk.log.send(session, ResumeAsked(by=by))
        else:
            self.run(session)

    async def _run(self, session: str) -> None:
        try:
            await self._desk.runner.run(session)
            await self._ended(session)
        except SessionHeld as held:
            errors.logged(held, f"session {session} is left to the process that runs it")
        except Exception as error:  # noqa: BLE001 - one session's end is no reason to end the others
            name = errors.logged(error, f"session {session} broke off")
            await self._tell(session, "broke", words.broke_off(await self._title(session), session, name))

    async def _ended(self, session: str) -> bool:
        """See to what is left to do for a session that is over, nothing for another one; False where some is left."""
        try:
            if not (await self.board(session)).over:
                return True  # it can go on, and waits for nobody who is being dismissed
            async with self.ending[session]:
                for told in self.when_over:
                    await told(session)
        except UnknownSession:
            pass  # deleted meanwhile
        except Exception as error:  # noqa: BLE001 - it is over, whatever comes behind
            errors.logged(error, f"the end of {session}")
            return False
        return True

    # ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────

    def show(self, session: str) -> None:
        """Show the session in its thread; where that is being done already, try again at once."""
        self._teller.tries_again(session)
        self._nudges[session].set()
        self._shows.begin(session, self._show(session))

    def is_shut(self, session: str) -> bool:
        """Whether the last attempt found that the bot may not post to the session's thread."""
        return session in self._shut

    async def lost_sight(self, place: int) -> None:
        """A thread, or a channel with its threads, was deleted, or hidden from the bot: Discord says which if asked."""
        for binding in self.bindings:
            if place not in (binding.thread, binding.channel) or binding.closed:
                continue
            try:
                await self._transport.client.fetch_channel(binding.thread)
            except discord.NotFound:
                await self._give_up(binding, "gone", words.PAUSED_THREAD_DELETED)
            except discord.Forbidden as error:
                trouble = trouble_of(error, in_guild=self._in_guild(binding), attempt=0)
                await self._hindered(binding, trouble, "", 0)

    async def lost_guild(self, guild: int, name: str) -> None:
        """The bot was removed from a server."""
        for binding in self.bindings:
            if binding.guild == guild and not binding.closed:
                await self._give_up(binding, "kicked", words.PAUSED_KICKED, name)

    def back_in_guild(self, guild: int) -> None:
        """The bot is a member of a server again: show what was not shown. Moderators resume their debates."""
        for binding in self.bindings:
            if binding.guild == guild and not binding.closed:
                self.show(binding.session)

    async def _show(self, session: str) -> None:
        """Follow the session until it has ended and is shown, its thread is gone, or the bot stops."""
        attempt, confirmed = 0, None
        while (binding := self.bindings.find(session)) is not None and binding.closed in ("", OVER):
            if binding.confirmed != confirmed:
                attempt, confirmed = 0, binding.confirmed
            self._nudges[session].clear()
            wait = await self._attempt(binding, attempt)
            if wait is None and self._nudges[session].is_set():
                continue  # more was said while the last of it was being posted
            if wait is None:
                return
            attempt += 1
            await self._rest(session, wait)

    async def _attempt(self, binding: Binding, attempt: int) -> float | None:
        """Follow the session; None when that is done for good, else seconds until the next attempt."""
        session = binding.session
        self._shut.discard(session)
        try:
            await self._follower(session).run()
            if not await self._ended(session):  # as long as it is not called over, a bot that died comes back to it
                return rest_before(attempt)
            await self.bindings.change(session, closed=OVER)
        except Exception as error:  # noqa: BLE001 - a thread that fails must not hurt its session
            if any(isinstance(leaf, UnknownSession) for leaf in leaves(error)):
                await self.bindings.remove(session)
                return None
            trouble = trouble_of(error, in_guild=self._in_guild(binding), attempt=attempt)
            if trouble.pause:
                self._shut.add(session)
            await self._hindered(binding, trouble, errors.logged(error, f"posting of {session}"), attempt)
            return trouble.wait
        return None

    def _follower(self, session: str) -> Follower:
        keeper = PanelKeeper(
            self._transport.client, self.bindings, session, self._between_edits, partial(self._may_not_pin, session)
        )
        return Follower(self._desk, session, Poster(self._transport, session), keeper, self._look_at)

    async def _may_not_pin(self, session: str) -> None:
        """Tell the moderator, once for all threads of a server."""
        if (guild := self.bindings.of(session).guild) not in self._without_pins:
            self._without_pins.add(guild)
            await self._tell(session, "pins", words.MAY_NOT_PIN)

    def _between_edits(self) -> float:
        return max(self._panel_pause, len(self._shows) / EDITS_A_SECOND)

    async def _look_at(self, poster: Poster) -> None:
        """Tell the moderator what became of the webhook, once; the log is read only where something is to be told."""
        if poster.without and not self._teller.has_told(poster.session, poster.without):
            title = await self._title(poster.session)
            text = words.no_webhook(title) if poster.without == "permission" else words.webhooks_full(title)
            await self._tell(poster.session, poster.without, text)
        elif poster.remade:
            poster.remade = False
            text = words.webhook_remade(await self._title(poster.session))
            await self._tell(poster.session, f"webhook {poster.confirmed}", text)

    async def _hindered(self, binding: Binding, trouble: Trouble, reference: str, attempt: int) -> None:
        if trouble.kind == "other" and attempt < TELL_OTHERS_AFTER:
            return
        await self._tell_trouble(binding, trouble.kind, reference)
        if trouble.kind in ("gone", "kicked"):
            await self._mark_lost(binding, trouble.kind, trouble.pause)
        elif trouble.pause:
            await self._pause(binding, trouble.pause)

    async def _give_up(self, binding: Binding, kind: Kind, why: str, server: str = "") -> None:
        """Nothing can be posted there any more: pause the debate and tell its moderator."""
        if not self._shown_in(binding):
            return
        await self._shows.cancel(binding.session)
        if not self._shown_in(binding):  # whoever moved it meanwhile found it being shown still
            self.show(binding.session)
            return
        await self._tell_trouble(binding, kind, "", server)
        await self._mark_lost(binding, kind, why)

    async def _mark_lost(self, binding: Binding, kind: Kind, why: str) -> None:
        if not self._shown_in(binding):
            return
        if kind == "gone":
            await self.bindings.change(binding.session, closed=why)
        await self._pause(binding, why)

    def _shown_in(self, binding: Binding) -> bool:
        """Whether the session is there and has this thread still: it may have been moved into another meanwhile."""
        known = self.bindings.find(binding.session)
        return known is not None and known.thread == binding.thread

    async def _pause(self, binding: Binding, why: str) -> None:
        """Pause the session if it runs here; one that is only just going on hears no pause yet, so wait for it.

        One that was moved into another thread meanwhile was also resumed, and goes on.
        """
        for _ in range(50):
            if not self.runs(binding.session) or (board := await self.board(binding.session)).ended:
                return
            if not self._shown_in(binding):
                return
            if board.state == "running":
                await self._desk.log.send(board.session, PauseAsked(by=OURSELVES, reason=why))
                return
            await asyncio.sleep(0.1)

    async def _tell_trouble(self, binding: Binding, kind: Kind, reference: str, server: str = "") -> None:
        guild = self._transport.client.get_guild(binding.guild)
        name = safe.inline(server or (guild.name if guild else str(binding.guild)))
        title = await self._title(binding.session)
        await self._tell(binding.session, kind, told(kind, title, binding.session, name, reference))

    async def _tell(self, session: str, what: Kind | str, text: str) -> None:
        await self._teller.tell(session, what, text)

    async def _title(self, session: str) -> str:
        return safe.shortened(safe.inline((await self.board(session)).view.title), 200)

    async def _rest(self, session: str, seconds: float) -> None:
        """Wait, unless somebody asks for another attempt."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` may lose a cancellation that comes with the nudge
                await self._nudges[session].wait()

    def _in_guild(self, binding: Binding) -> bool:
        """Whether the bot is a member of the thread's server, as far as it knows."""
        client = self._transport.client
        return not client.is_ready() or client.get_guild(binding.guild) is not None
