"""The stage of the scenes' tests: scripted models that say where they speak, and members who take part."""

from __future__ import annotations

import pytest

from tests.bot.scenes.acting import client
from tests.bot.stage import Stage
from tests.fakes.discord.people import Person


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.scripts["scene"] = client()
    return stage


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.discord.world.person("Bob", guild=stage.guild)


@pytest.fixture
def carla(stage: Stage) -> Person:
    return stage.discord.world.person("Carla", guild=stage.guild)
