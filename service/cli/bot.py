"""`elenchus bot`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from elenchus.debate_engine.tasks import cancelled
from elenchus.service.cli import context, long_running

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Coroutine

    from elenchus.bot.client import ElenchusBot
    from elenchus.bot.shards import Shard
    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.lab.classes.classes import Classes
    from elenchus.service.lab.leases import Lease

T = TypeVar("T")


def bot(
    discord_api: Annotated[
        str, typer.Option("--discord-api", metavar="URL", help="REST API of a proxy or a compatible server.")
    ] = "",
    discord_gateway: Annotated[
        str, typer.Option("--discord-gateway", metavar="URL", help="Gateway of a compatible server (ws:// or wss://).")
    ] = "",
) -> None:
    """Run the Discord bot until it is interrupted; what it had in hand goes on when it is started again.

    Its token is read from DISCORD_TOKEN. docs/discord.md shows how to create the application.
    """
    context.run(_bot(discord_api, discord_gateway))


async def _bot(api: str, gateway: str) -> None:
    """Raises UsageError for a missing or refused token, intents that were not granted, a Discord out of reach."""
    import asyncio

    from elenchus.service.app import open_app
    from elenchus.service.cli import signals

    settings = context.settings()
    token = token_of(settings)
    use_endpoints(api, gateway)
    long_running.log_to_stderr()
    settings = await long_running.settled(settings)
    asked_to_end = asyncio.Event()
    async with open_app(settings) as app:
        with signals.heard_by(signals.on_loop(lambda _: asked_to_end.set())):
            await on_discord(app, token, asked_to_end)


def token_of(settings: Settings) -> str:
    """The bot's token. Raises UsageError where there is none, or none that can be one."""
    from elenchus.debate_engine.errors import UsageError

    token = settings.discord.token.get_secret_value().strip() if settings.discord.token else ""
    if not token:
        raise UsageError("The bot needs its token: set DISCORD_TOKEN in the environment or in a file .env.")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError(
            "DISCORD_TOKEN is no bot's token, which is letters, digits, dots, dashes and underscores alone: copy it "
            "again from the application's page."
        )
    return token


def use_endpoints(api: str, gateway: str) -> None:
    """Have Discord reached at these addresses, "" for its own. Raises UsageError."""
    from elenchus.bot import endpoints
    from elenchus.debate_engine.errors import UsageError

    try:
        known = endpoints.current()
        endpoints.use(endpoints.Endpoints(api or known.api, gateway or known.gateway, known.cdn))
    except ValueError as error:
        raise UsageError(str(error)) from error


async def on_discord(app: App, token: str, asked_to_end: asyncio.Event, classes: Classes | None = None) -> None:
    """Run the bot until it is asked to end; `classes` are those of the server beside it. Raises UsageError for what
    ends it before.

    Of several processes each has its share of the shards, none of one alone; what one has that dies or stands still the
    others take over.
    """
    from elenchus.bot import shard_keeper
    from elenchus.bot.client import ElenchusBot
    from elenchus.bot.services import BotServices
    from elenchus.bot.shards import IdentifyTurns
    from elenchus.service.cli.health import heartbeat

    await app.runner.is_elsewhere()  # a queue of a newer version is refused before anybody comes
    services = BotServices(app.settings, app.log, app.registry, app.runner, app.store, app.pseudonyms, classes)
    insists = app.settings.discord.shards is not None
    wanted, at_once = await _wanted(app.settings, token, asked_to_end)
    turns = IdentifyTurns(app.store, at_once)
    clients: dict[Shard, ElenchusBot] = {}

    async def serve(shard: Shard, lease: Lease, ending: asyncio.Event) -> None:
        here = replace(services, shard=shard)
        clients[shard] = ElenchusBot(here, lease=lease, turns=turns if shard.count > 1 else None)
        try:
            await _connected(clients[shard], token, ending, lease)
        finally:
            del clients[shard]

    try:
        async with heartbeat(app.settings.home, lambda: all(client.is_ready() for client in clients.values())):
            while not asked_to_end.is_set():
                count = await shard_keeper.agreed(app.store, wanted, asked_to_end, insists=insists)
                await shard_keeper.ShardKeeper(app.store, count, serve).keep(asked_to_end)
    finally:
        await turns.aclose()


async def _wanted(settings: Settings, token: str, asked_to_end: asyncio.Event) -> tuple[int, int]:
    """How many shards there are to be, and how many may identify at once. Raises UsageError."""
    from elenchus.bot.discord_internals import recommended
    from elenchus.debate_engine.errors import UsageError

    if settings.discord.shards == 1:
        return 1, 1
    try:
        found = await _unless(asked_to_end, recommended(token))
    except Exception as error:
        if sentence := _why(error, logged_in=False, connected=False):
            raise UsageError(sentence) from error
        raise
    count, at_once = found or (1, 1)
    return settings.discord.shards or count, at_once


async def _connected(client: ElenchusBot, token: str, ending: asyncio.Event, lease: Lease) -> None:
    """Run one shard's client until it is to end, or its lease is lost. Raises UsageError for what ends it before."""
    import asyncio

    from elenchus.debate_engine.errors import UsageError

    over = asyncio.Event()

    async def watch(event: asyncio.Event) -> None:
        await event.wait()
        over.set()

    watching = [asyncio.create_task(watch(event), name="the bot's end") for event in (ending, lease.lost)]
    try:
        await _run(client, token, over)
    except Exception as error:
        if sentence := _why(error, logged_in=client.user is not None, connected=client.ws is not None):
            raise UsageError(sentence) from error
        raise
    finally:
        await cancelled(*watching)


def _why(error: Exception, *, logged_in: bool, connected: bool) -> str:
    """Why the client ended, for whoever runs the bot; "" where it is none of Discord's. `connected`: it has been."""
    import aiohttp
    import discord

    match error:
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):
            return "Discord refused the token: copy it again from the application's page."
        case discord.PrivilegedIntentsRequired() | discord.ConnectionClosed(code=4013 | 4014):
            return (
                "The application lacks a privileged intent: switch it on in the developer portal, or unset "
                "ELENCHUS_DISCORD_MESSAGE_CONTENT and ELENCHUS_DISCORD_MEMBERS."
            )
        case discord.ConnectionClosed(code=4011):
            return (
                "Discord demands more shards for so many servers: raise ELENCHUS_DISCORD_SHARDS, or unset it, and "
                "start all bots anew."
            )
        case discord.ConnectionClosed(code=code):
            return f"Discord's gateway closed the connection for good (code {code}): update Elenchus, then start again."
        case discord.HTTPException(status=status, text=text):
            return f"Discord's API refused to let the bot start ({status} {text}): look at --discord-api, or try later."
        case discord.GatewayNotFound():
            return "Discord does not tell how many shards it wants: try later, or set ELENCHUS_DISCORD_SHARDS=1."
        case aiohttp.ClientError():
            return f"Discord cannot be reached ({error}): look at the network and at --discord-api, then start again."
        case TypeError() | LookupError() if (
            not logged_in
        ):  # discord.py reads the bot's own account from whatever it gets
            return (
                "What answers there is not Discord's API, or not as JSON (Content-Type: application/json): look at "
                "--discord-api, or at the proxy, then start again."
            )
        case AttributeError() if not connected:  # discord.py stumbles where the first connection to the gateway fails
            return "Discord's gateway cannot be reached: look at the network and --discord-gateway, then start again."
    return ""


async def _run(client: ElenchusBot, token: str, asked_to_end: asyncio.Event) -> None:
    """Run until it is asked to end. Raises what ends the client before.

    The client is closed first and cancelled then: what it waits for may lose a cancellation (`asyncio.wait_for` does).
    """
    await _unless(asked_to_end, client.start(token), client.close)


async def _unless(
    asked_to_end: asyncio.Event, work: Coroutine[Any, Any, T], first: Callable[[], Awaitable[None]] | None = None
) -> T | None:
    """What comes of the work; None where the end is asked for meanwhile: then `first` is done, and it is cancelled."""
    import asyncio

    working = asyncio.create_task(work, name="discord")
    asked = asyncio.create_task(asked_to_end.wait(), name="asked to end")
    try:
        await asyncio.wait({working, asked}, return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        if first is not None:
            await first()
        working.cancel()
        asked.cancel()
        await asyncio.gather(working, asked, return_exceptions=True)
