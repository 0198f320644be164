"""Discord's numbers at their edge: so much is taken, one more is refused (much of that in the other files here).

The figures are those of `discord-limits.md`; a fake that is laxer in one of them would let the bot go wrong there.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands

from tests.fakes.discord import changes, interacting
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord.state import Interaction
from tests.fakes.discord_tests.support import Bot, Place, Response, Rest, hook_of, path, thread_of

MIB = 1024 * 1024


def asked(place: Place) -> Interaction:
    """Alice uses a command."""
    return interacting.begin(place.world, 2, place.alice.user, place.channel, {"name": "x"})


def callback(told: Interaction) -> str:
    return f"/interactions/{told.id}/{told.token}/callback"


def embed(**more: Any) -> dict[str, Any]:
    return {"embeds": [{"title": "t"} | more]}


def buttons(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"content": "x", "components": [{"type": 1, "components": [part]} for part in parts]}


def button(**more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | more


def poll(question: int = 1, answers: int = 1, answer: int = 1, hours: int = 24) -> dict[str, Any]:
    media = [{"poll_media": {"text": "a" * answer}} for _ in range(answers)]
    return {"poll": {"question": {"text": "q" * question}, "answers": media, "duration": hours}}


@pytest.mark.parametrize(("after", "code"), [(1.5, 0), (3.0, 10062)])
async def test_three_seconds_for_an_acknowledgement(place: Place, rest: Rest, after: float, code: int) -> None:
    told = asked(place)
    place.world.clock.advance(after)
    got = await rest("POST", callback(told), {"type": 5}, token=None)
    assert (got.body or {}).get("code", 0) == code
    assert (told.acknowledged is None) == bool(code)


@pytest.mark.parametrize(("after", "status"), [(14 * 60, 200), (15 * 60, 401)])
async def test_fifteen_minutes_for_what_follows(place: Place, rest: Rest, after: float, status: int) -> None:
    told = asked(place)
    await rest("POST", callback(told), {"type": 5, "data": {"flags": 64}}, token=None)
    place.world.clock.advance(after)
    at = f"/webhooks/{place.world.application.id}/{told.token}"
    assert (await rest("POST", at, {"content": "late"}, token=None)).status == status


async def test_a_followup_takes_no_name_no_face_and_no_thread(place: Place, rest: Rest) -> None:
    told, thread = asked(place), thread_of(place)
    await rest("POST", callback(told), {"type": 4, "data": {"content": "first"}}, token=None)
    body = {"content": "next", "username": "Ada", "avatar_url": "https://example.org/ada.png"}
    at = f"/webhooks/{place.world.application.id}/{told.token}?thread_id={thread.id}"
    got = (await rest("POST", at, body, token=None)).body
    assert got["author"]["username"] == place.world.bot.name
    assert got["author"]["avatar"] is None
    assert got["channel_id"] == str(place.channel.id)


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────────

TAKEN: list[dict[str, Any]] = [
    {"content": "x" * 2_000},
    {"embeds": [{"title": "x"}] * 10},
    embed(title="x" * 256),
    embed(description="x" * 4_096),
    embed(fields=[{"name": "n", "value": "v"}] * 25),
    embed(fields=[{"name": "n" * 256, "value": "v" * 1_024}]),
    embed(footer={"text": "x" * 2_048}),
    embed(author={"name": "x" * 256}),
    {"embeds": [{"description": "x" * 3_000}] * 2},
    {"content": "x", "nonce": "n" * 25},
    buttons(button(label="x" * 80, custom_id="i" * 100)),
    buttons(*[button(custom_id=str(n)) for n in range(5)]),
    {"content": "x", "components": [{"type": 1, "components": [button(custom_id=str(n)) for n in range(5)]}]},
    poll(300, 10, 55, 768),
]


@pytest.mark.parametrize("body", TAKEN, ids=lambda given: str(given)[:60])
async def test_so_much_a_message_holds(place: Place, rest: Rest, body: dict[str, Any]) -> None:
    changes.allow(place.world, place.channel, place.world.bot, Permission.SEND_POLLS)
    got = await rest("POST", f"/channels/{place.channel.id}/messages", body)
    assert got.status == 200, got.body


@pytest.mark.parametrize(
    "body", [poll(301), poll(1, 11), poll(1, 1, 56), poll(1, 1, 1, 769)], ids=["question", "answers", "answer", "days"]
)
async def test_a_poll_out_of_bounds_is_refused(fake: Discord, place: Place, rest: Rest, body: dict[str, Any]) -> None:
    changes.allow(place.world, place.channel, place.world.bot, Permission.SEND_POLLS)
    with fake.expecting_violations():
        assert (await rest("POST", f"/channels/{place.channel.id}/messages", body)).code == 50035


async def test_ten_files_of_ten_mib(place: Place, rest: Rest) -> None:
    at = f"/channels/{place.channel.id}/messages"
    assert (await rest("POST", at, {}, files={"a.bin": b"0" * 10 * MIB})).status == 200
    assert (await rest("POST", at, {}, files={f"{n}.txt": b"x" for n in range(10)})).status == 200


# ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def form(title: int, inputs: int, label: int, value: int) -> dict[str, Any]:
    rows = [
        {
            "type": 1,
            "components": [{"type": 4, "style": 2, "custom_id": str(n), "label": "l" * label, "value": "v" * value}],
        }
        for n in range(inputs)
    ]
    return {"type": 9, "data": {"custom_id": "m" * 100, "title": "t" * title, "components": rows}}


async def test_a_form_has_a_title_of_45_five_inputs_and_4000_characters_in_each(place: Place, rest: Rest) -> None:
    told = asked(place)
    assert (await rest("POST", callback(told), form(45, 5, 45, 4_000), token=None)).status == 204
    assert told.modal is not None


# ── webhooks ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("length", "status"), [(2_048, 204), (2_049, 400)])
async def test_the_address_of_a_face_has_2048_characters(
    fake: Discord, place: Place, rest: Rest, length: int, status: int
) -> None:
    begun = "https://example.org/"
    body = {"content": "x", "avatar_url": begun + "x" * (length - len(begun))}
    with fake.expecting_violations():
        assert (await rest("POST", path(hook_of(place)), body, token=None)).status == status


async def test_a_name_of_80_and_the_fifteenth_webhook_are_taken(place: Place, rest: Rest) -> None:
    for number in range(14):
        hook_of(place, str(number))
    made = await rest("POST", f"/channels/{place.channel.id}/webhooks", {"name": "n" * 80})
    assert made.status == 200
    posted = await rest(
        "POST", f"/webhooks/{made.body['id']}/{made.body['token']}", {"content": "x", "username": "n" * 80}
    )
    assert posted.status == 204


async def test_a_thousand_webhooks_are_the_most_of_a_server(place: Place, rest: Rest) -> None:
    channels = [place.world.text_channel(place.guild, str(number)) for number in range(67)]
    for number in range(999):
        channel = channels[number // 15]
        place.world.webhook(channel, str(number), place.world.bot, place.world.application.id)
    at = f"/channels/{place.channel.id}/webhooks"
    assert (await rest("POST", at, {"name": "the thousandth"})).status == 200
    got = await rest("POST", at, {"name": "one more"})
    assert (got.status, got.code) == (400, 30058)


async def test_a_webhook_neither_replies_nor_is_recognised_by_a_nonce(place: Place, rest: Rest) -> None:
    hook, spoken = hook_of(place), await place.alice.write(place.channel, "hello")
    body = {"content": "hi", "nonce": "n1", "enforce_nonce": True, "message_reference": {"message_id": str(spoken.id)}}
    first, second = [(await rest("POST", f"{path(hook)}?wait=1", body, token=None)).body for _ in range(2)]
    assert first["id"] != second["id"]
    assert "referenced_message" not in first
    assert place.alice.id not in place.channel.messages[int(first["id"])].pinged


# ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("minutes", [60, 1_440, 4_320, 10_080])
async def test_a_thread_has_a_name_of_100_and_four_times_after_which_it_is_archived(
    place: Place, rest: Rest, minutes: int
) -> None:
    body = {"name": "n" * 100, "type": 11, "auto_archive_duration": minutes}
    assert (await rest("POST", f"/channels/{place.channel.id}/threads", body)).status == 201


async def test_1000_threads_of_a_server_are_active_at_once(place: Place, rest: Rest) -> None:
    for _ in range(999):
        thread_of(place)
    at, body = f"/channels/{place.channel.id}/threads", {"name": "x", "type": 11}
    assert (await rest("POST", at, body)).status == 201
    assert (await rest("POST", at, body)).code == 160006


# ── commands, emojis ─────────────────────────────────────────────────────────────────────────────────────────────


def command(characters: int) -> dict[str, Any]:
    """One whose names, descriptions and choices have so many characters together: 7,904 and more."""
    choices = [{"name": str(n) * 100, "value": str(n) * 100} for n in range(5)]
    options = [{"name": f"{n:010}", "description": "d" * 90, "type": 3, "choices": choices} for n in range(7)]
    last = {"name": "l" * 4, "description": "d" * 50, "type": 3}
    last |= {"choices": [{"name": "c" * 50, "value": "v" * (characters - 7 * 1_100 - 100 - 104)}]}
    return {"name": "c" * 10, "description": "d" * 90, "type": 1, "options": [*options, last]}


@pytest.mark.parametrize(("characters", "status"), [(7_950, 200), (8_000, 200), (8_001, 400)])
async def test_a_command_has_8000_characters(fake: Discord, rest: Rest, characters: int, status: int) -> None:
    with fake.expecting_violations():
        got = await rest("PUT", f"/applications/{fake.world.application.id}/commands", [command(characters)])
    assert got.status == status, got.body


async def test_bits_of_zero_leave_a_command_to_administrators_unless_the_server_says_otherwise(
    fake: Discord, place: Place
) -> None:
    boss = place.world.person("Boss", roles=[place.world.role(place.guild, "boss", Permission.ADMINISTRATOR)])
    manager = place.world.person("Mary", roles=[place.world.role(place.guild, "mary", Permission.MANAGE_GUILD)])
    async with connected(fake, Bot()) as bot:

        @bot.tree.command(description="Secret")
        @app_commands.default_permissions()
        async def secret(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("told")

        await bot.tree.sync()
        registered = next(one for one in fake.world.commands.values() if one.name == "secret")
        assert int(registered.body["default_member_permissions"]) == 0
        assert (await boss.slash(place.channel, "secret")).text == "told"
        with pytest.raises(NotPossible, match="may not use"):
            await manager.slash(place.channel, "secret")
        shown: list[dict[str, object]] = [{"id": str(manager.id), "type": 2, "permission": True}]
        changes.set_command_permissions(fake.world, place.guild, registered.id, shown)
        assert (await manager.slash(place.channel, "secret")).text == "told"


async def test_a_command_is_offered_where_its_contexts_say(fake: Discord, place: Place) -> None:
    direct = fake.world.dm(place.alice.user)
    async with connected(fake, Bot()) as bot:

        @bot.tree.command(description="In servers")
        @app_commands.allowed_contexts(guilds=True, dms=False)
        async def here(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("here")

        @bot.tree.command(description="In direct messages")
        @app_commands.allowed_contexts(guilds=False, dms=True)
        async def there(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("there")

        await bot.tree.sync()
        assert (await place.alice.slash(place.channel, "here")).text == "here"
        assert (await place.alice.slash(direct, "there")).text == "there"
        with pytest.raises(NotPossible, match="in direct messages"):
            await place.alice.slash(direct, "here")
        with pytest.raises(NotPossible, match="in servers"):
            await place.alice.slash(place.channel, "there")


async def test_an_application_has_2000_emojis(fake: Discord, place: Place, rest: Rest) -> None:
    at = f"/applications/{fake.world.application.id}/emojis"
    image = "data:image/png;base64,iVBORw0KGgo="
    made = (await rest("POST", at, {"name": "face_0", "image": image})).body
    first = fake.world.emojis[int(made["id"])]
    for number in range(1, 1_999):
        fake.world.emojis[number] = type(first)(number, f"face_{number}", first.image, False, first.creator)
    assert (await rest("POST", at, {"name": "the_last", "image": image})).status == 201
    got: Response = await rest("POST", at, {"name": "one_more", "image": image})
    assert got.code == 30008


# ── what is read without the intent ──────────────────────────────────────────────────────────────────────────────


async def test_without_the_intent_the_bots_own_words_are_read_and_others_are_not(place: Place, rest: Rest) -> None:
    place.world.application.privileged &= ~Intent.MESSAGE_CONTENT
    at = f"/channels/{place.channel.id}/messages"
    await rest("POST", at, {"content": "mine"})
    await place.alice.write(place.channel, "hers")
    await place.alice.write(place.channel, f"<@{place.world.bot.id}> for you")
    read = [each["content"] for each in (await rest("GET", at)).body]
    assert read == [f"<@{place.world.bot.id}> for you", "", "mine"]
