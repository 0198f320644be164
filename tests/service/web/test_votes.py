"""Who has how many votes, by which code, and what is said of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from yarl import URL

from tests.service.web.conftest import Served
from tests.service.web.test_sessions import until
from tests.service.web.visitors import moderators_link, visiting


async def votes_in_a_browser(served: Served, session: str, code: str, side: str) -> None:
    """Somebody opens a browser that knows nothing, comes by the code, and votes."""
    async with visiting(served) as listener:

        async def proof() -> str:
            found = re.search(r'"csrf": "(\w*)"', (await listener.get("/join")).html)
            assert found
            return found[1]

        assert (await listener.post("/join", code=code, csrf=await proof())).path == f"/sessions/{session}"
        address = str(listener.base.join(URL(f"/api/v1/sessions/{session}/votes")))
        async with listener.session.post(
            address, json={"side": side}, headers={"X-CSRF-Token": await proof()}
        ) as voted:
            assert voted.status == 200


async def invite(served: Served, session: str, **wanted: Any) -> str:
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "audience", **wanted})
    return str(made["code"])


async def ended(served: Served, session: str) -> Any:
    """The votes as they are told once the session is over."""
    await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
    await until(served.moderator, session, "stopped")
    return (await served.moderator.get(f"/sessions/{session}"))["votes"]


async def test_a_code_for_one_head_has_one_vote_in_however_many_windows(served: Served) -> None:
    session = await served.debate(con="human")
    slip, other = [await invite(served, session, one_vote=True) for _ in range(2)]
    for side in ("pro", "con", "con"):
        await votes_in_a_browser(served, session, slip, side)
    await served.holder(slip).post(f"/sessions/{session}/votes", {"side": "undecided"})
    await votes_in_a_browser(served, session, other, "pro")
    votes = await ended(served, session)
    assert votes["counts"]["only_before"] == {"pro": 1, "con": 0, "undecided": 1}
    assert votes["by_open_code"] == 0


async def test_what_came_out_says_how_many_voted_by_a_code_with_which_one_can_vote_twice(served: Served) -> None:
    session = await served.debate(con="human")
    code, slip = await invite(served, session), await invite(served, session, one_vote=True)
    for side in ("pro", "con"):
        await votes_in_a_browser(served, session, code, side)
    await votes_in_a_browser(served, session, slip, "con")
    async with visiting(served, await moderators_link(served)) as moderator:
        sentences = {"en": "2 voters came by an open code", "de": "2 Stimmen kamen über einen offenen Code"}
        page = (await moderator.get(f"/sessions/{session}?lang=en")).text
        assert sentences["en"] not in page, "nothing is told before the end"
        votes = await ended(served, session)
        assert (votes["by_open_code"], votes["counts"]["only_before"]) == (2, {"pro": 1, "con": 2, "undecided": 0})
        for place in ("", "/room"):
            for language, sentence in sentences.items():
                assert sentence in (await moderator.get(f"/sessions/{session}{place}?lang={language}")).text


@pytest.mark.parametrize("role", ["seat", "moderator"])
async def test_one_vote_is_for_an_audience(served: Served, role: str) -> None:
    session = await served.debate(con="human")
    wanted = {"role": role, "seat": "con", "one_vote": True}
    status, document = await served.moderator.ask("POST", f"/sessions/{session}/invites", json=wanted)
    assert (status, document["detail"]) == (422, f"The role {role} has no vote: one vote is for an audience.")
