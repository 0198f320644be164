"""Which Discord the bot speaks to: the real one, a proxy, or a compatible server such as the tests' own.

discord.py has no argument for it; it reads three class attributes whenever it builds an address. Setting them is the
whole of it, and it holds for the process: a bot has one Discord. `cdn` is where pictures and attachments come from.
"""

from __future__ import annotations

from dataclasses import dataclass

import yarl
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route

from elenchus.bot.strings import msg


@dataclass(frozen=True)
class Endpoints:
    """Addresses: of the REST API with its version, of the gateway (ws or wss), of the CDN."""

    api: str = "https://discord.com/api/v10"
    gateway: str = "wss://gateway.discord.gg/"
    cdn: str = "https://cdn.discordapp.com"


def current() -> Endpoints:
    """The addresses that discord.py uses now."""
    return Endpoints(Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY), Asset.BASE)


def check(endpoints: Endpoints) -> None:
    """Raises ValueError for an address of the wrong kind, or with a name or password in it, which is not told."""
    for address in (endpoints.api, endpoints.gateway, endpoints.cdn):
        if "@" in address:  # a password with a / or # in it ends the host before it
            raise ValueError(msg("errors-login-in-address"))
    if yarl.URL(endpoints.gateway).scheme not in {"ws", "wss"}:
        raise ValueError(msg("errors-no-gateway", address=endpoints.gateway))
    for address in (endpoints.api, endpoints.cdn):
        if yarl.URL(address).scheme not in {"http", "https"}:
            raise ValueError(msg("errors-no-api", address=address))


def use(endpoints: Endpoints) -> None:
    """Point discord.py at a server. Every client and webhook of this process follows from its next request on.

    Raises ValueError for an address that `check` refuses.
    """
    check(endpoints)
    Route.BASE = endpoints.api.rstrip("/")
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(endpoints.gateway)
    Asset.BASE = endpoints.cdn.rstrip("/")
