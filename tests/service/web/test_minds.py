"""Personas over HTTP: made, fed, surveyed, asked, rated by people, estimated, deleted; also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.lab.mind_options import mind_id
from tests.debate_engine.protocols.cognition.minds import FERRY, OPINIONS
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.service.web.conftest import Asker, Served, served_from
from tests.service.web.minds import GRETA, made

HERE = f"/minds/{GRETA}"


async def came(asker: Asker, given: dict[str, Any]) -> dict[str, Any]:
    """What becomes of what is given, once it has."""
    told = await asker.post(f"{HERE}/given", {"give": given})
    assert told["state"] == "waiting"
    while (found := await asker.get(f"{HERE}/given/{told['seq']}"))["state"] == "waiting":  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return dict(found)


async def test_a_persona_is_made_fed_surveyed_asked_and_looked_at_as_of_any_moment(served: Served) -> None:
    document = await made(served)
    assert (document["id"], document["name"], document["waiting"]) == (GRETA, "greta", 0)
    assert document["mind"]["profile"]["Name"] == "Greta Lund"
    asker = served.moderator
    first = await came(asker, {"kind": "rate"})
    assert [one["question"] for one in first["came"]["answers"]] == list(OPINIONS)
    reading = await came(asker, {"kind": "read", "texts": [FERRY], "title": "Ferries"})
    assert (reading["state"], reading["kind"], reading["came"]["title"]) == ("done", "reading", "Ferries")
    said = await came(asker, {"kind": "answer", "text": "Do you like ferries?"})
    assert said["kind"] == "talk"
    assert said["came"]["answer"]
    now, before = await asker.get(HERE), await asker.get(f"{HERE}?iteration=0")
    assert (now["mind"]["iteration"], before["mind"]["iteration"]) == (1, 0)
    assert before["mind"]["read"] == []
    assert (await asker.ask("GET", f"{HERE}?day=2020-01-01"))[0] == 422
    changed = await asker.get(f"{HERE}/differences?since=0")
    assert (changed["since"], changed["until"]) == (0, 1)
    assert (await asker.get(f"{HERE}/differences?since_day=2020-01-01&until_day=2999-01-01")) == changed
    assert (await asker.ask("GET", f"{HERE}/differences?until=7"))[0] == 422
    assert [row["name"] for row in (await asker.get("/minds"))["minds"]] == ["greta"]


async def test_an_estimate_asks_nobody(served: Served) -> None:
    new = {"options": {"name": "ida", "person": "invented", "character": "a baker", "model": "scripted:demo"}}
    assert (await served.moderator.post("/mind-estimates", new))["plan"]["calls"] == 2
    await made(served)
    told = await served.moderator.post(f"{HERE}/estimates", {"give": [{"kind": "read", "texts": [FERRY]}]})
    assert told["plan"]["calls"] > 0
    assert (await served.moderator.get(HERE))["waiting"] == 0
    assert (await served.moderator.get("/minds"))["minds"][0]["name"] == "greta"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"person": "invented"}, "character"),
        ({"character": "a baker"}, "person"),
        ({"person": "invented", "profile": {"Name": "Ida"}}, "lacks"),
        ({"person": "invented", "character": "a baker", "model": "human"}, "A mind is a model"),
        ({"name": "a:b", "person": "invented", "character": "a baker"}, "what the mind is called"),
    ],
)
async def test_what_cannot_be_made_is_refused_in_a_sentence(served: Served, options: dict[str, Any], said: str) -> None:
    body = {"options": {"name": "ida", "model": "scripted:demo", **options}}
    status, problem = await served.moderator.ask("POST", "/minds", json=body)
    assert (status, said in problem["detail"]) == (422, True), problem
    assert (await served.moderator.get("/minds"))["minds"] == []


async def test_a_name_that_is_taken_is_refused(served: Served) -> None:
    await made(served)
    options = {"name": "GRETA", "person": "invented", "profile": GRETA_AS_JSON, "model": "scripted:demo"}
    status, problem = await served.moderator.ask("POST", "/minds", json={"options": options})
    assert (status, "choose another name" in problem["detail"]) == (422, True)


@pytest.mark.parametrize(
    ("give", "status"),
    [
        ({"kind": "read", "texts": [" \n"]}, 422),
        ({"kind": "read", "texts": ["x" * 200_001]}, 422),
        ({"kind": "read"}, 422),
        ({"kind": "read", "address": "file:///etc/passwd"}, 422),
        ({"kind": "read", "address": "/etc/passwd"}, 422),
        ({"kind": "read", "address": "http://127.0.0.1:8080/"}, 422),
        ({"kind": "rate", "questions": list(map(str, range(101)))}, 422),
        ({"kind": "answer", "text": "\u200b"}, 422),
        ({"kind": "sing"}, 422),
    ],
)
async def test_what_it_cannot_be_given_is_refused_and_is_in_no_log(
    served: Served, give: dict[str, Any], status: int
) -> None:
    await made(served)
    assert (await served.moderator.ask("POST", f"{HERE}/given", json={"give": give}))[0] == status
    assert (await served.moderator.get(HERE))["waiting"] == 0


async def test_a_file_of_the_server_is_never_read_for_a_persona(served: Served, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The secret of the house.")
    await made(served)
    for address in (str(secret), secret.as_uri()):
        told = await served.moderator.ask("POST", f"{HERE}/given", json={"give": {"kind": "read", "address": address}})
        assert told[0] == 422
        assert "secret of the house" not in str(told[1])


async def test_a_session_that_is_no_persona_and_a_persona_of_a_server_on_discord_are_not_there(served: Served) -> None:
    session = await served.debate()
    from elenchus.service.lab.mind_options import MindOptions
    from elenchus.service.lab.options import options_of

    options = options_of(
        MindOptions, {"name": "ida", "person": "invented", "profile": GRETA_AS_JSON, "model": "scripted:demo"}
    )
    await served.app.minds.create(options, by="discord:7", place="discord:1")
    for id_ in (session, mind_id("ida", "discord:1"), "mind-aaaaaaaa"):
        for method, path, body in (
            ("GET", "", None), ("DELETE", "", None), ("GET", "/differences", None),
            ("POST", "/given", {"give": {"kind": "rate"}}), ("POST", "/ratings", {"ratings": {"x": 3}}),
        ):  # fmt: skip
            status, _ = await served.moderator.ask(method, f"/minds/{id_}{path}", **({"json": body} if body else {}))
            assert status == 404, (id_, method, path)


async def test_people_who_have_a_link_rate_and_see_nothing_of_what_it_remembers(served: Served) -> None:
    await made(served)
    await came(served.moderator, {"kind": "rate"})
    await came(served.moderator, {"kind": "read", "texts": [FERRY], "title": "A secret title"})
    raters = [await served.invited(GRETA, "audience") for _ in range(3)]
    for rater, rating in zip(raters, (2, 4, 4), strict=True):
        body = {"ratings": {OPINIONS[0]: 1}}
        for given in (body, {"ratings": {OPINIONS[0]: rating}}):  # the last one counts
            assert (await rater.ask("POST", f"{HERE}/ratings", json=given))[0] == 204
        for path in ("", "/given/1", "/differences"):
            assert (await rater.ask("GET", f"{HERE}{path}"))[0] == 403
        events = await rater.get(f"/sessions/{GRETA}/events")
        assert "secret title" not in str(events)
        assert "ferries" not in str(events).casefold()
    people = (await served.moderator.get(HERE))["mind"]["people"]
    assert people == {OPINIONS[0]: [{"iteration": 1, "rating": 4, "tied": False, "people": 3}]}
    for odd in ({"What nobody asked": 3}, {OPINIONS[0]: 6}, {}):
        assert (await raters[0].ask("POST", f"{HERE}/ratings", json={"ratings": odd}))[0] == 422
    assert (await served.nobody.ask("POST", f"{HERE}/ratings", json={"ratings": {OPINIONS[0]: 3}}))[0] == 401


async def test_a_persona_is_deleted_with_its_links_and_not_while_it_is_at_work(served: Served) -> None:
    await made(served, model="scripted:demo?latency=60", person="myself")
    rater = await served.invited(GRETA, "audience")
    await served.moderator.post(f"{HERE}/given", {"give": {"kind": "read", "texts": [FERRY]}})
    assert (await served.moderator.ask("DELETE", HERE))[0] == 409
    await served.service.minds.aclose()
    assert (await served.moderator.ask("DELETE", HERE))[0] == 204
    assert (await served.moderator.ask("GET", HERE))[0] == 404
    assert (await rater.ask("GET", "/me"))[0] == 401


async def test_what_it_was_given_is_carried_out_by_the_service_that_starts_again(tmp_path: Path) -> None:
    async with _served(tmp_path, "scripted:demo?latency=60") as first:
        told = await first.moderator.post(f"{HERE}/given", {"give": {"kind": "rate"}})
        await asyncio.sleep(0.1)
    async with served_from(tmp_path) as again:
        assert (await again.moderator.get(f"{HERE}/given/{told['seq']}"))["state"] == "waiting"
        assert again.service.minds.is_at_work(GRETA)
        assert await again.app.store.all("served-minds") == {GRETA: {}}


async def test_what_a_budget_keeps_back_says_so(served: Served) -> None:
    await made(served, budget_tokens=1, person="myself")
    told = await came(served.moderator, {"kind": "rate"})
    assert told["state"] == "kept"
    assert "budget" in told["reason"]
    document = await served.moderator.get(HERE)
    assert (document["waiting"], "budget" in document["reason"]) == (1, True)


@asynccontextmanager
async def _served(home: Path, model: str) -> AsyncIterator[Served]:
    async with served_from(home) as served:
        await made(served, model=model, person="myself")
        yield served
