"""`elenchus bot` that waits less for further servers and between two edits of a panel: `python -m tests.bot.quick`.

Its arguments are Discord's two addresses.
"""

from __future__ import annotations

import asyncio
import sys

from elenchus.bot import endpoints
from elenchus.bot.client import ElenchusBot
from elenchus.config.settings import load_settings
from elenchus.service.app import open_app
from elenchus.service.cli import bot as program, long_running, signals
from tests.bot.stage import QUICK, services_of


async def main(api: str, gateway: str) -> None:
    """Run until SIGTERM."""
    endpoints.use(endpoints.Endpoints(api, gateway, endpoints.current().cdn))
    settings = load_settings()
    assert settings.discord.token is not None
    long_running.log_to_stderr()
    asked_to_end = asyncio.Event()
    async with open_app(settings) as app:
        client = ElenchusBot(services_of(app), **QUICK)
        with signals.heard_by(signals.on_loop(lambda _: asked_to_end.set())):
            await program._run(client, settings.discord.token.get_secret_value(), asked_to_end)


if __name__ == "__main__":
    signals.take_over()
    asyncio.run(main(*sys.argv[1:]))
