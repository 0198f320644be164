"""What each request that makes something in a thread goes through: nothing is sent twice, or by who may no more.

`sent` is around the sending of a post, `trace` is what discord.py's HTTP session is given.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeVar

import aiohttp

from elenchus.debate_engine.tasks import cancelled

T = TypeVar("T")

ARRIVES = 5.0
"""Seconds for which a post that has left the process is waited for when it is not wanted any more."""

_EXECUTE = re.compile(r"/webhooks/\d+/[^/]+/?\Z")
_MESSAGES = re.compile(r"/channels/\d+/messages$")
_THREADS = re.compile(r"/channels/\d+/threads$")


class NotOurs(aiohttp.ClientError):
    """This process was frozen, or could not reach the store: whoever has taken over posts.

    It is one of aiohttp's errors, as aiohttp would wrap another one that is raised amid its work.
    """


class Uncertain(ConnectionError):
    """Discord failed while it had a post or a thread in hand: whether it was made is to be looked up.

    discord.py sends a post again after an answer of 5xx, although it may have been made. A bot's message has a nonce
    for that, a webhook's has none, and neither has a new thread. So this is raised in its place, and before the next
    attempt the thread is looked at (`backfill`), or looked for (`bot.thread_opener`).
    """


@dataclass
class _Sending:
    """A post that is being sent; `left`: some of it may have left the process."""

    is_ours: Callable[[], bool]
    left: bool = False


_sending: ContextVar[_Sending | None] = ContextVar("sending", default=None)


async def sent(work: Coroutine[Any, Any, T], is_ours: Callable[[], bool]) -> T:
    """Send a post by `work`. Raises what that raises; NotOurs where `is_ours` does not hold, looked at once more as its
    first byte is to go.

    Cancelled, it waits for what has left the process: whoever posts next looks at the thread first, and must see it.
    """
    if not is_ours():
        work.close()
        raise NotOurs
    sending = _Sending(is_ours)
    token = _sending.set(sending)
    try:
        task = asyncio.create_task(work, name="post")
    finally:
        _sending.reset(token)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if sending.left:
            await asyncio.wait({task}, timeout=ARRIVES)
        await cancelled(task)
        raise


def trace() -> aiohttp.TraceConfig:
    """What discord.py's HTTP session is to be given as `http_trace`."""
    config = aiohttp.TraceConfig()
    config.on_request_headers_sent.append(_about_to_leave)
    config.on_request_end.append(_ended)
    return config


async def _about_to_leave(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestHeadersSentParams
) -> None:
    """The request's connection is there, and its first byte goes next: raises NotOurs for a post that may not."""
    sending, path = _sending.get(), params.url.path
    if sending is None or params.method != "POST" or not (_EXECUTE.search(path) or _MESSAGES.search(path)):
        return
    if not sending.is_ours():
        raise NotOurs
    sending.left = True


async def _ended(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
) -> None:
    """Raises Uncertain for a post through a webhook, or a new thread, that a server's error has answered."""
    path = params.url.path
    is_post = "thread_id" in params.url.query and _EXECUTE.search(path)
    if params.method == "POST" and (is_post or _THREADS.search(path)) and params.response.status >= 500:
        params.response.close()
        raise Uncertain(f"Discord answered {params.response.status} to a post through a webhook, or to a new thread")
