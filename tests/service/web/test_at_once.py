"""Several who want something at the same moment, or twice: nothing lost, nothing doubled; lists and tags meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from tests.debate_engine.reports.debates import SEATS, started
from tests.service.web.conftest import SCRIPTED, TOKEN, Asker, Served
from tests.service.web.test_sessions import until

OPTIONS = {"motion": "Homework should end", **SCRIPTED, "topics": 1, "max_rounds": 1}


# ── at the same time ─────────────────────────────────────────────────────────────────────────────────────────────────


async def waiting(served: Served) -> tuple[str, str, Asker]:
    """A debate in which a person who has agreed to sit is asked: its id, the step, the person."""
    session = await served.debate(pro="human")
    person = await served.invited(session, "seat", "pro")
    await person.post(f"/sessions/{session}/seats/pro/name", {"name": "Ada", "agreed": True})
    async with asyncio.timeout(20):
        while not (turns := (await person.get(f"/sessions/{session}/turns"))["turns"]):  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.02)
    return session, str(turns[0]["step"]), person


async def kinds(served: Served, session: str) -> Counter[str]:
    return Counter(event["kind"] for event in (await served.moderator.get(f"/sessions/{session}/events"))["events"])


async def test_a_turn_that_is_answered_many_times_at_once_is_answered_once(served: Served) -> None:
    session, step, person = await waiting(served)
    path = f"/sessions/{session}/turns/{step}/answer"
    found = await asyncio.gather(
        *(person.ask("POST", path, json={"declined": reason}) for reason in ("a", "b") for _ in range(5))
    )
    assert Counter(status for status, _ in found) == {200: 5, 409: 5}
    assert len({document["seq"] for status, document in found if status == 200}) == 1
    assert {document["detail"] for status, document in found if status == 409} == {
        "This turn has been answered already: the first answer counts."
    }
    answers = [
        event["event"]["step"]
        for event in (await served.moderator.get(f"/sessions/{session}/events"))["events"]
        if event["kind"] == "turn_answered"
    ]
    assert answers.count(step) == 1


async def test_a_seat_is_taken_and_left_once_however_many_try_at_once(served: Served) -> None:
    session = await served.debate(pro="human")
    people = [await served.invited(session, "seat", "pro") for _ in range(5)]
    path = f"/sessions/{session}/seats/pro"
    named = [one.ask("POST", f"{path}/name", json={"name": f"P{n}", "agreed": True}) for n, one in enumerate(people)]
    assert sorted(status for status, _ in await asyncio.gather(*named)) == [200, 409, 409, 409, 409]
    left = await asyncio.gather(*(one.ask("POST", f"{path}/leave") for one in people))
    assert sorted(status for status, _ in left) == [200, 409, 409, 409, 409]
    assert [(await kinds(served, session))[kind] for kind in ("seat_named", "leave")] == [1, 1]


async def test_of_two_moderators_who_press_at_once_the_second_is_told_what_the_first_did(served: Served) -> None:
    session, _, _ = await waiting(served)
    path, moderator = f"/sessions/{session}/commands", served.moderator

    async def both(*commands: dict[str, Any]) -> list[int]:
        answers = await asyncio.gather(*(moderator.ask("POST", path, json=command) for command in commands))
        return sorted(status for status, _ in answers)

    pause, resume = {"command": "pause"}, {"command": "resume"}
    assert await both(pause, pause, pause) == [202, 409, 409]
    await until(moderator, session, "paused")
    both_taken = await both(resume, pause) == [202, 202]  # the pause came second, else it made no sense
    await until(moderator, session, "paused" if both_taken else "running")
    stop = {"command": "stop", "text": "enough"}
    assert await both(stop, stop) == [202, 409]
    await until(moderator, session, "stopped")
    assert await both(pause, resume) == [409, 409]
    assert (await kinds(served, session))["stop"] == 1


async def test_a_turn_is_put_off_three_times_however_many_ask_at_once(served: Served) -> None:
    first = started(specs=dict.fromkeys(SEATS, "scripted:demo") | {"pro": "human"})
    seats = tuple(one.model_copy(update={"deadline": 600.0} if one.name == "pro" else {}) for one in first.seats)
    session = await served.service.own.start(first.model_copy(update={"seats": seats}))
    person = await served.invited(session, "seat", "pro")
    async with asyncio.timeout(20):
        while not (turns := (await person.get(f"/sessions/{session}/turns"))["turns"]):  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.02)
    path = f"/sessions/{session}/turns/{turns[0]['step']}/extend"
    found = await asyncio.gather(*(person.ask("POST", path, json={"seconds": 9}) for _ in range(6)))
    assert Counter(status for status, _ in found) == {200: 3, 409: 3}


async def test_a_turn_that_is_over_is_not_answered_any_more(served: Served) -> None:
    session, step, person = await waiting(served)
    await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
    await until(served.moderator, session, "stopped")
    status, document = await person.ask(
        "POST", f"/sessions/{session}/turns/{step}/answer", json={"declined": "too late"}
    )
    assert (status, "is over" in document["detail"]) == (409, True)
    assert (await kinds(served, session))["turn_answered"] == 0


# ── one request, one thing ───────────────────────────────────────────────────────────────────────────────────────────


async def test_the_same_key_at_the_same_moment_makes_one_session(served: Served) -> None:
    body = {"protocol": "debate", "options": OPTIONS}
    found = await asyncio.gather(
        *(served.moderator.ask("POST", "/sessions", json=body, headers={"Idempotency-Key": "k"}) for _ in range(8))
    )
    assert Counter(status for status, _ in found) == {201: 1, 200: 7}
    assert len({document["id"] for _, document in found}) == 1
    assert len((await served.moderator.get("/sessions"))["sessions"]) == 1


async def test_a_key_of_a_request_that_was_refused_is_free_and_of_a_deleted_session_is_not(served: Served) -> None:
    key = {"Idempotency-Key": "k"}
    wrong = {"protocol": "debate", "options": {**OPTIONS, "motion": " "}}
    assert (await served.moderator.ask("POST", "/sessions", json=wrong, headers=key))[0] == 422
    right = {"protocol": "debate", "options": OPTIONS}
    status, made = await served.moderator.ask("POST", "/sessions", json=right, headers=key)
    assert status == 201
    await until(served.moderator, made["id"], "finished")
    assert (await served.moderator.ask("DELETE", f"/sessions/{made['id']}"))[0] == 204
    assert (await served.moderator.ask("POST", "/sessions", json=right, headers=key))[0] == 409
    for odd in ("", " ", "a b", "é", "x" * 256):
        assert (await served.moderator.ask("POST", "/sessions", json=right, headers={"Idempotency-Key": odd}))[0] == 400


async def test_where_a_session_was_made_is_told_and_found(served: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    body = {"protocol": "debate", "options": OPTIONS}
    async with served.client.post("/api/v1/sessions", json=body, headers=headers) as made:
        place, document = made.headers["Location"], await made.json()
    async with served.client.get(place, headers=headers) as found:
        assert (await found.json())["id"] == document["id"]


# ── lists and tags ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_list_goes_on_where_it_stood_whatever_was_deleted_or_made_meanwhile(served: Served) -> None:
    made = [await served.debate(f"Motion {n}") for n in range(6)]
    for session in made:
        await until(served.moderator, session, "finished")
    first = await served.moderator.get("/sessions?limit=2")
    assert [one["id"] for one in first["sessions"]] == made[:3:-1]
    for session in (made[4], made[2]):  # that of the cursor, and one to come
        assert (await served.moderator.ask("DELETE", f"/sessions/{session}"))[0] == 204
    await served.debate("Another")
    rest, cursor = [], first["next"]
    while cursor:
        page = await served.moderator.get(f"/sessions?limit=1&cursor={cursor}")
        rest += [one["id"] for one in page["sessions"]]
        cursor = page["next"]
    assert rest == [made[3], made[1], made[0]]
    assert (await served.moderator.ask("GET", "/sessions?cursor=AAA%2B"))[0] == 422


async def test_a_tag_is_the_viewers_own_and_changes_with_all_that_is_told(served: Served) -> None:
    session = await served.debate(pro="human", con="human")
    people = {"pro": await served.invited(session, "seat", "pro"), "con": await served.invited(session, "seat", "con")}

    async def tag(asker: Asker, known: str = "") -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {asker.token}"} | ({"If-None-Match": known} if known else {})
        async with served.client.get(f"/api/v1/sessions/{session}", headers=headers) as answer:
            return answer.status, answer.headers["ETag"]

    while not (await served.moderator.get(f"/sessions/{session}"))["turns"]:  # noqa: ASYNC110 - over HTTP
        await asyncio.sleep(0.02)
    tags = {name: (await tag(asker))[1] for name, asker in {"moderator": served.moderator, **people}.items()}
    assert len(set(tags.values())) == 3
    for known in (tags["pro"], f'"x", {tags["pro"]}', tags["pro"].removeprefix("W/"), "*"):
        assert await tag(people["pro"], known) == (304, tags["pro"])
    assert await tag(people["pro"], tags["con"]) == (200, tags["pro"])
    await people["pro"].post(f"/sessions/{session}/seats/pro/name", {"name": "Ada", "agreed": True})
    for name, asker in people.items():
        status, new = await tag(asker, tags[name])
        assert (status, new == tags[name]) == (200, False)
