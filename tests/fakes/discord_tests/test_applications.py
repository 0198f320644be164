"""Commands as they are registered, application emojis, members and roles."""

from __future__ import annotations

import base64
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.fakes.discord import changes
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord_tests.bots import Everything
from tests.fakes.discord_tests.support import Bot, Place, Rest


def command(**more: object) -> dict[str, object]:
    return {"name": "debate", "description": "Debates", "type": 1} | more


def option(**more: object) -> dict[str, object]:
    return {"name": "motion", "description": "What", "type": 3} | more


LONG = [
    option(
        name=f"o{n}", description="d" * 100, choices=[{"name": f"{c}" * 30, "value": f"{c}" * 30} for c in "abcdefg"]
    )
    for n in range(25)
]


@pytest.mark.parametrize(
    "bodies, where",
    [
        ([command(name="Debate")], "name"),
        ([command(name="de bate")], "name"),
        ([command(name="d" * 33)], "name"),
        ([command(description="")], "description"),
        ([command(description="d" * 101)], "description"),
        ([command(), command()], "DUPLICATE_NAME"),
        ([command(options=[option(name=f"o{n}") for n in range(26)])], "options"),
        ([command(options=[option(), option()])], "NAME_DUPLICATE"),
        ([command(options=[option(), option(name="pro", required=True)])], "REQUIRED_INVALID"),
        ([command(options=[option(description="d" * 101)])], "description"),
        ([command(options=[option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])])], "choices"),
        ([command(options=[option(choices=[{"name": "x", "value": "v" * 101}])])], "value"),
        ([command(options=[option(autocomplete=True, choices=[{"name": "x", "value": "v"}])])], "CHOICES_INVALID"),
        ([command(options=[option(), option(name="sub", type=1)])], "TYPE_INVALID"),
        ([command(options=LONG)], "TOO_LARGE"),
        ([command(type=3, name="Score", description="What")], "description"),
    ],
)
async def test_commands_out_of_the_rules_are_refused_as_a_whole(
    fake: Discord, rest: Rest, bodies: list[dict[str, object]], where: str
) -> None:
    with fake.expecting_violations():
        got = await rest("PUT", f"/applications/{fake.world.application.id}/commands", bodies)
    assert (got.status, got.code) == (400, 50035)
    assert where in got.errors
    assert fake.world.commands == {}


async def test_a_hundred_commands_are_the_most(fake: Discord, rest: Rest) -> None:
    at = f"/applications/{fake.world.application.id}/commands"
    assert (await rest("PUT", at, [command(name=f"c{n}") for n in range(100)])).status == 200
    assert (await rest("PUT", at, [command(name=f"c{n}") for n in range(101)])).code == 30032
    assert (await rest("POST", at, command())).code == 30032


async def test_two_hundred_new_commands_a_day_are_the_most(fake: Discord, rest: Rest) -> None:
    at = f"/applications/{fake.world.application.id}/commands"
    for name in "ab":
        assert (await rest("PUT", at, [command(name=f"{name}{n}") for n in range(100)])).status == 200
    assert (await rest("PUT", at, [command(name=f"b{n}") for n in range(100)])).status == 200
    got = await rest("PUT", at, [command(name="c")])
    assert (got.status, got.code) == (429, 30034)


async def test_a_command_keeps_its_id_when_it_is_registered_again(fake: Discord, place: Place) -> None:
    async with connected(fake, Everything()) as bot:
        first = {each.name: each.id for each in await bot.tree.fetch_commands()}
        await bot.tree.sync()
        assert {each.name: each.id for each in await bot.tree.fetch_commands()} == first
        fetched = await bot.tree.fetch_command(first["manage"])
        assert fetched.default_member_permissions == discord.Permissions(manage_guild=True)
        with pytest.raises(discord.NotFound):
            await fetched.fetch_permissions(discord.Object(place.guild.id))
        settings: list[dict[str, object]] = [{"id": str(place.alice.id), "type": 2, "permission": True}]
        changes.set_command_permissions(fake.world, place.guild, fetched.id, settings)
        assert (await fetched.fetch_permissions(discord.Object(place.guild.id))).permissions[0].permission


async def test_commands_of_one_server_are_offered_there_alone(fake: Discord, place: Place, rest: Rest) -> None:
    async with connected(fake, Bot()) as bot:

        @bot.tree.command(description="Here", guild=discord.Object(place.guild.id))
        async def here(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("here")

        await bot.tree.sync(guild=discord.Object(place.guild.id))
        assert (await place.alice.slash(place.channel, "here")).text == "here"
        elsewhere = fake.world.guild("Elsewhere")
        bob = fake.world.person("Bob", guild=elsewhere)
        with pytest.raises(AssertionError, match="no command"):
            await bob.slash(fake.world.text_channel(elsewhere), "here")
    got = await rest("GET", f"/applications/{fake.world.application.id}/commands")
    assert got.body == []
    assert (await rest("GET", "/applications/12345/commands")).code == 50001


async def test_application_emojis_are_kept_and_served(fake: Discord, place: Place, rest: Rest) -> None:
    async with connected(fake, Bot()) as bot:
        made = await bot.create_application_emoji(name="ada", image=b"\x89PNG\r\n\x1a\n" + b"0" * 20)
        assert await made.read() == b"\x89PNG\r\n\x1a\n" + b"0" * 20
        assert [each.name for each in await bot.fetch_application_emojis()] == ["ada"]
        with pytest.raises(discord.HTTPException):
            await bot.create_application_emoji(name="ada", image=b"\x89PNG\r\n\x1a\n")
        await made.edit(name="ada2")
        await made.delete()
        assert await bot.fetch_application_emojis() == []


@pytest.mark.parametrize("name, size", [("a", 10), ("a-b", 10), ("x" * 33, 10), ("ada", 256 * 1024 + 1)])
async def test_an_emoji_out_of_the_rules_is_refused(fake: Discord, rest: Rest, name: str, size: int) -> None:
    image = "data:image/png;base64," + base64.b64encode(b"0" * size).decode()
    with fake.expecting_violations():
        got = await rest("POST", f"/applications/{fake.world.application.id}/emojis", {"name": name, "image": image})
    assert (got.status, got.code) == (400, 50035)


async def test_members_and_roles_are_read_as_far_as_the_bot_may(place: Place, rest: Rest) -> None:
    at = f"/guilds/{place.guild.id}"
    assert (await rest("GET", f"{at}/members/{place.alice.id}")).body["user"]["username"] == "Alice"
    assert (await rest("GET", f"{at}/members/12345")).code == 10013
    assert [each["user"]["username"] for each in (await rest("GET", f"{at}/members/search?query=al&limit=5")).body] == [
        "Alice"
    ]
    assert len((await rest("GET", f"{at}/members?limit=10")).body) == 3
    place.world.application.privileged &= ~Intent.GUILD_MEMBERS
    assert (await rest("GET", f"{at}/members?limit=10")).code == 50001
    role = place.world.role(place.guild, "judge")
    assert (await rest("PUT", f"{at}/members/{place.alice.id}/roles/{role.id}")).code == 50013
    changes.bot_may(place.world, place.guild, Permission.MANAGE_ROLES)
    assert (await rest("PUT", f"{at}/members/{place.alice.id}/roles/{role.id}")).status == 204
    assert role.id in place.alice.member.roles
    assert (await rest("DELETE", f"{at}/members/{place.alice.id}/roles/{role.id}")).status == 204
    assert {each["name"] for each in (await rest("GET", f"{at}/roles")).body} == {"@everyone", "Elenchus", "judge"}
    assert (await rest("GET", f"{at}?with_counts=true")).body["approximate_member_count"] == 3
    assert (await rest("GET", "/guilds/12345")).code == 10004
    await place.alice.leave()
    assert (await rest("GET", f"{at}/members/{place.alice.id}")).code == 10007


async def test_overwrites_give_only_what_the_bot_has(place: Place, rest: Rest) -> None:
    at = f"/channels/{place.channel.id}/permissions/{place.alice.id}"
    body: dict[str, Any] = {"type": 1, "allow": str(int(Permission.SEND_MESSAGES)), "deny": "0"}
    assert (await rest("PUT", at, body)).code == 50013
    changes.bot_may(place.world, place.guild, Permission.MANAGE_ROLES)
    assert (await rest("PUT", at, body)).status == 204
    assert (await rest("PUT", at, body | {"allow": str(int(Permission.MANAGE_GUILD))})).code == 50013
    assert (await rest("DELETE", at)).status == 204


async def test_a_choice_of_autocomplete_beyond_25_is_refused(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:

        @bot.tree.command(description="Many")
        async def many(interaction: discord.Interaction, model: str) -> None:
            await interaction.response.send_message(model)

        @many.autocomplete("model")
        async def names(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=f"{typed}{n}", value=str(n)) for n in range(25)]

        await bot.tree.sync()
        assert len(await place.alice.complete(place.channel, "many", "model", "m")) == 25
