"""Posts arrive once and in order, whatever Discord does in between."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from elenchus.bot.bindings import ViewKey
from elenchus.bot.posting.persona_emojis import PersonaEmojis
from elenchus.bot.posting.poster import Poster, Transport, Webhooks
from elenchus.bot.rendering.post import Mark, Post, mark_in
from tests.bot.people.seated import settle
from tests.bot.posting.standing import WEBHOOK, marks, quiet, speeches, whole
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.fakes.discord import changes, posting
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.posting import Author
from tests.fakes.discord.state import Channel
from tests.fakes.discord.world import BOT_PERMISSIONS

IDENTIFY, RESUME = 2, 6
"""Opcodes of the gateway."""

MESSAGE = ("POST", "/channels/{channel_id}/messages")


def sent(stage: Stage, opcode: int) -> int:
    """How often the bot has sent this to the gateway."""
    return sum(op == opcode for op, _ in stage.discord.gateway.log)


async def test_every_persona_has_a_name_and_a_face_and_nothing_pings(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(motion="Everyone should ban @everyone")
        await finished(thread)
        await whole(stage, thread)
    said = [post for post in posts(thread) if post.webhook_id]
    names = {post.author.name for post in said}
    assert len(names) == 2
    assert all("(pro)" in name or "(con)" in name for name in names)
    assert not any(post.pinged for post in posts(thread))
    faces = [call.body.get("avatar_url") for call in speeches(stage)]
    assert len(set(faces)) == 2
    assert all(face.startswith(stage.discord.cdn) for face in faces)
    assert len(stage.discord.world.webhooks) == 1
    assert any("Line plot by stage" in text for text in texts(thread)), "the picture has no alt text"


@pytest.mark.slow
@pytest.mark.parametrize("route", [WEBHOOK, MESSAGE], ids=["webhook", "bot"])
async def test_a_post_whose_answer_was_lost_is_recognised_and_not_made_twice(
    stage: Stage, route: tuple[str, str]
) -> None:
    async with stage.running():
        thread = await stage.debate()
        for _ in range(2):
            stage.discord.faults.lose_reply(*route)
            await until(lambda: all(fault.times == 0 for fault in stage.discord.faults.planned))
        await finished(thread)
        await whole(stage, thread)


@pytest.mark.slow
@pytest.mark.parametrize("route", [WEBHOOK, MESSAGE], ids=["webhook", "bot"])
async def test_a_post_that_was_made_although_discord_says_it_failed_is_not_made_twice(
    stage: Stage, route: tuple[str, str]
) -> None:
    async with stage.running():
        thread = await stage.debate()
        await until(lambda: speeches(stage))
        stage.discord.faults.fail(*route, 502, after=True)
        await finished(thread)
        await whole(stage, thread)


async def test_it_is_recognised_without_the_right_to_read_contents(stage: Stage) -> None:
    stage.discord.world.application.privileged &= ~Intent.MESSAGE_CONTENT
    async with stage.running():
        thread = await stage.debate()
        await until(lambda: speeches(stage))
        stage.discord.faults.lose_reply(*WEBHOOK)
        await finished(thread)
        await whole(stage, thread)
        assert stage.discord.made("GET", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}")


@pytest.mark.slow
@pytest.mark.parametrize("route", [WEBHOOK, MESSAGE], ids=["webhook", "bot"])
async def test_errors_and_limits_of_discord_are_waited_out(stage: Stage, route: tuple[str, str]) -> None:
    async with stage.running():
        thread = await stage.debate()
        stage.discord.faults.fail(*route, 502)
        stage.discord.faults.limit(*route, 0.2, times=2)
        await finished(thread)
        await whole(stage, thread)


async def test_faces_that_cannot_be_made_hinder_nothing(stage: Stage) -> None:
    stage.discord.faults.fail("GET", "/applications/{application_id}/emojis", 403, times=20)
    async with stage.running():
        thread = await stage.debate()
        await finished(thread)
        await whole(stage, thread)
    assert speeches(stage)
    assert not any("avatar_url" in call.body for call in speeches(stage))


async def test_faces_are_made_once_for_all_debates(stage: Stage) -> None:
    async with stage.running():
        await finished(await stage.debate())
    made = len(stage.discord.world.emojis)
    async with stage.running() as bot:
        face = next(iter(stage.discord.world.emojis.values())).name
        assert bot.user is not None
        await finished(await stage.debate())
    assert max(Counter(e.name for e in stage.discord.world.emojis.values()).values()) == 1
    assert face in {e.name for e in stage.discord.world.emojis.values()}
    assert made <= len(stage.discord.world.emojis) <= made + 2
    assert len(stage.discord.world.webhooks) == 1, "the channel's webhook is found again"


@pytest.mark.slow
async def test_ten_debates_in_one_channel_share_its_webhook(stage: Stage) -> None:
    async with stage.running():
        threads = [await stage.debate(motion=f"Motion number {n}") for n in range(10)]
        await asyncio.gather(*(finished(thread) for thread in threads))
        for thread in threads:
            await whole(stage, thread)
    assert len(stage.discord.world.webhooks) == 1


async def test_threads_of_one_channel_take_turns_at_its_webhook(stage: Stage) -> None:
    async with stage.running() as bot:
        transport = Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot))
        await settle(stage, vote_minutes=10)  # nothing more is posted by itself
        threads = [await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS) for _ in range(5)]
        for thread in threads:
            await until(lambda one=thread: len(marks(one)) == 2)  # type: ignore[misc]
        first = Poster(transport, ViewKey(stage.session(threads[0])))
        await first.post(Post(Mark(900, 1), "Before.\n-# #900.1", "pro", "Zeno"))  # makes the webhook and the face

        async def speak(thread: Channel) -> None:
            poster = Poster(transport, ViewKey(stage.session(thread)))
            for part in range(2, 10):
                await poster.post(Post(Mark(900, part), f"Words.\n-# #900.{part}", "pro", "Zeno"))

        await asyncio.gather(*(speak(thread) for thread in threads))
    turns = [call.query["thread_id"] for call in speeches(stage)[1:] if call.answered == 200]
    assert Counter(turns) == {str(thread.id): 8 for thread in threads}
    for so_far in range(1, len(turns)):
        count = Counter(turns[:so_far])
        assert max(count.values()) - min(count[str(thread.id)] for thread in threads) <= 2, turns


async def test_every_post_by_a_webhook_waits_to_hear_that_it_was_made(stage: Stage) -> None:
    async with stage.running():
        await finished(await stage.debate())
    assert speeches(stage)
    assert all(call.query.get("wait") in ("true", "1") for call in speeches(stage))


@pytest.mark.slow
async def test_the_bot_goes_on_after_a_reconnect_a_resume_and_a_fresh_identify(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro="scripted:demo?latency=0.2", con="scripted:demo?latency=0.2")
        await stage.discord.gateway.drop(1006)
        await until(lambda: sent(stage, RESUME))
        await until(lambda: stage.discord.gateway.connections)
        stage.discord.gateway.forget()
        await stage.discord.gateway.drop(4009)
        await until(lambda: sent(stage, IDENTIFY) == 2)
        await finished(thread)
        await whole(stage, thread)


@pytest.mark.slow
async def test_a_bot_that_is_stopped_while_it_gets_ready_again_leaves_without_an_error(stage: Stage) -> None:
    async with stage.running():
        stage.discord.gateway.forget()
        await stage.discord.gateway.drop(4009)
        getting_ready = await until(lambda: [t for t in asyncio.all_tasks() if "_delay_ready" in str(t.get_coro())])
    await asyncio.wait(getting_ready)
    assert [task.exception() for task in getting_ready if not task.cancelled()] == [None]


@pytest.mark.slow
async def test_a_debate_that_outlives_every_token_of_its_clicks_is_posted_to_its_end(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro="scripted:demo?latency=0.2", con="scripted:demo?latency=0.2")
        stage.discord.world.clock.advance(16 * 60)  # an interaction's token lives 15 minutes
        calls = len(stage.discord.calls)
        await finished(thread)
        await whole(stage, thread)
    assert not [call for call in stage.discord.calls[calls:] if "interaction" in call.template]


async def test_a_post_that_discord_will_never_take_makes_way_for_a_line_that_says_so(stage: Stage) -> None:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot)), ViewKey(stage.session(thread)))
        with stage.discord.expecting_violations():
            await poster.post(Post(Mark(900, 1), "x" * 2_500, "pro", "Zeno"))
        await poster.post(Post(Mark(900, 2), "Words.\n-# #900.2", "pro", "Zeno"))
        first, second = posts(thread)[-2:]
    assert "report has it" in first.content
    assert "reference" in first.content
    assert second.author.name == "Zeno"
    assert [mark_in(first.content), mark_in(second.content)] == [Mark(900, 1), Mark(900, 2)]


async def test_a_long_speech_without_a_webhook_stands_in_an_embed(stage: Stage) -> None:
    changes.bot_may(stage.discord.world, stage.guild, BOT_PERMISSIONS & ~Permission.MANAGE_WEBHOOKS)
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot)), ViewKey(stage.session(thread)))
        await poster.post(Post(Mark(900, 1), "y" * 1_980 + "\n-# #900.1", "pro", "A *name* that is long"))
        last = posts(thread)[-1]
    assert last.content == "**A \\*name\\* that is long**\n-# #900.1"
    assert last.embeds[0]["description"] == "y" * 1_980


async def test_after_an_error_the_same_post_is_looked_for_before_it_is_made_again(stage: Stage) -> None:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot)), ViewKey(stage.session(thread)))
        await poster.post(Post(Mark(900, 1), "Before.\n-# #900.1", "pro", "Zeno"))
        stage.discord.faults.fail(*WEBHOOK, 502, after=True)
        post = Post(Mark(900, 2), "Once.\n-# #900.2", "pro", "Zeno")
        with pytest.raises(Exception, match="502"):
            await poster.post(post)
        await poster.post(post)
    assert [mark for mark in marks(thread) if mark.seq == 900] == [Mark(900, 1), Mark(900, 2)]


async def test_of_a_post_that_stands_there_twice_the_first_counts_so_that_what_stands_between_is_seen(
    stage: Stage,
) -> None:
    world = stage.discord.world
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        transport = Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot))
        poster = Poster(transport, ViewKey(stage.session(thread)))
        await poster.post(Post(Mark(900, 1), "First.\n-# #900.1", "pro", "Zeno"))
        own = Author(world.user("Zeno", bot=True), webhook_id=posts(thread)[-1].webhook_id)
        for mark in (Mark(900, 2), Mark(900, 3), Mark(900, 2)):
            posting.create(world, thread, own, {"content": f"-# {mark}"}, {})
        for mark in (Mark(900, 2), Mark(900, 3)):  # each by a bot that has just started
            await Poster(transport, ViewKey(stage.session(thread))).post(Post(mark, f"-# {mark}", "pro", "Zeno"))
    assert [mark.part for mark in marks(thread) if mark.seq == 900] == [1, 2, 3, 2]


async def test_a_mark_that_somebody_elses_webhook_wrote_hides_no_post_of_ours(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await quiet(stage, thread)
        other = world.webhook(stage.channel, "other", stage.alice.user)
        posting.create(
            world, thread, Author(world.user("Zeno", bot=True), webhook_id=other.id), {"content": "-# #900.1"}, {}
        )
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), PersonaEmojis(bot)), ViewKey(stage.session(thread)))
        await poster.post(Post(Mark(900, 1), "Words.\n-# #900.1", "pro", "Zeno"))
        assert posts(thread)[-1].content == "Words.\n-# #900.1"
