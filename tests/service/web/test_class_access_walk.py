"""Who may do what in a class: each of its routes is asked by everybody, of their own class, of others, and of none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.lab.access import Role
from elenchus.service.web.api.table import NO_CLASS, all_routes
from elenchus.service.web.routes import BASE, STREAM, Route, Who
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import SCRIPTED, Asker, Served, served_from

NOBODY, STRANGER, NOT_ALLOWED, MAY = "nobody", "not there", "not allowed", "may"

ASKERS: dict[str, tuple[Role, dict[str, str]] | None] = {
    "nobody": None,
    "owner": ("owner", {}),
    "moderator of the house": ("moderator", {}),
    "teacher": ("moderator", {"classroom": "OWN"}),
    "participant": ("participant", {"classroom": "OWN", "person": "PERSON"}),
    "slip that nobody used": ("participant", {"classroom": "OWN", "person": "slip-1"}),
    "room": ("audience", {"classroom": "OWN"}),
    "moderator of a session": ("moderator", {"session": "SESSION"}),
    "seat": ("seat", {"session": "SESSION", "seat": "pro"}),
    "rater": ("rater", {"session": "SESSION"}),
    "audience of a session": ("audience", {"session": "SESSION"}),
}
"""Whom somebody may be, and what they were given; OWN stands for the class that is theirs."""
WITHOUT = ("expired", "revoked", "used up")
"""Who led the class once."""
HOUSE = {"owner", "moderator of the house"}
OF_CLASS = {"teacher", "participant", "slip that nobody used", "room"}
MAY_USE: dict[Who, set[str]] = {
    "viewer": HOUSE | OF_CLASS,
    "moderator": HOUSE | {"teacher"},
    "seat": {"participant", "slip that nobody used"},
}
"""Who may use a route on their own class; a person's own place is nobody else's, whoever owns the house."""
ROUTES = sorted(
    (route for route in all_routes() if "{classroom}" in route.path), key=lambda one: one.method == "DELETE"
)


def expected(route: Route, who: str, which: str) -> str:
    """What comes of it: on the class of one's `own`, on a `foreign` one, and on `none`."""
    if who == "nobody" or who in WITHOUT:
        return NOBODY
    if which == "none" or who not in (HOUSE if which == "foreign" else HOUSE | OF_CLASS):
        return STRANGER
    return MAY if who in MAY_USE[route.who] else NOT_ALLOWED


@dataclass
class House:
    """A service with two classes of a kind, of which `own` is everybody's own, with `person` in it; and a session."""

    served: Served
    kind: str
    own: str
    foreign: str
    person: str
    session: str

    async def asker(self, who: str) -> Asker:
        """Somebody with what they were given."""
        access = self.served.service.access
        if who == "expired":
            given = await access.give("moderator", classroom=self.own, lasts=timedelta(microseconds=1))
        elif who == "revoked":
            given = await access.give("moderator", classroom=self.own)
            await access.revoke(given.grant.id)
        elif who == "used up":
            given = await access.give("moderator", classroom=self.own, once=True)
            await access.take(given.secret)
        elif (wanted := ASKERS[who]) is None:
            return self.served.nobody
        else:
            names = {"OWN": self.own, "PERSON": self.person, "SESSION": self.session}
            given = await access.give(wanted[0], **{k: names.get(v, v) for k, v in wanted[1].items()})  # type: ignore[arg-type]
        return self.served.holder(given.secret)

    @property
    def routes(self) -> list[Route]:
        """Those of this kind of class."""
        return [route for route in ROUTES if f"/{self.kind}/" in route.path]

    def classes(self) -> dict[str, str]:
        return {"none": "nonesuch", "foreign": self.foreign, "own": self.own}


OPTIONS: dict[str, dict[str, Any]] = {
    "classes": {"scene": "parcel", "people": 2},
    "class-debates": {"motion": "Homework should end", "people": 2, **SCRIPTED},
}
"""What each kind of class is made of."""
OF_SCENES = pytest.mark.parametrize("house", ["classes"], indirect=True)


@pytest.fixture(params=list(OPTIONS))
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    scene_in(tmp_path)
    async with served_from(tmp_path) as served:
        options = {"options": OPTIONS[request.param]}
        own, foreign = [await served.moderator.post(f"/{request.param}", options) for _ in range(2)]
        place = await served.nobody.post("/class-places", {"code": own["code"]})
        session = await served.debate(pro="human")
        yield House(served, request.param, own["id"], foreign["id"], place["person"], session)


def path_of(route: Route, classroom: str) -> str:
    return route.path.removeprefix(BASE).format(classroom=classroom, argument="7")


async def asked(asker: Asker, route: Route, classroom: str) -> tuple[int, Any]:
    """The answer; of a route that takes a body, to one that is none, so that nothing is done by who may."""
    path = path_of(route, classroom)
    if route.gives == STREAM:
        headers = {"Authorization": f"Bearer {asker.token}"} if asker.token else {}
        async with asker.client.get(f"{BASE}{path}", headers=headers) as response:
            return response.status, None if response.status == 200 else await response.json()
    more: dict[str, Any] = {"data": b"{", "headers": {"Content-Type": "application/json"}} if route.body else {}
    return await asker.ask(route.method, path, **more)


def outcome(status: int, document: Any) -> str:
    """What an answer says of the asker's rights."""
    if status in (401, 403):
        return {401: NOBODY, 403: NOT_ALLOWED}[status]
    return STRANGER if status == 404 and document["detail"] == NO_CLASS else MAY


@pytest.mark.parametrize("who", [*ASKERS, *WITHOUT])
async def test_everybody_may_in_a_class_what_the_table_says_and_in_others_nothing(house: House, who: str) -> None:
    asker, wrong = await house.asker(who), []
    for route in house.routes:
        for which, classroom in house.classes().items():
            status, document = await asked(asker, route, classroom)
            if (found := outcome(status, document)) != (wanted := expected(route, who, which)):
                wrong.append(f"{route.method} {route.path} of {which}: {wanted}, but {status} {found} {document}")
    assert wrong == []


@pytest.mark.parametrize("who", [*sorted(set(ASKERS) - HOUSE), *WITHOUT])
async def test_no_class_of_others_is_told_from_one_that_is_not_there(house: House, who: str) -> None:
    asker = await house.asker(who)
    for route in house.routes:
        assert await asked(asker, route, house.foreign) == await asked(asker, route, "nonesuch"), route.path


async def test_no_class_is_changed_by_a_cookie_without_what_our_own_pages_hold(house: House) -> None:
    service = house.served.service
    given = await service.access.give("owner")
    cookie = await service.sign_ins.new(given.grant)
    person = await service.access.give("participant", classroom=house.own, person=house.person)
    assert await service.sign_ins.add(cookie, person.grant)
    changing = [route for route in house.routes if route.method != "GET"]
    assert len(changing) > 8
    for route in changing:
        for proof in ({}, {"X-CSRF-Token": "wrong"}):
            headers = {"Cookie": f"elenchus={cookie}", **proof}
            status, document = await house.served.nobody.ask(
                route.method, path_of(route, house.own), headers=headers, json={}
            )
            assert (status, document["detail"][:12]) == (403, "This page is"), route.path


@OF_SCENES
async def test_one_person_sees_and_moves_nothing_of_another(house: House) -> None:
    code = (await house.served.moderator.get(f"/classes/{house.own}"))["code"]
    other = await house.served.nobody.post("/class-places", {"code": code})
    mine, theirs = await house.asker("participant"), house.served.holder(other["token"])
    assert (await mine.get(f"/classes/{house.own}/me"))["person"] == house.person
    await theirs.post(f"/classes/{house.own}/me/leave")
    assert (await mine.get(f"/classes/{house.own}/me"))["waits_for"] == "start"
    teacher = await house.asker("teacher")
    assert (await teacher.post(f"/classes/{house.own}/phase", {"to": "playing", "sure": True}))["done"]
    place = await mine.get(f"/classes/{house.own}/me")
    while not place["session"]:
        place = await mine.get(f"/classes/{house.own}/me")
    session = f"/sessions/{place['session']}"
    assert (await mine.ask("GET", f"{session}/turns"))[0] == 200
    for asker in (theirs, house.served.holder(code), await house.asker("slip that nobody used")):
        assert (await asker.ask("GET", f"{session}/turns"))[0] == 404


@OF_SCENES
async def test_who_led_a_class_does_so_no_more_once_it_is_removed(house: House) -> None:
    teacher, person = await house.asker("teacher"), await house.asker("participant")
    await teacher.post(f"/classes/{house.own}/phase", {"to": "over", "sure": True})
    assert (await teacher.ask("DELETE", f"/classes/{house.own}"))[0] == 204
    for asker in (teacher, person):
        assert (await asker.ask("GET", f"/classes/{house.own}"))[0] == 401
