"""`UnpostableThreads`: threads to which the bot cannot post. Their sessions are paused and their moderators told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.notifier import Notifier
from elenchus.bot.posting.failures import Failure, Kind, failure_of
from elenchus.bot.session_tasks import SessionTasks
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import PauseAsked
from elenchus.debate_engine.log import EventLog
from elenchus.service.lab.session_status import SessionStatus

OURSELVES = "elenchus"
"""Who sent a command that nobody asked for."""
TELL_OTHERS_AFTER = 3
"""Failed attempts before the moderator hears of a failure that may pass by itself."""


@dataclass
class UnpostableThreads:
    """What is done about them. `runs` and `shows` are the tasks of `SessionManager`, `show` begins one of `shows`."""

    client: discord.Client
    bindings: Bindings
    log: EventLog
    notifier: Notifier
    runs: SessionTasks[str]
    shows: SessionTasks[ViewKey]
    show: Callable[[ViewKey], None]
    _known: set[ViewKey] = field(default_factory=set, init=False)

    def __contains__(self, key: ViewKey) -> bool:
        """Whether the last attempt found that the bot may not post to the view's thread."""
        return key in self._known

    def tried_again(self, key: ViewKey) -> None:
        """Another attempt begins."""
        self._known.discard(key)

    async def failed(self, binding: Binding, error: Exception, attempt: int) -> float | None:
        """An attempt to post failed. The seconds until the next one, None where there is to be none."""
        failure = failure_of(error, in_guild=self._in_guild(binding), attempt=attempt)
        if failure.why_paused:
            self._known.add(binding.key)
        await self._see_to(binding, failure, errors.logged(error, f"posting of {binding.key}"), attempt)
        return failure.wait

    async def channel_removed(self, place: int) -> None:
        """A thread, or a channel with its threads, was deleted, or hidden from the bot: Discord says which if asked."""
        for binding in self.bindings:
            if place not in (binding.thread, binding.channel) or binding.closed:
                continue
            try:
                await self.client.fetch_channel(binding.thread)
            except discord.NotFound:
                await self._give_up(binding, "gone", msg("posting-paused-thread-deleted"))
            except discord.Forbidden as error:
                await self._see_to(binding, failure_of(error, in_guild=self._in_guild(binding), attempt=0), "", 0)

    async def guild_left(self, guild: int, name: str) -> None:
        """The bot was removed from a server."""
        for binding in self.bindings:
            if binding.guild == guild and not binding.closed:
                await self._give_up(binding, "kicked", msg("posting-paused-kicked"), name)

    async def _see_to(self, binding: Binding, failure: Failure, reference: str, attempt: int) -> None:
        if failure.kind == "other" and attempt < TELL_OTHERS_AFTER:
            return
        await self.notifier.hindered(binding, failure.kind, reference)
        if failure.kind in ("gone", "kicked"):
            await self._mark_lost(binding, failure.kind, failure.why_paused)
        elif failure.why_paused:
            await self._pause(binding, failure.why_paused)

    async def _give_up(self, binding: Binding, kind: Kind, why: str, server: str = "") -> None:
        """Nothing can be posted there any more: pause the debate and tell its moderator."""
        if not self._shown_in(binding):
            return
        await self.shows.cancel(binding.key)
        if not self._shown_in(binding):  # whoever moved it meanwhile found it being shown still
            self.show(binding.key)
            return
        await self.notifier.hindered(binding, kind, "", server)
        await self._mark_lost(binding, kind, why)

    async def _mark_lost(self, binding: Binding, kind: Kind, why: str) -> None:
        if not self._shown_in(binding):
            return
        if kind == "gone":
            await self.bindings.change(binding.key, closed=why)
        await self._pause(binding, why)

    def _shown_in(self, binding: Binding) -> bool:
        """Whether the view is there and has this thread still: it may have been moved into another meanwhile."""
        known = self.bindings.find(binding.key)
        return known is not None and known.thread == binding.thread

    async def _pause(self, binding: Binding, why: str) -> None:
        """Pause the session if it runs here; one that is only just going on hears no pause yet, so wait for it.

        One that was moved into another thread meanwhile was also resumed, and goes on.
        """
        for _ in range(50):
            if binding.session not in self.runs:
                return
            status = SessionStatus.of(binding.session, await self.log.read(binding.session))
            if status.ended or not self._shown_in(binding):
                return
            if status.state == "running":
                await self.log.send(status.id, PauseAsked(by=OURSELVES, reason=why))
                return
            await asyncio.sleep(0.1)

    def _in_guild(self, binding: Binding) -> bool:
        """Whether the bot is a member of the thread's server, as far as it knows."""
        return not self.client.is_ready() or self.client.get_guild(binding.guild) is not None
