"""Who has lost what they came by hears nothing more, also on a stream that was open before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from elenchus.debate_engine.events import now
from tests.service.web.conftest import Served
from tests.service.web.test_at_once import waiting
from tests.service.web.test_streams import Following, following

Ending = Callable[[Served, str, str], Awaitable[object]]


async def ended(stream: Following) -> bytes:
    """What came until the stream's end."""
    seen = len(stream.raw)
    with pytest.raises(EOFError):
        await stream.until("there is no such message")
    return stream.raw[seen:]


async def _by_whoever_moderates(served: Served, session: str, grant: str) -> object:
    return await served.moderator.ask("DELETE", f"/sessions/{session}/invites/{grant}")


async def _by_another_process(served: Served, session: str, grant: str) -> object:
    """As `elenchus tokens revoke`, which writes to the same store."""
    from elenchus.service.lab.access import Access

    return await Access(served.app.store).revoke(grant)


@pytest.mark.parametrize("revoke", [_by_whoever_moderates, _by_another_process])
async def test_a_stream_tells_nothing_after_its_link_was_revoked(served: Served, revoke: Ending) -> None:
    served.service.limits.look_again_seconds = 0.0 if revoke is _by_another_process else 1_000.0
    session, _, _ = await waiting(served)
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "audience"})
    async with following(served.holder(made["code"]), session) as stream, following(served.moderator, session) as other:
        await stream.until("status", state="running")
        await revoke(served, session, made["id"])
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        assert b"stopped" not in await ended(stream)
        await other.until("status", state="stopped")


async def test_a_stream_tells_nothing_after_its_link_has_ended(served: Served) -> None:
    served.service.limits.look_again_seconds = 0.0
    session, _, _ = await waiting(served)
    access = served.service.access
    given = await access.give("audience", session=session, lasts=timedelta(hours=1))
    async with following(served.holder(given.secret), session) as stream:
        await stream.until("status", state="running")
        access._clock = lambda: now() + timedelta(hours=2)
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        assert b"stopped" not in await ended(stream)


async def test_a_stream_of_a_browser_ends_when_it_signs_out(served: Served) -> None:
    served.service.limits.look_again_seconds = 0.0
    session, _, _ = await waiting(served)
    service = served.service
    given = await service.access.give("audience", session=session)
    cookie = await service.sign_ins.new(given.grant)
    by_cookie = {"Cookie": f"elenchus={cookie}"}
    async with served.client.get(f"/api/v1/sessions/{session}/stream", headers=by_cookie) as response:
        stream = Following(response)
        await stream.until("status", state="running")
        await service.sign_ins.end(cookie)
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        assert b"stopped" not in await ended(stream)


async def test_what_is_revoked_of_others_ends_no_stream(served: Served) -> None:
    session, _, person = await waiting(served)
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "audience"})
    async with following(person, session) as stream:
        await stream.until("status", state="running")
        await _by_whoever_moderates(served, session, made["id"])
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        await stream.until("status", state="stopped")
