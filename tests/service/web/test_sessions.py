"""Sessions over HTTP: made, followed, steered; by somebody who may, and by others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from elenchus.debate_engine.events import SessionStarted
from tests.service.web.conftest import SCRIPTED, Asker, Served, served_from


async def until(asker: Asker, session: str, state: str, seconds: float = 30) -> dict[str, Any]:
    """The session's document once it is in this state."""
    async with asyncio.timeout(seconds):
        while (document := await asker.get(f"/sessions/{session}"))["state"] != state:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.02)
    return dict(document)


async def test_a_debate_is_begun_followed_to_its_end_and_taken_home(served: Served) -> None:
    session = await served.debate()
    document = await until(served.moderator, session, "finished")
    assert document["title"] == "Homework should end"
    assert {"pro", "con", "crit", "judge-1"} == {seat["name"] for seat in document["seats"]}
    events = (await served.moderator.get(f"/sessions/{session}/events"))["events"]
    speeches = [block for event in events for block in event["blocks"] if block["type"] == "speech"]
    assert {speech["speaker"] for speech in speeches} == {"pro", "con"}
    assert any(block["type"] == "fact" and block["name"] == "verdict" for block in events[-1]["blocks"])
    files = (await served.moderator.get(f"/sessions/{session}/exports"))["files"]
    assert {"report.html", "events.jsonl", "all.zip"} <= set(files)
    status, body = await served.moderator.ask("GET", f"/sessions/{session}/exports/report.md")
    assert status == 200
    assert b"Homework should end" in body


async def test_a_stream_gives_what_is_there_then_what_comes_and_goes_on_after_a_break(served: Served) -> None:
    session = await served.debate()
    headers = {"Authorization": f"Bearer {served.moderator.token}"}
    seen: list[int] = []

    async def read(last: int, until_state: str, most: int = 10_000) -> str:
        more = {"Last-Event-ID": str(last)} if last else {}
        async with served.client.get(f"/api/v1/sessions/{session}/stream", headers=headers | more) as stream:
            assert stream.content_type == "text/event-stream"
            kind = ""
            async for line in stream.content:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    kind = text.removeprefix("event: ")
                if text.startswith("id: "):
                    seen.append(int(text.removeprefix("id: ")))
                if kind == "status" and text.startswith("data: ") and f'"state": "{until_state}"' in text:
                    return until_state
                if len(seen) >= most:
                    return ""
        return ""

    async with asyncio.timeout(30):
        await read(0, "finished", most=5)
        assert seen == sorted(set(seen))
        await read(seen[-1], "finished")
    all_of_them = [event["seq"] for event in (await served.moderator.get(f"/sessions/{session}/events"))["events"]]
    assert seen == all_of_them


async def test_a_person_takes_a_seat_by_a_code_and_answers_what_is_asked(served: Served) -> None:
    session = await served.debate(pro="human")
    person = await served.invited(session, "seat", "pro")
    early = await person.ask("POST", f"/sessions/{session}/turns/opening/pro/answer", json={"value": "x"})
    assert early[0] in (403, 404), "nobody has agreed to sit, or the turn is not open yet"
    taken = {"name": "Ada", "agreed": True}
    await person.post(f"/sessions/{session}/seats/pro/name", taken)
    assert (await person.ask("POST", f"/sessions/{session}/seats/pro/name", json=taken))[0] == 409
    answered: dict[str, dict[str, Any]] = {}
    async with asyncio.timeout(30):
        while (await person.get(f"/sessions/{session}"))["state"] == "running":
            for turn in (await person.get(f"/sessions/{session}/turns"))["turns"]:
                assert turn["seat"] == "pro"
                assert turn["asked"]
                body = given(turn)
                path = f"/sessions/{session}/turns/{turn['step']}/answer"
                first = await person.post(path, body)
                assert (await person.post(path, body))["seq"] == first["seq"], "the same answer again is there already"
                answered[turn["step"]] = body
            await asyncio.sleep(0.02)
    assert "opening/pro" in answered
    status, document = await person.ask(
        "POST", f"/sessions/{session}/turns/opening/pro/answer", json={"value": "something else"}
    )
    assert (status, "already" in document["detail"]) == (409, True)
    events = (await person.get(f"/sessions/{session}/events"))["events"]
    said = [block for event in events for block in event["blocks"] if block["type"] == "speech"]
    assert any(block["text"] == "words of a person" for block in said)
    assert not any(block["model"] for block in said), "who sits in it does not read who is a model"
    assert all("event" not in event or event["event"] is None for event in events)


def given(turn: dict[str, Any]) -> dict[str, Any]:
    """Words where words are asked; a form is passed."""
    if [field["kind"] for field in turn["fields"]] == ["text"]:
        return {"fields": {turn["fields"][0]["name"]: "words of a person"}}
    return {"declined": "no opinion"}


async def test_a_pause_that_is_asked_for_at_once_is_heard_and_two_moderators_are_told_of_each_other(
    served: Served,
) -> None:
    session = await served.debate(pro="human")
    path = f"/sessions/{session}/commands"
    await served.moderator.post(path, {"command": "pause"})
    await until(served.moderator, session, "paused")
    status, document = await served.moderator.ask("POST", path, json={"command": "pause"})
    assert (status, document["detail"]) == (409, "This session is paused: it cannot be done now.")
    await served.moderator.post(path, {"command": "heat", "value": 0.4})
    assert (await served.moderator.get(f"/sessions/{session}"))["next_turn"]["heat"] == 0.4
    await served.moderator.post(path, {"command": "resume"})
    await until(served.moderator, session, "running")
    await served.moderator.post(path, {"command": "stop", "text": "enough"})
    await until(served.moderator, session, "stopped")
    assert (await served.moderator.ask("POST", path, json={"command": "resume"}))[0] == 409


async def test_what_was_running_pauses_when_the_service_stops_and_goes_on_when_it_starts(tmp_path: Path) -> None:
    async with served_from(tmp_path) as first:
        session = await first.debate(pro="human")
        await until_turn(first.moderator, session)
    async with served_from(tmp_path) as second:
        kinds = [event["kind"] for event in (await second.moderator.get(f"/sessions/{session}/events"))["events"]]
        assert "session_paused" in kinds
        assert kinds[-1] != "session_paused"
        assert (await second.moderator.get(f"/sessions/{session}"))["state"] == "running"
        await second.moderator.post(f"/sessions/{session}/commands", {"command": "pause"})
        await until(second.moderator, session, "paused")
    async with served_from(tmp_path) as third:  # whom a moderator stopped waits for a moderator
        assert (await third.moderator.get(f"/sessions/{session}"))["state"] == "paused"
        await third.moderator.post(f"/sessions/{session}/commands", {"command": "resume"})
        await until(third.moderator, session, "running")


async def until_turn(asker: Asker, session: str) -> None:
    async with asyncio.timeout(30):
        while not (await asker.get(f"/sessions/{session}"))["turns"]:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.02)


async def test_the_same_request_with_the_same_key_makes_one_session(served: Served) -> None:
    options = {"motion": "Homework should end", **SCRIPTED, "topics": 1}
    body = {"protocol": "debate", "options": options}
    key = {"Idempotency-Key": "one"}
    made = [await served.moderator.ask("POST", "/sessions", json=body, headers=key) for _ in range(3)]
    assert [status for status, _ in made] == [201, 200, 200]
    assert len({document["id"] for _, document in made}) == 1
    other = {**body, "options": {**options, "motion": "Another"}}
    assert (await served.moderator.ask("POST", "/sessions", json=other, headers=key))[0] == 422
    assert len((await served.moderator.get("/sessions"))["sessions"]) == 1


async def test_a_debate_that_cannot_be_held_is_refused_in_a_sentence_and_leaves_nothing(served: Served) -> None:
    for options, said in (
        ({"motion": " "}, "motion"),
        ({"motion": "x", "heat": 7}, "heat must be between 0 and 1"),
        ({"motion": "x", "heet": 0.5}, "heet"),
        ({"motion": "x", "pro": "nobody:there"}, "nobody"),
    ):
        status, document = await served.moderator.ask(
            "POST", "/sessions", json={"protocol": "debate", "options": {**SCRIPTED, **options}}
        )
        assert (status, said in document["detail"]) == (422, True), document
    assert (await served.moderator.ask("POST", "/sessions", json={"protocol": "no-such"}))[0] == 422
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_a_session_whose_program_has_gone_is_resumed_here(served: Served) -> None:
    """It was made and not begun: as after a crash of another program, its log says that it runs, and nobody runs it."""
    finished = await served.debate()
    started = (await served.app.log.read(finished))[0].event
    assert isinstance(started, SessionStarted)
    await served.app.runner.create(started, "left")
    made = await served.moderator.post("/sessions/left/commands", {"command": "resume"})
    assert made["effect"] == "resumed"
    await until(served.moderator, "left", "finished")
