"""A scene over HTTP: a person plays the subject by a link, with what a subject may know and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.service.web.conftest import Asker, Served
from tests.service.web.visitors import Visitor, seat_code, visiting

CODES = "Show my codes"


async def played(
    person: Asker, session: str, seat: str, *, wanted: dict[str, str] | None = None
) -> list[dict[str, Any]]:
    """Answer all that the seat is asked, until it is over; the turns."""
    turns: list[dict[str, Any]] = []
    async with asyncio.timeout(60):
        while (await person.get(f"/sessions/{session}"))["state"] == "running":
            for turn in (await person.get(f"/sessions/{session}/turns"))["turns"]:
                assert turn["seat"] == seat
                turns.append(turn)
                fields = {field["name"]: filled(field) for field in turn["fields"]}
                await person.post(f"/sessions/{session}/turns/{turn['step']}/answer", {"fields": fields})
            await asyncio.sleep(0.02)
    return turns


def filled(field: dict[str, Any]) -> str:
    """Something that a field takes; consent is given, and what was said is kept."""
    match field["kind"]:
        case "number":
            return f"{field['low'] or 40:g}"
        case "choice" | "yes-no":
            return str(field["choices"][0])
    return "40"


async def test_a_person_plays_a_subject_by_a_code_and_is_told_at_the_end(served: Served) -> None:
    made = await served.moderator.post(
        "/sessions", {"protocol": "scene", "options": {"scene": "anchoring-effect", "subjects": ["human"]}}
    )
    session = made["id"]
    document = await served.moderator.get(f"/sessions/{session}")
    seat = next(seat["name"] for seat in document["seats"] if seat["kind"] == "person")
    person = await served.invited(session, "seat", seat)
    turns = await played(person, session, seat)
    assert "consent" in [turn["turn_kind"] for turn in turns]
    assert {field["name"] for turn in turns for field in turn["fields"]} <= {"f1", "f2", "f3"}
    assert not any(field["label"] for turn in turns for field in turn["fields"])
    seen = await person.get(f"/sessions/{session}")
    assert [one["name"] for one in seen["seats"]] == [seat]
    codes = await person.post(f"/sessions/{session}/seats/{seat}/codes")
    assert codes["ending"] == "complete"
    events = (await person.get(f"/sessions/{session}/events"))["events"]
    assert any("debrief" in block["about"] for event in events for block in event["blocks"])
    assert (await served.nobody.ask("POST", "/withdrawals", json={"code": codes["withdrawal"]}))[1] == {"gone": True}
    assert (await person.ask("GET", f"/sessions/{session}"))[0] == 401, "the link has gone with the session"
    assert (await served.moderator.ask("GET", f"/sessions/{session}"))[0] == 404


async def offers(device: Visitor, session: str, seat: str) -> bool:
    """Whether a seat's page offers its codes."""
    return CODES in (await device.get(f"/sessions/{session}/seats/{seat}")).text


async def test_a_seat_offers_codes_when_there_are_some_and_never_to_who_judges(served: Served) -> None:
    options = {"scene": "anchoring-effect", "subjects": ["human:Ann"], "judges": ["human:Bea"]}
    made = await served.moderator.post("/sessions", {"protocol": "scene", "options": options})
    session = made["id"]
    seats = (await served.moderator.get(f"/sessions/{session}"))["seats"]
    subject, judge = [seat["name"] for seat in seats if seat["kind"] == "person"]
    people = {seat: await served.invited(session, "seat", seat) for seat in (subject, judge)}
    async with (
        visiting(served, await seat_code(served, session, subject)) as phone,
        visiting(served, await seat_code(served, session, judge)) as desk,
        asyncio.timeout(60),
    ):
        while (await served.moderator.get(f"/sessions/{session}"))["state"] == "running":
            for seat, person in people.items():
                for turn in (await person.get(f"/sessions/{session}/turns"))["turns"]:
                    if seat == judge:  # the subject is done
                        refused, _ = await people[subject].ask("POST", f"/sessions/{session}/seats/{subject}/codes")
                        assert (refused, await offers(phone, session, subject)) == (409, False)
                    fields = {field["name"]: filled(field) for field in turn["fields"]}
                    await person.post(f"/sessions/{session}/turns/{turn['step']}/answer", {"fields": fields})
            await asyncio.sleep(0.02)
        given = [
            (await person.ask("POST", f"/sessions/{session}/seats/{seat}/codes"))[0] for seat, person in people.items()
        ]
        shown = [await offers(phone, session, subject), await offers(desk, session, judge)]
        assert (given, shown) == ([200, 409], [True, False])


async def test_no_file_of_the_server_is_read_as_a_scene(served: Served, tmp_path: Any) -> None:
    file = tmp_path / "elsewhere.md"
    file.write_text("# A scene\n")
    for name in (str(file), "/etc/passwd", "../elsewhere", "no-such-scene"):
        options = {"scene": name, "subjects": ["human"]}
        status, document = await served.moderator.ask(
            "POST", "/sessions", json={"protocol": "scene", "options": options}
        )
        assert status == 422, document
