"""A class over HTTP: made, joined by a code, played by the routes of one's session, and shown."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.web.routes import BASE
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Asker, Served, served_from
from tests.service.web.visitors import moderators_link, visiting
from tests.service.web.watching import TOKEN, watched


@dataclass
class Pupil:
    """Somebody in a class, by the token that they were given."""

    asker: Asker
    classroom: str
    code: str
    name: str

    async def me(self) -> Any:
        return await self.asker.get(f"/classes/{self.classroom}/me")

    async def until(self, **wanted: Any) -> Any:
        """One's own place, once it is so."""
        async with asyncio.timeout(20):
            while True:
                found = await self.me()
                if all(found[name] == value for name, value in wanted.items()):
                    return found
                await asyncio.sleep(0.03)

    async def answers(self, weight: float) -> None:
        """Agree, and say one's number."""
        for value in ({"agreed": "yes"}, {"weight": weight}):
            place = await self.until(waits_for="you")
            step = place["step"].replace("/", "%2F")
            await self.asker.post(f"/sessions/{place['session']}/turns/{step}/answer", {"value": value})
            await self.answered(place["step"])

    async def answered(self, step: str) -> None:
        async with asyncio.timeout(20):
            while (await self.me())["step"] == step:  # noqa: ASYNC110 - over HTTP
                await asyncio.sleep(0.02)


async def a_class(served: Served, people: int = 2, **options: Any) -> Any:
    return await served.moderator.post(
        "/classes", {"options": {"scene": "parcel", "people": people, "answer_minutes": 5, **options}}
    )


async def pupil(served: Served, code: str, name: str = "") -> Pupil:
    place = await served.nobody.post("/class-places", {"code": code, "name": name})
    return Pupil(served.holder(place["token"]), place["classroom"], place["code"], place["name"])


async def press(served: Served, classroom: str, *phases: str) -> None:
    for phase in phases:
        found = await served.moderator.post(f"/classes/{classroom}/phase", {"to": phase, "sure": True})
        assert found["done"], found


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    scene_in(tmp_path)
    async with served_from(tmp_path) as made:
        yield made


async def test_six_phones_play_a_class_by_its_code_and_take_what_came_out_home(served: Served) -> None:
    made = await a_class(served, 6, bots=2)
    room = f"/classes/{made['id']}"
    people = await asyncio.gather(*(pupil(served, made["code"]) for _ in range(6)))
    assert (await served.moderator.get(room))["people"] == 6
    assert (await people[0].me())["waits_for"] == "start"
    status, refused = await served.nobody.ask("POST", "/class-places", json={"code": made["code"]})
    assert (status, "All places are taken" in refused["detail"]) == (409, True)
    await press(served, made["id"], "playing")
    await asyncio.gather(*(one.answers(10.0 * n) for n, one in enumerate(people)))
    await asyncio.gather(*(one.until(waits_for="debriefing") for one in people))
    told = await served.moderator.get(f"{room}/teacher")
    assert sum(row["counts"]["done"] for row in told["versions"]) == 6
    assert (await served.moderator.ask("GET", f"{room}/files"))[0] == 409
    await press(served, made["id"], "closed", "debrief")
    place = await people[0].until(stage="played")
    assert "This was about a number" in place["debriefing"]
    await press(served, made["id"], "revealed")
    place = await people[5].until(revealed=True)
    assert place["own"]["answers"][0]["told"] == "50 kilos"
    shown = await people[0].asker.get(f"{room}/revealed")
    assert (shown["of"], shown["analysed"], sum(group["n"] for group in shown["groups"])) == ("people", 6, 6)
    status, content = await served.moderator.ask("GET", f"{room}/files")
    assert status == 200
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert f"{made['id']}/runs.csv" in archive.namelist()
    await press(served, made["id"], "over")
    assert (await served.moderator.ask("DELETE", room))[0] == 204
    assert (await served.moderator.ask("GET", room))[0] == 404


@pytest.mark.parametrize("bots", [0, 3])
async def test_the_teachers_page_offers_files_as_long_as_they_are_handed_out_with_robots_beside_it_too(
    served: Served, bots: int
) -> None:
    made = await a_class(served, 6, bots=bots)
    room, files = f"/classes/{made['id']}", f"/api/v1/classes/{made['id']}/files"
    people = await asyncio.gather(*(pupil(served, made["code"]) for _ in range(6)))
    await press(served, made["id"], "playing")
    await asyncio.gather(*(one.answers(10.0 * n) for n, one in enumerate(people)))
    await asyncio.gather(*(one.until(waits_for="debriefing") for one in people))
    async with asyncio.timeout(60):
        while (await served.moderator.get(room))["robots"]["done"] < bots:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    await press(served, made["id"], "closed", "debrief")
    await asyncio.gather(*(one.until(stage="played") for one in people))
    await press(served, made["id"], "revealed")
    await people[5].until(revealed=True)
    async with visiting(served, await moderators_link(served)) as teacher:
        for handed_out, taken_back in ((True, []), (False, people[:1]), (False, people[1:4]), (True, people[4:])):
            for one in taken_back:
                await one.asker.post(f"{room}/me/withdrawal")
                await one.until(withdrew=True)
            assert ((await served.moderator.ask("GET", f"{room}/files"))[0] == 200) == handed_out
            page = await teacher.get(room)
            assert (f'href="{files}"' in page.html, "have taken back" in page.text) == (handed_out, not handed_out)


async def test_who_comes_by_their_own_code_or_token_is_there_once_and_the_old_device_stays(served: Served) -> None:
    made = await a_class(served)
    one = await pupil(served, made["code"])
    again = await pupil(served, one.code)
    by_token = await one.asker.post("/class-places", {"code": made["code"]})
    assert (again.name, by_token["name"]) == (one.name, one.name)
    assert (await served.moderator.get(f"/classes/{made['id']}"))["people"] == 1
    assert (await one.me())["name"] == (await again.me())["name"] == one.name
    fresh = await one.asker.post(f"/classes/{made['id']}/me/code")
    assert (await pupil(served, fresh["code"])).name == one.name
    status, problem = await served.nobody.ask("POST", "/class-places", json={"code": "aaaaaa"})
    assert (status, problem["status"]) == (404, 404)


async def test_a_name_that_is_offered_may_be_chosen_and_one_that_is_not_is_not_given(served: Served) -> None:
    made = await a_class(served, 3)
    audience = served.holder(made["code"])
    names = (await audience.get(f"/classes/{made['id']}/names"))["names"]
    assert len(names) == 3
    assert (await pupil(served, made["code"], names[1])).name == names[1]
    assert (await pupil(served, made["code"], "Mr Smith of 8b")).name != "Mr Smith of 8b"


async def test_what_is_unfinished_is_told_and_a_wrong_phase_refused(served: Served) -> None:
    made = await a_class(served)
    room = f"/classes/{made['id']}/phase"
    found = await served.moderator.post(room, {"to": "playing"})
    assert not found["done"]
    assert "2 people are still expected" in found["unfinished"][0]
    assert (await served.moderator.ask("POST", room, json={"to": "revealed"}))[0] == 422
    assert (await served.moderator.ask("POST", room, json={"to": "nowhere"}))[0] == 422


async def test_leaving_more_places_more_time_and_a_later_end(served: Served) -> None:
    made = await a_class(served, 1)
    room = f"/classes/{made['id']}"
    one = await pupil(served, made["code"])
    assert (await served.moderator.post(f"{room}/places", {"places": 3}))["places"] == 3
    two = await pupil(served, made["code"])
    assert (await two.asker.post(f"{room}/me/leave"))["waits_for"] == "nothing"
    assert (await served.moderator.get(room))["people"] == 1
    await press(served, made["id"], "playing")
    before = (await one.until(waits_for="you"))["due"]
    assert (await served.moderator.post(f"{room}/more-time", {"minutes": 5}))["people"] == 1
    async with asyncio.timeout(10):
        while (await one.me())["due"] == before:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.02)
    until = (await served.moderator.get(room))["until"]
    assert (await served.moderator.post(f"{room}/end", {"minutes": 600}))["until"] > until
    status, _ = await one.asker.ask("POST", f"{room}/me/debriefing")
    assert status == 422, "who still plays is told nothing"
    assert (await served.moderator.ask("POST", f"{room}/retry"))[0] == 204


async def test_streams_of_a_classs_page_that_is_loaded_anew_make_room(tmp_path: Path) -> None:
    scene_in(tmp_path)
    async with watched(tmp_path) as server:  # a server of tests ends what a client has left, the real one does not
        options = {"options": {"scene": "parcel", "people": 1, "answer_minutes": 5}}
        _, made = await server.ask("POST", f"{BASE}/classes", TOKEN, json=options)
        _, place = await server.ask("POST", f"{BASE}/class-places", json={"code": made["code"]})
        for token, followed in ((TOKEN, "/teacher"), (made["code"], ""), (place["token"], "/me")):
            address = f"{server.url}{BASE}/classes/{made['id']}{followed}/stream"
            for _ in range(server.service.limits.streams.each + 5):
                async with server.client.get(address, headers={"Authorization": f"Bearer {token}"}) as stream:
                    assert stream.status == 200, followed
                    await stream.content.readuntil(b"event: class")
                    stream.close()


async def test_two_teachers_streams_and_a_projectors_and_a_phones_say_what_changes(served: Served) -> None:
    made = await a_class(served)
    room = f"/classes/{made['id']}"
    one = await pupil(served, made["code"])
    askers = [
        (served.moderator, "/teacher/stream"),
        (served.holder(made["code"]), "/stream"),
        (one.asker, "/me/stream"),
    ]
    found = [asyncio.create_task(phases(asker, f"{room}{path}", "playing")) for asker, path in askers]
    await asyncio.sleep(0.2)
    await press(served, made["id"], "playing")
    told = await asyncio.wait_for(asyncio.gather(*found), 20)
    assert [one[0] for one in told] == ["lobby"] * 3
    assert all(one[-1] == "playing" for one in told)


async def phases(asker: Asker, path: str, last: str) -> list[str]:
    """The phases that a stream tells of, until this one."""
    found: list[str] = []
    headers = {"Authorization": f"Bearer {asker.token}"}
    async with asker.client.get(f"{BASE}{path}", headers=headers) as response:
        async for line in response.content:
            if line.startswith(b"data: {") and (phase := json.loads(line[6:]).get("phase")):
                found.append(phase)
            if last in found:
                return found
    return found


async def test_a_class_goes_on_after_the_service_was_stopped(tmp_path: Path) -> None:
    scene_in(tmp_path)
    async with served_from(tmp_path) as served:
        made = await a_class(served, 1)
        one = await pupil(served, made["code"])
        await press(served, made["id"], "playing")
        await one.until(waits_for="you")
    async with served_from(tmp_path) as again:
        one = Pupil(again.holder(one.asker.token), made["id"], one.code, one.name)
        await one.answers(7.0)
        await one.until(waits_for="debriefing")


async def test_of_opposite_buttons_pressed_at_once_one_is_pressed(served: Served) -> None:
    made = await a_class(served)
    path = f"/classes/{made['id']}/phase"
    wanted = ("playing", "over") * 4
    answers = await asyncio.gather(
        *(served.moderator.ask("POST", path, json={"to": to, "sure": True}) for to in wanted)
    )
    reached = {to for to, (status, _) in zip(wanted, answers, strict=True) if status == 200}
    assert len(reached) == 1
    assert {status for _, (status, _) in zip(wanted, answers, strict=True)} == {200, 422}
    assert reached == {(await served.moderator.get(f"/classes/{made['id']}"))["phase"]}


async def test_what_was_asked_when_the_class_was_closed_is_answered_no_more(served: Served) -> None:
    made = await a_class(served, people=1)
    one = await pupil(served, made["code"])
    await served.moderator.post(f"/classes/{made['id']}/phase", {"to": "playing", "sure": True})
    place = await one.until(waits_for="you")
    await served.moderator.post(f"/classes/{made['id']}/phase", {"to": "closed", "sure": True})
    await one.until(waits_for="debriefing")
    step = place["step"].replace("/", "%2F")
    path = f"/sessions/{place['session']}/turns/{step}/answer"
    status, refused = await one.asker.ask("POST", path, json={"value": {"agreed": "yes"}})
    assert (status, refused["detail"][:17]) == (409, "This turn is over")
    log = await served.moderator.get(f"/sessions/{place['session']}/log")
    assert "turn_answered" not in [one["event"]["kind"] for one in log["events"]]
    assert (await served.moderator.get(f"/sessions/{place['session']}"))["waits_for"] == []
