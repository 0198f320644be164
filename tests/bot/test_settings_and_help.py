"""`/settings` and `/help`."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.bot.guild import GuildSettings, settings_of
from tests.bot.stage import DEMO, VOTE, Stage
from tests.fakes.discord import changes
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission


@pytest.fixture
def owner(stage: Stage) -> Person:
    role = stage.discord.world.role(stage.guild, "owners", Permission.MANAGE_GUILD)
    return stage.discord.world.person("Olga", guild=stage.guild, roles=[role])


async def kept(stage: Stage) -> GuildSettings:
    assert stage.app is not None
    return await settings_of(stage.app.store, stage.guild.id)


async def test_who_manages_the_server_changes_its_settings_and_they_hold_at_once(
    stage: Stage, owner: Person, bob: Person
) -> None:
    role = stage.discord.world.role(stage.guild, "referees")
    async with stage.running():
        answer = await owner.slash(
            stage.channel, "settings set", moderator_role=role, start="moderators", judges=f"{DEMO}, {DEMO}",
            day_usd=2.5, day_tokens=90_000, turn_hours=2.0, stand_in=False,
        )  # fmt: skip
        assert answer.ephemeral
        assert "The settings are changed" in answer.text
        assert await kept(stage) == GuildSettings(
            moderator_role=role.id, start="moderators", debater=DEMO, judges=(DEMO, DEMO), day_usd=2.5,
            day_tokens=90_000, turn_seconds=7_200.0, stand_in=False, vote_minutes=VOTE,
        )  # fmt: skip
        assert "You may not start debates" in (await stage.offer(bob)).text
        shown = await owner.slash(stage.channel, "settings show")
        assert "$2.5" in shown.text
        assert "2 h" in shown.text


async def test_settings_go_back_to_what_they_were_at_first(stage: Stage, owner: Person) -> None:
    async with stage.running():
        await owner.slash(stage.channel, "settings set", day_usd=2.5, turn_hours=2.0)
        await owner.slash(stage.channel, "settings reset", setting="turn_hours")
        now = await kept(stage)
        assert (now.turn_seconds, now.day_usd, now.debater) == (24 * 3600.0, 2.5, DEMO)
        await owner.slash(stage.channel, "settings reset", setting="all")
        assert await kept(stage) == GuildSettings()


async def test_space_around_a_model_is_not_kept(stage: Stage, owner: Person) -> None:
    async with stage.running():
        await owner.slash(stage.channel, "settings set", debater=f"  {DEMO} ", judges=f" {DEMO} ,{DEMO}  {DEMO}, ")
        assert (await kept(stage)).debater == DEMO
        assert (await kept(stage)).judges == (DEMO, DEMO, DEMO)


async def test_wrong_settings_are_refused_and_nothing_is_changed(stage: Stage, owner: Person) -> None:
    async with stage.running():
        before = await kept(stage)
        wrongs: list[dict[str, Any]] = [{"debater": "nobody:at-all"}, {"judges": ",".join([DEMO] * 10)}, {}]
        for wrong in wrongs:
            answer = await owner.slash(stage.channel, "settings set", **wrong)
            assert "reference" in answer.text
        assert await kept(stage) == before


async def test_plain_messages_without_the_intent_say_what_is_missing(stage: Stage, owner: Person) -> None:
    async with stage.running():
        answer = await owner.slash(stage.channel, "settings set", plain_messages=True)
        assert "message content intent" in answer.text


async def test_others_do_not_see_the_settings_command_and_may_not_use_it_where_a_server_shows_it(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        with pytest.raises(NotPossible):
            await bob.slash(stage.channel, "settings set", day_usd=1.0)


async def test_who_may_not_is_refused_although_the_server_shows_the_command(stage: Stage, bob: Person) -> None:
    world = stage.discord.world
    async with stage.running():
        before = await kept(stage)
        command = next(c for c in world.commands.values() if c.name == "settings")
        shown: list[dict[str, object]] = [{"id": str(bob.id), "type": 2, "permission": True}]
        changes.set_command_permissions(world, stage.guild, command.id, shown)
        assert "Only members with Manage Server" in (await bob.slash(stage.channel, "settings set", day_usd=1.0)).text
        assert await kept(stage) == before


async def test_help_shows_what_the_person_asking_may_do(stage: Stage, owner: Person, bob: Person) -> None:
    async with stage.running():
        text = (await bob.slash(stage.channel, "help")).text
        assert "You may start debates" in text
        assert "You may change the settings" not in text
        assert "You may steer" not in text
        assert "You may change the settings" in (await owner.slash(stage.channel, "help")).text
        await owner.slash(stage.channel, "settings set", start="moderators")
        text = (await bob.slash(stage.channel, "help")).text
        assert "You may start debates" not in text
        assert "a moderator of this server" in text
        await owner.slash(stage.channel, "settings set", start="everyone")
        await stage.debate(pro=bob.mention)
        assert "You sit in a debate" in (await bob.slash(stage.channel, "help")).text
        assert "Your own debates" in (await stage.alice.slash(stage.channel, "help")).text


async def test_who_clicks_before_discord_has_sent_the_servers_data_may_what_they_may(
    stage: Stage, owner: Person, bob: Person
) -> None:
    stage.discord.gateway.keep_guilds = True
    role = stage.discord.world.role(stage.guild, "Chairs")
    async with stage.running() as bot:
        guild = bot.get_guild(stage.guild.id)
        assert guild is not None
        assert guild.unavailable
        changed = await owner.slash(stage.channel, "settings set", start="moderators", moderator_role=role)
        assert "are changed" in changed.text
        assert "You may change the settings" in (await owner.slash(stage.channel, "help")).text
        assert "You may steer" not in (await bob.slash(stage.channel, "help")).text
        changes.give_role(stage.discord.world, bob.member, role)
        assert "You may steer" in (await bob.slash(stage.channel, "help")).text
