"""Webhooks: their names, their number, their threads, their posts under other names."""

from __future__ import annotations

import base64
from typing import Any

import discord
import pytest

from tests.fakes.discord import changes
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord_tests.support import Bot, Place, Rest, channel_in, hook_of, path

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n not really a picture").decode()


async def test_the_real_client_posts_in_a_thread_under_a_name_of_its_own(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        thread = await channel.create_thread(name="Debate", type=discord.ChannelType.public_thread)
        hook = await channel.create_webhook(name="Personas")
        face = "https://example.org/ada.png"
        sent = await hook.send("I hold.", username="Ada", avatar_url=face, thread=thread, wait=True)
        await hook.send("quiet", username="Bob", thread=thread)
        assert (sent.author.name, sent.channel.id) == ("Ada", thread.id)
        await hook.edit_message(sent.id, content="I held.", thread=thread)
        assert (await hook.fetch_message(sent.id, thread=thread)).content == "I held."
        shown = [(post.author.name, post.content) for post in await place.alice.sees(place.world.channels[thread.id])]
        assert shown == [("Ada", "I held."), ("Bob", "quiet")]
        await hook.delete_message(sent.id, thread=thread)
        await hook.delete()
        with pytest.raises(discord.NotFound) as refused:
            await hook.send("gone")
        assert refused.value.code == 10015


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "Clyde", "my DISCORD friend", "discord"])
async def test_a_webhook_name_out_of_the_rules_is_refused(fake: Discord, place: Place, rest: Rest, name: str) -> None:
    with fake.expecting_violations():
        made = await rest("POST", f"/channels/{place.channel.id}/webhooks", {"name": name})
        hook = hook_of(place)
        changed = await rest("PATCH", f"/webhooks/{hook.id}", {"name": name})
        posted = await rest("POST", path(hook), {"content": "x", "username": name or "x" * 81}, token=None)
    assert (made.code, changed.code) == (50035, 50035)
    assert posted.code == 50035 or not name.strip()


async def test_fifteen_webhooks_are_the_most_of_a_channel(place: Place, rest: Rest) -> None:
    for number in range(15):
        hook_of(place, str(number))
    got = await rest("POST", f"/channels/{place.channel.id}/webhooks", {"name": "one more"})
    assert (got.status, got.code) == (400, 30007)
    assert len((await rest("GET", f"/channels/{place.channel.id}/webhooks")).body) == 15
    assert len((await rest("GET", f"/guilds/{place.guild.id}/webhooks")).body) == 15


@pytest.mark.parametrize("method, at", [("POST", "CHANNEL"), ("GET", "CHANNEL"), ("PATCH", "HOOK"), ("DELETE", "HOOK")])
async def test_managing_webhooks_needs_its_right(place: Place, rest: Rest, method: str, at: str) -> None:
    hook = hook_of(place)
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_WEBHOOKS)
    where = f"/channels/{place.channel.id}/webhooks" if at == "CHANNEL" else f"/webhooks/{hook.id}"
    got = await rest(method, where, {"name": "x"} if method in ("POST", "PATCH") else None)
    assert (got.status, got.code) == (403, 50013)
    assert (await rest("POST", path(hook), {"content": "still"}, token=None)).status == 204


async def test_a_face_of_its_own_is_served(place: Place, rest: Rest) -> None:
    picture = {"name": "Ada", "avatar": f"data:image/png;base64,{PIXEL}"}
    made = (await rest("POST", f"/channels/{place.channel.id}/webhooks", picture)).body
    async with rest.session.get(f"{rest.fake.cdn}/avatars/{made['id']}/{made['avatar']}.png") as served:
        assert served.status == 200
    bad = await rest(
        "POST", f"/channels/{place.channel.id}/webhooks", {"name": "Ada", "avatar": "data:text/plain;base64,eA=="}
    )
    assert bad.code == 50035


@pytest.mark.parametrize(
    "body, where",
    [
        ({"content": "x" * 2001}, "content"),
        ({"content": "x", "username": "x" * 81}, "username"),
        ({"content": "x", "avatar_url": "https://example.org/" + "x" * 2048}, "avatar_url"),
        ({"content": "x", "avatar_url": "file.png"}, "avatar_url"),
        ({"embeds": [{"description": "x" * 3001}] * 2}, "MAX_EMBED_SIZE"),
    ],
)
async def test_a_post_out_of_bounds_is_refused(
    fake: Discord, place: Place, rest: Rest, body: dict[str, Any], where: str
) -> None:
    with fake.expecting_violations():
        got = await rest("POST", path(hook_of(place)), body, token=None)
    assert (got.status, got.code) == (400, 50035)
    assert where in got.errors


async def test_wrong_tokens_webhooks_and_threads_are_told_apart(place: Place, rest: Rest) -> None:
    hook, body = hook_of(place), {"content": "x"}
    other = place.world.text_channel(place.guild, "other")
    assert (await rest("POST", f"/webhooks/{hook.id}/wrong", body, token=None)).code == 50027
    assert (await rest("POST", "/webhooks/12345/wrong", body, token=None)).code == 10015
    assert (await rest("POST", f"{path(hook)}?thread_id=12345", body, token=None)).code == 10003
    assert (await rest("POST", f"{path(hook)}?thread_id={other.id}", body, token=None)).code == 10003
    assert (await rest("POST", path(hook), {}, token=None)).code == 50006
    changes.delete_webhook(place.world, hook)
    assert (await rest("POST", path(hook), body, token=None)).code == 10015


async def test_wait_decides_whether_the_message_comes_back(place: Place, rest: Rest) -> None:
    hook = hook_of(place)
    assert (await rest("POST", path(hook), {"content": "x"}, token=None)).status == 204
    got = await rest("POST", f"{path(hook)}?wait=true", {"content": "x", "username": "Ada"}, token=None)
    assert (got.body["author"]["username"], got.body["webhook_id"]) == ("Ada", str(hook.id))


async def test_a_webhook_touches_only_its_own_messages(place: Place, rest: Rest) -> None:
    hook, other = hook_of(place), hook_of(place, "other")
    mine = (await rest("POST", f"{path(other)}?wait=true", {"content": "x"}, token=None)).body["id"]
    theirs = (await place.alice.write(place.channel, "x")).id
    for number in (mine, theirs):
        for method, body in [("GET", None), ("PATCH", {"content": "y"}), ("DELETE", None)]:
            assert (await rest(method, f"{path(hook)}/messages/{number}", body, token=None)).code == 10008
    assert (await rest("PATCH", f"/channels/{place.channel.id}/messages/{mine}", {"content": "y"})).code == 50005


async def test_a_nonce_does_nothing_for_webhooks_and_mentions_do_what_is_allowed(place: Place, rest: Rest) -> None:
    hook = hook_of(place)
    cases: list[tuple[Any, set[Any]]] = [({"parse": []}, set()), (None, {place.alice.id, "everyone"})]
    for allowed, pinged in cases:
        body: dict[str, Any] = {"content": f"{place.alice.mention} @everyone"}
        body |= {"allowed_mentions": allowed} if allowed else {}
        got = (await rest("POST", f"{path(hook)}?wait=1", body, token=None)).body
        assert place.channel.messages[int(got["id"])].pinged == pinged


async def test_what_a_webhook_wrote_is_hidden_in_history_without_the_intent_but_not_to_its_token(
    place: Place, rest: Rest
) -> None:
    hook = hook_of(place)
    number = (await rest("POST", f"{path(hook)}?wait=1", {"content": "a reason"}, token=None)).body["id"]
    place.world.application.privileged &= ~Intent.MESSAGE_CONTENT
    (listed,) = (await rest("GET", f"/channels/{place.channel.id}/messages")).body
    assert (listed["content"], listed["author"]["username"]) == ("", "Personas")
    assert (await rest("GET", f"{path(hook)}/messages/{number}", token=None)).body["content"] == "a reason"
    place.world.own_webhooks_readable = True
    (listed,) = (await rest("GET", f"/channels/{place.channel.id}/messages")).body
    assert listed["content"] == "a reason"


async def test_a_webhook_goes_with_its_channel(place: Place, rest: Rest) -> None:
    hook = hook_of(place)
    changes.delete_channel(place.world, place.channel)
    assert (await rest("POST", path(hook), {"content": "x"}, token=None)).code == 10015


async def test_a_webhook_cannot_open_a_thread_in_a_text_channel_nor_hide_its_post(place: Place, rest: Rest) -> None:
    hook = hook_of(place)
    assert (await rest("POST", path(hook), {"content": "x", "thread_name": "Debate"}, token=None)).code == 220003
    got = await rest("POST", f"{path(hook)}?wait=1", {"content": "x", "flags": 64}, token=None)
    assert got.body["flags"] == 0


async def test_only_webhooks_of_the_application_carry_buttons(place: Place, rest: Rest) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    body = {"content": "x", "components": [{"type": 1, "components": [button]}]}
    mine, other = hook_of(place), place.world.webhook(place.channel, "other", place.alice.user)
    assert (await rest("POST", f"{path(mine)}?wait=1", body, token=None)).body["components"] != []
    assert (await rest("POST", f"{path(other)}?wait=1", body, token=None)).body["components"] == []
    assert (await rest("POST", f"{path(other)}?wait=1&with_components=1", body, token=None)).code == 50035
    assert (await rest("GET", f"/webhooks/{mine.id}")).body["token"] == mine.token
