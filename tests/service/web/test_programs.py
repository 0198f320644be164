"""What programs need of the API beside sessions: who they are, whole logs, imports, what is held on people."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from elenchus.service.web.api import logs
from tests.service.web.conftest import Asker, Served, served_from
from tests.service.web.test_sessions import until, until_turn


async def session_moderator(served: Served, session: str) -> Asker:
    return await served.invited(session, "moderator")


async def test_whoever_asks_is_told_what_they_may_do_and_nobody_that_it_is_nothing(served: Served) -> None:
    session = await served.debate(pro="human")
    told = await served.moderator.get("/me")
    assert (told["service"], [grant["role"] for grant in told["grants"]]) == ("elenchus", ["moderator"])
    seat = await served.invited(session, "seat", "pro")
    (grant,) = (await seat.get("/me"))["grants"]
    assert (grant["role"], grant["session"], grant["seat"]) == ("seat", session, "pro")
    assert (await served.nobody.get("/me"))["grants"] == []
    assert (await served.holder("el_" + "x" * 43).ask("GET", "/me"))[0] == 401


async def test_a_program_of_the_house_appends_what_others_than_the_runner_may_and_nobody_else_does(
    served: Served,
) -> None:
    session = await served.debate(pro="human")
    await until_turn(served.moderator, session)
    path = f"/sessions/{session}/events"
    opened = (await served.moderator.get(f"/sessions/{session}/turns"))["turns"][0]
    answered = {"kind": "turn_answered", "step": opened["step"], "seat": "pro", "by": "anna", "answer": "I hold."}
    for asker in (await served.invited(session, "seat", "pro"), await session_moderator(served, session)):
        assert (await asker.ask("POST", path, json={"event": answered}))[0] == 403
    made = await served.moderator.post(path, {"event": answered})
    assert made["event"]["by"] == "anna"
    for odd in ({"kind": "session_finished", "outcome": {}}, {"kind": "heat", "by": "x", "heat": 7}, {"kind": "pause"}):
        assert (await served.moderator.ask("POST", path, json={"event": odd}))[0] == 422
    await served.moderator.post(path, {"event": {"kind": "stop", "by": "anna", "reason": "enough"}})
    await until(served.moderator, session, "stopped")
    status, refused = await served.moderator.ask("POST", path, json={"event": {"kind": "pause", "by": "anna"}})
    assert (status, "nothing can be changed" in refused["detail"]) == (409, True)


async def test_a_list_says_who_runs_a_session_to_whoever_moderates_it_alone(served: Served) -> None:
    session = await served.debate(pro="human")
    assert (await served.moderator.get(f"/sessions/{session}/run"))["owner"].startswith("process ")
    assert (await served.moderator.get("/sessions"))["sessions"][0]["owner"]
    seat = await served.invited(session, "seat", "pro")
    assert (await seat.get("/sessions"))["sessions"][0]["owner"] is None
    assert (await seat.ask("GET", f"/sessions/{session}/run"))[0] == 403


async def test_an_exported_session_is_brought_to_another_house_and_a_damaged_one_refused(
    served: Served, tmp_path: Path
) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    _, lines = await served.moderator.ask("GET", f"/sessions/{session}/exports/events.jsonl")
    sent = {"Content-Type": "application/x-ndjson"}
    async with served_from(tmp_path / "other") as other:
        status, row = await other.moderator.ask("POST", f"/imports?id={session}", data=lines, headers=sent)
        assert (status, row["id"], row["state"]) == (201, session, "finished")
        again = await other.moderator.ask("POST", f"/imports?id={session}", data=lines, headers=sent)
        assert (again[0], "already a session" in again[1]["detail"]) == (422, True)
        for damaged, said in (
            (lines[:-9], "breaks off"),
            (b"", "is empty"),
            (lines + b"{}\n", "is no event"),
            (lines.replace(b"socrasynth", b"\xff\xfe", 1), "not UTF-8"),
            (json.dumps({"seq": 1, "at": "2026-01-01", "kind": "pause"}).encode() + b"\n", "not the start"),
        ):
            status, refused = await other.moderator.ask("POST", "/imports", data=damaged, headers=sent)
            assert (status, said in refused["detail"]) == (422, True), refused
        assert (await other.moderator.ask("POST", "/imports", json={}))[0] == 415
        assert len((await other.moderator.get("/sessions"))["sessions"]) == 1


async def test_an_import_that_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    async def endless() -> object:
        for _ in range(logs.LARGEST_IMPORT // 1_000_000 + 2):
            yield b"x" * 1_000_000
            await asyncio.sleep(0)

    sent = {"Content-Type": "application/x-ndjson"}
    status, refused = await served.moderator.ask("POST", "/imports", data=endless(), headers=sent)
    assert (status, refused["type"]) == (413, "urn:elenchus:problem:too-large")


async def test_what_is_held_on_a_person_is_given_and_forgotten_for_moderators_of_the_house_alone(
    served: Served,
) -> None:
    session = await served.debate(pro="human:anna")
    await said_by_anna(served.moderator, session)
    teacher = await session_moderator(served, session)
    assert (await teacher.ask("POST", "/people/held", json={"person": "anna"}))[0] == 403
    held = await served.moderator.post("/people/held", {"person": "anna"})
    assert [one["seats"] for one in held["sessions"]] == [["pro"]]
    forgotten = await served.moderator.post("/people/forget", {"person": "anna", "by": "ben"})
    assert forgotten["texts"] >= 1
    assert (await served.moderator.post("/people/held", {"person": "anna"}))["sessions"] == []
    for body, status in (
        ({"person": "nobody"}, 422), ({"person": " "}, 422), ({"person": "anna", "session": "nowhere"}, 404),
    ):  # fmt: skip
        assert (await served.moderator.ask("POST", "/people/forget", json=body))[0] == status


async def said_by_anna(moderator: Asker, session: str) -> None:
    """She passes the forms, until her speech is in the log."""
    answered = set[str]()
    async with asyncio.timeout(30):
        while True:
            events = [one["event"] for one in (await moderator.get(f"/sessions/{session}/events"))["events"]]
            if any(event["kind"] == "said" and event["speaker"] == "pro" for event in events):
                return
            for turn in (event for event in events if event["kind"] == "turn_opened"):
                if turn["step"] not in answered:
                    said = {"declined": "no opinion"} if turn["answer_schema"] else {"answer": "I hold."}
                    event = {"kind": "turn_answered", "step": turn["step"], "seat": "pro", "by": "anna", **said}
                    await moderator.post(f"/sessions/{session}/events", {"event": event})
                    answered.add(turn["step"])
            await asyncio.sleep(0.1)
