"""A post stands once although two processes had it in hand: one that was frozen, and the one that took over from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

import discord
import pytest

from elenchus.bot.bindings import OVER, ViewKey
from elenchus.bot.client import ElenchusBot
from elenchus.bot.posting import late_posts
from elenchus.bot.posting.persona_emojis import PersonaEmojis
from elenchus.bot.posting.poster import Poster, Transport, Webhooks
from elenchus.bot.posting.requests import NotOurs
from elenchus.bot.rendering.post import Mark, Post
from elenchus.debate_engine.events import now
from tests.bot.posting.standing import WEBHOOK, marks, quiet, speeches
from tests.bot.stage import ENDLESS, Stage, posts, until
from tests.fakes.discord import posting
from tests.fakes.discord.posting import Author
from tests.fakes.discord.state import Channel

FIRST, SECOND = (Post(Mark(900, part), f"Words.\n-# #900.{part}", "pro", "Zeno") for part in (1, 2))


@dataclass
class Scene:
    """A thread in which the first post stands, and a process that posts there for as long as it `owns` the place."""

    stage: Stage
    bot: ElenchusBot
    thread: Channel
    owns: bool = True

    @property
    def key(self) -> ViewKey:
        return ViewKey(self.stage.session(self.thread))

    def transport(self, contested: dict[ViewKey, int] | None = None) -> Transport:
        faces = PersonaEmojis(self.bot)
        return Transport(self.bot, self.bot.bindings, Webhooks(self.bot), faces, lambda: self.owns, contested or {})

    def poster(self, *, contested: bool = False) -> Poster:
        views = late_posts.contested(self.bot.bindings, taken_over=True) if contested else {}
        return Poster(self.transport(views), self.key)

    def other_posts(self, post: Post) -> None:
        """Another process posts it, by the same webhook."""
        hook = next(one.webhook_id for one in posts(self.thread) if one.webhook_id)
        author = Author(self.stage.discord.world.user("Zeno", bot=True), webhook_id=hook)
        posting.create(self.stage.discord.world, self.thread, author, {"content": post.text}, {})

    def standing(self) -> list[int]:
        return [mark.part for mark in marks(self.thread) if mark.seq == 900]


@asynccontextmanager
async def scene_on(stage: Stage) -> AsyncIterator[Scene]:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        scene = Scene(stage, bot, thread)
        await scene.poster().post(FIRST)
        yield scene


async def on_its_way(stage: Stage) -> None:
    await until(lambda: stage.discord.faults.waiting(*WEBHOOK))


async def test_a_process_that_lost_its_place_while_a_limit_made_it_wait_sends_nothing(stage: Stage) -> None:
    async with scene_on(stage) as scene:
        before = len(speeches(stage))
        stage.discord.faults.limit(*WEBHOOK, retry_after=0.2)
        task = asyncio.create_task(scene.poster().post(SECOND))
        await until(lambda: len(speeches(stage)) > before)
        scene.owns = False
        with pytest.raises(NotOurs):
            await task
        assert scene.standing() == [1]
        assert len(speeches(stage)) == before + 1, "it asked again"


async def test_what_one_had_sent_before_it_lost_its_place_is_deleted_where_another_has_posted_it_meanwhile(
    stage: Stage,
) -> None:
    async with scene_on(stage) as scene:
        with stage.discord.faults.hold(*WEBHOOK):
            task = asyncio.create_task(scene.poster().post(SECOND))
            await on_its_way(stage)
            scene.owns = False
            scene.other_posts(SECOND)
        with pytest.raises(NotOurs):
            await task
        assert scene.standing() == [1, 2]
        cursor = scene.bot.bindings.of(scene.key).confirmed
        assert cursor == FIRST.mark, "it wrote into what is another's"


async def test_it_stays_where_nobody_else_has_posted_it(stage: Stage) -> None:
    async with scene_on(stage) as scene:
        with stage.discord.faults.hold(*WEBHOOK):
            task = asyncio.create_task(scene.poster().post(SECOND))
            await on_its_way(stage)
            scene.owns = False
        with pytest.raises(NotOurs):
            await task
        assert scene.standing() == [1, 2]


async def test_who_took_over_finds_what_came_between_its_look_and_its_post(stage: Stage) -> None:
    async with scene_on(stage) as scene:
        with stage.discord.faults.hold(*WEBHOOK):
            task = asyncio.create_task(scene.poster(contested=True).post(SECOND))
            await on_its_way(stage)
            scene.other_posts(SECOND)
        await task
        assert scene.standing() == [1, 2]
        assert scene.bot.bindings.of(scene.key).confirmed == SECOND.mark
        standing = next(post for post in posts(scene.thread) if "#900.2" in post.content)
        assert scene.bot.bindings.of(scene.key).last_message == standing.id, "it knows the one that is deleted"


async def test_who_took_over_finds_later_what_was_slow_in_the_network(stage: Stage) -> None:
    async with scene_on(stage) as scene:
        poster = scene.poster(contested=True)
        await poster.post(SECOND)
        scene.other_posts(SECOND)
        assert scene.standing() == [1, 2, 2]
        await poster.sweep()
        assert scene.standing() == [1, 2]


async def test_a_bot_that_starts_looks_in_a_while_for_what_came_after_the_end(stage: Stage) -> None:
    async with scene_on(stage) as scene:
        await scene.poster().post(SECOND)
        await scene.bot.bindings.change(scene.key, closed=OVER)
    scene.other_posts(SECOND)
    async with stage.running(late=0.5):
        assert scene.standing() == [1, 2, 2]
        await until(lambda: scene.standing() == [1, 2])


@pytest.mark.parametrize("taken_over", [True, False])
async def test_what_comes_after_its_debates_end_is_found_by_who_took_over_and_by_who_starts_next(
    stage: Stage, taken_over: bool
) -> None:
    async with scene_on(stage) as scene:
        await scene.poster().post(SECOND)
        await scene.bot.bindings.change(scene.key, closed=OVER)
        views = late_posts.contested(scene.bot.bindings, taken_over=taken_over)
        scene.other_posts(FIRST)
        scene.other_posts(SECOND)
        assert scene.standing() == [1, 2, 1, 2]
        transport = scene.transport(views)
        await late_posts.sweep(transport, after=0.0)
        assert scene.standing() == [1, 2]
        assert not transport.contested


async def test_threads_without_a_post_of_late_are_looked_at_after_a_takeover_alone_and_unless_they_are_over(
    stage: Stage,
) -> None:
    async with scene_on(stage) as scene:
        long_ago = discord.utils.time_snowflake(now() - timedelta(hours=1))
        bindings = scene.bot.bindings
        await bindings.change(scene.key, last_message=long_ago)
        assert not late_posts.contested(bindings, taken_over=False)
        assert late_posts.contested(bindings, taken_over=True) == {scene.key: long_ago}
        await bindings.change(scene.key, closed=OVER)
        assert not late_posts.contested(bindings, taken_over=True)


async def test_a_post_that_has_left_is_waited_for_when_the_bot_is_stopped_so_that_whoever_comes_next_sees_it(
    stage: Stage,
) -> None:
    async with scene_on(stage) as scene:
        with stage.discord.faults.hold(*WEBHOOK):
            task = asyncio.create_task(scene.poster().post(SECOND))
            await on_its_way(stage)
            task.cancel()
            await asyncio.sleep(0.1)
            assert not task.done()
        with suppress(asyncio.CancelledError):
            await task
        await scene.poster().post(SECOND)
        assert scene.standing() == [1, 2]
