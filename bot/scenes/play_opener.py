"""A play begins: its control room, the subjects that were named, the invitation; a bot that died goes on with it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import discord

from elenchus.bot.bindings import Binding
from elenchus.bot.pending import PendingWork
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering import scenes as wording
from elenchus.bot.rendering.post import Button
from elenchus.bot.scenes.place_opener import PlaceOpener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import PendingThread
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel

NAMESPACE = "scene-pendings"

JOIN = "sjoin"
"""The name of the click on an invitation; the rest is the play."""

MOST = 1_000
"""Posts that are looked through for one that was made just before the bot died."""


class PendingPlay(FrozenModel):
    """A play that was started and has perhaps no control room yet, with the specs of the subjects that were named.

    `click` is the interaction that started it.
    """

    play: Play
    subjects: tuple[str, ...]
    click: int

    @property
    def room(self) -> PendingThread:
        """The control room that is to be."""
        play = self.play
        return PendingThread(
            session=play.id, guild=play.guild, channel=play.channel, moderator=play.moderator, private=True,
            title=wording.control_thread(play.title), click=self.click, members=(play.moderator,),
        )  # fmt: skip


class PlayOpener(PendingWork[PendingPlay]):
    """Begins plays. All raise UsageError, StorageError, discord.HTTPException."""

    namespace, model = NAMESPACE, PendingPlay

    def __init__(self, services: BotServices, places: PlaceOpener) -> None:
        super().__init__(services)
        self.places = places
        self.plays = places.scenes.plays

    def _key(self, pending: PendingPlay) -> str:
        return pending.play.id

    async def _guild(self, pending: PendingPlay) -> int:
        return pending.play.guild

    async def _addressee(self, pending: PendingPlay) -> tuple[str, Binding]:
        return pending.play.title, pending.room.bound(0)

    async def open_play(self, client: discord.Client, play: Play, click: int, subjects: tuple[str, ...]) -> Play:
        """The play with its control room, which only whoever runs it is in, its named subjects and its invitation."""
        await self.places.caught_up.wait()
        pending = PendingPlay(play=play, subjects=subjects, click=click)
        async with self.all_or_nothing(client, pending):
            return await self._begun(client, pending, after_death=False)

    async def _complete(self, client: discord.Client, pending: PendingPlay) -> None:
        await self._begun(client, pending, after_death=True)

    async def _begun(self, client: discord.Client, pending: PendingPlay, *, after_death: bool) -> Play:
        """Do what is not done yet."""
        play = await self._known(pending.play) or await self._with_room(client, pending, after_death=after_death)
        for spec in pending.subjects[len(play.sessions) :]:
            await self.places.subject(client, play.id, spec, pending.click)
        play = await self.plays.get(play.id)
        if not (after_death and await _is_invited(client, play, pending.click)):
            await self.invite(client, play, pending.click)
        return play

    async def _known(self, play: Play) -> Play | None:
        try:
            return await self.plays.get(play.id)
        except UsageError:
            return None

    async def _with_room(self, client: discord.Client, pending: PendingPlay, *, after_death: bool) -> Play:
        others = {play.control for play in await self.plays.all()}
        thread = await self.places.scenes.opener.thread(client, pending.room, look=after_death, besides=others)
        intro = msg("scenes-control-intro", n=pending.play.places, version=wording.versions(pending.play.conditions))
        try:
            if not (after_death and await _stands(client, thread, pending.click, lambda post: post.content == intro)):
                await thread.send(intro, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException:
            with suppress(discord.HTTPException):
                await thread.delete()
            raise
        play = pending.play.model_copy(update={"control": thread.id})
        await self.plays.put(play)
        return play

    async def invite(self, client: discord.Client, play: Play, click: int) -> None:
        """Ask in the channel for subjects, where places are free, once for a click. What it is about stays unsaid."""
        if play.free:
            channel = client.get_partial_messageable(play.channel, guild_id=play.guild)
            button = Button(_joining(play), msg("scenes-take-part"), "success")
            nonce, nobody = f"join-{click}"[:25], discord.AllowedMentions.none()
            text = msg("scenes-invitation", n=play.free, minutes=wording.lasting(play.minutes))
            await channel.send(text, view=view_of((button,)), nonce=nonce, allowed_mentions=nobody)


def _joining(play: Play) -> str:
    """The custom_id of the button under an invitation."""
    return f"el:{JOIN}:{play.id}"


async def _is_invited(client: discord.Client, play: Play, click: int) -> bool:
    """Whether an invitation to the play stands in its channel, made after a click. Raises discord.HTTPException."""
    channel = client.get_partial_messageable(play.channel, guild_id=play.guild)
    return await _stands(client, channel, click, lambda post: _joining(play) in _pressable(post))


async def _stands(
    client: discord.Client, place: discord.abc.Messageable, click: int, like: Callable[[discord.Message], bool]
) -> bool:
    """Whether such a post of ours stands in a place, made after a click. Raises discord.HTTPException."""
    async for post in place.history(limit=MOST, after=discord.Object(click), oldest_first=True):
        if client.user is not None and post.author.id == client.user.id and like(post):
            return True
    return False


def _pressable(post: discord.Message) -> list[str]:
    """The custom_ids of the buttons under a post."""
    rows = [row.children for row in post.components if isinstance(row, discord.ActionRow)]
    return [part.custom_id for row in rows for part in row if isinstance(part, discord.Button) and part.custom_id]
