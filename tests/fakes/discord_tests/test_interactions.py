"""Interactions between scripted people and the real client: commands, buttons, modals, selects, and their deadlines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from tests.fakes.discord import changes, interacting
from tests.fakes.discord.answers import NotAnswered, NotPossible
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord.world import Times
from tests.fakes.discord_tests.bots import Everything
from tests.fakes.discord_tests.support import Place, Rest, channel_in


@pytest.fixture
async def bot(fake: Discord, place: Place) -> AsyncIterator[Everything]:
    async with connected(fake, Everything()) as bot:
        yield bot


async def test_a_command_with_sub_command_options_and_a_member_is_answered(bot: Everything, place: Place) -> None:
    bob = place.world.person("Bob")
    answer = await place.alice.slash(place.channel, "debate start", motion="Cars out", pro=bob, heat=0.5)
    assert answer.kind == "thinking"
    assert answer.text.startswith("Cars out Bob  0.5")
    assert answer.acknowledged_after < 3
    assert answer.message in await bob.sees(place.channel)


async def test_autocomplete_offers_what_fits(bot: Everything, place: Place) -> None:
    offered = await place.alice.complete(place.channel, "debate start", "model", "al", motion="Cars out")
    assert offered == [{"name": "alpha", "value": "alpha"}]
    with pytest.raises(NotPossible, match="no autocomplete"):
        await place.alice.complete(place.channel, "debate start", "motion", "C")


@pytest.mark.parametrize(
    "path, options, why",
    [
        ("debate", {}, "sub-command is missing"),
        ("debate stop", {}, "no sub-command"),
        ("dance", {}, "no command"),
        ("debate start", {}, "missing ones"),
        ("debate start", {"motion": "Cars out", "colour": "red"}, "unknown options"),
        ("debate start", {"motion": "C"}, "out of bounds"),
        ("debate start", {"motion": "Cars out", "heat": 2.0}, "out of bounds"),
        ("debate start", {"motion": 5}, "wrong kind"),
        ("debate start", {"motion": "Cars out", "pro": "Bob"}, "'Bob'"),
        ("manage", {}, "may not use"),
    ],
)
async def test_what_the_client_would_not_send_is_not_possible(
    bot: Everything, place: Place, path: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(NotPossible, match=why):
        await place.alice.slash(place.channel, path, **options)


async def test_the_default_permissions_of_a_command_can_be_overridden_by_the_server(
    bot: Everything, place: Place
) -> None:
    boss = place.world.person("Boss", roles=[place.world.role(place.guild, "boss", Permission.MANAGE_GUILD)])
    assert (await boss.slash(place.channel, "manage")).text == "managed"
    command = next(one for one in place.world.commands.values() if one.name == "manage")
    setting = {"id": str(place.alice.id), "type": 2, "permission": True}
    changes.set_command_permissions(place.world, place.guild, command.id, [setting])
    assert (await place.alice.slash(place.channel, "manage")).text == "managed"


async def test_a_button_opens_a_modal_and_its_words_arrive(bot: Everything, place: Place) -> None:
    panel = (await place.alice.slash(place.channel, "debate start", motion="Cars out")).message
    opened = await place.alice.press(panel, "Guide")
    assert opened.kind == "modal"
    assert opened.modal.title == "Guidance"
    modal = opened.modal
    for wrong, why in [
        ({"Words": ""}, "filled"),
        ({"Words": "no"}, "3 to 200"),
        ({"Words": "fine", "Word": "what"}, "no field"),
    ]:
        with pytest.raises(NotPossible, match=why):
            await place.alice.fill(modal, wrong)
    answer = await place.alice.fill(modal, {"Words": "be kind", "Tone": "Warm"})
    assert answer.text == "heard: be kind"
    with pytest.raises(NotPossible, match="closed"):
        await place.alice.fill(modal, {"Words": "again"})


async def test_buttons_and_selects_work(bot: Everything, place: Place) -> None:
    panel = (await place.alice.slash(place.channel, "debate start", motion="Cars out")).message
    assert (await place.alice.press(panel, "Hotter")).kind == "update"
    assert panel.content == "heat 0.9"
    assert (await place.alice.press(panel, "panel:quiet")).kind == "silent"
    await place.world.until(lambda: panel.content == "quietly changed")
    assert (await place.alice.select(panel, "Model", "B")).text == "model B"
    assert (await place.alice.select(panel, "Who", place.alice)).text == "seat for Alice"
    for press, why in [("Not now", "disabled"), ("Later", "0 components")]:
        with pytest.raises(NotPossible, match=why):
            await place.alice.press(panel, press)
    with pytest.raises(NotPossible, match="none of"):
        await place.alice.select(panel, "Model", "D")


async def test_buttons_work_after_a_restart_of_the_bot(fake: Discord, place: Place) -> None:
    async with connected(fake, Everything()):
        panel = (await place.alice.slash(place.channel, "debate start", motion="Cars out")).message
    async with connected(fake, Everything()):
        assert (await place.alice.press(panel, "Hotter")).kind == "update"


async def test_a_message_command_gets_the_content_without_the_intent(bot: Everything, place: Place) -> None:
    post = await place.alice.write(place.channel, "because it is so")
    assert (await place.alice.menu(post, "Score this argument")).text == "scored: because it is so"


async def test_an_ephemeral_answer_is_seen_by_one_and_is_in_no_history(bot: Everything, place: Place) -> None:
    bob = place.world.person("Bob")
    answer = await place.alice.slash(place.channel, "twice")
    assert answer.ephemeral
    assert answer.message in await place.alice.sees(place.channel)
    assert answer.message not in await bob.sees(place.channel)
    with pytest.raises(NotPossible, match="does not see"):
        await bob.press(answer.message, "anything")
    channel = channel_in(bot, place)
    assert [each async for each in channel.history()] == []
    with pytest.raises(discord.NotFound):
        await channel.fetch_message(answer.message.id)


async def test_a_second_acknowledgement_is_refused(bot: Everything, place: Place) -> None:
    await place.alice.slash(place.channel, "twice")
    await place.world.until(lambda: bot.failed)
    assert bot.failed[0].code == 40060


async def test_who_is_late_finds_the_interaction_gone() -> None:
    async with serving(Discord(times=Times(acknowledge=0.2))) as fake:
        guild = fake.world.guild()
        channel, alice = fake.world.text_channel(guild), fake.world.person("Alice")
        async with connected(fake, Everything()) as bot:
            with pytest.raises(NotAnswered):
                await alice.slash(channel, "late")
            await fake.world.until(lambda: bot.failed)
            assert bot.failed[0].code == 10062


async def test_a_token_dies_after_fifteen_minutes(bot: Everything, place: Place, rest: Rest) -> None:
    await place.alice.slash(place.channel, "work")
    await place.world.until(lambda: bot.done)
    path = f"/webhooks/{place.world.application.id}/{bot.done[0]}"
    assert (await rest("PATCH", f"{path}/messages/@original", {"content": "still"}, token=None)).status == 200
    assert (await rest("POST", path, {"content": "more", "flags": 64}, token=None)).status == 200
    place.world.clock.advance(901)
    for method, at in [("PATCH", "/messages/@original"), ("POST", ""), ("GET", "/messages/@original")]:
        got = await rest(method, path + at, None if method == "GET" else {"content": "late"}, token=None)
        assert (got.status, got.code) == (401, 50027)


async def test_the_original_and_followups_can_be_read_edited_and_deleted(
    bot: Everything, place: Place, rest: Rest
) -> None:
    answer = await place.alice.slash(place.channel, "work")
    path = f"/webhooks/{place.world.application.id}/{answer.interaction.token}"
    assert (await rest("GET", f"{path}/messages/@original", token=None)).body["content"] == "working"
    more = (await rest("POST", path, {"content": "more", "flags": 64}, token=None)).body
    assert (await rest("PATCH", f"{path}/messages/{more['id']}", {"content": "other"}, token=None)).body[
        "content"
    ] == "other"
    assert (await rest("DELETE", f"{path}/messages/{more['id']}", token=None)).status == 204
    assert (await rest("GET", f"{path}/messages/{more['id']}", token=None)).code == 10008
    assert (await rest("DELETE", f"{path}/messages/@original", token=None)).status == 204
    assert (await rest("GET", f"{path}/messages/@original", token=None)).code == 10008


async def test_a_followup_before_the_acknowledgement_finds_no_webhook(place: Place, rest: Rest) -> None:
    told = interacting.begin(place.world, 3, place.alice.user, place.channel, {"custom_id": "x", "component_type": 2})
    got = await rest("POST", f"/webhooks/{place.world.application.id}/{told.token}", {"content": "early"}, token=None)
    assert (got.status, got.code) == (404, 10015)


MODAL = {"type": 9, "data": {"custom_id": "m", "title": "T", "components": []}}
INPUT = {"type": 4, "custom_id": "a", "style": 1, "label": "A"}
ROW = {"type": 1, "components": [INPUT]}


def modal(**more: object) -> dict[str, object]:
    return {"type": 9, "data": {"custom_id": "m", "title": "T", "components": [ROW]} | more}


def choices(number: int, size: int = 1) -> dict[str, object]:
    return {"type": 8, "data": {"choices": [{"name": str(one) + "x" * size, "value": "v"} for one in range(number)]}}


@pytest.mark.parametrize(
    "kind, body, where",
    [
        (2, modal(title="t" * 46), "title"),
        (2, modal(custom_id="c" * 101), "custom_id"),
        (2, modal(components=[]), "components"),
        (2, modal(components=[ROW, ROW]), "DUPLICATED"),
        (
            2,
            modal(components=[{"type": 1, "components": [INPUT | {"custom_id": str(n)}]} for n in range(6)]),
            "components",
        ),
        (2, modal(components=[{"type": 1, "components": [INPUT | {"label": "l" * 46}]}]), "label"),
        (2, modal(components=[{"type": 1, "components": [INPUT | {"value": "v" * 4001}]}]), "value"),
        (2, {"type": 7, "data": {"content": "x"}}, "type"),
        (2, {"type": 6}, "type"),
        (2, choices(1), "type"),
        (4, choices(26), "choices"),
        (4, choices(1, 100), "name"),
        (4, {"type": 4, "data": {"content": "x"}}, "type"),
        (5, modal(), "type"),
        (5, {"type": 6}, "type"),
        (3, {"type": 4, "data": {"content": "x" * 2001}}, "content"),
    ],
)
async def test_an_answer_of_the_wrong_kind_or_size_is_refused_and_another_may_follow(
    fake: Discord, place: Place, rest: Rest, kind: int, body: dict[str, object], where: str
) -> None:
    told = interacting.begin(
        place.world, kind, place.alice.user, place.channel, {"custom_id": "x", "component_type": 2}
    )
    path = f"/interactions/{told.id}/{told.token}/callback"
    with fake.expecting_violations():
        got = await rest("POST", path, body, token=None)
    assert (got.status, got.code) == (400, 50035)
    assert where in got.errors
    assert told.acknowledged is None


async def test_without_with_response_there_is_no_body_and_with_it_there_is(place: Place, rest: Rest) -> None:
    for query, status in [("", 204), ("?with_response=true", 200)]:
        told = interacting.begin(place.world, 2, place.alice.user, place.channel, {"name": "x"})
        path = f"/interactions/{told.id}/{told.token}/callback{query}"
        got = await rest("POST", path, {"type": 4, "data": {"content": "hello"}}, token=None)
        assert got.status == status
        if got.body:
            assert got.body["resource"]["message"]["content"] == "hello"
            assert got.body["interaction"]["response_message_ephemeral"] is False


async def test_an_unknown_interaction_is_unknown(rest: Rest) -> None:
    got = await rest("POST", "/interactions/1/nothing/callback", {"type": 6}, token=None)
    assert (got.status, got.code) == (404, 10062)


async def test_nothing_can_be_done_in_an_archived_thread(bot: Everything, place: Place) -> None:
    channel = channel_in(bot, place)
    made = await channel.create_thread(name="Debate", type=discord.ChannelType.public_thread)
    thread = place.world.channels[made.id]
    changes.archive(place.world, thread)
    with pytest.raises(NotPossible, match="archived"):
        await place.alice.slash(thread, "work")


async def test_commands_are_gone_with_the_bot_and_closed_to_who_may_not_use_them(bot: Everything, place: Place) -> None:
    changes.deny(place.world, place.channel, place.alice.user, Permission.USE_APPLICATION_COMMANDS)
    with pytest.raises(NotPossible, match="may not use commands"):
        await place.alice.slash(place.channel, "work")
    changes.kick_bot(place.world, place.guild)
    with pytest.raises(NotPossible, match="not in this server"):
        await place.world.person("Bob").slash(place.channel, "work")


async def test_a_command_in_a_direct_message_is_answered_there(bot: Everything, place: Place) -> None:
    direct = place.world.dm(place.alice.user)
    assert (await place.alice.slash(direct, "work")).text == "working"


async def test_nothing_can_be_said_where_the_channel_is_gone(place: Place, rest: Rest) -> None:
    told = interacting.begin(place.world, 2, place.alice.user, place.channel, {"name": "x"})
    changes.delete_channel(place.world, place.channel)
    got = await rest("POST", f"/interactions/{told.id}/{told.token}/callback", {"type": 5}, token=None)
    assert (got.status, got.code) == (404, 10003)
