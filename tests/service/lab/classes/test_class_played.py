"""A class from its lobby to what is shown, over the real log: what everybody sees of it, and what nobody does."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.protocols.rulegen.config import config_in
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.classes import Classes
from elenchus.service.lab.classes.live_class import LiveClass
from elenchus.service.lab.classes.shown import person_view, room_view, teacher_view
from tests.service.lab.classes.room import a_class, agreeing, come, in_stage, playing, press, until


async def test_a_class_of_twelve_and_three_robots_plays_is_debriefed_together_and_sees_what_was_kept(
    tmp_path: Path,
) -> None:
    async with a_class(tmp_path, people=12, bots=3, deception="omission", ethics_approval="the head") as (
        classes,
        live,
    ):
        progress, room = live.progress, live.progress.room.id
        people = await come(classes, live, 12)
        await until(live, lambda: len(progress.members) == 15)
        shown = room_view(progress)
        assert (shown.people, shown.places, shown.counts.here, shown.robots.here) == (12, 12, 12, 3)
        assert len(set(shown.names)) == 12
        assert {one.person.name for one in people} == set(shown.names), "robots stand in no list of people"
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing(10.0 + one.person.number) for one in people}):
            await in_stage(live, [*progress.members.values()], "waiting")
            told = teacher_view(progress, live.clock())
            assert [(row.version, row.counts.done) for row in told.versions] == [("high", 6), ("low", 6)]
            assert room_view(progress).names == (), "who sits where is shown to nobody once it has begun"
            assert not any(one.progress.debriefing for one in people), "nobody can tell a neighbour what it is about"
            await press(classes, live, "closed", "debrief")
            await in_stage(live, [*progress.members.values()], "played")
        assert all("This was about a number" in one.progress.debriefing for one in people)
        await press(classes, live, "revealed")
        await until(live, lambda: progress.revealed)
        found = progress.revealed
        assert found is not None
        assert (found.of, found.analysed, [group.n for group in found.groups]) == ("people", 12, [6, 6])
        assert [(one.citation, one.same, bool(one.ours)) for one in found.literature] == [
            ("Somebody (2001)", "task", True)
        ]
        assert {row.kind for row in found.robots} == {"answering robots"}
        assert sum(row.runs for row in found.robots) == 3
        own = person_view(progress, people[0]).own
        assert own is not None
        assert [one.told for one in own.answers] == [f"{10 + people[0].person.number} kilos"]
        files = (await classes.results(room)).files()
        assert files["runs.csv"].count(b"\n") == 13, "robots are no data"


async def test_a_robots_session_is_a_pilot_and_says_in_the_log_what_it_is(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=0, bots=2) as (classes, live):
        await until(live, lambda: len(live.progress.members) == 2)
        await press(classes, live, "playing")
        members = [*live.progress.members.values()]
        await in_stage(live, members, "waiting")
        started = (await live.parts.log.read(members[0].person.session))[0].event
        assert isinstance(started, SessionStarted)
        cfg = config_in(started)
        assert cfg is not None
        assert (cfg.pilot, started.seats[0].spec) == (True, "human:robot-1")


async def test_a_class_of_robots_alone_is_a_rehearsal_and_is_called_one(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=0, bots=12) as (classes, live):
        await until(live, lambda: len(live.progress.members) == 12)
        await press(classes, live, "playing")
        await in_stage(live, [*live.progress.members.values()], "waiting")
        await press(classes, live, "closed", "debrief")
        await in_stage(live, [*live.progress.members.values()], "played")
        await press(classes, live, "revealed")
        await until(live, lambda: live.progress.revealed)
        assert live.progress.revealed
        assert (live.progress.revealed.of, live.progress.revealed.analysed) == ("robots", 12)


@pytest.mark.parametrize("deception", ["omission", "none"])
async def test_who_says_nothing_after_being_misled_is_not_counted_and_who_was_not_misled_is(
    tmp_path: Path, deception: str
) -> None:
    async with a_class(tmp_path, people=7, deception=deception) as (classes, live):
        people = await come(classes, live, 7)
        await press(classes, live, "playing")
        silent = agreeing()
        says = {one.person.id: agreeing() for one in people[:5]}
        says |= {
            one.person.id: lambda turn: None if turn.step.endswith("/keep") else silent(turn) for one in people[5:]
        }
        async with playing(live, says):
            await in_stage(live, people, "waiting")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people[:5], "played")
            await in_stage(live, people[5:], "debrief", "played")
            told = teacher_view(live.progress, live.clock()).next[0].unfinished
            asks = "2 people have not said whether it may be kept"
            assert any(one.startswith(asks) for one in told) == (deception == "omission")
            await press(classes, live, "revealed")
            await until(live, lambda: live.progress.revealed)
        assert live.progress.revealed
        assert live.progress.revealed.analysed == (5 if deception == "omission" else 7)


async def test_who_withdraws_before_is_not_counted_and_who_withdraws_after_changes_nothing_that_was_shown(
    tmp_path: Path,
) -> None:
    async with a_class(tmp_path, people=8) as (classes, live):
        people = await come(classes, live, 8)
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing(90.0 - one.person.number) for one in people}):
            await in_stage(live, people, "waiting")
            await taking_part.withdraw(live, people[0])
            await in_stage(live, people[:1], "ended")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people[1:], "played")
        await taking_part.withdraw(live, people[1])
        await until(live, lambda: people[1].progress.withdrew)
        await press(classes, live, "revealed")
        await until(live, lambda: live.progress.revealed)
        before = live.progress.revealed
        assert before
        assert before.analysed == 6
        await taking_part.withdraw(live, people[2])
        await until(live, lambda: people[2].progress.withdrew)
        assert live.progress.revealed == before
        assert person_view(live.progress, people[2]).own is None
        assert person_view(live.progress, people[3]).own is not None
        logged = " ".join(r.event.model_dump_json() for r in await live.parts.log.read(people[2].person.session))
        assert '"weight":87' not in logged.replace(" ", "")
        await until(live, lambda: people[2].progress.debriefing)
        assert "87 kilos" not in people[2].progress.debriefing, "what this process remembers is read anew"


async def taken_home(classes: Classes, live: LiveClass) -> str:
    """All that a teacher takes home of the class, as one text."""
    files = (await classes.results(live.progress.room.id)).files()
    return "\n".join(f"{name}\n{body.decode(errors='replace')}" for name, body in files.items())


async def test_who_leaves_is_in_no_file_and_neither_is_who_was_too_late_or_said_no(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=9, deception="omission") as (classes, live):
        people = await come(classes, live, 9)
        leaver, late, unwilling, back = people[5:]
        await press(classes, live, "playing")
        says = {one.person.id: agreeing(11.0) for one in people[:5]}
        says |= {unwilling.person.id: agreeing(88.125, "no"), back.person.id: agreeing(77.125)}
        says |= {
            one.person.id: lambda turn: None if "rule/" in turn.step else agreeing()(turn) for one in (leaver, late)
        }
        async with playing(live, says):
            await in_stage(live, [*people[:5], unwilling, back], "waiting")
            await until(live, lambda: all(one.progress.version and one.progress.asked_now for one in (leaver, late)))
            await taking_part.leave(live, leaver)
            await in_stage(live, [leaver], "ended")
            assert leaver.progress.withdrew, "they were promised that what they wrote is removed"
            assert leaver.progress.debriefing, "and they are told all the same what it was about"
            await press(classes, live, "closed")
            await taking_part.withdraw(live, back)
            await press(classes, live, "debrief")
            await in_stage(live, people[:5], "played")
            await press(classes, live, "revealed")
            await until(live, lambda: live.progress.revealed)
        home = await taken_home(classes, live)
        for one in people[:5]:
            assert one.person.session in home
        for one in (leaver, late, unwilling, back):
            assert one.person.session not in home
        for word in ("88.125", "77.125"):
            assert word not in home, word
        for untrue in ("5 people took part", "5 people were asked once more", "0 said no", "0 of 5 who began"):
            assert untrue not in home, f"nine began, and four are no part of these files: {untrue}"
        assert home.count("whether as many were lost in every version cannot be told") == 2, "report and methods"


async def test_once_somebody_takes_it_back_after_the_reveal_nothing_is_handed_out_that_would_tell_it(
    tmp_path: Path,
) -> None:
    async with a_class(tmp_path, people=6, conditions=("high",)) as (classes, live):
        people = await come(classes, live, 6)
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing(10.0 * one.person.number) for one in people}):
            await in_stage(live, people, "waiting")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people, "played")
            await press(classes, live, "revealed")
            await until(live, lambda: live.progress.revealed)
        assert live.progress.revealed
        assert (live.progress.revealed.groups[0].n, live.progress.revealed.groups[0].mean) == (6, 35.0)
        assert people[5].person.session in await taken_home(classes, live)
        await taking_part.withdraw(live, people[5])
        await until(live, lambda: people[5].progress.withdrew)
        view = person_view(live.progress, people[5])
        assert (view.kept, view.withdrew, "withdraw" in view.may) == (None, True, False)
        with pytest.raises(UsageError, match="taken back what they said"):  # 6 × 35 − 5 × 30 is what they said
            await classes.results(live.progress.room.id)
        assert live.progress.revealed.groups[0].mean == 35.0, "what was shown stays"


async def test_of_fewer_than_five_nothing_is_shown(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=4) as (classes, live):
        people = await come(classes, live, 4)
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing() for one in people}):
            await in_stage(live, people, "waiting")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people, "played")
            await press(classes, live, "revealed")
            await until(live, lambda: live.progress.revealed)
        found = live.progress.revealed
        assert found
        assert (found.analysed, found.groups, found.effects) == (0, (), ())
        assert "Fewer than 5 answers were kept" in found.why


async def test_a_class_of_one_version_is_told_of_no_comparison_that_it_has_not_made(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=5, conditions=["high"]) as (classes, live):
        people = await come(classes, live, 5)
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing(10.0 + one.person.number) for one in people}):
            await in_stage(live, people, "waiting")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people, "played")
            await press(classes, live, "revealed")
            await until(live, lambda: live.progress.revealed)
        found = live.progress.revealed
        assert found
        assert (found.analysed, [group.n for group in found.groups], found.effects) == (5, [5], ())


async def test_an_answer_from_a_second_tab_is_taken_once_and_one_of_another_form_is_asked_again(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        (member,) = await come(classes, live, 1)
        await press(classes, live, "playing")
        await until(live, lambda: member.progress.asked_now)
        step = f"consent/{live.progress.room.subject}"
        with pytest.raises(UsageError, match="cannot be the answer"):
            await taking_part.answer(live.parts, member, step, {"agreed": "perhaps"}, "test")
        with pytest.raises(UsageError, match="not asked"):
            await taking_part.answer(live.parts, member, "rule/9/stated", {"agreed": "yes"}, "test")
        first = await taking_part.answer(live.parts, member, step, {"agreed": "yes"}, "test")
        second = await taking_part.answer(live.parts, member, step, {"agreed": "no"}, "test")
        assert (first, second) == (True, False)
        await in_stage(live, [member], "playing")


async def test_who_plays_when_it_is_closed_ends_kindly_and_is_told_with_the_others(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        people = await come(classes, live, 2)
        await press(classes, live, "playing")
        async with playing(live, {people[0].person.id: agreeing()}):
            await in_stage(live, people[:1], "waiting")
            await until(live, lambda: people[1].progress.asked_now)
            told = await classes.advance(live.progress.room.id, "closed", "teacher")
            assert not told.done
            assert told.unfinished == ("1 person is not done: their scenes end, and count nowhere.",)
            await press(classes, live, "closed")
            await in_stage(live, people, "waiting")
            assert person_view(live.progress, people[1]).waits_for == "debriefing"
            await press(classes, live, "debrief")
            await in_stage(live, people, "played", "ended")
        assert (people[0].progress.why, people[1].progress.why) == ("", "closed")
        assert "This was about a number" in people[1].progress.debriefing


async def test_who_has_to_go_is_told_at_once_and_who_leaves_in_the_middle_gives_their_place_to_a_late_comer(
    tmp_path: Path,
) -> None:
    async with a_class(tmp_path) as (classes, live):
        people = await come(classes, live, 2)
        await press(classes, live, "playing")
        with pytest.raises(taking_part.ClassFull):
            await classes.join(live.progress.room.id)
        assert teacher_view(live.progress, live.clock()).knocked == 1
        async with playing(live, {people[0].person.id: agreeing()}):
            await in_stage(live, people[:1], "waiting")
            await taking_part.leave(live, people[0])
            await in_stage(live, people[:1], "played")
            await until(live, lambda: people[1].progress.asked_now)
            await taking_part.leave(live, people[1])
            (late,) = await come(classes, live, 1)
            async with playing(live, {late.person.id: agreeing()}):
                await in_stage(live, [late], "waiting")
        assert (room_view(live.progress).people, live.progress.free) == (2, 0)
        assert late.progress.version != people[0].progress.version
