"""What all sessions, and those of one person, may use a day, over HTTP and in Python, with and without Redis."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from pydantic import SecretStr

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import DaySettings, RedisSettings
from elenchus.debate_engine.shared import Spent
from elenchus.service.app import App, open_app, open_lab
from elenchus.service.lab.access import Access
from elenchus.service.lab.running import Unfinished
from elenchus.service.shared import PAYERS
from elenchus.service.web.server import make_web
from tests.service.web.conftest import SCRIPTED, SHORT, TOKEN, Asker
from tests.storage.redis_server import redis_server


async def test_a_session_pauses_when_the_houses_budget_of_the_day_is_used(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, day=DaySettings(tokens=2_000))
    async with open_lab(settings=settings, model="scripted:demo") as lab:
        debate = await lab.debate("Homework should end", max_rounds=1)
        with pytest.raises(
            Unfinished, match=r"is paused: the day's budget is reached: [\d,]+ of the 2,000 tokens of all sessions"
        ):
            await debate


@pytest.mark.parametrize("shared", [False, True])
async def test_a_person_has_a_budget_of_the_day_and_others_go_on(tmp_path: Path, shared: bool) -> None:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(redis_server()).url if shared else None
        settings = Settings(
            home=tmp_path,
            day=DaySettings(person_tokens=2_000),
            redis=RedisSettings(url=SecretStr(url) if url else None),
        )
        app = await stack.enter_async_context(open_app(settings))
        client = await stack.enter_async_context(TestClient(TestServer(make_web(app, token=TOKEN))))
        one = Asker(client, TOKEN)
        other = Asker(client, (await Access(app.store).give("moderator", label="other")).secret)
        first, second, third = [await begun(who) for who in (one, one, other)]
        for session, who in ((first, one), (second, one), (third, other)):
            assert "of whoever began this are used today" in await paused(who, session)
        used = [(await app.shared.spend(account, Spent())).tokens for account in await accounts(app)]
        assert len(used) == 2
        assert all(2_000 <= tokens < 12_000 for tokens in used)


async def begun(who: Asker) -> str:
    """A debate of theirs."""
    body = {"protocol": "debate", "options": {"motion": "Homework should end", **SCRIPTED, **SHORT}}
    return str((await who.post("/sessions", body))["id"])


async def paused(who: Asker, session: str) -> str:
    """Why a session has paused, once it has."""
    async with asyncio.timeout(30):
        while (found := await who.get(f"/sessions/{session}"))["state"] != "paused":
            assert found["state"] == "running", found
            await asyncio.sleep(0.05)
    return str(found)


async def accounts(app: App) -> set[str]:
    """Who has begun something."""
    return {f"person {one['grant']}" for one in (await app.store.all(PAYERS)).values()}
