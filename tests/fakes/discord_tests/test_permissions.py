"""Our permissions are computed as discord.py computes them, for any roles and overwrites."""

from __future__ import annotations

from typing import Any

import discord
from hypothesis import given, strategies as st

from tests.fakes.discord import payloads, permissions
from tests.fakes.discord.permissions import ALL, Permission
from tests.fakes.discord.state import PUBLIC_THREAD, Channel, Overwrite
from tests.fakes.discord.world import World

BITS = st.sampled_from(list(Permission)).flatmap(
    lambda one: st.sampled_from(list(Permission)).map(lambda other: int(one | other))
)
VIEW = st.booleans().map(lambda yes: int(Permission.VIEW_CHANNEL) if yes else 0)


NAMED = sum(Permission) & discord.Permissions.all().value
STATE: Any = discord.Client(intents=discord.Intents.default())._connection


@given(
    roles=st.lists(BITS, max_size=3),
    allow=st.lists(BITS, min_size=5, max_size=5),
    deny=st.lists(BITS, min_size=5, max_size=5),
    view=VIEW,
)
def test_rights_in_a_channel_are_those_that_discord_py_computes(
    roles: list[int], allow: list[int], deny: list[int], view: int
) -> None:
    world = World()
    guild = world.guild()
    guild.roles[guild.id].permissions = view | int(Permission.SEND_MESSAGES)
    channel = world.text_channel(guild)
    made = [world.role(guild, str(bits), Permission(bits)) for bits in roles]
    alice = world.person("Alice", roles=made).member
    for who, yes, no in zip([guild.id, *[role.id for role in made], alice.id], allow, deny, strict=False):
        channel.overwrites[who] = Overwrite(who, int(who == alice.id), yes, no & ~yes)
    data: Any = payloads.guild(guild) | {"members": [payloads.member(alice)], "channels": [], "threads": []}
    theirs = discord.Guild(data=data, state=STATE)
    text = discord.TextChannel(state=STATE, guild=theirs, data=payloads.channel(channel))  # type: ignore[arg-type]
    member = discord.Member(data=payloads.member(alice), guild=theirs, state=STATE)  # type: ignore[arg-type]
    expected = Permission(text.permissions_for(member).value & NAMED)
    ours = Permission(permissions.in_channel(alice, channel) & NAMED)
    assert (Permission.VIEW_CHANNEL in ours) == (Permission.VIEW_CHANNEL in expected)
    if Permission.VIEW_CHANNEL in ours and Permission.SEND_MESSAGES in ours:
        assert ours == expected


def test_a_thread_takes_the_rights_of_its_parent_and_administrators_may_all() -> None:
    world = World()
    guild = world.guild()
    channel = world.text_channel(guild)
    alice = world.person("Alice").member
    boss = world.person("Boss", roles=[world.role(guild, "boss", Permission.ADMINISTRATOR)]).member
    channel.overwrites[guild.id] = Overwrite(guild.id, 0, 0, int(Permission.VIEW_CHANNEL))
    thread = Channel(1, PUBLIC_THREAD, "Debate", guild, channel)
    assert permissions.in_channel(alice, thread) == 0
    assert permissions.in_channel(boss, thread) == ALL
