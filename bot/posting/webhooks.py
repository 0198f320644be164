"""The one webhook of a channel through which all personas of its threads speak; what is posted by it is sent once.

discord.py sends a post again after an answer of 5xx, although it may have been made; a bot's message has a nonce for
that, a webhook's has none, and neither has a new thread. So the error is raised (`Uncertain`), and before the next
attempt the thread is looked at (`backfill`), or looked for (`bot.thread_opener`).
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from time import monotonic
from types import SimpleNamespace

import aiohttp
import discord

from elenchus.bot.strings import msg

LOST = (10015, 50027)
"""What Discord answers where a webhook is gone, or has another token now."""

REFUSAL_COUNTS = 60.0
"""Seconds before a channel is asked again that refused a webhook: Discord bans who asks in vain too often."""


class Webhooks:
    """Our webhook in each channel: found there after a restart, made where it is missing.

    Nothing is stored: Discord hands an application the tokens of the webhooks that it made itself.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._known: dict[int, discord.Webhook] = {}
        self._refused: dict[int, tuple[float, discord.HTTPException]] = {}
        self._finding: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, channel: int) -> discord.Webhook:
        """The channel's webhook. Raises Forbidden without MANAGE_WEBHOOKS, HTTPException where there is no room."""
        async with self._finding[channel]:
            until, refusal = self._refused.get(channel, (0.0, None))
            if refusal is not None and monotonic() < until:
                raise refusal.with_traceback(None)
            if channel not in self._known:
                self._known[channel] = await self._found(channel)
            return self._known[channel]

    def forget(self, channel: int) -> None:
        """The channel's webhook is gone, or may be: look for it again."""
        self._known.pop(channel, None)

    async def _found(self, channel: int) -> discord.Webhook:
        try:
            return await self._find(channel)
        except discord.HTTPException as error:
            if error.status < 500:
                self._refused[channel] = monotonic() + REFUSAL_COUNTS, error
            raise

    async def _find(self, channel_id: int) -> discord.Webhook:
        channel = self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)
        assert isinstance(
            channel, discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
        )
        assert self._client.user is not None, "the client has logged in"
        for hook in await channel.webhooks():
            if (
                hook.token
                and hook.user
                and hook.user.id == self._client.user.id
                and hook.name == msg("posting-webhook-name")
            ):
                return hook
        return await channel.create_webhook(name=msg("posting-webhook-name"))


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
