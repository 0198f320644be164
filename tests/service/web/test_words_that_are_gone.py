"""A person is forgotten: their words are shown to nobody from the rewrite of the log on, before its notice is there."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from elenchus.debate_engine.events import Event, Recorded, Redacted
from elenchus.debate_engine.log import EventLog
from tests.service.web.conftest import Served
from tests.service.web.test_at_once import waiting
from tests.service.web.test_sessions import until
from tests.service.web.test_streams import following, settled

WORDS = "the zebras of Zanzibar graze beside rivers | what zebras owe to their ancestors | how zebras vote at night"


class HeldNotice:
    """A log that takes its time between the rewrite and the notice of a redaction."""

    def __init__(self, log: EventLog) -> None:
        self._log, self.rewritten, self.let_go = log, asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        if any(isinstance(event, Redacted) for event in events):
            self.rewritten.set()
            await self.let_go.wait()
        return await self._log.append(session_id, events, epoch)


async def said_something(served: Served) -> str:
    """A debate in which a person has said WORDS, and that was stopped then."""
    session, step, person = await waiting(served)
    turns = (await person.get(f"/sessions/{session}/turns"))["turns"]
    fields = {one["name"]: WORDS for one in turns[0]["fields"]}
    await person.post(f"/sessions/{session}/turns/{step}/answer", {"fields": fields})
    await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
    await until(served.moderator, session, "stopped")
    return session


@asynccontextmanager
async def being_forgotten(served: Served, session: str) -> AsyncIterator[HeldNotice]:
    """Inside, the log is rewritten, and the notice has not come."""
    log = HeldNotice(served.app.log)
    runner = dataclasses.replace(served.app.runner, log=log)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.forget(session, "pro"))
        await log.rewritten.wait()
        yield log
        log.let_go.set()


async def test_between_the_rewrite_and_its_notice_nobody_is_shown_what_is_gone(served: Served) -> None:
    session = await said_something(served)
    paths = [f"/sessions/{session}", f"/sessions/{session}/events", f"/sessions/{session}/events?after=3"]
    async with following(served.moderator, session) as before:
        await before.until("status", state="stopped")
        assert b"zebras" in before.raw
        assert "zebras" in json.dumps([await served.moderator.get(path) for path in paths])
        async with being_forgotten(served, session) as log:
            async with following(served.moderator, session) as new, following(served.moderator, session, "3") as back:
                for stream in (new, back):
                    await stream.until("status", state="stopped")
                    assert b"zebras" not in stream.raw
                    assert not [one for one in stream.told if one.kind == "redacted"]
            assert "zebras" not in json.dumps([await served.moderator.get(path) for path in paths])
            log.let_go.set()
        await before.until("redacted")


async def test_who_goes_away_while_a_session_is_read_anew_holds_up_nobody(served: Served) -> None:
    session = await said_something(served)
    async with served.service.live.looking(session) as live, being_forgotten(served, session):
        gone = asyncio.create_task(live.fresh())
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.wait([gone])
        assert gone.cancelled()
        async with asyncio.timeout(5), following(served.moderator, session) as stream:
            await stream.until("status", state="stopped")
            assert b"zebras" not in stream.raw
    await settled(served)
