"""What stands on a session's pages: for who moderates it, on a seat, on the projector; a part that goes is missed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from elenchus.service.web.strings import LANGUAGES, Words
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Served, served_from
from tests.service.web.test_classes import a_class, press
from tests.service.web.visitors import Shown, Visitor, moderators_link, seat_code, visiting

PERSON = "human"


async def until(visitor: Visitor, path: str, words: str) -> Shown:
    """The page, as soon as it says so."""
    async with asyncio.timeout(30):
        while words not in (shown := await visitor.get(path)).text:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    return shown


@asynccontextmanager
async def moderating(served: Served) -> AsyncIterator[Visitor]:
    async with visiting(served, await moderators_link(served)) as moderator:
        yield moderator


async def test_the_moderators_page_has_whom_it_waits_for_what_it_cost_and_each_control_with_what_it_will_do(
    served: Served,
) -> None:
    session = await served.debate(con=PERSON, budget_tokens=90_000)
    async with moderating(served) as moderator:
        shown = await until(moderator, f"/sessions/{session}", "con : the agenda since")
        assert "Waiting for" in shown.text
        assert re.search(r"Spent Calls of models \d+ Tokens [\d,]+ / 90,000 Money \$0\.00", shown.text)
        for language in LANGUAGES:
            page = (await moderator.get(f"/sessions/{session}?lang={language}")).text
            told = {name for name, text in Words(language).group("steer-help").items() if text in page}
            assert told == set(Words(language).group("steer-help"))
        assert 'role="log" aria-live="polite"' in shown.html


async def test_at_the_end_the_moderators_page_and_the_room_have_heat_quality_plot_and_verdict(served: Served) -> None:
    session = await served.debate()
    async with moderating(served) as moderator:
        shown = await until(moderator, f"/sessions/{session}", "Verdict:")
        room = await moderator.get(f"/sessions/{session}/room")
    for page in (shown, room):
        assert '<div class="gauge"><span>Heat</span>' in page.html
        assert re.search(r'<svg class="plot"[^>]* aria-label="Heat and quality[^"]*Γ \d', page.html)
        assert "Verdict:" in page.text
    assert re.search(r'data-region="cast">\s*<li class="pro">.*?class="face big-face|big-face', room.html, re.DOTALL)
    cast = re.findall(r'<li class="(\w+)">', room.html.partition('data-region="cast">')[2].partition("</ul>")[0])
    assert set(cast) == {"pro", "con", "judge"}, "who scores what is said has no face in the room"
    assert re.search(r'<img src="/qr\?path=/join/[a-z0-9-]+"', room.html)


async def test_a_seat_has_a_made_up_name_consent_and_every_way_out(served: Served) -> None:
    debate = await served.debate(con=PERSON)
    async with visiting(served, await seat_code(served, debate, "con")) as person:
        seat = f"/sessions/{debate}/seats/con"
        asked = await person.get(seat)
        assert re.search(r'<input[^>]* name="name"[^>]* value="\w+', asked.html)
        assert 'name="agreed"' in asked.html
        await person.post(f"{seat}/take", csrf=asked.hidden("csrf"), name="Quiet Otter", agreed="yes")
        shown = await until(person, seat, "Your turn")
        for way in ("/leave", "/withdraw"):
            assert f'data-send="/seats/con{way}"' in shown.html
        assert "data-declined" in shown.html
        assert f'action="{seat}/rejoin"' in shown.html


async def test_a_turn_with_a_deadline_shows_it_and_a_way_to_more_time_and_so_does_each_wait(tmp_path: Path) -> None:
    scene_in(tmp_path)
    async with served_from(tmp_path) as served:
        made = await a_class(served)
        async with visiting(served) as person, moderating(served) as teacher:
            joined = await person.get(f"/join/{made['code']}")
            name = re.findall(r'name="name" value="([^"]+)"', joined.html)[0]
            await person.post("/join", code=made["code"], csrf="", name=name)
            waits = await person.get("/")
            assert re.search(r'<time class="clock" role="timer" datetime="\d{4}-', waits.html)
            await press(served, made["id"], "playing")
            place = f"/classes/{made['id']}/me?stay"
            ready = await until(person, place, "Your scene is ready")
            (seat,) = re.findall(r'href="(/sessions/[^"]+/seats/[^"]+)"', ready.html)
            shown = await until(person, seat, "Time left")
            assert re.search(r'<form[^>]*data-turn.*?<time class="clock"[^>]*datetime="\d{4}-', shown.html, re.DOTALL)
            assert "data-longer" in shown.html
            assert "Time left" in (await teacher.get(f"/classes/{made['id']}")).text


async def test_no_page_tells_how_a_vote_stands_while_it_is_open_and_the_room_tells_who_was_moved(
    served: Served,
) -> None:
    session = await served.debate(vote_seconds=600)
    voters = [await served.invited(session, "audience") for _ in range(2)]

    async def vote(when: str, side: str) -> None:
        await until(moderator, f"/sessions/{session}/room", Words("en")(f"votes-open.{when}"))
        for one in voters:
            await one.post(f"/sessions/{session}/votes", {"side": side})
        for page in ("", "/room"):
            shown = await moderator.get(f"/sessions/{session}{page}")
            assert 'class="tally"' not in shown.html
            assert "The room's votes" not in shown.text
        await served.moderator.post(f"/sessions/{session}/votes/{when}/close")

    async with moderating(served) as moderator:
        await vote("before", "con")
        await vote("after", "pro")
        shown = await until(moderator, f"/sessions/{session}/room", "Swing: 100 points to Pro")
        assert shown.html.count('class="tally"') == 2
        assert "The room's votes" in (await moderator.get(f"/sessions/{session}")).text


async def test_a_seat_is_handed_out_with_a_word_that_no_phone_reaches_a_server_for_this_computer_alone(
    served: Served,
) -> None:
    told = "No phone can open"
    seated, models_alone = await served.debate(con=PERSON), await served.debate()
    async with moderating(served) as moderator:
        for session in (seated, models_alone):
            shown = await moderator.get(f"/sessions/{session}")
            assert shown.text.count(told) == 1
        assert told in (await moderator.get(f"/sessions/{seated}")).text.partition("Seats of people")[2]
