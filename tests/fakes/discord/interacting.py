"""What interactions share: making one, and who writes its answers."""

from __future__ import annotations

import secrets
from typing import Any

from tests.fakes.discord import payloads, permissions
from tests.fakes.discord.limits import FILE_LIMIT
from tests.fakes.discord.posting import Author
from tests.fakes.discord.state import Channel, Interaction, Json, Message, User
from tests.fakes.discord.world import World


def begin(
    world: World, kind: int, who: User, place: Channel, data: Json, message: Message | None = None
) -> Interaction:
    """Make an interaction and send it to the application, as Discord does when a person acts."""
    token = secrets.token_urlsafe(96)
    made = Interaction(world.new_id(), kind, token, who, place, world.clock.now(), data, message)
    world.interactions[token] = made
    world.events.send("INTERACTION_CREATE", payload(world, made), guild=place.guild.id if place.guild else 0)
    return made


def payload(world: World, made: Interaction) -> Json:
    """INTERACTION_CREATE. What it carries of messages is whole, whatever the intents."""
    place, guild = made.channel, made.channel.guild
    shown: Json = {"id": str(made.id), "application_id": str(world.application.id), "type": made.kind, "version": 1}
    shown |= {"token": made.token, "data": made.data, "channel_id": str(place.id), "locale": made.user.locale}
    shown |= {"entitlements": [], "attachment_size_limit": FILE_LIMIT, "context": 0 if guild else 1}
    if guild is None:
        everything = str(int(permissions.ALL))
        shown |= {"user": payloads.user(made.user), "app_permissions": everything, "channel": payloads.channel(place)}
        shown["authorizing_integration_owners"] = {"0": "0"}
    else:
        member, me = guild.members[made.user.id], guild.members[world.bot.id]
        may = str(int(permissions.in_channel(member, place)))
        shown |= {"member": payloads.member(member) | {"permissions": may}, "guild_id": str(guild.id)}
        shown |= {"guild": {"id": str(guild.id), "locale": "en-US", "features": []}, "guild_locale": "en-US"}
        shown["app_permissions"] = str(int(permissions.in_channel(me, place)))
        shown["channel"] = payloads.channel(place) | {"permissions": may}
        shown["authorizing_integration_owners"] = {"0": str(guild.id)}
    if made.message is not None:
        shown["message"] = payloads.message(made.message)
    return shown


def writer(world: World, told: Interaction, *, ephemeral: bool) -> Author:
    """The application, answering this interaction."""
    number = world.application.id
    member = told.channel.guild.members.get(world.bot.id) if told.channel.guild else None
    only = told.user.id if ephemeral else None
    return Author(world.bot, member, number, number, only, metadata(told))


def metadata(told: Interaction) -> Json:
    """What a message tells of the interaction that it answers."""
    shown: Json = {"id": str(told.id), "type": told.kind, "user": payloads.user(told.user)}
    guild = told.channel.guild
    shown["authorizing_integration_owners"] = {"0": str(guild.id) if guild else "0"}
    if told.kind == 3 and told.message:
        shown["interacted_message_id"] = str(told.message.id)
    if told.kind == 5:
        origin: Any = {"id": str(told.id), "type": 3 if told.message else 2, "user": payloads.user(told.user)}
        origin |= {"authorizing_integration_owners": shown["authorizing_integration_owners"]}
        origin |= {"interacted_message_id": str(told.message.id)} if told.message else {}
        shown["triggering_interaction_metadata"] = origin
    return shown
