"""A request that is cancelled lets the others go on: discord.py 2.7 leaves two of its locks shut then.

It waits outside any `finally` for a limit of all requests to pass, and after the last post that a webhook's bucket
allows. A follower is cancelled whenever its thread fails, so both are met in practice, and each would hold up every
later request, or every later post of a channel, until the process ends.
"""

from __future__ import annotations

import asyncio
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

    def let_go(self) -> None:
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


def use(client: discord.Client) -> None:
    """Put both in place of the library's own; the client has logged in."""
    limit = client.http._global_over = Limit()  # noqa: SLF001 - it has no public name
    ask = client.http.request

    async def request(*args: Any, **options: Any) -> Any:
        try:
            return await ask(*args, **options)
        except asyncio.CancelledError:
            limit.let_go()
            raise

    client.http.request = request  # type: ignore[method-assign]
    async_.AsyncDeferredLock = ReleasedLock  # type: ignore[misc]  # looked up at each request
