"""Messages of a channel: what is refused, what comes back, who is notified."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.discord import changes
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord_tests.support import Bot, Place, Rest, channel_in


def button(**more: object) -> dict[str, object]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | more


def rows(*parts: dict[str, object]) -> dict[str, object]:
    return {"content": "x", "components": [{"type": 1, "components": [part]} for part in parts]}


def select(**more: object) -> dict[str, object]:
    return {"type": 3, "custom_id": "s", "options": [{"label": "A", "value": "a"}]} | more


def options(number: int) -> list[dict[str, object]]:
    return [{"label": str(one), "value": str(one)} for one in range(number)]


FIELD = {"name": "n", "value": "v"}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"embeds": [{"title": "x"}] * 11}, "embeds"),
    ({"embeds": [{"title": "x" * 257}]}, "title"),
    ({"embeds": [{"description": "x" * 4097}]}, "description"),
    ({"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]}, "MAX_EMBED_SIZE_EXCEEDED"),
    ({"embeds": [{"fields": [FIELD] * 26}]}, "fields"),
    ({"embeds": [{"fields": [FIELD | {"name": "x" * 257}]}]}, "name"),
    ({"embeds": [{"fields": [FIELD | {"name": ""}]}]}, "name"),
    ({"embeds": [{"fields": [FIELD | {"value": "x" * 1025}]}]}, "value"),
    ({"embeds": [{"fields": [FIELD | {"value": " "}]}]}, "value"),
    ({"embeds": [{"footer": {"text": "x" * 2049}}]}, "footer"),
    ({"embeds": [{"author": {"name": "x" * 257}}]}, "author"),
    ({"embeds": [{"title": "x", "url": "not-a-link"}]}, "url"),
    (rows(button(label="x" * 81)), "label"),
    (rows(button(custom_id="x" * 101)), "custom_id"),
    (rows(button(custom_id="")), "custom_id"),
    (rows(button(label=None)), "LABEL_EMOJI"),
    (rows(button(style=5)), "url"),
    (rows(button(url="https://example.org")), "url"),
    (rows(button(), button()), "DUPLICATED"),
    (rows(*[button(custom_id=str(one)) for one in range(6)]), "components"),
    (
        {"content": "x", "components": [{"type": 1, "components": [button(custom_id=str(n)) for n in range(6)]}]},
        "components",
    ),
    ({"content": "x", "components": [{"type": 1, "components": [select(), button()]}]}, "WIDTH_EXCEEDED"),
    ({"content": "x", "components": [button()]}, "type"),
    (rows(select(options=options(26))), "options"),
    (rows(select(options=[])), "options"),
    (rows(select(options=options(2) + options(1))), "DUPLICATED"),
    (rows(select(placeholder="x" * 151)), "placeholder"),
    (rows(select(max_values=2)), "max_values"),
    ({"content": "x", "nonce": "x" * 26}, "nonce"),
    ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "EXCLUSIVE"),
    ({"content": "x", "allowed_mentions": {"parse": ["everybody"]}}, "parse"),
    ({"content": "x", "attachments": [{"id": 0, "filename": "a.txt"}]}, "ATTACHMENT_NOT_FOUND"),
    ({"content": 5}, "content"),
]


@pytest.mark.parametrize("body, where", REFUSED, ids=lambda given: str(given)[:60])
async def test_a_message_out_of_bounds_is_refused(
    fake: Discord, place: Place, rest: Rest, body: dict[str, Any], where: str
) -> None:
    with fake.expecting_violations():
        got = await rest("POST", f"/channels/{place.channel.id}/messages", body)
    assert (got.status, got.code) == (400, 50035)
    assert where in got.errors
    assert place.channel.messages == {}


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"content": " \n "}, {"embeds": []}])
async def test_an_empty_message_is_refused(place: Place, rest: Rest, body: dict[str, Any]) -> None:
    assert (await rest("POST", f"/channels/{place.channel.id}/messages", body)).code == 50006


async def test_the_largest_of_everything_is_taken(place: Place, rest: Rest) -> None:
    embed = {
        "title": "t" * 256,
        "fields": [{"name": "n" * 100, "value": "v" * 100}] * 25,
        "footer": {"text": "f" * 744},
    }
    parts = [{"type": 1, "components": [button(custom_id=f"{row}{n}") for n in range(5)]} for row in range(4)]
    parts.append({"type": 1, "components": [select(options=options(25), max_values=25)]})
    body = {"content": "😀" * 2000, "embeds": [embed], "components": parts, "nonce": "n" * 25}
    got = await rest("POST", f"/channels/{place.channel.id}/messages", body)
    assert got.status == 200
    assert got.body["content"] == "😀" * 2000


async def test_files_keep_their_names_alt_texts_and_bytes(place: Place, rest: Rest) -> None:
    body = {"attachments": [{"id": 0, "filename": "plot.png", "description": "a falling line"}]}
    got = await rest("POST", f"/channels/{place.channel.id}/messages", body, files={"x.png": b"PNG"})
    (file,) = got.body["attachments"]
    assert (file["filename"], file["description"], file["size"]) == ("plot.png", "a falling line", 3)
    async with rest.session.get(file["url"]) as served:
        assert await served.read() == b"PNG"
    kept = {"content": "new", "attachments": [{"id": file["id"]}]}
    edited = await rest("PATCH", f"/channels/{place.channel.id}/messages/{got.body['id']}", kept)
    assert edited.body["attachments"][0]["description"] == "a falling line"
    empty = {"attachments": [], "content": "no picture"}
    edited = await rest("PATCH", f"/channels/{place.channel.id}/messages/{got.body['id']}", empty)
    assert edited.body["attachments"] == []


async def test_a_picture_in_an_embed_leaves_the_list_of_files(place: Place, rest: Rest) -> None:
    body: dict[str, Any] = {"embeds": [{"title": "Heat", "image": {"url": "attachment://plot.png"}}]}
    body |= {"attachments": [{"id": 0, "filename": "plot.png", "description": "a falling line"}]}
    got = (await rest("POST", f"/channels/{place.channel.id}/messages", body, files={"plot.png": b"PNG"})).body
    assert got["attachments"] == []
    assert got["embeds"][0]["image"]["description"] == "a falling line"


async def test_a_file_too_large_and_too_many_files_are_refused(fake: Discord, place: Place, rest: Rest) -> None:
    path = f"/channels/{place.channel.id}/messages"
    got = await rest("POST", path, {}, files={"big.bin": b"0" * (10 * 1024 * 1024 + 1)})
    assert (got.status, got.code) == (413, 40005)
    assert (await rest("POST", path, {}, files={f"{n}.txt": b"x" for n in range(11)})).code == 50035


async def test_a_nonce_is_enforced_for_messages_of_the_bot(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        first, second = await channel.send("once", nonce="n1"), await channel.send("once", nonce="n1")
        assert first.id == second.id
        fake.world.clock.advance(600)
        assert (await channel.send("once", nonce="n1")).id != first.id


async def test_history_is_read_before_after_and_around(fake: Discord, place: Place, rest: Rest) -> None:
    ids = [(await place.alice.write(place.channel, str(n))).id for n in range(10)]
    path = f"/channels/{place.channel.id}/messages"

    async def texts(query: str) -> str:
        return "".join(each["content"] for each in (await rest("GET", f"{path}?{query}")).body)

    assert await texts("limit=3") == "987"
    assert await texts(f"before={ids[3]}&limit=2") == "21"
    assert await texts(f"after={ids[3]}&limit=2") == "54"
    assert await texts(f"around={ids[5]}&limit=3") == "654"
    with fake.expecting_violations():
        assert (await rest("GET", f"{path}?limit=101")).code == 50035
        assert (await rest("GET", f"{path}?order=old")).code == 50035
    changes.deny(place.world, place.channel, place.world.bot, Permission.READ_MESSAGE_HISTORY)
    assert (await rest("GET", path)).body == []
    assert (await rest("GET", f"{path}/{ids[0]}")).code == 50013


async def test_only_own_messages_are_edited_and_others_deleted_with_the_right(place: Place, rest: Rest) -> None:
    path = f"/channels/{place.channel.id}/messages"
    theirs = (await place.alice.write(place.channel, "mine")).id
    assert (await rest("PATCH", f"{path}/{theirs}", {"content": "changed"})).code == 50005
    changes.deny(place.world, place.channel, place.world.bot, Permission.MANAGE_MESSAGES)
    assert (await rest("DELETE", f"{path}/{theirs}")).code == 50013
    changes.allow(place.world, place.channel, place.world.bot, Permission.MANAGE_MESSAGES)
    assert (await rest("DELETE", f"{path}/{theirs}")).status == 204
    assert (await rest("DELETE", f"{path}/{theirs}")).code == 10008
    own = (await rest("POST", path, {"content": "a"})).body["id"]
    assert (await rest("PATCH", f"{path}/{own}", {"content": "b"})).body["edited_timestamp"]
    assert (await rest("PATCH", f"{path}/{own}", {"content": ""})).code == 50006


async def test_edits_of_old_messages_are_limited(place: Place, rest: Rest) -> None:
    path = f"/channels/{place.channel.id}/messages"
    one = (await rest("POST", path, {"content": "a"})).body["id"]
    place.world.clock.advance(3601)
    codes = [
        (await rest("PATCH", f"{path}/{one}", {"content": str(n)})).status for n in range(place.world.times.old_edits)
    ]
    assert set(codes) == {200}
    got = await rest("PATCH", f"{path}/{one}", {"content": "more"})
    assert (got.status, got.code) == (429, 30046)


@pytest.mark.parametrize(
    "allowed, pinged",
    [
        (None, {"alice", "role", "everyone"}),
        ({"parse": []}, set()),
        ({"parse": ["users"]}, {"alice"}),
        ({"parse": [], "users": ["ALICE"]}, {"alice"}),
        ({"parse": ["everyone", "roles"]}, {"role", "everyone"}),
    ],
)
async def test_who_is_notified_follows_allowed_mentions(
    place: Place, rest: Rest, allowed: dict[str, Any] | None, pinged: set[str]
) -> None:
    role = place.world.role(place.guild, "judges", mentionable=True)
    changes.allow(place.world, place.channel, place.world.bot, Permission.MENTION_EVERYONE)
    body: dict[str, Any] = {"content": f"{place.alice.mention} <@&{role.id}> @everyone"}
    if allowed is not None:
        body["allowed_mentions"] = allowed | ({"users": [str(place.alice.id)]} if "users" in allowed else {})
    got = (await rest("POST", f"/channels/{place.channel.id}/messages", body)).body
    names: dict[int | str, str] = {place.alice.id: "alice", role.id: "role", "everyone": "everyone"}
    assert {names[one] for one in place.channel.messages[int(got["id"])].pinged} == pinged
    assert bool(got["mentions"]) == ("alice" in pinged)


async def test_everyone_is_not_notified_by_who_may_not(place: Place) -> None:
    assert (await place.alice.write(place.channel, "@everyone look")).pinged == set()


async def test_a_reply_notifies_unless_told_otherwise(place: Place, rest: Rest) -> None:
    post = await place.alice.write(place.channel, "hello")
    path, reply = f"/channels/{place.channel.id}/messages", {"message_reference": {"message_id": str(post.id)}}
    got = (await rest("POST", path, reply | {"content": "hi"})).body
    assert (got["type"], got["referenced_message"]["id"]) == (19, str(post.id))
    quiet = await rest("POST", path, reply | {"content": "hi", "allowed_mentions": {"replied_user": False}})
    assert place.channel.messages[int(quiet.body["id"])].pinged == set()
    gone = await rest("POST", path, {"content": "hi", "message_reference": {"message_id": "12345"}})
    assert gone.code == 50035


@pytest.mark.parametrize(
    "bit, body",
    [
        (Permission.SEND_MESSAGES, {"content": "x"}),
        (Permission.EMBED_LINKS, {"embeds": [{"title": "x"}]}),
        (Permission.SEND_TTS_MESSAGES, {"content": "x", "tts": True}),
    ],
)
async def test_posting_needs_its_rights(place: Place, rest: Rest, bit: Permission, body: dict[str, Any]) -> None:
    changes.deny(place.world, place.channel, place.world.bot, bit)
    got = await rest("POST", f"/channels/{place.channel.id}/messages", body)
    assert (got.status, got.code) == (403, 50013)


async def test_files_need_the_right_to_attach(place: Place, rest: Rest) -> None:
    changes.deny(place.world, place.channel, place.world.bot, Permission.ATTACH_FILES)
    assert (await rest("POST", f"/channels/{place.channel.id}/messages", {}, files={"a.txt": b"a"})).code == 50013


async def test_channels_hidden_left_and_deleted_are_told_apart(place: Place, rest: Rest) -> None:
    path = f"/channels/{place.channel.id}/messages"
    changes.deny(place.world, place.channel, place.world.bot, Permission.VIEW_CHANNEL)
    assert (await rest("POST", path, {"content": "x"})).code == 50001
    changes.allow(place.world, place.channel, place.world.bot, Permission.VIEW_CHANNEL)
    changes.kick_bot(place.world, place.guild)
    assert (await rest("POST", path, {"content": "x"})).code == 50001
    changes.delete_channel(place.world, place.channel)
    assert (await rest("POST", path, {"content": "x"})).code == 10003
    assert (await rest("GET", "/channels/abc")).code == 50035


async def test_a_direct_message_reaches_who_takes_them(place: Place, rest: Rest) -> None:
    opened = await rest("POST", "/users/@me/channels", {"recipient_id": str(place.alice.id)})
    path = f"/channels/{opened.body['id']}/messages"
    assert (await rest("POST", path, {"content": "your turn"})).status == 200
    assert [post.content for post in await place.alice.sees(place.world.dm(place.alice.user))] == ["your turn"]
    place.alice.user.accepts_dm = False
    assert (await rest("POST", path, {"content": "your turn"})).code == 50007


async def test_pins_and_reactions_and_typing(fake: Discord, place: Place) -> None:
    changes.allow(place.world, place.channel, place.world.bot, Permission.PIN_MESSAGES)
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        post = await channel.send("panel")
        await post.pin()
        await post.add_reaction("👍")
        await place.alice.react(place.channel.messages[post.id], "👍")
        assert [each.id async for each in channel.pins()] == [post.id]
        fresh = await channel.fetch_message(post.id)
        assert (fresh.reactions[0].count, fresh.reactions[0].me) == (2, True)
        await post.remove_reaction("👍", bot.user or post.author)
        await post.unpin()
        async with channel.typing():
            pass
    assert place.channel.typing == [place.world.bot.id]


async def test_people_are_held_to_their_rights(place: Place) -> None:
    changes.deny(place.world, place.channel, place.alice.user, Permission.SEND_MESSAGES)
    with pytest.raises(NotPossible, match="may not write"):
        await place.alice.write(place.channel, "x")
    changes.deny(place.world, place.channel, place.alice.user, Permission.VIEW_CHANNEL)
    with pytest.raises(NotPossible, match="cannot see"):
        await place.alice.sees(place.channel)
    await place.alice.leave()
    with pytest.raises(NotPossible, match="no member"):
        await place.alice.sees(place.channel)
