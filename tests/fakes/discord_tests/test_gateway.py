"""The gateway before the real discord.py client: login, intents, reconnecting, replay, zombies."""

from __future__ import annotations

import asyncio
import random

import aiohttp
import discord
import pytest

from tests.fakes.discord import changes, threads
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord_tests.support import Bot, Place, channel_in

IDENTIFY, RESUME = 2, 6


def with_content() -> discord.Intents:
    intents = discord.Intents.default()
    intents.message_content = True
    return intents


def ops(fake: Discord, op: int) -> int:
    return sum(1 for each, _ in fake.gateway.log if each == op)


async def test_the_real_client_logs_in_and_knows_the_server(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        guild = bot.get_guild(place.guild.id)
        assert guild is not None
        assert guild.name == "Agora"
        assert guild.me.guild_permissions.manage_webhooks
        assert [channel.name for channel in guild.text_channels] == ["general"]
        assert bot.application_id == fake.world.application.id


async def test_its_payloads_travel_in_one_zlib_stream(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()):
        assert "compress=z" in str(fake.gateway.asked[0])


async def test_events_during_a_reconnect_are_replayed_in_order(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot(intents=with_content())) as bot:
        fake.gateway.reconnect()
        for number in range(20):
            await place.alice.write(place.channel, f"line {number}")
        await fake.world.until(lambda: len(bot.heard) == 20)
        assert [each.content for each in bot.heard] == [f"line {number}" for number in range(20)]
        assert bot.happened == ["connect", "disconnect", "resumed"]
        assert (ops(fake, IDENTIFY), ops(fake, RESUME)) == (1, 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_whatever_happens_to_the_connection_each_message_is_heard_once_and_in_order(
    fake: Discord, place: Place, seed: int
) -> None:
    chance = random.Random(seed)
    async with connected(fake, Bot(intents=with_content())) as bot:
        for number in range(60):
            match chance.randrange(8):
                case 0:
                    fake.gateway.reconnect()
                case 1:
                    await fake.gateway.drop(1006)
                case 2:
                    fake.gateway.invalidate(resumable=True)
                case 3:
                    await asyncio.sleep(0.03)
            await place.alice.write(place.channel, str(number))
        await fake.world.until(lambda: len(bot.heard) >= 60, within=60)
        assert [each.content for each in bot.heard] == [str(number) for number in range(60)]


@pytest.mark.parametrize("code", [1006, 4000, 4009, 1001])
async def test_a_dropped_connection_is_resumed_without_loss(fake: Discord, place: Place, code: int) -> None:
    async with connected(fake, Bot(intents=with_content())) as bot:
        await fake.gateway.drop(code)
        await place.alice.write(place.channel, "did you hear?")
        await fake.world.until(lambda: bot.heard)
        assert [each.content for each in bot.heard] == ["did you hear?"]
        assert "resumed" in bot.happened


async def test_a_resumable_invalid_session_is_resumed(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        fake.gateway.invalidate(resumable=True)
        await fake.world.until(lambda: "resumed" in bot.happened)


async def test_a_lost_session_is_identified_anew_and_what_happened_between_is_not_replayed(
    fake: Discord, place: Place
) -> None:
    async with connected(fake, Bot(intents=with_content())) as bot:
        fake.gateway.invalidate(resumable=False)
        await fake.world.until(lambda: not fake.world.events.sessions)
        await place.alice.write(place.channel, "unheard")
        await fake.world.until(lambda: ops(fake, IDENTIFY) == 2, within=20)
        await fake.world.until(lambda: bot.happened.count("connect") == 2)
        assert bot.heard == []


async def test_a_forgotten_session_cannot_be_resumed(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()):
        fake.gateway.forget()
        await fake.gateway.drop()
        await fake.world.until(lambda: ops(fake, RESUME) == 1)
        await fake.world.until(lambda: ops(fake, IDENTIFY) == 2, within=20)


@pytest.mark.parametrize("intent", [Intent.MESSAGE_CONTENT, Intent.GUILD_MEMBERS, Intent.GUILD_PRESENCES])
async def test_an_intent_that_the_portal_has_not_is_refused_with_4014(
    fake: Discord, place: Place, intent: Intent
) -> None:
    fake.world.application.privileged &= ~intent
    bot = Bot(intents=discord.Intents.all())
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connected(fake, bot):
            pass
    assert fake.gateway.closes[0] == 4014


async def test_a_wrong_token_is_refused(fake: Discord) -> None:
    fake.token = "another"
    with pytest.raises(discord.LoginFailure):
        async with connected(fake, Bot(), token="wrong"):
            pass


async def test_a_silent_gateway_is_noticed_by_the_client(fake: Discord, place: Place) -> None:
    async with serving(Discord(heartbeat=0.1)) as quick:
        quick.world.guild()
        async with connected(quick, Bot(heartbeat_timeout=0.5)) as bot:
            quick.gateway.go_silent()
            await quick.world.until(lambda: "resumed" in bot.happened)


async def test_content_is_empty_without_the_intent_but_for_mentions_and_direct_messages(
    fake: Discord, place: Place
) -> None:
    async with connected(fake, Bot()) as bot:
        await place.alice.write(place.channel, "a secret")
        await place.alice.write(place.channel, f"hello <@{fake.world.bot.id}>")
        await place.alice.write(fake.world.dm(place.alice.user), "between us")
        await fake.world.until(lambda: len(bot.heard) == 3)
        assert [each.content for each in bot.heard] == ["", f"hello <@{fake.world.bot.id}>", "between us"]
        channel = channel_in(bot, place)
        fake.world.application.privileged &= ~Intent.MESSAGE_CONTENT
        assert [each.content async for each in channel.history(limit=1, oldest_first=True)] == [""]


async def test_members_are_all_known_only_with_the_members_intent(fake: Discord, place: Place) -> None:
    everybody = discord.Intents.default()
    everybody.members = True
    async with connected(fake, Bot(intents=everybody)) as bot:
        guild = bot.get_guild(place.guild.id)
        assert guild is not None
        assert {member.name for member in guild.members} == {"Alice", "owner of Agora", "Elenchus"}
        await place.alice.leave()
        await fake.world.until(lambda: len(guild.members) == 2)


async def test_the_client_can_ask_for_members_by_id_and_by_name(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        guild = bot.get_guild(place.guild.id)
        assert guild is not None
        assert [member.name for member in await guild.query_members("ali")] == ["Alice"]
        assert [member.name for member in await guild.query_members(user_ids=[place.alice.id])] == ["Alice"]


async def test_a_kick_and_an_invitation_are_told(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        changes.kick_bot(fake.world, place.guild)
        await fake.world.until(lambda: not bot.guilds)
        fake.world.invite_bot(place.guild)
        await fake.world.until(lambda: len(bot.guilds) == 1)


async def test_changes_of_channels_roles_and_rights_reach_the_client(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        guild = bot.get_guild(place.guild.id)
        assert guild is not None
        made = fake.world.text_channel(place.guild, "other")
        await fake.world.until(lambda: guild.get_channel(made.id) is not None)
        other = guild.get_channel(made.id)
        assert other is not None
        mine = changes.bot_role(fake.world, place.guild)
        changes.deny(fake.world, made, mine, Permission.VIEW_CHANNEL)
        await fake.world.until(lambda: not other.permissions_for(guild.me).view_channel)
        await place.alice.write(made, "unheard")
        threads.start(fake.world, made, place.alice.member, {"name": "Debate", "type": 11})
        assert list(guild.threads) == []
        changes.allow(fake.world, made, mine, Permission.VIEW_CHANNEL)
        await fake.world.until(lambda: len(guild.threads) == 1)
        assert bot.heard == []
        changes.bot_may(fake.world, place.guild, Permission.VIEW_CHANNEL)
        await fake.world.until(lambda: not guild.me.guild_permissions.manage_webhooks)
        changes.delete_channel(fake.world, place.channel)
        await fake.world.until(lambda: len(guild.text_channels) == 1)


@pytest.mark.parametrize(
    "said, code",
    [
        ("no json", 4002),
        ('{"op": 99}', 4001),
        ('{"op": 8, "d": {"guild_id": "1"}}', 4003),
        ('{"op": 2, "d": {"token": "wrong", "intents": 0}}', 4004),
        ('{"op": 2, "d": {"token": "TOKEN", "intents": 9999999999}}', 4013),
        ('{"op": 2, "d": {"token": "TOKEN", "intents": 0, "shard": [3, 2]}}', 4010),
        ('{"op": 1, "d": "' + "x" * 4096 + '"}', 4002),
    ],
)
async def test_what_the_gateway_does_not_understand_closes_with_its_code(fake: Discord, said: str, code: int) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{fake.gateway_url}?v=10&encoding=json") as socket,
    ):
        assert (await socket.receive_json())["op"] == 10
        await socket.send_str(said.replace("TOKEN", fake.token))
        await socket.receive()
        assert socket.close_code == code


async def test_a_seq_from_the_future_an_old_version_and_a_second_identify_are_refused(fake: Discord) -> None:
    identify = {"op": 2, "d": {"token": fake.token, "intents": 0}}
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{fake.gateway_url}?v=10") as socket:
            await socket.receive_json()
            await socket.send_json(identify)
            ready = await socket.receive_json()
            await socket.send_json(identify)
            await socket.receive()
            assert socket.close_code == 4005
        async with session.ws_connect(f"{fake.gateway_url}?v=10") as socket:
            await socket.receive_json()
            resume = {"token": fake.token, "session_id": ready["d"]["session_id"], "seq": 99}
            await socket.send_json({"op": 6, "d": resume})
            await socket.receive()
            assert socket.close_code == 4007
        async with session.ws_connect(f"{fake.gateway_url}?v=6") as socket:
            await socket.receive()
            assert socket.close_code == 4012


async def test_a_client_that_does_not_beat_is_closed() -> None:
    async with (
        serving(Discord(heartbeat=0.05)) as fake,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{fake.gateway_url}?v=10") as socket,
    ):
        await socket.receive_json()
        await socket.receive()
        assert socket.close_code == 4009


async def test_more_than_120_payloads_a_minute_are_refused(fake: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{fake.gateway_url}?v=10") as socket:
        for _ in range(121):
            await socket.send_json({"op": 1, "d": None})
        while not socket.closed:
            await socket.receive()
        assert socket.close_code == 4008


async def test_two_logins_at_once_are_kept_apart() -> None:
    async with serving(Discord(identify_every=60)) as fake:

        def relax() -> None:
            fake.gateway.identify_every = 0

        async with connected(fake, Bot()):
            asyncio.get_running_loop().call_later(0.5, relax)
        async with connected(fake, Bot()):
            assert ops(fake, IDENTIFY) > 2
