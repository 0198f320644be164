"""Whatever we use of discord.py that is not its public interface, each with its reason. Written for discord.py 2.7.

- `release_locks`: a request that is cancelled must let the others go on, and the library leaves two of its locks shut
  then. It waits outside any `finally` for a limit of all requests to pass, and after the last post that a webhook's
  bucket allows. A follower is cancelled whenever its thread fails, so both are met in practice, and each would hold up
  every later request, or every later post of a channel, until the process ends.
- `delete_channel`, `delete_message`, `is_in_thread`: the public methods want objects of threads that the bot's cache
  does not hold, and one more request each to get them.
- `speaks_nowhere`: two flags of the class alone keep the library from warning of what a voice would need.
- `recommended`: only `AutoShardedClient` asks how many shards Discord recommends, and it starts them all.
- `has_role`: the ids of a member's roles are known where the roles themselves are not cached.

The addresses of Discord, three attributes of the library's classes, are set in `endpoints`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Any

import discord
from discord.webhook import async_

AFTERWARDS = 2.0
"""Seconds after the cancelling of the request that met a limit of all requests until the others ask by themselves."""


class Limit(asyncio.Event):
    """Set while no limit of all requests is known. `holder` is the task that met it last, and lifts it at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.holder: asyncio.Task[Any] | None = None
        self.set()

    def clear(self) -> None:
        """Hold all requests back."""
        super().clear()
        self.holder = asyncio.current_task()

    def release(self) -> None:
        """The running request is cancelled: if nobody else would lift the limit, it is lifted in a while."""
        if self.holder is asyncio.current_task() and not self.is_set():
            asyncio.get_running_loop().call_later(AFTERWARDS, self.set)


class ReleasedLock(async_.AsyncDeferredLock):
    """A webhook's lock, which whoever holds it gives back in any case."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Wait until the next post is allowed, then give the lock back; at once where the wait is cancelled."""
        try:
            await super().__aexit__(kind, error, traceback)
        except asyncio.CancelledError:
            self.lock.release()
            raise


def release_locks(client: discord.Client) -> None:
    """Put both locks in place of the library's own; the client has logged in."""
    limit = client.http._global_over = Limit()  # noqa: SLF001 - it has no public name
    ask = client.http.request

    async def request(*args: Any, **options: Any) -> Any:
        try:
            return await ask(*args, **options)
        except asyncio.CancelledError:
            limit.release()
            raise

    client.http.request = request  # type: ignore[method-assign]
    async_.AsyncDeferredLock = ReleasedLock  # type: ignore[misc]  # looked up at each request


def speaks_nowhere() -> None:
    """Have the library tell nobody what is missing for a voice."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


async def recommended(token: str) -> tuple[int, int]:
    """How many shards Discord recommends, and how many may identify at once. Raises what a login raises, and
    discord.GatewayNotFound.
    """
    speaks_nowhere()
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.login(token)
        shards, _, starts = await client.http.get_bot_gateway()
        return int(shards), max(1, int(starts["max_concurrency"]))


async def delete_channel(client: discord.Client, channel: int) -> None:
    """Delete a channel or a thread. Raises discord.HTTPException."""
    await client.http.delete_channel(channel)


async def delete_message(client: discord.Client, channel: int, message: int) -> None:
    """Delete a message. Raises discord.HTTPException."""
    await client.http.delete_message(channel, message)


async def is_in_thread(client: discord.Client, thread: int, member: int) -> bool:
    """Whether Discord says that a member is in a thread."""
    with suppress(discord.HTTPException):
        await client.http.get_thread_member(thread, member)
        return True
    return False


def has_role(member: discord.Member, role: int) -> bool:
    """Whether a member has a role."""
    return member._roles.has(role)  # noqa: SLF001 - ids
