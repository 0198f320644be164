"""Who may do what: every route of the API is asked by everybody, of a session of theirs, of others, and of none."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.lab.access import Role
from elenchus.service.web.api.table import all_routes
from elenchus.service.web.routes import BASE, STREAM, Route, Who
from tests.service.web.conftest import Asker, Served, served_from

NOBODY, STRANGER, NOT_ALLOWED, MAY = "nobody", "not there", "not allowed", "may"

ASKERS: dict[str, tuple[Role, dict[str, str]] | None] = {
    "nobody": None,
    "owner": ("owner", {}),
    "moderator of the house": ("moderator", {}),
    "moderator": ("moderator", {"session": "SESSION"}),
    "seat": ("seat", {"session": "SESSION", "seat": "pro"}),
    "rater": ("rater", {"session": "SESSION", "seat": "judge-1"}),
    "rater without a seat": ("rater", {"session": "SESSION"}),
    "audience": ("audience", {"session": "SESSION"}),
    "moderator of a class": ("moderator", {"classroom": "c1"}),
    "participant of a class": ("participant", {"classroom": "c1", "person": "Brisk Heron"}),
    "audience of a class": ("audience", {"classroom": "c1"}),
}
"""Whom somebody may be, and what they were given; SESSION stands for the one that is theirs."""

WITHOUT = ("expired", "revoked", "used up")
"""Who had the role of a moderator of the house, once."""

ALL = set(ASKERS) - {"nobody"}
HOUSE = {"owner", "moderator of the house"}
OF_SESSION = {"moderator", "seat", "rater", "rater without a seat", "audience"}

MAY_USE: dict[Who, set[str]] = {
    "anybody": ALL | {"nobody"},
    "signed in": ALL,
    "viewer": HOUSE | OF_SESSION,
    "seat": HOUSE | {"moderator", "seat", "rater"},
    "moderator": HOUSE | {"moderator"},
    "house": HOUSE,
    "owner": {"owner"},
}
"""Who may use a route on their own session."""


def expected(route: Route, who: str, *, foreign: bool) -> str:
    """What comes of it."""
    if who in WITHOUT:
        return NOBODY
    if route.who == "anybody":
        return MAY
    if who == "nobody":
        return NOBODY
    of_session = "{session}" in route.path
    if of_session and who not in (HOUSE if foreign else HOUSE | OF_SESSION):
        return STRANGER
    if not of_session and route.who in ("moderator", "house"):
        return MAY if who in HOUSE else NOT_ALLOWED
    return MAY if who in MAY_USE[route.who] else NOT_ALLOWED


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────────

PARTS = {
    "seat": "pro", "step": "opening%2Fpro", "grant": "none", "file": "report.md", "when": "before", "grid": "none",
    "seq": "1",
}  # fmt: skip
"""What stands in a path beside the session."""


def path_of(route: Route, session: str) -> str:
    parts = PARTS | {"session": session}
    return re.sub(r"{(\w+)(?::[^}]*)?}", lambda found: parts[found[1]], route.path.removeprefix(BASE))


async def asked(asker: Asker, route: Route, session: str) -> tuple[int, Any]:
    """The answer; of a route that takes a body, to one that is none, so that nothing is done by who may."""
    if route.gives == STREAM:
        return await _began(asker, path_of(route, session))
    kind = route.takes or ("application/json" if route.body else "")
    more: dict[str, Any] = {"data": b"{", "headers": {"Content-Type": kind}} if kind else {}
    return await asker.ask(route.method, path_of(route, session), **more)


async def _began(asker: Asker, path: str) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {asker.token}"} if asker.token else {}
    async with asker.client.get(f"{BASE}{path}", headers=headers) as response:
        return response.status, None if response.status == 200 else await response.json()


REFUSALS = {
    401: NOBODY,
    403: NOT_ALLOWED,
    404: STRANGER,
}
NO_SESSION = "There is no such session, or it is none of yours."


def outcome(status: int, document: Any) -> str:
    """What an answer says of the asker's rights."""
    if status in (401, 403) and document["type"].endswith(("not-signed-in", "forbidden")):
        return REFUSALS[status]
    return STRANGER if status == 404 and document["detail"] == NO_SESSION else MAY


# ── everybody ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class House:
    """A service with two sessions that wait for a person, of which `own` is everybody's own."""

    served: Served
    own: str
    foreign: str

    async def asker(self, who: str) -> Asker:
        """Somebody with what they were given for their own session."""
        access = self.served.service.access
        if who == "expired":
            given = await access.give("moderator", lasts=timedelta(microseconds=1))
        elif who == "revoked":
            given = await access.give("moderator")
            await access.revoke(given.grant.id)
        elif who == "used up":
            given = await access.give("moderator", once=True)
            await access.take(given.secret)
        elif (wanted := ASKERS[who]) is None:
            return self.served.nobody
        else:
            place: dict[str, Any] = {k: self.own if v == "SESSION" else v for k, v in wanted[1].items()}
            given = await access.give(wanted[0], **place)
        return self.served.holder(given.secret)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with served_from(tmp_path) as served:
        yield House(served, *[await served.debate(pro="human", judges=["human"]) for _ in range(2)])


ROUTES = sorted(all_routes(), key=lambda route: not route.body and not route.takes and route.method != "GET")
"""Those last that do something although they are given no body."""


@pytest.mark.slow
@pytest.mark.parametrize("who", [*ASKERS, *WITHOUT])
async def test_everybody_may_what_the_table_says_and_nothing_else(house: House, who: str) -> None:
    asker = await house.asker(who)
    wrong: list[str] = []
    for route in (one for one in ROUTES if "{classroom}" not in one.path):
        for foreign, session in ((True, house.foreign), (False, house.own)):
            status, document = await asked(asker, route, session)
            if (found := outcome(status, document)) != (wanted := expected(route, who, foreign=foreign)):
                wrong.append(
                    f"{route.method} {route.path} foreign={foreign}: {wanted}, but {status} {found} {document}"
                )
    assert wrong == []


@pytest.mark.parametrize("who", [*sorted(set(ASKERS) - HOUSE), *WITHOUT])
async def test_no_session_of_others_is_told_from_one_that_is_not_there(house: House, who: str) -> None:
    asker = await house.asker(who)
    for route in (one for one in ROUTES if "{session}" in one.path):
        assert await asked(asker, route, house.foreign) == await asked(asker, route, "nonesuch"), route.path


async def test_a_seat_may_not_look_as_another_seat_nor_answer_its_turns_nor_know_of_them(house: House) -> None:
    person = await house.asker("seat")
    for path in ("", "/events", "/stream", "/turns"):
        status, document = await person.ask("GET", f"/sessions/{house.own}{path}?seat=judge-1")
        assert (status, document["detail"]) == (403, "This seat is somebody else's.")
    turns = f"/sessions/{house.own}/turns"
    while not (open_ := (await person.get(turns))["turns"]):  # noqa: ASYNC110 - over HTTP
        await asyncio.sleep(0.02)
    answer = f"{turns}/{open_[0]['step'].replace('/', '%2F')}/answer"
    there = await person.ask("POST", answer, json={"declined": ""})
    assert there[0] == 403, "it is theirs, once they have agreed to sit"
    others = await house.asker("rater")
    foreign = await others.ask("POST", answer, json={"declined": ""})
    none = await others.ask("POST", f"{turns}/no-such%2Fstep/answer", json={"declined": ""})
    assert foreign == none
    assert foreign[0] == 404


# ── by a browser ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_no_change_is_made_by_a_cookie_without_what_our_own_pages_hold(house: House) -> None:
    service = house.served.service
    given = await service.access.give("owner")
    cookie = await service.sign_ins.new(given.grant)
    for route in (one for one in ROUTES if one.method not in ("GET", "HEAD") and "{classroom}" not in one.path):
        for proof in ({}, {"X-CSRF-Token": "wrong"}, {"X-CSRF-Token": "\x80"}):
            headers = {"Cookie": f"elenchus={cookie}", **proof}
            status, document = await house.served.nobody.ask(
                route.method, path_of(route, house.own), headers=headers, json={}
            )
            assert (status, document["detail"][:12]) == (403, "This page is"), route.path
    status, _ = await house.served.nobody.ask("GET", "/sessions", headers={"Cookie": f"elenchus={cookie}"})
    assert status == 200


async def test_whoever_is_revoked_may_nothing_from_the_next_request_on(house: House) -> None:
    service = house.served.service
    given = await service.access.give("moderator", session=house.own)
    cookie = await service.sign_ins.new(given.grant)
    by_cookie = {"headers": {"Cookie": f"elenchus={cookie}"}}
    holder = house.served.holder(given.secret)
    path = f"/sessions/{house.own}"
    assert (await holder.ask("GET", path))[0] == (await house.served.nobody.ask("GET", path, **by_cookie))[0] == 200
    await service.access.revoke(given.grant.id)
    assert (await holder.ask("GET", path))[0] == (await house.served.nobody.ask("GET", path, **by_cookie))[0] == 401
