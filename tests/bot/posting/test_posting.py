"""Posts arrive once and in order, whatever Discord does in between."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bot.posting.faces import Faces
from bot.posting.poster import Poster, Transport
from bot.posting.webhooks import Webhooks
from bot.rendering.post import Mark, Post, mark_in
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import May
from tests.fakes.discord.server import Made
from tests.fakes.discord.state import Channel
from tests.fakes.discord.world import BOT_PERMISSIONS

WEBHOOK = ("POST", "/webhooks/{webhook_id}/{webhook_token}")
ENDLESS = "scripted:demo?latency=60"
MESSAGE = ("POST", "/channels/{channel_id}/messages")


def marks(thread: Channel) -> list[Mark]:
    return [mark for post in posts(thread) if (mark := mark_in(post.content))]


def speeches(stage: Stage) -> list[Made]:
    """The posts of personas that were sent."""
    return [call for call in stage.discord.made(*WEBHOOK) if "thread_id" in call.query]


async def finished(thread: Channel) -> None:
    await until(lambda: any("report.md" in text for text in texts(thread)))


async def whole(stage: Stage, thread: Channel) -> None:
    """The thread holds every post of its session once, in order."""
    from bot.panel.board import Board
    from bot.rendering.posts import posts_for

    board, wanted = Board(stage.session(thread)), list[Mark]()
    for r in await stage.events(thread):
        board.take(r)
        wanted += [post.mark for post in posts_for(r, board.view)]
    assert marks(thread) == wanted


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


@pytest.mark.slow
async def test_ten_debates_in_one_channel_share_its_webhook(stage: Stage) -> None:
    async with stage.running():
        threads = [await stage.debate(motion=f"Motion number {n}") for n in range(10)]
        await asyncio.gather(*(finished(thread) for thread in threads))
        for thread in threads:
            await whole(stage, thread)
    assert len(stage.discord.world.webhooks) == 1


async def test_the_bot_goes_on_after_a_reconnect_a_resume_and_a_fresh_identify(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro="scripted:demo?latency=0.2", con="scripted:demo?latency=0.2")
        await stage.discord.gateway.drop(1006)
        await asyncio.sleep(0.3)
        await stage.discord.gateway.drop(4009)
        await finished(thread)
        await whole(stage, thread)
    assert len(posts(thread)) == len({post.id for post in posts(thread)})


async def test_a_post_that_discord_will_never_take_makes_way_for_a_line_that_says_so(stage: Stage) -> None:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: marks(thread))
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), Faces(bot)), stage.session(thread))
        with stage.discord.expecting_violations():
            await poster.post(Post(Mark(900, 1), "x" * 2_500, "pro", "Zeno"))
        await poster.post(Post(Mark(900, 2), "Words.\n-# #900.2", "pro", "Zeno"))
        first, second = posts(thread)[-2:]
    assert "report has it" in first.content
    assert "reference" in first.content
    assert second.author.name == "Zeno"
    assert [mark_in(first.content), mark_in(second.content)] == [Mark(900, 1), Mark(900, 2)]


async def test_a_long_speech_without_a_webhook_stands_in_an_embed(stage: Stage) -> None:
    changes.bot_may(stage.discord.world, stage.guild, BOT_PERMISSIONS & ~May.MANAGE_WEBHOOKS)
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: marks(thread))
        poster = Poster(Transport(bot, bot.bindings, Webhooks(bot), Faces(bot)), stage.session(thread))
        await poster.post(Post(Mark(900, 1), "y" * 1_980 + "\n-# #900.1", "pro", "A *name* that is long"))
        last = posts(thread)[-1]
    assert last.content == "**A \\*name\\* that is long**\n-# #900.1"
    assert last.embeds[0]["description"] == "y" * 1_980
