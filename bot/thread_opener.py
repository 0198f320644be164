"""A session gets its thread: whole, or not at all, whatever dies in between.

Discord makes the thread, the log the session, the store the binding of the two. After a death in between the thread is
known by who made it, where, when and under which name.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import Literal

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.pending import PendingWork
from elenchus.bot.posting.requests import Uncertain
from elenchus.bot.rendering import safe
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import FrozenModel, SessionStarted
from elenchus.debate_engine.runner import new_id

NAMESPACE = "openings"

ARCHIVE_AFTER: Literal[4320] = 4320
"""Minutes without a message after which Discord archives the thread."""

NO_ACCESS = 50001


class PendingThread(FrozenModel):
    """A view of a session that is to have a thread in `channel`, with these members in it where it is private.

    `started` is the first event of a new session, None for one that was there before. `click` is the interaction that
    asked for it: the thread has a higher id.
    """

    session: str
    guild: int
    channel: int
    moderator: int
    private: bool
    title: str
    click: int
    members: tuple[int, ...] = ()
    started: SessionStarted | None = None
    view: str = ""

    @property
    def key(self) -> ViewKey:
        """Which view it is."""
        return ViewKey(self.session, self.view)

    @classmethod
    def again(cls, binding: Binding, title: str, click: int, members: Iterable[int]) -> PendingThread:
        """What has a thread, in a new one. Nobody (0) is none of its members."""
        return cls(
            session=binding.session, view=binding.view, guild=binding.guild, channel=binding.channel,
            moderator=binding.moderator, private=binding.private, title=title, click=click,
            members=tuple(filter(None, members)),
        )  # fmt: skip

    def bound(self, thread: int) -> Binding:
        """The session in its thread, of which nothing is shown yet."""
        return Binding(
            session=self.session, view=self.view, guild=self.guild, channel=self.channel, thread=thread,
            moderator=self.moderator, private=self.private,
        )  # fmt: skip


class ThreadOpener(PendingWork[PendingThread]):
    """Opens threads for sessions.

    In a channel one thread is opened after the other: of two with one name each knows its own.
    """

    namespace, model = NAMESPACE, PendingThread

    def __init__(self, services: BotServices, manager: SessionManager) -> None:
        super().__init__(services)
        self.manager = manager
        self._opening = defaultdict[int, asyncio.Lock](asyncio.Lock)

    def _key(self, pending: PendingThread) -> str:
        return str(pending.key)

    def _lock(self, pending: PendingThread) -> asyncio.Lock:
        return self._opening[pending.channel]

    async def _guild(self, pending: PendingThread) -> int:
        return pending.guild

    async def _addressee(self, pending: PendingThread) -> tuple[str, Binding]:
        return pending.title, pending.bound(0)

    async def start_in_discord_thread(
        self,
        click: discord.Interaction[discord.Client],
        started: SessionStarted,
        channel: int,
        *,
        private: bool,
        people: Iterable[int] = (),
        title: str = "",
    ) -> Binding:
        """Run a new session in a thread of its own, which whoever clicked and these members are in.

        `title` is the thread's where it is not the session's. Raises as `open` does.
        """
        assert click.guild_id is not None, "sessions are started in a server"
        pending = PendingThread(
            session=new_id(), guild=click.guild_id, channel=channel, moderator=click.user.id, private=private,
            title=title or started.title, click=click.id, members=(click.user.id, *people), started=started,
        )  # fmt: skip
        binding = await self.open(click.client, pending)
        self.manager.run_and_show(binding.session)
        return binding

    async def open(self, client: discord.Client, pending: PendingThread) -> Binding:
        """The thread, the session and their binding; nothing runs or is shown yet.

        Where it fails there is neither thread nor session. Raises UsageError, StorageError, discord.HTTPException.
        """
        async with self.all_or_nothing(client, pending):
            await self._bind(pending, await self._thread(client, pending))
        return self.manager.bindings.of(pending.key)

    async def thread(
        self, client: discord.Client, pending: PendingThread, *, look: bool, besides: Container[int] = ()
    ) -> discord.Thread:
        """A thread with its members, bound to nothing. Where we `look`, one that was made for it before a death will
        do, if it is none of `besides`. Raises UsageError, discord.HTTPException.
        """
        found = await self._existing(client, pending, besides) if look else None
        thread = found or await self._thread(client, pending)
        await with_members(thread, pending.members if pending.private else ())
        return thread

    async def _thread(self, client: discord.Client, pending: PendingThread) -> discord.Thread:
        """A thread for it. Where Discord fails with it in hand, it is looked for; one more attempt where it is not."""
        place = (pending.channel, pending.title, str(pending.key))
        try:
            return await made_thread(client, *place, private=pending.private)
        except Uncertain:
            found = await self._existing(client, pending)
        return found or await made_thread(client, *place, private=pending.private)

    async def _bind(self, pending: PendingThread, thread: discord.Thread) -> None:
        await with_members(thread, pending.members if pending.private else ())
        if pending.started is not None:
            with suppress(UnknownSession):
                await self.services.log.info(pending.session)
                pending = pending.model_copy(update={"started": None})  # it was made before the bot died
        if pending.started is not None:
            await self.services.runner.create(pending.started, pending.session)
        await self.manager.bindings.put(pending.bound(thread.id))

    async def _undo(self, client: discord.Client, pending: PendingThread) -> None:
        """Take back what there is of it. Discord may have made the thread although it did not say so."""
        with suppress(discord.HTTPException, *errors.DISCONNECTED):
            while thread := await self._existing(client, pending):
                await thread.delete()
        if pending.started is not None:
            with suppress(UnknownSession):
                await self.services.log.delete(pending.session)

    async def _complete(self, client: discord.Client, pending: PendingThread) -> None:
        """Do what is not done yet; a session runs then."""
        known = self.manager.bindings.find(pending.key)
        if known is None or known.thread <= pending.click:  # else it died after the last step but one
            await self._bind(pending, await self._existing(client, pending) or await self._thread(client, pending))

    async def _existing(
        self, client: discord.Client, pending: PendingThread, besides: Container[int] = ()
    ) -> discord.Thread | None:
        """The thread that was made for it, if one shows no other session. Raises discord.HTTPException."""
        guild = client.get_guild(pending.guild) or await client.fetch_guild(pending.guild)
        taken, name = {binding.thread for binding in self.manager.bindings}, name_of(pending.title, str(pending.key))
        archived = await archived_since(client, pending.channel, pending.click, private=pending.private)
        for thread in [*await guild.active_threads(), *archived]:
            ours = client.user is not None and thread.owner_id == client.user.id
            alike = (thread.parent_id, thread.name, thread.is_private()) == (pending.channel, name, pending.private)
            free = thread.id not in taken and thread.id not in besides
            if ours and alike and thread.id > pending.click and free:
                return thread
        return None


# ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def made_thread(
    client: discord.Client, channel: int, title: str, session: str, *, private: bool
) -> discord.Thread:
    """A new thread in a text channel. Raises UsageError where it holds no such threads, discord.HTTPException."""
    place = client.get_channel(channel) or await client.fetch_channel(channel)
    if not isinstance(place, discord.TextChannel) or place.is_news():
        raise UsageError(msg("sessions-no-threads-there"))
    return await place.create_thread(
        name=name_of(title, session),
        type=discord.ChannelType.private_thread if private else discord.ChannelType.public_thread,
        auto_archive_duration=ARCHIVE_AFTER,
        invitable=not private,
        reason=msg("sessions-thread-reason", session=session),
    )


async def with_members(thread: discord.Thread, members: Iterable[int]) -> None:
    """Have the thread open, and these members in it, each once.

    Raises UsageError for a member who may not see the channel, discord.HTTPException.
    """
    if thread.archived:
        await thread.edit(archived=False)
    for member in dict.fromkeys(members):
        try:
            await thread.add_user(discord.Object(member))
        except discord.Forbidden as error:
            if error.code != NO_ACCESS:
                raise
            raise UsageError(msg("sessions-sees-not")) from error


async def archived_since(client: discord.Client, channel: int, click: int, *, private: bool) -> list[discord.Thread]:
    """The threads of a channel that were made after a click and are archived; none where the bot may not read them.

    Raises discord.HTTPException.
    """
    place = client.get_channel(channel) or await client.fetch_channel(channel)
    if not isinstance(place, discord.TextChannel):
        return []
    found, clicked_at = list[discord.Thread](), discord.utils.snowflake_time(click)
    with suppress(discord.Forbidden):
        async for thread in place.archived_threads(private=private, joined=private, limit=None):
            if thread.id > click:
                found.append(thread)
            elif private or thread.archive_timestamp < clicked_at:
                break  # private ones come by their age, public ones by when they were archived
    return found


def name_of(title: str, session: str) -> str:
    """What a session's thread is called."""
    return safe.shortened(safe.plain(title), 100) or session
