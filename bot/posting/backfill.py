"""What already stands in a thread, and its deletion: our posts are recognised by their author and mark."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress

import discord

from elenchus.bot.bindings import Binding
from elenchus.bot.rendering.post import Mark, mark_in

_log = logging.getLogger(__name__)

WebhookOf = Callable[[int], Awaitable[discord.Webhook]]
"""Gives our webhook of a channel (`poster.Webhooks.of`)."""


async def own_posts(client: discord.Client, webhook_of: WebhookOf, binding: Binding) -> dict[Mark, int]:
    """Our posts behind the last confirmed one, by mark, with their message ids.

    Raises discord.HTTPException when the thread cannot be read: nothing may be posted then.
    """
    found: dict[Mark, int] = {}
    async for mark, message in _own(client, webhook_of, binding, binding.last_message or binding.thread):
        found.setdefault(mark, message)
    return found


async def delete_doubles(
    client: discord.Client, webhook_of: WebhookOf, binding: Binding, since: int
) -> dict[Mark, int]:
    """Delete whichever of our posts stand twice behind message `since`, but for the first of each; those, by mark.

    Raises discord.HTTPException.
    """
    first: dict[Mark, int] = {}
    async for mark, message in _own(client, webhook_of, binding, since):
        if first.setdefault(mark, message) != message and await _deleted(client, webhook_of, binding, message):
            _log.warning("%s: post %s stood twice, as two processes had it in hand; one was deleted", binding.key, mark)
    return first


async def _own(
    client: discord.Client, webhook_of: WebhookOf, binding: Binding, since: int
) -> AsyncIterator[tuple[Mark, int]]:
    """Our posts behind a message, the oldest first. Raises discord.HTTPException."""
    thread = client.get_partial_messageable(binding.thread, guild_id=binding.guild)
    async for message in thread.history(limit=None, after=discord.Object(since), oldest_first=True):
        if _is_ours(client, binding, message):
            text = message.content or await _own_text(webhook_of, binding, message)
            if (mark := mark_in(text)) is not None:
                yield mark, message.id


def _is_ours(client: discord.Client, binding: Binding, message: discord.Message) -> bool:
    if message.webhook_id is not None:
        return message.webhook_id in binding.webhooks
    return client.user is not None and message.author.id == client.user.id


async def _own_text(webhook_of: WebhookOf, binding: Binding, message: discord.Message) -> str:
    """A webhook sees its own words where the bot, without the intent for message contents, does not."""
    if message.webhook_id is None:
        return ""
    with suppress(discord.NotFound):
        webhook = await webhook_of(binding.channel)
        if webhook.id == message.webhook_id:
            return (await webhook.fetch_message(message.id, thread=discord.Object(binding.thread))).content
    return ""


def from_the_beginning(binding: Binding) -> Binding:
    """The binding as it was when nothing was confirmed yet: all posts of the thread are looked at."""
    return binding.model_copy(update={"cursor": 0, "part": 0, "last_message": None})


async def delete(
    client: discord.Client, webhook_of: WebhookOf, binding: Binding, marks: Iterable[Mark]
) -> tuple[int, int]:
    """Delete these posts; how many are gone, and how many could not be deleted."""
    wanted = set(marks)
    try:
        standing = await own_posts(client, webhook_of, from_the_beginning(binding))
    except (discord.NotFound, discord.Forbidden):
        return 0, len(wanted)
    gone = [
        await _deleted(client, webhook_of, binding, message) for mark, message in standing.items() if mark in wanted
    ]
    return sum(gone), len(gone) - sum(gone)


async def _deleted(client: discord.Client, webhook_of: WebhookOf, binding: Binding, message: int) -> bool:
    """Whether a post is gone: a persona's by its webhook, which needs no permission; else as the bot."""
    with suppress(discord.HTTPException):
        webhook = await webhook_of(binding.channel)
        await webhook.delete_message(message, thread=discord.Object(binding.thread))
        return True
    thread = client.get_partial_messageable(binding.thread, guild_id=binding.guild)
    try:
        await thread.get_partial_message(message).delete()
    except discord.NotFound:
        return True
    except discord.HTTPException:
        return False
    return True
