"""Two `elenchus serve` over one database: what one has begun is watched, moderated, answered and exported on the other.

And a class is joined through both. Nothing of it is in the memory of the process that is asked.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
from aiohttp import ClientSession

from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import SCRIPTED, TOKEN
from tests.storage.postgres_server import temporary_server
from tests.storage.redis_server import redis_server

pytestmark = [pytest.mark.slow, pytest.mark.kill]
SLOW = {"pro": "scripted:demo?latency=0.3", "con": "scripted:demo?latency=0.3"}


@dataclass
class Server:
    """A process of the service, and how it is asked."""

    process: subprocess.Popen[bytes]
    url: str
    client: ClientSession
    shares_texts: bool = False

    async def ask(self, method: str, path: str, body: Any = None, token: str = TOKEN) -> Any:
        """What it answers. Raises AssertionError where it refuses."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.client.request(method, f"{self.url}/api/v1{path}", json=body, headers=headers) as answer:
            kind = answer.content_type
            said = await (answer.json() if kind.endswith("json") else answer.read())
            assert answer.status < 300, (answer.status, said)
            return said

    async def until(self, path: str, holds: Any, token: str = TOKEN) -> Any:
        """What is there once it holds."""
        async with asyncio.timeout(60):
            while not holds(found := await self.ask("GET", path, token=token)):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)
        return found


@asynccontextmanager
async def serving(home: Path, **more: str) -> AsyncIterator[Server]:
    """`elenchus serve` in a process of its own."""
    known = {**os.environ, "ELENCHUS_HOME": str(home), "ELENCHUS_API_TOKEN": TOKEN, **more}
    with (home / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "elenchus.service.cli", "serve", "--port", "0", "--json"],
            env=known, stdout=subprocess.PIPE, stderr=log, cwd=home,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        said = await asyncio.to_thread(ready_line, process.stdout)
        assert said, (home / "log").read_text()
        async with ClientSession() as client:
            yield Server(process, json.loads(said)["url"], client, "ELENCHUS_REDIS_URL" in more)
    finally:
        process.kill()
        process.wait(30)
        process.stdout.close()


def ready_line(output: IO[bytes]) -> str:
    """The document that says that it is ready, however it is laid out; "" where it has ended."""
    text = ""
    while line := output.readline().decode():
        text += line
        with suppress(ValueError):
            json.loads(text)
            return text
    return ""


@pytest.fixture(params=["sqlite", "postgres and redis"])
async def two(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Server, Server]]:
    """Two of them over one database, as on one machine, and as on two with a shared one."""
    more: dict[str, str] = {}
    scene_in(tmp_path)
    async with AsyncExitStack() as stack:
        if request.param != "sqlite":
            database = await asyncio.to_thread(temporary_server, fsync="off")
            stack.callback(database.remove)
            more["ELENCHUS_DATABASE_URL"] = database.url()
            more["ELENCHUS_REDIS_URL"] = stack.enter_context(redis_server()).url
        one = await stack.enter_async_context(serving(tmp_path, **more))
        other = await stack.enter_async_context(serving(tmp_path, **more))
        yield one, other


async def test_a_debate_of_one_process_is_watched_moderated_answered_and_exported_on_another(
    two: tuple[Server, Server],
) -> None:
    one, other = two
    options = {"motion": "Homework should end", **SCRIPTED, **SLOW, "con": "human", "topics": 2, "max_rounds": 1}
    session = (await one.ask("POST", "/sessions", {"protocol": "debate", "options": options}))["id"]
    code = (await other.ask("POST", f"/sessions/{session}/invites", {"role": "seat", "seat": "con"}))["code"]
    await other.ask("POST", f"/sessions/{session}/seats/con/name", {"name": "Ada", "agreed": True}, token=code)
    await other.ask("POST", f"/sessions/{session}/commands", {"command": "guide", "to": "pro", "text": "Be brief."})
    texts: list[str] = []
    watching = asyncio.create_task(watch(other, session, texts))
    assert await answer_all(other, session, code) > 1
    assert (await one.ask("GET", f"/sessions/{session}"))["state"] == "finished"
    assert b"Homework should end" in await other.ask("GET", f"/sessions/{session}/exports/report.md")
    await watching
    told = "".join(texts)
    assert "Be brief." in told
    if one.shares_texts:
        assert "event: draft" in told


async def test_a_moderator_sees_who_follows_a_session_on_the_other_server_too(two: tuple[Server, Server]) -> None:
    """Without a Redis: on this one alone."""
    one, other = two
    options = {"motion": "Homework should end", **SCRIPTED, "con": "human", "topics": 2, "max_rounds": 1}
    session = (await one.ask("POST", "/sessions", {"protocol": "debate", "options": options}))["id"]
    code = (await one.ask("POST", f"/sessions/{session}/invites", {"role": "audience"}))["code"]
    async with asyncio.timeout(30), stream(one, session, TOKEN) as lines, stream(other, session, code) as listening:
        assert await anext(listening)
        told = await presence(lines)
        while one.shares_texts and not told["audience"]:
            told = await presence(lines)
    assert told == {"audience": int(one.shares_texts), "moderators": 1, "seats": {}}
    await one.ask("POST", f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})


async def test_what_a_killed_process_ran_goes_on_in_another(two: tuple[Server, Server]) -> None:
    one, other = two
    options = {"motion": "Homework should end", **SCRIPTED, **SLOW, "topics": 2, "max_rounds": 1}
    session = (await one.ask("POST", "/sessions", {"protocol": "debate", "options": options}))["id"]
    await other.until(f"/sessions/{session}", lambda found: found["seq"] > 12)
    one.process.send_signal(signal.SIGKILL)
    await other.until(f"/sessions/{session}", lambda found: found["state"] == "finished")


async def test_a_database_that_restarts_takes_no_session_from_who_waits_with_it(tmp_path: Path) -> None:
    """Nothing is written meanwhile, so that nobody would notice; who is killed afterwards is taken over from."""
    database = await asyncio.to_thread(temporary_server, fsync="off")
    more = {"ELENCHUS_DATABASE_URL": database.url()}
    options = {"motion": "Homework should end", **SCRIPTED, "con": "human", "topics": 1, "max_rounds": 1}
    try:
        async with serving(tmp_path, **more) as one, serving(tmp_path, **more) as other:
            session = (await one.ask("POST", "/sessions", {"protocol": "debate", "options": options}))["id"]
            await one.until(f"/sessions/{session}/turns", lambda found: found["turns"])
            await one.until(f"/sessions/{session}", lambda found: found["seq"] >= 4)  # the other side has answered, too
            await asyncio.to_thread(database.stop)
            await asyncio.to_thread(database.start)
            await asyncio.sleep(12)
            log = await other.ask("GET", f"/sessions/{session}/log")
            assert [r["event"]["kind"] for r in log["events"]].count("owner_started") == 1, log
            one.process.send_signal(signal.SIGKILL)
            await other.until(f"/sessions/{session}/run", lambda row: str(other.process.pid) in (row["owner"] or ""))
    finally:
        await asyncio.to_thread(database.remove)


async def test_a_class_is_joined_played_and_shown_through_both(two: tuple[Server, Server]) -> None:
    one, other = two
    scene = {"scene": "parcel", "people": 4, "answer_minutes": 5}
    made = await one.ask("POST", "/classes", {"options": scene})
    code = {"code": made["code"]}
    places = [await server.ask("POST", "/class-places", code, token="") for server in (one, other, one, other)]
    assert len({place["name"] for place in places}) == 4
    address = f"/classes/{made['id']}"
    for server in two:
        assert (await server.until(f"{address}/teacher", lambda found: len(found["names"]) == 4))["phase"] == "lobby"
    await press(other, address, "playing")
    # each answers at the process where they did not come in
    await asyncio.gather(*(play(server, place) for server, place in zip((other, one, other, one), places, strict=True)))
    await press(one, address, "closed", "debrief", "revealed")
    for server in two:
        await server.until(f"{address}/teacher", lambda found: found["phase"] == "revealed")
    found = [await ready(server, f"{address}/revealed") for server in two]
    assert found[0] == found[1]


async def press(server: Server, address: str, *phases: str) -> None:
    """Come to the next phases."""
    for phase in phases:
        assert (await server.ask("POST", f"{address}/phase", {"to": phase, "sure": True}))["done"]


async def play(server: Server, place: dict[str, str]) -> None:
    """Agree, and say one's number, as one's page would."""
    address, token = f"/classes/{place['classroom']}/me", place["token"]
    for value in ({"agreed": "yes"}, {"weight": 4.0}):
        me = await server.until(address, lambda found: found["waits_for"] == "you", token=token)
        step = me["step"].replace("/", "%2F")
        await server.ask("POST", f"/sessions/{me['session']}/turns/{step}/answer", {"value": value}, token=token)
        await server.until(address, lambda found, asked=me["step"]: found["step"] != asked, token=token)


async def ready(server: Server, path: str) -> Any:
    """What is there once it is."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await server.ask("GET", path)
            except AssertionError:
                await asyncio.sleep(0.2)


@asynccontextmanager
async def stream(server: Server, session: str, token: str) -> AsyncIterator[AsyncIterator[str]]:
    """The lines of a session's stream."""
    headers = {"Authorization": f"Bearer {token}"}
    async with server.client.get(f"{server.url}/api/v1/sessions/{session}/stream", headers=headers) as answer:
        assert answer.status == 200
        yield (line.decode() async for line in answer.content)


async def presence(lines: AsyncIterator[str]) -> Any:
    """Who follows the session, as a moderator is told next."""
    while await anext(lines) != "event: presence\n":
        pass
    return json.loads((await anext(lines)).removeprefix("data: "))


async def watch(server: Server, session: str, texts: list[str]) -> None:
    """Read the stream of a session until it says that it is over."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with server.client.get(f"{server.url}/api/v1/sessions/{session}/stream", headers=headers) as answer:
        async with asyncio.timeout(120):
            async for line in answer.content:
                texts.append(line.decode())
                if '"state":"finished"' in texts[-1].replace(" ", ""):
                    return


async def answer_all(server: Server, session: str, code: str) -> int:
    """Pass, as whoever has the code, all that is asked until the session is over; how often."""
    answered = 0
    async with asyncio.timeout(120):
        while (await server.ask("GET", f"/sessions/{session}"))["state"] != "finished":
            for turn in (await server.ask("GET", f"/sessions/{session}/turns?seat=con", token=code))["turns"]:
                step = turn["step"].replace("/", "%2F")
                body = {"declined": "I have nothing to say."}
                await server.ask("POST", f"/sessions/{session}/turns/{step}/answer", body, token=code)
                answered += 1
            await asyncio.sleep(0.2)
    return answered
