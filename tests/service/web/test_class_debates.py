"""A class debate over HTTP: joined by one code, halves in balance, arguments, votes, who is told what, the swing."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from elenchus.debate_engine.events import Said, Voted
from elenchus.service.lab.class_debates.shown import p_of
from elenchus.service.web.strings import catalogue
from tests.service.web.conftest import SCRIPTED, SHORT, Asker, Served, served_from

SECRET = "Sleep lost to homework costs more marks than it earns"
OTHER = "Practice at home makes what was learned at school stay"


@dataclass
class Pupil:
    """Somebody in the class."""

    asker: Asker
    room: str
    person: str
    code: str
    called: str

    async def me(self) -> Any:
        return await self.asker.get(f"{self.room}/me")

    async def does(self, what: str, **body: Any) -> Any:
        return await self.asker.post(f"{self.room}/me/{what}", body)

    async def upvotes(self, number: int, method: str = "PUT") -> tuple[int, Any]:
        return await self.asker.ask(method, f"{self.room}/me/upvotes/{number}")

    async def refused(self, what: str, **body: Any) -> str:
        status, problem = await self.asker.ask("POST", f"{self.room}/me/{what}", json=body)
        assert status == 422, (status, problem)
        return str(problem["detail"])


@dataclass
class AClass:
    """A class debate and its pupils."""

    served: Served
    room: str
    session: str
    code: str

    async def pupil(self, code: str = "") -> Pupil:
        place = await self.served.nobody.post("/class-places", {"code": code or self.code})
        assert place["debates"]
        asker = self.served.holder(place["token"])
        return Pupil(asker, self.room, place["person"], place["code"], place["name"])

    async def leader(self) -> Any:
        return await self.served.moderator.get(f"{self.room}/leader")

    async def shown(self) -> Any:
        return await self.served.moderator.get(self.room)

    async def start(self) -> None:
        await self.served.moderator.post(f"{self.room}/start")

    async def until(self, what: Any) -> Any:
        """What the room sees, once it is so."""
        async with asyncio.timeout(30):
            while True:
                if what(found := await self.shown()):
                    return found
                await asyncio.sleep(0.03)

    async def close_vote(self, when: str) -> None:
        await self.until(lambda room: room["vote"] and room["vote"]["when"] == when)
        await self.served.moderator.post(f"/sessions/{self.session}/votes/{when}/close")

    async def end_times(self) -> Any:
        """End every half's time as it comes, until the last vote."""
        async with asyncio.timeout(60):
            while True:
                room = await self.shown()
                if room["vote"] and room["vote"]["when"] == "after":
                    return room
                for time in room["open_for_arguments"]:
                    await self.served.moderator.post(f"{self.room}/end-time", {"turn": time["turn"]})
                await asyncio.sleep(0.02)


async def a_class(served: Served, **options: Any) -> AClass:
    long = {"argument_seconds": 600, "vote_seconds": 600}
    given = {"motion": "Homework should end", **SCRIPTED, **SHORT, **long, **options}
    made = await served.moderator.post("/class-debates", {"options": given})
    return AClass(served, f"/class-debates/{made['id']}", made["session"], made["code"])


async def pupils(room: AClass, n: int) -> tuple[list[Pupil], list[Pupil]]:
    """So many, those for and those against."""
    people = [await room.pupil() for _ in range(n)]
    sides = [(await one.me())["side"] for one in people]
    return (
        [one for one, side in zip(people, sides, strict=True) if side == "pro"],
        [one for one, side in zip(people, sides, strict=True) if side == "con"],
    )


async def test_a_class_debates_from_its_code_to_the_swing(served: Served) -> None:
    room = await a_class(served)
    pro, con = await pupils(room, 6)
    assert (len(pro), len(con)) == (3, 3)
    assert "opens when the debate begins" in await pro[0].refused("vote", side="pro")
    await pro[0].does("arguments", text=SECRET)
    await pro[1].does("arguments", text="Weak reason")
    number = next(a["number"] for a in (await pro[2].me())["arguments"] if a["text"] == SECRET)
    assert (await pro[2].upvotes(number))[0] == 200
    assert (await pro[2].upvotes(number))[0] == 200
    await con[0].does("arguments", text=OTHER)
    await room.start()
    await room.start()
    await room.until(lambda room: room["vote"])
    for one in (*pro, *con):
        await one.does("vote", side="undecided" if one is not con[0] else "con")
    assert (await room.shown())["vote"]["voted"] == 6
    await room.close_vote("before")
    await room.end_times()
    for one in pro:
        await one.does("vote", side="pro")
    await con[0].does("vote", side="con")
    await con[1].does("vote", side="undecided")
    await room.close_vote("after")
    shown = await room.until(lambda room: room["phase"] == "over")
    assert shown["swing"]["votes"]["voters"] == 5
    assert shown["swing"]["votes"]["winner"] == "pro"
    assert (shown["swing"]["to_pro"], shown["swing"]["to_con"], shown["swing"]["p"]) == (3, 0, 0.25)
    assert shown["swing"]["votes"]["only_before"]["undecided"] == 1
    credited = (await pro[0].me())["credits"]
    assert [(one["text"], one["given"], one["upvotes"]) for one in credited] == [(SECRET, "opening", 1)]
    said = [r.event for r in await served.app.log.read(room.session) if isinstance(r.event, Said)]
    assert [(s.to, s.text) for s in said if s.about == "argument" and s.text == OTHER] == [(("con",), OTHER)]


async def test_a_moderator_reads_which_arguments_are_of_one_person_but_not_of_whom(served: Served) -> None:
    room = await a_class(served)
    (one, *_), _ = await pupils(room, 2)
    for text in (SECRET, OTHER):
        await one.does("arguments", text=text)
    events = (await served.moderator.get(f"/sessions/{room.session}/events"))["events"]
    by = {event["event"]["by"] for event in events if event["event"].get("text") in (SECRET, OTHER)}
    assert len(by) == 1
    assert not by & {one.called, one.person}


async def test_who_says_what_and_how_anybody_votes_is_told_to_nobody(served: Served) -> None:
    room = await a_class(served)
    pro, con = await pupils(room, 4)
    await pro[0].does("arguments", text=SECRET)
    await room.start()
    await room.until(lambda room: room["open_for_arguments"] or room["vote"])
    await con[0].does("vote", side="con")
    for views in (await con[0].me(), await room.shown(), await pro[1].me(), await room.leader()):
        text = json.dumps(views)
        assert pro[0].called not in text or views.get("name") == pro[0].called
        assert pro[0].person not in text
    assert SECRET not in json.dumps([await con[0].me(), await room.shown()])
    assert SECRET in json.dumps((await room.leader())["arguments"]["pro"])
    assert SECRET in json.dumps(await pro[1].me())
    for someone in (con[0].asker, served.holder(room.code)):
        for path in (f"{room.room}/leader", f"/sessions/{room.session}/events", f"/sessions/{room.session}"):
            status, document = await someone.ask("GET", path)
            assert SECRET not in str(document), (status, path)
    voted = [r.event for r in await served.app.log.read(room.session) if isinstance(r.event, Voted)]
    names = {str(r.line().get("by")) for r in await served.app.log.read(room.session) if not isinstance(r.event, Voted)}
    assert not names & {vote.by for vote in voted}


async def test_the_class_votes_by_its_own_page_alone_and_each_once(served: Served) -> None:
    room = await a_class(served)
    pro, _ = await pupils(room, 2)
    await room.start()
    await room.until(lambda room: room["vote"])
    await pro[0].does("vote", side="pro")
    again = await room.pupil(pro[0].code)
    await again.does("vote", side="con")
    assert (await pro[0].me())["voted"] == {"before": "con"}
    assert (await room.shown())["vote"]["voted"] == 1
    status, problem = await pro[0].asker.ask("POST", f"/sessions/{room.session}/votes", json={"side": "pro"})
    assert (status, "by its code" in problem["detail"]) == (409, True)


async def test_upvotes_and_arguments_that_do_not_count_are_refused_with_a_sentence(served: Served) -> None:
    room = await a_class(served)
    pro, con = await pupils(room, 4)
    await pro[0].does("arguments", text=SECRET)
    (one,) = (await pro[0].me())["arguments"]
    assert "Your own" in str(await pro[0].upvotes(one["number"]))
    assert "no such argument" in str(await con[0].upvotes(one["number"]))
    assert "already" in await pro[1].refused("arguments", text=f"  {SECRET.upper()} ")
    await pro[1].refused("arguments", text="x" * 401)
    await pro[1].refused("arguments", text=" \u200b ")
    assert (await pro[1].upvotes(one["number"]))[0] == 200
    assert (await pro[1].me())["arguments"][0]["voted"]
    assert (await pro[1].upvotes(one["number"], "DELETE"))[0] == 200
    assert (await pro[1].me())["arguments"][0]["upvotes"] == 0
    for n in range(2):
        await pro[0].does("arguments", text=f"further reason {n}")
    assert (await pro[0].me())["may_send"] == 0
    assert "wait for the speaker" in await pro[0].refused("arguments", text="one too many")
    await served.moderator.post(f"{room.room}/strike", {"argument": one["number"]})
    assert SECRET not in json.dumps(await pro[1].me())


async def test_late_comers_take_the_places_of_those_who_left_and_the_room_is_full_once(served: Served) -> None:
    room = await a_class(served, people=4)
    pro, con = await pupils(room, 4)
    status, problem = await served.nobody.ask("POST", "/class-places", json={"code": room.code})
    assert (status, "All places are taken" in problem["detail"]) == (409, True)
    for one in pro:
        await one.does("leave")
    late = [await room.pupil() for _ in range(2)]
    assert [(await one.me())["side"] for one in late] == ["pro", "pro"]
    assert (await pro[0].me())["side"] is None
    assert "in no half" in await pro[0].refused("arguments", text="one more word")
    assert (await con[0].me())["people"] == 2


async def test_a_withdrawn_members_words_go_and_their_vote_stays_as_a_count_of_nobody_as_they_are_told(
    served: Served,
) -> None:
    room = await a_class(served)
    pro, con = await pupils(room, 4)
    await pro[0].does("arguments", text=SECRET)
    await pro[1].does("arguments", text="another reason that stays")
    await room.start()
    await room.until(lambda room: room["vote"])
    for one in (*pro, *con):
        await one.does("vote", side="pro")
    await room.close_vote("before")
    await room.until(lambda room: room["open_for_arguments"])
    assert (await pro[0].does("withdrawal"))["left"]
    assert SECRET not in json.dumps([await pro[1].me(), await room.leader()])
    held = "\n".join(json.dumps(r.line()) for r in await served.app.log.read(room.session))
    assert SECRET not in held
    assert "another reason that stays" in held
    await room.end_times()
    for one in (pro[1], *con):
        await one.does("vote", side="con")
    await room.close_vote("after")
    shown = await room.until(lambda room: room["phase"] == "over")
    assert (shown["swing"]["votes"]["voters"], shown["swing"]["to_con"]) == (3, 3)
    assert shown["swing"]["votes"]["only_before"]["pro"] == 1, "it is still counted, and so it is not called removed"
    for language in ("en", "de"):
        told = catalogue(language)["debated-withdraw-help"]
        assert {"en": "votes are counted without any name", "de": "Stimmen werden ohne jeden Namen"}[language] in told


async def test_nobody_comes_nobody_votes_and_the_debate_is_held_all_the_same(served: Served) -> None:
    room = await a_class(served, vote_seconds=1, argument_seconds=600)
    await room.start()
    shown = await room.until(lambda room: room["phase"] == "over")
    assert shown["swing"] is None
    assert (await served.moderator.get(f"/sessions/{room.session}"))["state"] == "finished"


async def test_a_person_of_the_half_speaks_and_has_the_arguments_before_them(served: Served) -> None:
    room = await a_class(served, pro="human", argument_seconds=1, max_rounds=0, heat=0.05, agenda=TOPIC)
    pro, con = await pupils(room, 4)
    await pro[1].does("arguments", text=SECRET)
    assert "somebody else does" in await con[0].refused("speak")
    assert (await pro[0].does("speak"))["speaks"]
    assert "somebody else does" in await pro[1].refused("speak")
    await room.start()
    await room.close_vote("before")
    turn = await _turn(pro[0], room.session)
    assert SECRET in json.dumps(turn)
    status, _ = await pro[1].asker.ask("GET", f"/sessions/{room.session}/turns")
    assert status == 403
    (number,) = [a["number"] for a in (await pro[1].me())["arguments"]]
    step = turn["step"].replace("/", "%2F")
    await pro[0].asker.post(
        f"/sessions/{room.session}/turns/{step}/answer", {"value": f"# 1\nSleep counts [{number}]."}
    )
    await room.until(lambda room: room["halves"]["pro"]["used"])
    assert (await pro[1].me())["credits"][0]["used"] == ["opening"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["leave", "withdrawal"])
async def test_a_speaker_who_leaves_the_class_leaves_no_typed_word_behind(served: Served, way: str) -> None:
    room = await a_class(served, pro="human", argument_seconds=1, max_rounds=0, heat=0.05, agenda=TOPIC)
    pro, _ = await pupils(room, 2)
    await pro[0].does("speak")
    await room.start()
    await room.close_vote("before")
    turn = await _turn(pro[0], room.session)
    path = f"/sessions/{room.session}/turns/{turn['step'].replace('/', '%2F')}/typed"
    await pro[0].asker.ask("PUT", path, json={"fields": {turn["fields"][0]["name"]: "Half a th"}})
    kept = f"typed {room.session} pro {turn['step']}"
    assert "Half a th" in await served.service.app.shared.remembered(kept)
    await pro[0].does(way)
    assert await served.service.app.shared.remembered(kept) == ""


TOPIC = [{"pro_concern": "rest", "con_concern": "practice", "scope": "Evenings."}]


async def _turn(pupil: Pupil, session: str) -> Any:
    async with asyncio.timeout(20):
        while True:
            if found := (await pupil.asker.get(f"/sessions/{session}/turns"))["turns"]:
                return found[0]
            await asyncio.sleep(0.05)


async def test_a_restart_in_the_middle_loses_nobody_and_nothing(tmp_path: Any) -> None:
    async with served_from(tmp_path) as served:
        room = await a_class(served)
        pro, con = await pupils(room, 4)
        await pro[0].does("arguments", text=SECRET)
        await room.start()
        await room.until(lambda room: room["vote"])
        await pro[0].does("vote", side="pro")
        tokens = [one.asker.token for one in (*pro, *con)]
    async with served_from(tmp_path) as served:
        again = AClass(served, room.room, room.session, room.code)
        found = [await served.holder(token).get(f"{room.room}/me") for token in tokens]
        assert [one["side"] for one in found] == ["pro", "pro", "con", "con"]
        assert found[0]["voted"] == {"before": "pro"}
        assert found[1]["arguments"][0]["text"] == SECRET
        assert (await again.shown())["phase"] in ("running", "paused")
        await again.close_vote("before")
        await again.end_times()


async def test_a_class_is_removed_when_it_is_over_and_the_debate_stays(served: Served) -> None:
    room = await a_class(served)
    pro, _ = await pupils(room, 2)
    await room.start()
    await room.until(lambda room: room["vote"])
    assert (await served.moderator.ask("DELETE", room.room))[0] == 409
    await served.moderator.post(f"/sessions/{room.session}/commands", {"command": "stop", "text": "the bell"})
    await room.until(lambda room: room["phase"] == "over")
    assert (await served.moderator.ask("DELETE", room.room))[0] == 204
    assert (await served.moderator.ask("GET", room.room))[0] == 404
    assert (await pro[0].asker.ask("GET", f"{room.room}/me"))[0] == 401
    assert (await served.moderator.get(f"/sessions/{room.session}"))["state"] == "stopped"


@pytest.mark.parametrize(("pro", "con", "p"), [(0, 0, None), (1, 0, 1.0), (5, 0, 0.0625), (8, 1, 0.0391), (3, 3, 1.0)])
def test_mcnemars_exact_p(pro: int, con: int, p: float | None) -> None:
    assert p_of(pro, con) == p
