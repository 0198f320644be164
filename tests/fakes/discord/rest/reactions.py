"""Reactions: the bot's own and those of others."""

from __future__ import annotations

from tests.fakes.discord import payloads, threads
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route

EMOJI = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}"


@route("PUT", EMOJI + "/@me")
def add(call: Call) -> Reply:
    place = call.channel(Permission.READ_MESSAGE_HISTORY)
    post = call.message(place)
    emoji = call.values["emoji_name"]
    threads.demand_open(place)
    if not post.reactions.get(emoji) and not call.may(place, Permission.ADD_REACTIONS):
        raise Refused(50013)
    if emoji.isascii() and ":" not in emoji:
        raise Refused(10014)
    if emoji not in post.reactions and len(post.reactions) >= 20:
        raise Refused(30010)
    post.reactions.setdefault(emoji, set()).add(call.world.bot.id)
    post.own_reactions.add(emoji)
    call.world.events.reacted(post, emoji, call.world.bot.id, added=True)
    return nothing()


@route("DELETE", EMOJI + "/@me")
def remove_own(call: Call) -> Reply:
    return _remove(call, call.world.bot.id)


@route("DELETE", EMOJI + "/{user_id}")
def remove(call: Call) -> Reply:
    call.channel(Permission.MANAGE_MESSAGES)
    return _remove(call, call.id("user_id"))


def _remove(call: Call, who: int) -> Reply:
    place = call.channel()
    post = call.message(place)
    threads.demand_open(place)
    post.reactions.get(call.values["emoji_name"], set()).discard(who)
    if who == call.world.bot.id:
        post.own_reactions.discard(call.values["emoji_name"])
    call.world.events.reacted(post, call.values["emoji_name"], who, added=False)
    return nothing()


@route("GET", EMOJI)
def who_reacted(call: Call) -> Reply:
    place = call.channel(Permission.READ_MESSAGE_HISTORY)
    found = sorted(call.message(place).reactions.get(call.values["emoji_name"], ()))
    return ok([payloads.user(call.world.users[one]) for one in found][: int(call.query.get("limit", 25))])
