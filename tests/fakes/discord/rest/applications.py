"""The application itself and its commands, global and of one server."""

from __future__ import annotations

from tests.fakes.discord import commands, payloads
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import Command, Json

GLOBAL = "/applications/{application_id}/commands"
OF_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


@route("GET", "/applications/@me")
@route("GET", "/oauth2/applications/@me")
def me(call: Call) -> Reply:
    return ok(payloads.application(call.world))


def _where(call: Call) -> int | None:
    """Which server the path names, if any. Raises Refused 50001 for another application or a server not joined."""
    if call.id("application_id") != call.world.application.id:
        raise Refused(50001)
    return call.guild().id if "guild_id" in call.values else None


def _registered(call: Call, guild: int | None) -> list[Command]:
    return [one for one in call.world.commands.values() if one.guild_id == guild]


def _shown(call: Call, one: Command) -> Json:
    return payloads.command(one, call.world.application.id)


@route("GET", GLOBAL)
@route("GET", OF_GUILD)
def list_all(call: Call) -> Reply:
    return ok([_shown(call, one) for one in _registered(call, _where(call))])


@route("PUT", GLOBAL)
@route("PUT", OF_GUILD)
def overwrite(call: Call) -> Reply:
    """Replace all at once; a command of the same name and kind keeps its id."""
    guild = _where(call)
    bodies: list[Json] = call.body or []
    commands.check(bodies)
    old = {(one.type, one.name): one for one in _registered(call, guild)}
    _count_creations(call, bodies, old)
    for one in old.values():
        del call.world.commands[one.id]
    return ok([_shown(call, _register(call, guild, body, old)) for body in bodies])


def _register(call: Call, guild: int | None, body: Json, old: dict[tuple[int, str], Command]) -> Command:
    before = old.get((body.get("type") or 1, body["name"]))
    number = before.id if before else call.world.new_id()
    made = Command(number, guild, {key: value for key, value in body.items() if key != "id"}, call.world.new_id())
    call.world.commands[number] = made
    return made


@route("POST", GLOBAL)
@route("POST", OF_GUILD)
def create(call: Call) -> Reply:
    guild = _where(call)
    old = {(one.type, one.name): one for one in _registered(call, guild)}
    key = (call.json().get("type") or 1, call.json()["name"])
    rest = [one.body for each, one in old.items() if each != key]
    commands.check([*rest, call.json()])
    _count_creations(call, [call.json()], old)
    return Reply(200 if key in old else 201, _shown(call, _register(call, guild, call.json(), old)))


def _count_creations(call: Call, bodies: list[Json], old: dict[tuple[int, str], Command]) -> None:
    """Two hundred new commands a day are the most."""
    now, made = call.world.clock.now(), call.world.commands_made
    made[:] = [when for when in made if when > now - 86400]
    new = [body for body in bodies if (body.get("type") or 1, body["name"]) not in old]
    if len(made) + len(new) > 200:
        raise Refused(30034)
    made += [now] * len(new)


def _one(call: Call) -> Command:
    guild = _where(call)
    found = call.world.commands.get(call.id("command_id"))
    if found is None or found.guild_id != guild:
        raise Refused(10063)
    return found


@route("GET", GLOBAL + "/{command_id}")
@route("GET", OF_GUILD + "/{command_id}")
def get(call: Call) -> Reply:
    return ok(_shown(call, _one(call)))


@route("PATCH", GLOBAL + "/{command_id}")
@route("PATCH", OF_GUILD + "/{command_id}")
def change(call: Call) -> Reply:
    one = _one(call)
    body = one.body | call.json()
    commands.check([body])
    one.body, one.version = body, call.world.new_id()
    return ok(_shown(call, one))


@route("DELETE", GLOBAL + "/{command_id}")
@route("DELETE", OF_GUILD + "/{command_id}")
def delete(call: Call) -> Reply:
    del call.world.commands[_one(call).id]
    return nothing()


@route("GET", OF_GUILD + "/permissions")
def all_permissions(call: Call) -> Reply:
    guild = call.guild()
    return ok([_permissions(call, number) for number in guild.command_permissions])


@route("GET", OF_GUILD + "/{command_id}/permissions")
def permissions_of(call: Call) -> Reply:
    guild, number = call.guild(), call.id("command_id")
    if number not in guild.command_permissions:
        raise Refused(10066, "Unknown application command permissions", status=404)
    return ok(_permissions(call, number))


def _permissions(call: Call, number: int) -> Json:
    guild = call.guild()
    shown: Json = {"id": str(number), "application_id": str(call.world.application.id), "guild_id": str(guild.id)}
    return shown | {"permissions": guild.command_permissions[number]}
