"""The stage of the bot's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.stage import Stage, stage_at
from tests.fakes.discord.people import Person
from tests.warm import process as warm


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage_at(tmp_path / "home") as made:
        made.quick = warm.AVAILABLE
        yield made


@pytest.fixture
def bob(stage: Stage) -> Person:
    """A member of the server who moderates nothing."""
    return stage.discord.world.person("Bob", guild=stage.guild)
