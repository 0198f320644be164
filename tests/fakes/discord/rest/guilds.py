"""Servers as the bot may read them: channels, roles, members."""

from __future__ import annotations

from tests.fakes.discord import changes, payloads
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission, demand_in_guild
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import Channel, Guild, Member, Role

ONE = "/guilds/{guild_id}"


@route("GET", ONE)
def get(call: Call) -> Reply:
    guild = call.guild()
    shown = payloads.guild(guild)
    if call.asked("with_counts"):
        shown |= {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
    return ok(shown)


@route("GET", ONE + "/channels")
def channels(call: Call) -> Reply:
    guild = call.guild()
    return ok([payloads.channel(one) for one in guild.channels.values() if not one.is_thread])


@route("POST", ONE + "/channels")
def create_channel(call: Call) -> Reply:
    guild = call.guild()
    demand_in_guild(call.world.me(guild), Permission.MANAGE_CHANNELS)
    body = call.json()
    made = Channel(call.world.new_id(), body.get("type") or 0, body["name"], guild, position=len(guild.channels))
    made.created_at, made.topic = call.world.clock.now(), body.get("topic")
    call.world.add_channel(made)
    return Reply(201, payloads.channel(made))


@route("GET", ONE + "/roles")
def roles(call: Call) -> Reply:
    return ok([payloads.role(one) for one in call.guild().roles.values()])


def _role(call: Call) -> Role:
    found = call.guild().roles.get(call.id("role_id"))
    if found is None:
        raise Refused(10011)
    return found


@route("GET", ONE + "/roles/{role_id}")
def role(call: Call) -> Reply:
    return ok(payloads.role(_role(call)))


def _member(call: Call, guild: Guild) -> Member:
    number = call.id("user_id")
    if number not in guild.members:
        raise Refused(10007 if number in call.world.users else 10013)
    return guild.members[number]


@route("GET", ONE + "/members/{user_id}")
def member(call: Call) -> Reply:
    return ok(payloads.member(_member(call, call.guild())))


@route("GET", ONE + "/members")
def members(call: Call) -> Reply:
    """The whole list is privileged."""
    guild = call.guild()
    if not call.world.application.privileged & Intent.GUILD_MEMBERS:
        raise Refused(50001)
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
    found = [guild.members[number] for number in sorted(guild.members) if number > after]
    return ok([payloads.member(one) for one in found[:limit]])


@route("GET", ONE + "/members/search")
def search(call: Call) -> Reply:
    guild, begin = call.guild(), call.query.get("query", "").lower()
    found = [one for one in guild.members.values() if one.shown_name.lower().startswith(begin)]
    return ok([payloads.member(one) for one in found[: int(call.query.get("limit", 1))]])


@route("PATCH", ONE + "/members/@me")
def change_me(call: Call) -> Reply:
    me = call.world.me(call.guild())
    demand_in_guild(me, Permission.CHANGE_NICKNAME)
    me.nick = call.json().get("nick", me.nick)
    return ok(payloads.member(me))


@route("PUT", ONE + "/members/{user_id}/roles/{role_id}")
def give_role(call: Call) -> Reply:
    changes.give_role(call.world, *_given(call))
    return nothing()


@route("DELETE", ONE + "/members/{user_id}/roles/{role_id}")
def take_role(call: Call) -> Reply:
    changes.take_role(call.world, *_given(call))
    return nothing()


def _given(call: Call) -> tuple[Member, Role]:
    """The member and the role of the path, if the bot may manage roles."""
    guild = call.guild()
    demand_in_guild(call.world.me(guild), Permission.MANAGE_ROLES)
    one = _role(call)
    return _member(call, guild), one
