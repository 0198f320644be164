"""`elenchus bot`, which kills itself (SIGKILL) at one write of the opening of a session: `python -m tests.bot.dying`.

Its arguments are Discord's two addresses, which write of all (from 1), whether it dies `before` or `after` it, and the
drawers whose writes count.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from elenchus.bot import bindings, endpoints, thread_opener
from elenchus.bot.client import ElenchusBot
from elenchus.bot.services import BotServices
from elenchus.config.settings import load_settings
from elenchus.debate_engine.log import EventLog
from elenchus.service.app import App, open_app
from tests.bot import child
from tests.bot.stage import QUICK, Stage, until

DRAWERS = (thread_opener.NAMESPACE, bindings.NAMESPACE)
"""What an opening of a debate's thread writes into."""


@dataclass
class Death:
    """Comes at the n-th write."""

    left: int
    when: str

    async def at(self, write: Callable[[], Awaitable[Any]]) -> Any:
        """Write, and die on the right side of it."""
        self.left -= 1
        if not self.left and self.when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = await write()
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


class Writes:
    """A part of the storage whose writes that open a session may bring death; all else is the real part's.

    Of the store's writes those into `drawers` count.
    """

    def __init__(self, real: Any, death: Death, drawers: Sequence[str] = ()) -> None:
        self._real, self._death, self._drawers = real, death, drawers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def create(self, *given: Any) -> Any:
        return await self._death.at(lambda: self._real.create(*given))

    async def put(self, namespace: str, *given: Any) -> Any:
        return await self._counted(namespace, lambda: self._real.put(namespace, *given))

    async def remove(self, namespace: str, *given: Any) -> Any:
        return await self._counted(namespace, lambda: self._real.remove(namespace, *given))

    async def _counted(self, namespace: str, write: Callable[[], Awaitable[Any]]) -> Any:
        return await (self._death.at(write) if namespace in self._drawers else write())


def services_of(app: App, death: Death, drawers: Sequence[str]) -> BotServices:
    """The bot's services, with death at it."""
    log = cast(EventLog, Writes(app.log, death))
    store = cast(Any, Writes(app.store, death, drawers))
    return BotServices(app.settings, log, app.registry, replace(app.runner, log=log), store, app.pseudonyms)


async def killed(stage: Stage, write: int, when: str, act: Any, drawers: Sequence[str] = DRAWERS) -> None:
    """Have the bot kill itself at a write while somebody does something."""
    given = (stage.discord.api, stage.discord.gateway_url, str(write), when, *drawers)
    known = child.identified(stage)
    with (stage.home / "bot.log").open("ab") as log:
        dying = child.begun(stage, "tests.bot.dying", given, {}, log)
    await until(lambda: child.identified(stage) > known)
    await act()
    assert await dying.ended() == -signal.SIGKILL


async def main(api: str, gateway: str, write: str, when: str, *drawers: str) -> None:
    """Run until death, or for good."""
    endpoints.use(endpoints.Endpoints(api, gateway, endpoints.current().cdn))
    settings = load_settings()
    assert settings.discord.token is not None
    async with open_app(settings) as app:
        await ElenchusBot(services_of(app, Death(int(write), when), drawers), **QUICK).start(
            settings.discord.token.get_secret_value()
        )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
