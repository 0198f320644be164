"""`SessionManager`: owns a task for each session that runs here and one for each thread that shows a view of one.

A thread that cannot be posted to never hurts its session: posting is tried again, or the session is paused and its
moderator told (`UnpostableThreads`). Everything ends with `aclose`; what was not said then goes on when the bot is
back.

A session is run by `Runner.run` of the engine's `runner`, a thread filled by a `Follower`. What the thread shows, what
is told of it and what is done at a session's end is its `SessionKind`'s: sessions with one public view
are one, scenes another; the `client` sets both.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from elenchus.bot import errors
from elenchus.bot.bindings import OVER, Binding, Bindings, ViewKey
from elenchus.bot.notifier import Notifier
from elenchus.bot.panel.message import PanelMessage
from elenchus.bot.posting.failures import leaves, rest_before
from elenchus.bot.posting.follower import Follower
from elenchus.bot.posting.poster import Poster, Transport
from elenchus.bot.services import BotServices
from elenchus.bot.session_kind import SessionKind
from elenchus.bot.session_tasks import SessionTasks
from elenchus.bot.unpostable_threads import UnpostableThreads
from elenchus.debate_engine.errors import LostOwnership, SessionHeld, StorageError, UnknownSession
from elenchus.debate_engine.events import ResumeAsked
from elenchus.debate_engine.log import rules
from elenchus.service.lab.session_status import SessionStatus

EDITS_A_SECOND = 10.0
"""Of all panels together, well below what Discord allows a bot."""
STORE_TRIES = 8
"""Attempts to run a session while the store is away, over some four minutes."""


class SessionManager:
    """Runs and shows sessions. `panel_interval` is the seconds between two edits of one panel.

    `previous_owner` is the process that had the bot's place before and did not let go of it: what it
    still holds is taken over.
    `ending` is held while the end of a session is seen to, and by whoever must not come in between. `public`
    (debates, detections, scored text) is a `public_sessions.PublicSessions`, `scenes` a `scene_sessions.SceneSessions`.
    """

    public: SessionKind
    scenes: SessionKind

    def __init__(
        self,
        services: BotServices,
        transport: Transport,
        panel_interval: float = 3.0,
        previous_owner: Mapping[str, Any] | None = None,
    ) -> None:
        self._services, self._previous_owner = services, previous_owner
        self._transport = transport
        self._panel_interval = panel_interval
        self._runs, self._shows = SessionTasks[str]("run"), SessionTasks[ViewKey]("show")
        self._retry_now = defaultdict[ViewKey, asyncio.Event](asyncio.Event)
        self._notifier = Notifier(transport.client, transport.bindings, services.log, self.kind_of)
        self.unpostable = UnpostableThreads(
            transport.client, transport.bindings, services.log, self._notifier, self._runs, self._shows, self.show
        )
        self._opened = False
        self.ending = defaultdict[str, asyncio.Lock](asyncio.Lock)

    @property
    def bindings(self) -> Bindings:
        """Which thread shows which view."""
        return self._transport.bindings

    async def open(self, *, early: bool = False) -> None:
        """Go on with everything that the bot had in hand; the bindings are loaded. Safe to call again.

        `early`: before the bot is at the gateway, which posting does not need. What is found then comes in by another
        call.
        """
        if self._opened:
            return
        for binding in self.bindings:
            if binding.closed != OVER:
                await self._reopen(binding)
        self._opened = not early

    async def _reopen(self, binding: Binding) -> None:
        try:
            status = await self.status(binding.session)
        except UnknownSession:  # deleted by another front end
            await self.bindings.remove(binding.key)
            return
        if not binding.closed:
            self.show(binding.key)
        if self.bindings.main(binding.session) is None:
            return  # a class has it, and runs it
        if status.over or not (binding.closed or status.waits_for_moderator):  # one that is over may not be done with
            self.run(binding.session)

    async def aclose(self) -> None:
        """Stop everything, and begin nothing more; running sessions are paused until the bot is back."""
        self._shows.close()
        await self._runs.aclose()
        await self._shows.aclose()

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    def run_and_show(self, session: str) -> None:
        """Run a new session and show it in its threads, to which it is bound."""
        self.show_all(session)
        self.run(session)

    async def status(self, session: str) -> SessionStatus:
        """How the session stands at this moment. Raises UnknownSession, StorageError."""
        return SessionStatus.of(session, await self._services.log.read(session))

    def runs(self, session: str) -> bool:
        """Whether the session runs in this process."""
        return session in self._runs

    def run(self, session: str) -> None:
        """Run the session unless it runs here already."""
        self._runs.begin(session, self._run(session))

    async def resume(self, session: str, by: str) -> None:
        """Go on with a session, wherever it runs, and with showing it. Raises UnknownSession, StorageError."""
        self.show_all(session)
        info = await self._services.log.info(session)
        if info.owner:
            await self._services.log.send(session, ResumeAsked(by=by))
        else:
            self.run(session)

    async def _run(self, session: str) -> None:
        """Run it to its end. A store that is away is waited for: nobody else would begin it again."""
        for attempt in range(STORE_TRIES):
            try:
                await self._services.runner.run(session, take_over=await self._is_formers(session))
                await self._ended(session)
            except (SessionHeld, LostOwnership) as held:
                errors.logged(held, f"session {session} is left to the process that runs it")
            except Exception as error:  # noqa: BLE001 - one session's end is no reason to end the others
                if type(error) is StorageError and attempt < STORE_TRIES - 1:
                    errors.logged(error, f"session {session} waits for the store")
                    await asyncio.sleep(rest_before(attempt))
                    continue
                await self._notifier.broke_off(session, errors.logged(error, f"session {session} broke off"))
            return

    async def _is_formers(self, session: str) -> bool:
        """Whether it is held by the process that stood still while this one took the bot's place."""
        if (previous_owner := self._previous_owner) is None:
            return False
        info = await self._services.log.info(session)
        return info.owner == rules.holder_name(str(previous_owner["host"]), int(previous_owner["pid"]))

    async def _ended(self, session: str) -> bool:
        """See to what is left to do for a session that is over, nothing for another one; False where some is left."""
        try:
            if not (await self.status(session)).over:
                return True  # it can go on, and waits for nobody who is being dismissed
            if (binding := self.bindings.main(session)) is not None:
                async with self.ending[session]:
                    await self.kind_of(binding.key).ended(session)
        except UnknownSession:
            pass  # deleted meanwhile
        except Exception as error:  # noqa: BLE001 - it is over, whatever comes behind
            errors.logged(error, f"the end of {session}")
            return False
        return True

    def kind_of(self, key: ViewKey) -> SessionKind:
        """How the session of this view is shown."""
        return self.public if key.is_public else self.scenes

    # ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────

    def show(self, key: ViewKey) -> None:
        """Show the view in its thread; where that is being done already, try again at once."""
        self._notifier.tries_again(key)
        self._retry_now[key].set()
        self._shows.begin(key, self._show(key))

    def show_all(self, session: str) -> None:
        """Show the session in all its threads."""
        for binding in self.bindings.views_of(session):
            self.show(binding.key)

    def is_shown(self, session: str) -> bool:
        """Whether nothing of an ended session waits to be shown: each thread shows all of it, or is gone."""
        return not any(binding.key in self._shows for binding in self.bindings.views_of(session))

    def guild_joined(self, guild: int) -> None:
        """The bot is a member of a server again: show what was not shown. Moderators resume their debates."""
        for binding in self.bindings:
            if binding.guild == guild and not binding.closed:
                self.show(binding.key)

    async def _show(self, key: ViewKey) -> None:
        """Follow the session until it has ended and is shown, the thread is gone, or the bot stops."""
        attempt, confirmed = 0, None
        while (binding := self.bindings.find(key)) is not None and binding.closed in ("", OVER):
            if binding.confirmed != confirmed:
                attempt, confirmed = 0, binding.confirmed
            self._retry_now[key].clear()
            wait = await self._attempt(binding, attempt)
            if wait is None and self._retry_now[key].is_set():
                continue  # more was said while the last of it was being posted
            if wait is None:
                return
            attempt += 1
            await self._rest(key, wait)

    async def _attempt(self, binding: Binding, attempt: int) -> float | None:
        """Follow the session; None when that is done for good, else seconds until the next attempt."""
        key = binding.key
        self.unpostable.tried_again(key)
        try:
            await self._follower(key).run()
            if not await self._ended(key.session):  # as long as it is not called over, a bot that died comes back to it
                return rest_before(attempt)
            await self.bindings.change(key, closed=OVER)
            await self._notifier.failed(key)
        except Exception as error:  # noqa: BLE001 - a thread that fails must not hurt its session
            if any(isinstance(leaf, UnknownSession) for leaf in leaves(error)):
                await self.bindings.remove(key)
                return None
            return await self.unpostable.failed(binding, error, attempt)
        return None

    def _follower(self, key: ViewKey) -> Follower:
        no_pins = partial(self._notifier.no_pins, key)
        panel = PanelMessage(self._transport.client, self.bindings, key, self._between_edits, no_pins)
        view, poster = self.kind_of(key).thread_view(key), Poster(self._transport, key)
        return Follower(self._services.log, key, view, poster, panel, self._notifier.webhook)

    def _between_edits(self) -> float:
        return max(self._panel_interval, len(self._shows) / EDITS_A_SECOND)

    async def _rest(self, key: ViewKey, seconds: float) -> None:
        """Wait, unless somebody asks for another attempt."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` may lose a cancellation that comes with the nudge
                await self._retry_now[key].wait()
