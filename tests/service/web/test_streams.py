"""Streams: what comes while one looks, after a break, when words are forgotten, and when it ends."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientPayloadError, ClientResponse

from elenchus.debate_engine.buckets import Rate
from elenchus.debate_engine.run_context import Draft
from elenchus.service.lab.viewers import MODERATOR
from elenchus.service.web.live_sessions import LiveSessions
from elenchus.service.web.routes import BASE
from tests.service.web.conftest import SCRIPTED, SHORT, Asker, Served
from tests.service.web.test_at_once import waiting
from tests.service.web.test_sessions import until
from tests.service.web.watching import TOKEN, watched


@dataclass
class Told:
    """One message of a stream; `kind` is "" for a line without meaning."""

    kind: str = ""
    id: int = 0
    data: Any = None


@dataclass
class Following:
    """A stream that is read. `told` is what came so far, `raw` every byte of it."""

    response: ClientResponse
    told: list[Told] = field(default_factory=list)
    raw: bytes = b""

    async def next(self) -> Told:
        """The next message. Raises EOFError at the stream's end."""
        block = b""
        while not block.endswith(b"\n\n"):
            if not (line := await self.response.content.readline()):
                raise EOFError
            block += line
        self.raw += block
        fields = dict(line.split(": ", 1) for line in block.decode().strip().split("\n"))
        data = json.loads(fields["data"]) if "data" in fields else None
        self.told.append(found := Told(fields.get("event", ""), int(fields.get("id", 0)), data))
        return found

    async def until(self, kind: str, **wanted: Any) -> Told:
        """The next message of this kind whose data has these values."""
        async with asyncio.timeout(20):
            while True:
                found = await self.next()
                if found.kind == kind and wanted.items() <= (found.data or {}).items():
                    return found


@asynccontextmanager
async def following(asker: Asker, session: str, last: str = "", query: str = "") -> AsyncIterator[Following]:
    headers = {"Authorization": f"Bearer {asker.token}"} | ({"Last-Event-ID": last} if last else {})
    async with asker.client.get(f"/api/v1/sessions/{session}/stream{query}", headers=headers) as response:
        assert response.status == 200
        yield Following(response)


async def settled(served: Served) -> None:
    """Wait until no stream is open any more."""
    await open_streams(served, 0)


async def open_streams(served: Served, most: int) -> None:
    """Wait until no more streams than these are open."""
    async with asyncio.timeout(10):
        while len(served.service.limits.streams) > most:  # noqa: ASYNC110 - they end by themselves
            await asyncio.sleep(0.02)


async def test_a_client_hears_something_while_nothing_happens(served: Served) -> None:
    served.service.limits.heartbeat = 0.05
    session, _, _ = await waiting(served)
    async with following(served.moderator, session) as stream:
        await stream.until("status")
        for _ in range(3):
            await stream.until("")
    assert b": here\n\n" in stream.raw


@pytest.mark.parametrize("last", ["999999999", "-1", "x", "9" * 30, "1; DROP", "٣"])
async def test_with_a_number_that_was_never_given_a_stream_begins_at_the_beginning(served: Served, last: str) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    whole = (await served.moderator.get(f"/sessions/{session}/events"))["events"]
    async with following(served.moderator, session, last) as stream:
        await stream.until("status")
    assert [one.id for one in stream.told if one.id] == [event["seq"] for event in whole]


async def test_a_stream_goes_on_after_each_number(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    whole = [event["seq"] for event in (await served.moderator.get(f"/sessions/{session}/events"))["events"]]
    for last in (whole[0], whole[len(whole) // 2], whole[-1]):
        async with following(served.moderator, session, str(last)) as stream:
            await stream.until("status")
        assert [one.id for one in stream.told if one.id] == [seq for seq in whole if seq > last]


async def test_what_was_forgotten_is_sent_no_more_to_anybody(served: Served) -> None:
    session, step, person = await waiting(served)
    turns = (await person.get(f"/sessions/{session}/turns"))["turns"]
    words = "the zebras of Zanzibar graze beside rivers | what zebras owe to their ancestors | how zebras vote at night"
    fields = {one["name"]: words for one in turns[0]["fields"]}
    await person.post(f"/sessions/{session}/turns/{step}/answer", {"fields": fields})
    async with following(served.moderator, session) as stream:
        await stream.until("turn_answered")
        assert b"zebra" in stream.raw
        await person.post(f"/sessions/{session}/seats/pro/withdraw")
        await stream.until("redacted")
        seen = len(stream.raw)
        await stream.until("status", state="finished")  # without its side
        assert b"zebra" not in stream.raw[seen:]
    async with following(served.moderator, session) as again:
        await again.until("status", state="finished")
    assert b"zebra" not in again.raw
    assert "zebra" not in json.dumps(await served.moderator.get(f"/sessions/{session}/events"))


async def test_who_looks_at_a_session_that_is_deleted_is_told_that_it_is_gone(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    async with following(served.moderator, session) as stream:
        await stream.until("status")
        assert (await served.moderator.ask("DELETE", f"/sessions/{session}"))[0] == 204
        await stream.until("gone")
        with pytest.raises(EOFError):
            await stream.next()
    assert (await served.moderator.ask("GET", f"/sessions/{session}"))[0] == 404
    await settled(served)
    assert served.service.live.followed == 0


async def test_when_the_server_stops_streams_end_and_say_nothing_wrong(served: Served) -> None:
    session, _, _ = await waiting(served)
    async with following(served.moderator, session) as stream:
        await stream.until("status", state="running")
        served.service.limits.streams.end_all()
        with pytest.raises((EOFError, ClientPayloadError)):  # the connection's end, in whichever form it comes
            await stream.until("there is no such message")
    await settled(served)


async def test_what_a_model_writes_is_seen_by_who_moderates_and_by_nobody_else(served: Served) -> None:
    session, _, person = await waiting(served)
    audience = await served.invited(session, "audience")
    live = served.service.live
    live.drafted(session, Draft("opening/con", "con", "Shops "))  # before anybody looks
    async with following(served.moderator, session) as moderator:
        first = await moderator.until("draft", step="opening/con")
        assert (first.data["seat"], first.data["at"], first.data["text"]) == ("con", 0, "Shops ")
        async with following(person, session) as seat, following(audience, session) as listener:
            live.drafted(session, Draft("opening/con", "con", "need customers"))
            more = await moderator.until("draft", at=6)
            assert more.data["text"] == "need customers"
            live.drafted(session, Draft("opening/con", "con", None))
            assert (await moderator.until("draft", at=0)).data["text"] == ""
            live.drafted(session, Draft("agenda/propose/con", "con", "a form, no speech"))
            live.drafted(session, Draft("opening/con", "con", "Shops", done=True))
            await moderator.until("draft", done=True)
            await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
            for other in (seat, listener):
                await other.until("status", state="stopped")
                assert b"draft" not in other.raw
                assert b"Shops" not in other.raw
    assert b"a form, no speech" not in moderator.raw


async def test_who_follows_a_session_is_told_to_who_moderates_and_to_nobody_else(served: Served) -> None:
    session, _, person = await waiting(served)
    audience = await served.invited(session, "audience")
    async with following(served.moderator, session) as moderator, following(person, session) as seat:
        await moderator.until("presence", audience=0, moderators=1, seats={"pro": "Ada"})
        async with following(audience, session) as listener:
            await moderator.until("presence", audience=1, moderators=1, seats={"pro": "Ada"})
            await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
            for other in (seat, listener):
                await other.until("status", state="stopped")
                assert b"presence" not in other.raw
        await moderator.until("presence", audience=0)


async def test_what_was_being_written_when_a_run_ends_is_gone(served: Served) -> None:
    session, _, _ = await waiting(served)
    served.service.live.drafted(session, Draft("opening/con", "con", "Shops "))
    async with following(served.moderator, session) as stream:
        await stream.until("draft")
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        await stream.until("draft", step="opening/con", done=True)


async def test_what_a_model_writes_is_not_lost_while_the_session_is_being_read(served: Served) -> None:
    session, _, _ = await waiting(served)
    live = LiveSessions(served.app.log, served.app.shared)
    async with AsyncExitStack() as stack:
        opened = asyncio.create_task(stack.enter_async_context(live.looking(session)))
        await asyncio.sleep(0)
        live.drafted(session, Draft("agenda/propose/con", "con", None, done=True))
        seen = await opened
        live.drafted(session, Draft("opening/con", "con", "Shops"))
        assert seen.drafts_for(MODERATOR) == {"opening/con": ("con", "Shops")}
    await live.aclose()


@contextmanager
def unread(served: Served, session: str, token: str) -> Iterator[None]:
    """Inside, there is a connection on which a stream is asked for, of which nothing is ever read."""
    head = f"GET /api/v1/sessions/{session}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((served.client.host, served.client.port))
        connection.sendall(head.encode())
        yield


def hold_little(served: Served) -> None:
    """Let the system keep little of what streams send, where it may keep megabytes."""
    for own in served.service.limits.streams._open.values():
        for transport in own.values():
            assert transport is not None
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


async def test_a_client_that_takes_nothing_is_let_go_and_nobody_else_waits_for_it(served: Served) -> None:
    served.service.limits.slow_seconds = 0.3
    session, _, _ = await waiting(served)
    with unread(served, session, served.moderator.token):
        async with following(served.moderator, session) as quick:
            await quick.until("status")
            hold_little(served)
            words = {"command": "guide", "to": "con", "text": "x" * 2_000}
            for _ in range(60):  # more than the buffers between hold
                served.service.limits.requests.rate = Rate(1_000.0, 1_000.0)
                sent = await served.moderator.post(f"/sessions/{session}/commands", words)
                told = await quick.until("guidance")
                assert told.id == sent["seq"]
            await open_streams(served, 1)
            assert not quick.response.content.at_eof()
        await settled(served)


async def test_streams_of_a_page_that_was_loaded_anew_make_room(tmp_path: Path) -> None:
    async with watched(tmp_path) as server:  # a server of tests ends what a client has left, the real one does not
        options = {"motion": "Homework should end", **SCRIPTED, **SHORT, "con": "human"}
        body = {"protocol": "debate", "options": options}
        _, made = await server.ask("POST", f"{BASE}/sessions", TOKEN, json=body)
        for path in (f"{BASE}/sessions/{made['id']}", f"/sessions/{made['id']}"):
            for _ in range(server.service.limits.streams.each + 5):
                held = {"Authorization": f"Bearer {TOKEN}"}
                async with server.client.get(f"{server.url}{path}/stream", headers=held) as stream:
                    assert stream.status == 200, path
                    await stream.content.readuntil(b"event: status")
                    stream.close()
