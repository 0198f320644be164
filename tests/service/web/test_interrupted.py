"""A session whose program is gone: it says so, and whoever moderates it has it go on, by API and page."""

from __future__ import annotations

import asyncio

from tests.debate_engine.reports.debates import SEATS, started
from tests.service.web.conftest import Served
from tests.service.web.test_sessions import until
from tests.service.web.visitors import moderators_link, visiting


async def left_behind(served: Served) -> str:
    """A session that another program has begun, which then died: it says of itself that it runs."""
    session = await served.app.runner.create(started(specs=dict.fromkeys(SEATS, "scripted:demo")))
    own = await served.app.log.claim(session)
    await own.release()
    return session


async def test_a_session_whose_program_is_gone_says_so_and_is_resumed_by_its_moderator(served: Served) -> None:
    session = await left_behind(served)
    told = await served.moderator.get(f"/sessions/{session}")
    assert (told["state"], told["allowed"][0]) == ("interrupted", "resume")
    audience = await served.invited(session, "audience")
    told = await audience.get(f"/sessions/{session}")
    assert (told["state"], told["allowed"]) == ("interrupted", [])
    sent = await served.moderator.post(f"/sessions/{session}/commands", {"command": "resume"})
    assert sent["effect"] == "resumed"
    await until(served.moderator, session, "finished")


async def test_the_moderators_page_has_its_button_and_says_what_it_does(served: Served) -> None:
    session = await left_behind(served)
    async with visiting(served, await moderators_link(served)) as moderator:
        for language, state, sentence in (
            ("en", "interrupted", "The program that ran this session is gone."),
            ("de", "unterbrochen", "Das Programm, in dem diese Sitzung lief, ist nicht mehr da."),
        ):
            page = await moderator.get(f"/sessions/{session}?lang={language}")
            assert sentence in page.text
            assert state in page.text
            assert 'data-allowed="resume ' in page.html
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "resume"})
        await until(served.moderator, session, "finished")
        assert sentence not in (await moderator.get(f"/sessions/{session}")).text


async def test_a_session_that_somebody_runs_or_that_is_over_is_not_interrupted(served: Served) -> None:
    session = await left_behind(served)
    own = await served.app.log.claim(session)
    assert (await served.moderator.get(f"/sessions/{session}"))["state"] == "running"
    await own.release()
    await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
    assert (await served.moderator.get(f"/sessions/{session}"))["state"] == "stopped"


async def test_a_debate_that_is_begun_in_a_browser_waits_for_its_audience(served: Served) -> None:
    session = await served.debate(vote_seconds=60)
    await until(served.moderator, session, "running")
    async with asyncio.timeout(20):
        while list((await served.moderator.get(f"/sessions/{session}"))["votes"]["open"]) != ["before"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    audience = await served.invited(session, "audience")
    await audience.post(f"/sessions/{session}/votes", {"side": "pro"})
    await served.moderator.post(f"/sessions/{session}/votes/before/close")
    async with visiting(served, await moderators_link(served)) as moderator:
        assert "Seconds for each vote of the audience" in (await moderator.get("/new/debate?lang=en")).text
