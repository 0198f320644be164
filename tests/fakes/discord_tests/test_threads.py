"""Threads: making them, their members, archives and locks."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.fakes.discord import changes, threads
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.permissions import EVERYONE, Permission
from tests.fakes.discord.render import channel_text
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord.state import PRIVATE_THREAD, PUBLIC_THREAD
from tests.fakes.discord_tests.support import Bot, Place, Rest, channel_in, hook_of, path, thread_of


async def test_threads_begin_with_and_without_a_message(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        post = await channel.send("Cars out?")
        thread = await post.create_thread(name="Cars")
        assert thread.id == post.id
        private = await channel.create_thread(name="Behind doors", invitable=False)
        assert private.is_private()
        again = await channel.fetch_message(post.id)
        assert again.thread is not None
        with pytest.raises(discord.HTTPException) as refused:
            await post.create_thread(name="Cars again")
        assert refused.value.code == 160004
        await private.add_user(discord.Object(place.alice.id))
        assert {member.id for member in await private.fetch_members()} == {place.alice.id, fake.world.bot.id}
        await private.edit(archived=True)
        assert [each.id async for each in channel.archived_threads(private=True)] == [private.id]
        await thread.delete()
        guild = bot.get_guild(place.guild.id)
        assert guild is not None
        assert await guild.active_threads() == []


@pytest.mark.parametrize(
    "body", [{"name": ""}, {"name": "x" * 101}, {"name": " "}, {}, {"name": "x", "auto_archive_duration": 7}]
)
async def test_a_thread_out_of_the_rules_is_refused(
    fake: Discord, place: Place, rest: Rest, body: dict[str, Any]
) -> None:
    with fake.expecting_violations():
        got = await rest("POST", f"/channels/{place.channel.id}/threads", body | {"type": 11})
    assert (got.status, got.code) == (400, 50035)


@pytest.mark.parametrize("bit, kind", [(Permission.CREATE_PUBLIC_THREADS, 11), (Permission.CREATE_PRIVATE_THREADS, 12)])
async def test_beginning_needs_its_right(place: Place, rest: Rest, bit: Permission, kind: int) -> None:
    changes.deny(place.world, place.channel, place.world.bot, bit)
    got = await rest("POST", f"/channels/{place.channel.id}/threads", {"name": "x", "type": kind})
    assert got.code == 50013


async def test_posting_in_a_thread_needs_its_own_right(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    changes.deny(place.world, place.channel, place.world.bot, Permission.SEND_MESSAGES)
    assert (await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})).status == 200
    changes.deny(place.world, place.channel, place.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    assert (await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})).code == 50013


async def test_a_private_thread_is_there_for_its_members_alone(place: Place, rest: Rest) -> None:
    thread = thread_of(place, PRIVATE_THREAD)
    with pytest.raises(NotPossible, match="cannot see"):
        await place.alice.sees(thread)
    assert (await rest("PUT", f"/channels/{thread.id}/thread-members/{place.alice.id}")).status == 204
    assert await place.alice.sees(thread) != []
    assert (await rest("GET", f"/channels/{thread.id}/thread-members/{place.alice.id}")).body["user_id"] == str(
        place.alice.id
    )
    assert (await rest("DELETE", f"/channels/{thread.id}/thread-members/{place.alice.id}")).status == 204
    assert (await rest("GET", f"/channels/{thread.id}/thread-members/{place.alice.id}")).code == 10007
    assert (await rest("PUT", f"/channels/{thread.id}/thread-members/12345")).code == 10013
    bob = place.world.person("Bob")
    await bob.leave()
    assert (await rest("PUT", f"/channels/{thread.id}/thread-members/{bob.id}")).code == 10007


async def test_a_mention_brings_somebody_into_a_thread_unless_it_is_not_allowed(place: Place, rest: Rest) -> None:
    thread, where = thread_of(place, PRIVATE_THREAD), {"content": place.alice.mention}
    await rest("POST", f"/channels/{thread.id}/messages", where | {"allowed_mentions": {"parse": []}})
    assert place.alice.id not in thread.thread_members
    await rest("POST", f"/channels/{thread.id}/messages", where)
    assert place.alice.id in thread.thread_members


async def test_a_post_brings_an_archived_thread_back(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    for act in ("message", "webhook", "person"):
        changes.archive(place.world, thread)
        if act == "message":
            await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})
        elif act == "webhook":
            await rest("POST", f"{path(hook_of(place))}?thread_id={thread.id}", {"content": "x"}, token=None)
        else:
            await place.alice.write(thread, "x")
        assert not thread.archived


async def test_an_archived_thread_takes_no_edits_reactions_members_or_names(place: Place, rest: Rest) -> None:
    thread, hook = thread_of(place), hook_of(place)
    own = (await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})).body["id"]
    query = f"?thread_id={thread.id}"
    said = (await rest("POST", f"{path(hook)}{query}&wait=1", {"content": "x"}, token=None)).body["id"]
    changes.archive(place.world, thread)
    at = f"/channels/{thread.id}"
    tried = [
        await rest("PATCH", f"{at}/messages/{own}", {"content": "y"}),
        await rest("PUT", f"{at}/messages/{own}/reactions/%F0%9F%91%8D/@me"),
        await rest("PATCH", f"{path(hook)}/messages/{said}{query}", {"content": "y"}, token=None),
        await rest("PUT", f"{at}/thread-members/{place.alice.id}"),
        await rest("PATCH", at, {"name": "other"}),
    ]
    assert [got.code for got in tried] == [50083] * 5
    assert (await rest("PATCH", at, {"archived": False, "name": "other"})).body["name"] == "other"


async def test_messages_of_an_archived_thread_can_be_deleted_unless_it_is_locked(place: Place, rest: Rest) -> None:
    thread, hook = thread_of(place), hook_of(place)
    own = [(await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})).body["id"] for _ in range(2)]
    query = f"?thread_id={thread.id}"
    said = [
        (await rest("POST", f"{path(hook)}{query}&wait=1", {"content": "x"}, token=None)).body["id"] for _ in range(2)
    ]
    changes.archive(place.world, thread)
    assert (await rest("DELETE", f"/channels/{thread.id}/messages/{own[0]}")).status == 204
    assert (await rest("DELETE", f"{path(hook)}/messages/{said[0]}{query}", token=None)).status == 204
    changes.archive(place.world, thread, locked=True)
    assert (await rest("DELETE", f"{path(hook)}/messages/{said[1]}{query}", token=None)).code == 50083
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_THREADS)
    assert (await rest("DELETE", f"/channels/{thread.id}/messages/{own[1]}")).code == 50083


async def test_comings_goings_and_new_names_are_announced_in_the_thread(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    await rest("PUT", f"/channels/{thread.id}/thread-members/{place.alice.id}")
    await rest("DELETE", f"/channels/{thread.id}/thread-members/{place.alice.id}")
    await rest("PATCH", f"/channels/{thread.id}", {"name": "Cars"})
    assert [post.type for post in thread.messages.values()] == [1, 2, 4]
    assert "changed the name: Cars" in await channel_text(thread, place.alice)


async def test_who_is_in_no_thread_cannot_reopen_it(place: Place, rest: Rest) -> None:
    thread = threads.start(place.world, place.channel, place.alice.member, {"name": "Debate", "type": PUBLIC_THREAD})
    changes.archive(place.world, thread)
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_THREADS)
    assert (await rest("PATCH", f"/channels/{thread.id}", {"archived": False})).code == 50013
    thread.thread_members[place.world.bot.id] = 0.0
    assert (await rest("PATCH", f"/channels/{thread.id}", {"archived": False})).status == 200


async def test_a_bot_brought_into_a_private_thread_is_told_of_it(fake: Discord, place: Place) -> None:
    changes.bot_may(place.world, place.guild, EVERYONE)
    thread = threads.start(place.world, place.channel, place.alice.member, {"name": "Secret", "type": PRIVATE_THREAD})
    async with connected(fake, Bot()) as bot:
        assert bot.guilds[0].get_thread(thread.id) is None
        await place.alice.write(thread, f"<@{fake.world.bot.id}> come in")
        await fake.world.until(lambda: bot.guilds[0].get_thread(thread.id) is not None)


async def test_a_lock_stops_all_but_those_who_manage_threads(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    assert (await rest("PATCH", f"/channels/{thread.id}", {"locked": True, "archived": True})).status == 200
    posted = await rest("POST", f"{path(hook_of(place))}?thread_id={thread.id}", {"content": "x"}, token=None)
    assert posted.code == 50083
    assert (await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})).code == 50083
    with pytest.raises(NotPossible, match="locked"):
        await place.alice.write(thread, "x")
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_THREADS)
    assert (await rest("PATCH", f"/channels/{thread.id}", {"archived": False})).code == 50013
    changes.archive(place.world, thread, archived=False, locked=False)
    assert (await rest("PATCH", f"/channels/{thread.id}", {"locked": True})).code == 50013
    assert (await rest("PATCH", f"/channels/{thread.id}", {"archived": True})).status == 200


async def test_two_renames_in_ten_minutes_are_the_most(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    for name in ("a", "b"):
        assert (await rest("PATCH", f"/channels/{thread.id}", {"name": name})).status == 200
    got = await rest("PATCH", f"/channels/{thread.id}", {"name": "c"})
    assert got.status == 429
    assert 590 < got.body["retry_after"] <= 600
    place.world.clock.advance(600)
    assert (await rest("PATCH", f"/channels/{thread.id}", {"name": "c"})).status == 200


async def test_a_deleted_thread_is_unknown_everywhere(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    changes.delete_channel(place.world, thread)
    assert (await rest("GET", f"/channels/{thread.id}")).code == 10003
    posted = await rest("POST", f"{path(hook_of(place))}?thread_id={thread.id}", {"content": "x"}, token=None)
    assert (posted.status, posted.code) == (404, 10003)


async def test_a_thread_deleted_by_the_bot_needs_its_right(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_THREADS)
    assert (await rest("DELETE", f"/channels/{thread.id}")).code == 50013
    changes.allow(place.world, place.channel, place.world.bot, Permission.MANAGE_THREADS)
    assert (await rest("DELETE", f"/channels/{thread.id}")).status == 200


async def test_who_speaks_in_a_thread_joins_it_and_leaves_it_with_the_server(place: Place) -> None:
    thread = thread_of(place)
    await place.alice.write(thread, "x")
    assert place.alice.id in thread.thread_members
    await place.alice.leave()
    assert place.alice.id not in thread.thread_members
