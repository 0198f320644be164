"""A webhook's post is sent once: a server's error ends the attempt, instead of being answered by another post.

discord.py sends a post again after an answer of 5xx, although it may have been made; a bot's message has a nonce for
that, a webhook's has none. So the error is raised, and before the next attempt the thread is looked at (`backfill`).
A new thread has none either: it is looked for (`bot.thread_opener`).
"""

from __future__ import annotations

import re
from types import SimpleNamespace

import aiohttp

_EXECUTE = re.compile(r"/webhooks/\d+/[^/]+/?\Z")
_THREADS = re.compile(r"/channels/\d+/threads$")


class Uncertain(ConnectionError):
    """Discord failed while it had a post or a thread in hand: whether it was made is to be looked up."""


def trace() -> aiohttp.TraceConfig:
    """What discord.py's HTTP session is to be given as `http_trace`."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_ended)
    return config


async def _ended(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
) -> None:
    """Raises Uncertain for a post through a webhook, or a new thread, that a server's error has answered."""
    path = params.url.path
    is_post = "thread_id" in params.url.query and _EXECUTE.search(path)
    if params.method == "POST" and (is_post or _THREADS.search(path)) and params.response.status >= 500:
        params.response.close()
        raise Uncertain(f"Discord answered {params.response.status} to a post through a webhook, or to a new thread")
