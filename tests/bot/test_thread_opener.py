"""A session gets its thread whole or not at all, whatever dies while it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from elenchus.bot.bindings import NAMESPACE as BINDINGS
from elenchus.bot.thread_opener import NAMESPACE as OPENINGS
from elenchus.storage.sqlite_log import open_log
from tests.bot import child
from tests.bot.dying import killed
from tests.bot.stage import PATIENCE, Stage, offer_in, posts, texts, until
from tests.fakes.discord import changes, threads as thread_rules
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import PUBLIC_THREAD, Channel

ENDLESS: dict[str, Any] = dict.fromkeys(("pro", "con", "judges"), "scripted:demo?latency=60")
THREADS = "/channels/{channel_id}/threads"
ARCHIVES = (
    "/channels/{channel_id}/threads/archived/public",
    "/channels/{channel_id}/users/@me/threads/archived/private",
)
ACTIVE = "/guilds/{guild_id}/threads/active"
MEMBER = "/channels/{channel_id}/thread-members/{user_id}"
WRITES = ("the opening", "the session", "the binding", "the opening's removal")


async def held(stage: Stage) -> tuple[set[str], dict[str, int], set[str]]:
    """The sessions in the log, the thread that each is bound to, and what is still being opened."""
    log = await open_log(stage.home / "elenchus.db")
    sessions = {info.id for info in await log.sessions()}
    bound = {session: int(binding["thread"]) for session, binding in (await log.key_value_store.all(BINDINGS)).items()}
    left = set(await log.key_value_store.all(OPENINGS))
    await log.aclose()
    return sessions, bound, left


async def all_opened(stage: Stage) -> None:
    """Wait until nothing is being opened any more: the panel may stand before that is written down."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if not (await held(stage))[2]:
                return
            await asyncio.sleep(0.05)


async def debate(stage: Stage, *, private: bool = True) -> None:
    offered = await stage.offer(**ENDLESS, private=private)
    await stage.alice.press(offer_in(offered), "Start", patience=0)


async def crit(stage: Stage, *, private: bool = True) -> None:
    await stage.alice.slash(stage.channel, "crit", text="Ban cars, for the air is bad.", private=private, patience=0)


def threads(stage: Stage) -> list[Channel]:
    return [channel for channel in stage.guild.channels.values() if channel.is_thread]


def panels(thread: Channel) -> int:
    return sum("el:panel:" in str(post.components) for post in posts(thread))


@pytest.mark.slow
@pytest.mark.kill
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("write", range(1, 5), ids=WRITES)
@pytest.mark.parametrize("act", [debate, crit])
async def test_a_bot_that_dies_while_it_opens_a_debate_or_scores_a_text_leaves_all_of_it_or_nothing(
    stage: Stage, act: Callable[[Stage], Awaitable[None]], write: int, when: str
) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    await killed(stage, write, when, lambda: act(stage))
    whole = (write, when) != (1, "before")
    async with child.bot(stage) as bot:
        if whole:
            await until(lambda: threads(stage) and panels(threads(stage)[0]))
            await until(lambda: any("▶ Running" in text for text in texts(threads(stage)[0])))
            assert stage.alice.id in threads(stage)[0].thread_members
        else:
            await stage.alice.slash(stage.channel, "help")
        await all_opened(stage)
        await bot.end()
    sessions, bound, left = await held(stage)
    assert left == set()
    assert set(bound) == sessions
    assert list(bound.values()) == [thread.id for thread in threads(stage)]
    assert len(bound) == (1 if whole else 0)


@pytest.mark.slow
@pytest.mark.kill
@pytest.mark.parametrize(("write", "when"), [(1, "after"), (2, "before"), (2, "after")])
async def test_a_bot_that_dies_while_it_gives_a_debate_a_new_thread_has_given_it_one(
    stage: Stage, write: int, when: str
) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    async with child.bot(stage) as bot:
        old = await stage.debate(**ENDLESS)
        await bot.end()
    (session,), _, _ = await held(stage)
    changes.delete_channel(stage.discord.world, old)

    async def resume() -> None:
        await stage.alice.slash(stage.channel, "session resume", session=session, patience=0)

    await killed(stage, write, when, resume)
    async with child.bot(stage) as bot:
        await until(lambda: threads(stage) and panels(threads(stage)[0]))
        await all_opened(stage)
        await bot.end()
    assert (await held(stage))[1:] == ({session: threads(stage)[0].id}, set())
    assert len(threads(stage)) == 1


async def test_what_cannot_be_finished_after_a_death_is_undone_and_told(stage: Stage) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")

    await killed(stage, 1, "after", lambda: debate(stage, private=False))
    for thread in threads(stage):
        changes.delete_channel(stage.discord.world, thread)
    changes.deny(stage.discord.world, stage.channel, stage.discord.world.bot, Permission.CREATE_PUBLIC_THREADS)
    direct = stage.discord.world.dm(stage.alice.user)
    async with stage.running():
        await until(lambda: any("was not started" in text for text in texts(direct)))
    assert await held(stage) == (set(), {}, set())
    assert threads(stage) == []


@pytest.mark.kill
@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
async def test_a_thread_that_was_archived_before_the_bot_came_back_is_opened_again_and_used(
    stage: Stage, private: bool
) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    await killed(stage, 2, "before", lambda: debate(stage, private=private))
    (made,) = threads(stage)
    changes.archive(stage.discord.world, made)
    async with stage.running():
        await until(lambda: panels(made))
        assert not made.archived
        assert stage.discord.made("GET", ARCHIVES[private])
    assert threads(stage) == [made]


@pytest.mark.kill
async def test_where_the_archive_may_not_be_read_a_new_thread_is_made(stage: Stage) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    await killed(stage, 2, "before", lambda: debate(stage, private=False))
    (made,) = threads(stage)
    changes.archive(stage.discord.world, made)
    changes.deny(stage.discord.world, stage.channel, stage.discord.world.bot, Permission.READ_MESSAGE_HISTORY)
    async with stage.running():
        await until(lambda: len(threads(stage)) == 2)
        changes.allow(stage.discord.world, stage.channel, stage.discord.world.bot, Permission.READ_MESSAGE_HISTORY)
        await until(lambda: panels(stage.thread()))
    assert panels(made) == 0


@pytest.mark.kill
async def test_what_is_to_be_private_takes_no_public_thread_of_the_same_name(stage: Stage) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    await killed(stage, 2, "before", lambda: debate(stage, private=True))
    (made,) = threads(stage)
    world = stage.discord.world
    changes.delete_channel(world, made)
    body = {"name": made.name, "type": PUBLIC_THREAD}
    public = thread_rules.start(world, stage.channel, world.me(stage.guild), body)
    async with stage.running():
        await until(lambda: panels(stage.thread()))
        assert stage.thread().is_private_thread
    assert panels(public) == 0


async def test_of_two_threads_of_one_name_that_are_made_at_once_each_knows_its_own_although_discord_fails(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        stage.discord.faults.fail("POST", THREADS, 500)
        stage.discord.faults.delay(0.5, "PUT", MEMBER)  # between the thread and its binding
        with stage.discord.faults.hold("POST", THREADS):
            asked = [
                asyncio.create_task(
                    who.slash(stage.channel, "crit", text="Ban cars, for the air is bad.", private=True)
                )
                for who in (stage.alice, bob)
            ]
            await until(lambda: stage.discord.faults.waiting("POST", THREADS))
            await asyncio.sleep(0.3)  # the second may try as well
        answers = await asyncio.gather(*asked)
        assert ["Being scored" in answer.text for answer in answers] == [True, True]
    bound = (await held(stage))[1]
    assert sorted(bound.values()) == sorted(thread.id for thread in threads(stage))
    inside = [set(thread.thread_members) - {stage.discord.world.bot.id} for thread in threads(stage)]
    assert sorted(map(sorted, inside)) == sorted([[stage.alice.id], [bob.id]])


async def test_a_thread_that_discord_made_without_saying_so_is_found_and_used(stage: Stage) -> None:
    async with stage.running():
        stage.discord.faults.fail("POST", THREADS, 500, after=True)
        thread = await stage.debate(**ENDLESS)
    assert threads(stage) == [thread]


async def test_a_member_who_may_not_see_the_channel_is_told_of_and_nothing_is_left_of_the_opening(
    stage: Stage, bob: Person
) -> None:
    changes.deny(stage.discord.world, stage.channel, bob.user, Permission.VIEW_CHANNEL)
    async with stage.running():
        offered = await stage.offer(**ENDLESS | {"con": bob.mention}, private=True)
        pressed = await stage.alice.press(offer_in(offered), "Start")
        await until(lambda: "may not see its channel: give them View Channel" in pressed.text)
    assert await held(stage) == (set(), {}, set())
    assert threads(stage) == []


@pytest.mark.kill
async def test_what_discord_could_not_finish_at_one_start_is_finished_at_the_next(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.home.mkdir()
    await child.settle(stage, "scripted:demo?latency=60")
    await killed(stage, 1, "after", lambda: debate(stage, private=False))
    stage.discord.faults.fail("GET", ACTIVE, 503)
    async with stage.running():
        await until(lambda: "is not opened yet" in caplog.text)
        assert threads(stage) == []
    async with stage.running():
        await until(lambda: threads(stage) and panels(threads(stage)[0]))
    assert (await held(stage))[2] == set()


async def test_an_opening_that_fails_takes_back_whatever_there_is_of_it(stage: Stage) -> None:
    async with stage.running():
        offered = await stage.offer(**ENDLESS)
        stage.discord.faults.fail("POST", THREADS, 500, times=2)
        pressed = await stage.alice.press(offer_in(offered), "Start")
        await until(lambda: "reference" in pressed.text)
    assert await held(stage) == (set(), {}, set())
    assert threads(stage) == []
