"""The bot itself, other users, direct messages, and the way to the gateway."""

from __future__ import annotations

from tests.fakes.discord import changes, payloads
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import Json


@route("GET", "/gateway")
def gateway(call: Call) -> Reply:
    return ok({"url": call.discord.gateway_url})


@route("GET", "/gateway/bot")
def gateway_bot(call: Call) -> Reply:
    if not call.authorised:
        raise Refused(0, "401: Unauthorized", status=401)
    gateway = call.discord.gateway
    starts = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": gateway.max_concurrency}
    return ok({"url": call.discord.gateway_url, "shards": gateway.shards, "session_start_limit": starts})


@route("GET", "/users/@me")
def me(call: Call) -> Reply:
    return ok(payloads.user(call.world.bot) | {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None})


@route("GET", "/users/{user_id}")
def user(call: Call) -> Reply:
    found = call.world.users.get(call.id("user_id"))
    if found is None:
        raise Refused(10013)
    return ok(payloads.user(found))


@route("GET", "/users/@me/guilds")
def my_guilds(call: Call) -> Reply:
    shown = []
    for guild in call.world.guilds.values():
        if call.world.bot.id in guild.members:
            one: Json = {
                "id": str(guild.id),
                "name": guild.name,
                "icon": None,
                "banner": None,
                "owner": False,
                "features": [],
            }
            shown.append(one | {"permissions": "0"})
    return ok(shown)


@route("DELETE", "/users/@me/guilds/{guild_id}")
def leave_guild(call: Call) -> Reply:
    changes.kick_bot(call.world, call.guild())
    return nothing()


@route("POST", "/users/@me/channels")
def open_dm(call: Call) -> Reply:
    number = call.json().get("recipient_id")
    who = call.world.users.get(int(number)) if number else None
    if who is None or who is call.world.bot:
        raise invalid("recipient_id", code="INVALID_RECIPIENT", message="Invalid Recipient(s)")
    return ok(payloads.channel(call.world.dm(who)))
