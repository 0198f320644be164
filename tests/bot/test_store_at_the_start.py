"""A store that fails as the bot has just connected, or runs something: what was in hand waits for it, and goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from elenchus.bot.people.removal import NAMESPACE
from elenchus.bot.services import BotServices
from elenchus.debate_engine.errors import StorageError
from elenchus.service.app import App
from tests.bot.stage import ENDLESS, Stage, finished, services_of, until

if TYPE_CHECKING:
    from elenchus.debate_engine.runner import Runner


@dataclass
class FailsTwice:
    """A log that cannot be read twice."""

    log: Any
    left: int = 2

    def __getattr__(self, name: str) -> Any:
        return getattr(self.log, name)

    async def read(self, *args: Any, **more: Any) -> Any:
        self.left -= 1
        if self.left >= 0:
            raise StorageError("the database is away")
        return await self.log.read(*args, **more)


async def test_what_was_in_hand_goes_on_when_the_store_is_back(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
    logs = list[FailsTwice]()

    def failing(app: App) -> BotServices:
        logs.append(FailsTwice(app.log))
        return replace(services_of(app), log=logs[-1])

    stage.services_of = failing
    async with stage.running() as bot:
        await until(lambda: bot.manager.runs(stage.session(thread)))
        assert logs[0].left < 0


@dataclass
class RunsAtTheSecondTry:
    """A runner whose store is away as it is first asked to run something."""

    runner: Any
    asked: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    async def run(self, *args: Any, **more: Any) -> Any:
        self.asked += 1
        if self.asked == 1:
            raise StorageError("the database is away")
        return await self.runner.run(*args, **more)


async def test_a_debate_that_could_not_be_begun_for_the_store_is_begun_when_it_is_back(stage: Stage) -> None:
    runners = list[RunsAtTheSecondTry]()

    def failing(app: App) -> BotServices:
        services = services_of(app)
        runners.append(RunsAtTheSecondTry(services.runner))
        return replace(services, runner=cast("Runner", runners[-1]))

    stage.services_of = failing
    async with stage.running():
        thread = await stage.debate()
        await finished(thread)
    assert runners[0].asked == 2


@dataclass
class ForgettingIsAway:
    """A store that cannot tell whom others have asked to forget."""

    store: Any
    asked: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def all(self, namespace: str) -> Any:
        if namespace != NAMESPACE:
            return await self.store.all(namespace)
        self.asked += 1
        raise StorageError("the database is away")


async def test_a_store_that_is_away_is_told_once_and_not_as_a_member_who_was_to_be_forgotten(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stores = list[ForgettingIsAway]()

    def failing(app: App) -> BotServices:
        stores.append(ForgettingIsAway(app.store))
        return replace(services_of(app), store=cast("Any", stores[-1]))

    stage.services_of = failing
    async with stage.running():
        await until(lambda: stores[0].asked > 1)
    assert caplog.text.count("cannot look whom other processes want forgotten") == 1
    assert "not forgotten everywhere" not in caplog.text
