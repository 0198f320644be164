"""A fake that is served, a small server in it, and a plain HTTP client with the bot's token."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord_tests.support import Place, Rest


@pytest.fixture
async def fake() -> AsyncIterator[Discord]:
    async with serving(Discord(rate_scale=0.01)) as fake:
        yield fake


@pytest.fixture
def place(fake: Discord) -> Place:
    guild = fake.world.guild("Agora")
    return Place(fake.world, guild, fake.world.text_channel(guild, "general"), fake.world.person("Alice"))


@pytest.fixture
async def rest(fake: Discord) -> AsyncIterator[Rest]:
    async with aiohttp.ClientSession() as session:
        yield Rest(fake, session)
