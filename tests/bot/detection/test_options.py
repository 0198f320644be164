"""What is offered while somebody types labels or a bias."""

from __future__ import annotations

import pytest

from elenchus.config.catalogue import load_biases
from tests.bot.detection.looking import looking
from tests.bot.stage import Stage
from tests.bot.test_acknowledging import Slowness
from tests.fakes.discord.people import Person


async def test_biases_are_offered_by_name_and_alias_those_that_begin_so_first(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        named = await values(bob, stage, "bias", "il")
        assert named[:3] == ["Illusion of control", "Illusion of validity", "Illusory correlation"]
        assert await values(bob, stage, "bias", "concorde") == ["Sunk cost fallacy"]
        assert len(await values(bob, stage, "bias", "")) == 25
        assert len(load_biases()) > 25
        assert await values(bob, stage, "bias", "dilution") == [], "no detector looks for it"


async def test_labels_are_completed_one_after_the_other_each_once(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        begun = await values(bob, stage, "labels", "Loss aversion, sunk")
        assert begun == ["Loss aversion, Sunk cost fallacy"]
        assert "Loss aversion, Loss aversion" not in await values(bob, stage, "labels", "Loss aversion, loss")
        assert await values(bob, stage, "labels", f"{'Loss aversion, ' * 7}sunk") == [], "no choice has more than 100"


@pytest.mark.slow
async def test_completion_comes_in_time_whatever_the_storage_does(stage: Stage, bob: Person) -> None:
    slowness = Slowness(stage)
    async with looking(stage):
        slowness.begin()
        for option in ("session", "speaker", "labels", "bias"):
            await bob.complete(
                stage.channel, "detect", option, "a", **({"session": "x"} if option == "speaker" else {})
            )
        slowness.end()


async def values(who: Person, stage: Stage, option: str, typed: str) -> list[str]:
    """What is offered for an option."""
    return [choice["value"] for choice in await who.complete(stage.channel, "detect", option, typed)]
