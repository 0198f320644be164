"""Posts into one thread, in order, each exactly once whatever dies in between; a speaker's by the channel's webhook.

A post counts when its message id is in the store. One that was sent and not written down is recognised in the thread by
its author and mark before anything is posted again (`backfill`).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.posting import backfill
from elenchus.bot.posting.discord_objects import fields_of, without_webhook
from elenchus.bot.posting.persona_emojis import PersonaEmojis
from elenchus.bot.posting.requests import NotOurs, sent
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.strings import msg

ARCHIVED = 50083
INVALID = 50035
NO_ROOM_FOR_WEBHOOKS = 30007
LOST = (10015, 50027)
"""What Discord answers where a webhook is gone, or has another token now."""

REFUSAL_COUNTS = 60.0
"""Seconds before a channel is asked again that refused a webhook: Discord bans who asks in vain too often."""


@dataclass(frozen=True)
class Transport:
    """What all threads of a bot share. `is_ours` tells, before each post, whether this process is still the one. For
    views that are `contested` another one, which does not know yet that it is not, may have a post in hand, or have
    had: something may stand twice behind the message that is given with them (`late_posts`).
    """

    client: discord.Client
    bindings: Bindings
    webhooks: Webhooks
    emojis: PersonaEmojis
    is_ours: Callable[[], bool] = lambda: True
    contested: dict[ViewKey, int] = field(default_factory=dict)


@dataclass
class Poster:
    """Posts what one thread shows. One task at a time uses it.

    `without` says why there is no webhook ("permission" or "room", "" where there is one); `remade` that ours was gone.
    """

    transport: Transport
    key: ViewKey
    without: str = ""
    remade: bool = False
    _existing: dict[Mark, int] | None = field(default=None, repr=False)
    _pressable: dict[Mark, int] = field(default_factory=dict, repr=False)
    _delivered_one: bool = False

    async def without_buttons(self, seq: int, instead: str = "") -> None:
        """Take the buttons off the posts of an event, and have them say something else where it is given.

        Where that cannot be, they say that it is over when pressed.
        """
        with suppress(discord.HTTPException, *errors.DISCONNECTED):
            if not any(mark.seq == seq for mark in self._pressable):  # posted by a bot before this one
                t = self.transport
                whole = backfill.from_the_beginning(self._binding)
                self._pressable |= await backfill.own_posts(t.client, t.webhooks.of, whole)
            thread = self.transport.client.get_partial_messageable(self._binding.thread, guild_id=self._binding.guild)
            for mark in [mark for mark in self._pressable if mark.seq == seq]:
                says: dict[str, Any] = {"content": f"{instead}\n-# {mark}"} if instead else {}
                await thread.get_partial_message(self._pressable.pop(mark)).edit(view=None, **says)

    async def post(self, post: Post) -> None:
        """Have the post in the thread and written down. Raises discord.HTTPException, OSError, StorageError.

        After an error the same post is to be posted again: whether it arrived is looked up then.
        """
        standing = await self._known()
        message = standing.pop(post.mark, None)
        if message is None:
            self._existing = None  # from here until it is sent nobody knows what stands in the thread
            message = await sent(self._delivered(post), self.transport.is_ours)
            self._existing = standing
        if post.buttons:
            self._pressable[post.mark] = message
        changes = {"cursor": post.mark.seq, "part": post.mark.part, "last_message": message}
        await self.transport.bindings.change(self.key, **changes)

    async def _delivered(self, post: Post) -> int:
        """Send it, once even if another process does so as well: of who looks last each sees both, and the first stays.

        Raises NotOurs where it is another process's to write down.
        """
        first, binding = self.is_contested and not self._delivered_one, self._binding
        message = await self._send(post)
        self._delivered_one = True
        ours = self.transport.is_ours()
        if first or not ours:
            message = (await self._swept(binding.last_message or binding.thread)).get(post.mark, message)
        if not ours:
            raise NotOurs
        return message

    async def _swept(self, since: int) -> dict[Mark, int]:
        """Delete what stands twice behind a message; what stands there, as far as that can be seen."""
        t = self.transport
        with suppress(discord.HTTPException, *errors.DISCONNECTED):
            return await backfill.delete_doubles(t.client, t.webhooks.of, self._binding, since)
        return {}

    async def sweep(self) -> None:
        """Look for what stands twice, now that all stands in the thread; what comes later is found later."""
        if (since := self.transport.contested.get(self.key)) is not None:
            await self._swept(since)

    @property
    def is_contested(self) -> bool:
        """Whether another process may have a post of this thread in hand."""
        return self.key in self.transport.contested

    async def delete(self, marks: Iterable[Mark]) -> None:
        """Delete these posts, as far as that is possible."""
        await backfill.delete(self.transport.client, self.transport.webhooks.of, self._binding, marks)

    @property
    def confirmed(self) -> Mark:
        """Everything up to this mark stands in the thread and is written down."""
        return self._binding.confirmed

    async def _known(self) -> dict[Mark, int]:
        if self._existing is None:
            t = self.transport
            self._existing = await backfill.own_posts(t.client, t.webhooks.of, self._binding)
        return self._existing

    @property
    def _binding(self) -> Binding:
        return self.transport.bindings.of(self.key)

    async def _send(self, post: Post) -> int:
        """Send it; what Discord will never take makes way for a line that says so, and the thread goes on."""
        try:
            return await self._send_unarchiving(post)
        except discord.HTTPException as error:
            if error.code != INVALID:
                raise
            name = errors.logged(error, f"post {post.mark} of {self.key} was refused")
        instead = msg("posting-not-shown", reference=name, mark=str(post.mark))
        return await self._send_unarchiving(Post(post.mark, instead))

    async def _send_unarchiving(self, post: Post) -> int:
        """Send it, into an archived thread too."""
        try:
            return await self._as_speaker(post)
        except discord.HTTPException as error:
            if error.code != ARCHIVED or not await self._unarchived():
                raise
        return await self._as_speaker(post)

    async def _as_speaker(self, post: Post) -> int:
        webhook = await self._webhook() if post.speaker else None
        if webhook is None:
            return await self._as_bot(post)
        try:
            return await self._by_webhook(webhook, post)
        except discord.HTTPException as error:
            if error.code not in LOST:
                raise
        self.transport.webhooks.forget(self._binding.channel)  # a webhook is not used again after a 404
        self.remade = True
        webhook = await self._webhook()
        return await (self._by_webhook(webhook, post) if webhook else self._as_bot(post))

    async def _webhook(self) -> discord.Webhook | None:
        """The channel's webhook, written down as ours before anything is posted by it; None where it cannot be had."""
        binding = self._binding
        try:
            webhook = await self.transport.webhooks.of(binding.channel)
        except discord.Forbidden:
            self.without = "permission"
            return None
        except discord.HTTPException as error:
            if error.code != NO_ROOM_FOR_WEBHOOKS:
                raise
            self.without = "room"
            return None
        self.without = ""
        if webhook.id not in binding.webhooks:
            await self.transport.bindings.change(self.key, webhooks=(*binding.webhooks, webhook.id))
        return webhook

    async def _by_webhook(self, webhook: discord.Webhook, post: Post) -> int:
        avatar = await self.transport.emojis.url_of(post.speaker or "", post.name)
        thread = discord.Object(self._binding.thread)
        sent = await webhook.send(
            username=post.name, avatar_url=avatar or discord.utils.MISSING, thread=thread, wait=True, **fields_of(post)
        )
        return sent.id

    async def _as_bot(self, post: Post) -> int:
        thread = self.transport.client.get_partial_messageable(self._binding.thread, guild_id=self._binding.guild)
        fields = without_webhook(post) if post.speaker else fields_of(post)
        nonce = f"{self.key}-{post.mark.seq}.{post.mark.part}"[:25]
        return (await thread.send(nonce=nonce, **fields)).id

    async def _unarchived(self) -> bool:
        """Whether the thread could be opened again."""
        thread = await self.transport.client.fetch_channel(self._binding.thread)
        assert isinstance(thread, discord.Thread)
        with suppress(discord.Forbidden):
            await thread.edit(archived=False)
            return True
        return False


# ── webhooks ───────────────────────────────────────────────────────────────────────────────────────────────────────


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
