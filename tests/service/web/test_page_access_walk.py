"""Who may open which page: every page of the table is asked for by everybody, of what is theirs and what is not."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.lab.access import Grant, Role
from elenchus.service.lab.mind_options import mind_id
from elenchus.service.web.api.table import NO_CLASS
from elenchus.service.web.pages.frame import PageRoute
from elenchus.service.web.pages.table import CLASS, DEBATE, FOREIGN, MIND, NEW, PAGES, SEAT
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import SCRIPTED, Served, served_from
from tests.service.web.minds import made
from tests.service.web.page_paths import path_of

NOBODY, STRANGER, NOT_ALLOWED, MAY = "nobody", "not there", "not allowed", "may"
NO_SESSION = "There is no such session, or it is none of yours."

ASKERS: dict[str, tuple[Role, dict[str, str]] | None] = {
    "nobody": None,
    "owner": ("owner", {}),
    "moderator of the house": ("moderator", {}),
    "moderator": ("moderator", {"session": "session"}),
    "seat": ("seat", {"session": "session", "seat": "pro"}),
    "rater": ("rater", {"session": "session", "seat": "judge-1"}),
    "rater without a seat": ("rater", {"session": "session"}),
    "audience": ("audience", {"session": "session"}),
    "moderator of a persona": ("moderator", {"session": "mind"}),
    "rater of a persona": ("audience", {"session": "mind"}),
    "teacher": ("moderator", {"classroom": "class"}),
    "participant": ("participant", {"classroom": "class", "person": "person"}),
    "room of a class": ("audience", {"classroom": "class"}),
    "leader of a class debate": ("moderator", {"classroom": "debate"}),
    "debater": ("participant", {"classroom": "debate", "person": "debater"}),
    "room of a class debate": ("audience", {"classroom": "debate"}),
}
"""Whom somebody may be, and what they were given, by what it is called in the house below."""
WITHOUT = ("expired", "revoked", "used up", "signed out")
"""Who moderated the house, once."""

HOUSE = {"owner", "moderator of the house"}
OF_SESSION = {"moderator", "seat", "rater", "rater without a seat", "audience"}
OF_MIND = {"moderator of a persona", "rater of a persona"}
OF_CLASS = {"teacher", "participant", "room of a class"}
OF_DEBATE = {"leader of a class debate", "debater", "room of a class debate"}
KNOWN = set(ASKERS) - {"nobody"}

MAY_OPEN: dict[str, set[str]] = {
    "/": KNOWN,
    "/sign-out": KNOWN,
    "/qr": KNOWN,
    **dict.fromkeys((NEW, FOREIGN, "/new/class", "/new/class-debate", "/new/mind", "/minds"), HOUSE),
    **dict.fromkeys((CLASS, f"{CLASS}/room"), HOUSE | OF_CLASS),
    f"{CLASS}/me": {"participant"},
    **{f"{CLASS}/me/{way}": {"participant"} for way in ("code", "leave", "withdrawal", "debriefing")},
    f"{CLASS}/slips": HOUSE | {"teacher"},
    DEBATE: HOUSE | OF_DEBATE,
    f"{DEBATE}/me": {"debater"},
    **{f"{DEBATE}/me/{way}": {"debater"} for way in ("code", "leave", "withdrawal", "speak")},
    **{f"{DEBATE}/me/{way}": {"debater"} for way in ("arguments", "vote", "upvotes/{argument}")},
    **dict.fromkeys((MIND, f"{MIND}/give", f"{MIND}/rate"), HOUSE | OF_MIND),
    f"POST {MIND}/give": HOUSE | {"moderator of a persona"},
    **dict.fromkeys(
        ("/sessions/{session}", *(f"/sessions/{{session}}/{part}" for part in ("room", "stream", "events"))),
        HOUSE | OF_SESSION,
    ),
    "/sessions/{session}/pictures/{picture}": HOUSE | OF_SESSION,
    SEAT: {"seat"},
    f"{SEAT}/take": {"seat"},
    f"{SEAT}/rejoin": {"seat"},
    **{f"{SEAT}/{way}": {"seat"} for way in ("leave", "withdraw", "question", "codes")},
    f"{SEAT}/turns/{{step:.+}}": {"seat"},
}
"""Who may open a page, or send its form, of what is their own; a page that is not named here is for everybody."""
KINDS = {MIND: "mind", CLASS: "class", DEBATE: "debate"}
RELATED = {
    "session": HOUSE | OF_SESSION,
    "mind": HOUSE | OF_MIND,
    "class": HOUSE | OF_CLASS,
    "debate": HOUSE | OF_DEBATE,
}
"""For whom there is anything at all."""


def kind_of(route: PageRoute) -> str:
    """Of what a page is: of a session, a persona, a class; "" for the house's."""
    found = next((kind for start, kind in KINDS.items() if route.path.startswith(start)), "")
    return found or ("session" if "{session}" in route.path else "")


def expected(route: PageRoute, who: str, which: str) -> str:
    """What comes of it: of one's `own`, of a `foreign` one, and of `none`."""
    if who in WITHOUT or who == "nobody":
        return NOBODY
    may = MAY_OPEN.get(f"{route.method} {route.path}") or MAY_OPEN[route.path]
    if (kind := kind_of(route)) and (which == "none" or who not in (HOUSE if which == "foreign" else RELATED[kind])):
        return STRANGER
    return MAY if who in may else NOT_ALLOWED


@dataclass
class House:
    """A service with two of everything, of which those in `own` are everybody's own."""

    served: Served
    own: dict[str, str]
    foreign: dict[str, str]

    async def cookie(self, who: str) -> tuple[str, str]:
        """A browser of somebody, and what its forms send back; "" twice for one that has nothing."""
        if who == "nobody":
            return "", ""
        grant = await self._granted(who)
        cookie = await self.served.service.sign_ins.new(grant)
        if who == "signed out":
            await self.served.service.sign_ins.end(cookie)
        elif who in WITHOUT:
            await self.served.service.access.revoke(grant.id)
        found = await self.served.service.sign_ins.of(cookie)
        return cookie, found.csrf if found else ""

    async def _granted(self, who: str) -> Grant:
        access = self.served.service.access
        if who == "expired":
            return (await access.give("moderator", lasts=timedelta(microseconds=1))).grant
        if who in WITHOUT:
            return (await access.give("moderator", once=who == "used up")).grant
        wanted = ASKERS[who]
        assert wanted
        place: dict[str, Any] = {name: self.own.get(value, value) for name, value in wanted[1].items()}
        return (await access.give(wanted[0], **place)).grant

    def ids(self, kind: str) -> dict[str, str]:
        """What a page is asked of."""
        nonesuch = mind_id("nonesuch") if kind == "mind" else "nonesuch"
        return {"own": self.own[kind], "foreign": self.foreign[kind], "none": nonesuch} if kind else {"own": ""}

    async def asked(self, who: str, route: PageRoute, of: str) -> tuple[int, str]:
        """The status of an answer and what a page says, without what differs from one time to the next."""
        cookie, csrf = await self.cookie(who)
        path = path_of(route, session=of, classroom=of, seat="pro")
        headers = {"Accept": "text/html"} | ({"Cookie": f"elenchus={cookie}"} if cookie else {})
        more: dict[str, Any] = {"data": {"csrf": csrf}} if route.method == "POST" else {}
        async with self.served.client.request(
            route.method, path, headers=headers, allow_redirects=False, **more
        ) as response:
            streams = response.content_type == "text/event-stream"
            html = "" if streams else await response.text()
        text = " ".join(re.sub(r"<script.*?</script>|<[^>]*>", " ", html, flags=re.DOTALL).split())
        return response.status, text.replace(of, "ID") if of else text


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    scene_in(tmp_path)
    async with served_from(tmp_path) as served:
        own, foreign = [await _two_of(served, name) for name in ("greta", "ida")]
        yield House(served, own, foreign)


async def _two_of(served: Served, name: str) -> dict[str, str]:
    post = served.moderator.post
    room = await post("/classes", {"options": {"scene": "parcel", "people": 2}})
    debate = await post("/class-debates", {"options": {"motion": "Homework should end", "people": 2, **SCRIPTED}})
    person, debater = [await served.nobody.post("/class-places", {"code": one["code"]}) for one in (room, debate)]
    return {
        "session": await served.debate(pro="human", judges=["human"]), "mind": (await made(served, name=name))["id"],
        "class": room["id"], "person": person["person"], "debate": debate["id"], "debater": debater["person"],
    }  # fmt: skip


def outcome(status: int, text: str) -> str:
    """What an answer says of the asker's rights."""
    if status in (401, 403):
        return {401: NOBODY, 403: NOT_ALLOWED}[status]
    return STRANGER if status == 404 and (NO_SESSION in text or NO_CLASS in text) else MAY


def test_every_page_stands_in_the_table_of_who_may_open_it() -> None:
    known = {path.removeprefix("POST ") for path in MAY_OPEN}
    assert {route.path for route in PAGES if route.known} == known


@pytest.mark.slow
@pytest.mark.parametrize("who", [*ASKERS, *WITHOUT])
async def test_everybody_may_open_what_the_table_says_and_nothing_else(house: House, who: str) -> None:
    wrong = []
    for route in (one for one in PAGES if one.known):
        for which, of in house.ids(kind_of(route)).items():
            status, text = await house.asked(who, route, of)
            if (found := outcome(status, text)) != (wanted := expected(route, who, which)):
                wrong.append(f"{route.method} {route.path} of {which}: {wanted}, but {status} {found} {text[:300]}")
            assert status < 500, (route.path, text)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("who", [*sorted(KNOWN - HOUSE), *WITHOUT, "nobody"])
async def test_no_page_tells_what_others_have_from_what_is_not_there(house: House, who: str) -> None:
    for route in (one for one in PAGES if kind_of(one)):
        ids = house.ids(kind_of(route))
        foreign, none = [await house.asked(who, route, ids[which]) for which in ("foreign", "none")]
        assert foreign == none, route.path


@pytest.mark.parametrize("which", ["own", "foreign"])
async def test_no_form_of_a_page_does_anything_without_this_browsers_proof(house: House, which: str) -> None:
    cookie, _ = await house.cookie("owner")
    for route in (one for one in PAGES if one.method == "POST" and one.path != "/check/echo"):
        of = house.ids(kind_of(route)).get(which, "")
        path = path_of(route, session=of, classroom=of, seat="pro")
        for csrf in ("", "wrong"):
            async with house.served.client.post(
                path, data={"csrf": csrf}, headers={"Cookie": f"elenchus={cookie}"}, allow_redirects=False
            ) as response:
                assert response.status == 403, path
