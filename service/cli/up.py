"""`elenchus up`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.serve import Host, Json, Lan, Port

if TYPE_CHECKING:
    from elenchus.service.web.server import WebService


def up(
    host: Host = "",
    lan: Lan = False,
    port: Port = None,
    discord_api: Annotated[
        str, typer.Option("--discord-api", metavar="URL", help="REST API of a proxy or a compatible server.")
    ] = "",
    discord_gateway: Annotated[
        str, typer.Option("--discord-gateway", metavar="URL", help="Gateway of a compatible server (ws:// or wss://).")
    ] = "",
    json: Json = False,
) -> None:
    """Run the server and the Discord bot in one process, over the same sessions.

    It is `elenchus serve` and `elenchus bot` together, with the settings of both.
    """
    context.run(_up(CommandOutput(json), (host, port, lan), (discord_api, discord_gateway)))


async def _up(out: CommandOutput, where: tuple[str, int | None, bool], discord: tuple[str, str]) -> None:
    """Raises UsageError for what ends the bot: the server then ends, too."""
    from elenchus.service.app import open_app
    from elenchus.service.cli import bot, serve

    settings = context.settings()
    host, port, lan = where
    with closing(serve.listening_of(settings, host, port, lan=lan)) as listening:
        token = bot.token_of(settings)
        bot.use_endpoints(*discord)
        settings = await serve.prepared(settings)
        beside: list[WebService] = []

        async def tell(service: WebService) -> None:
            beside.append(service)
            await serve.told(out, listening, service)

        async with open_app(settings) as app, serve.served(app, out, listening, tell) as asked_to_end:
            await bot.on_discord(app, token, asked_to_end, beside[0].classes)
