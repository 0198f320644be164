"""People in any seat: they get the same ask, think for themselves, and are never corrected."""

from __future__ import annotations

from elenchus.debate_engine.events import Said, Seat, StepDone, TurnOpened
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.scenes.scene import Rule
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import BEN, NAMES, OFF, TASTING, TELLS, Stage, scene

DOUBTS = Rule(
    mode="unicast", purpose="CON", initiator="Ben", receivers=("Ada",), content="doubts her, if she took black"
)


LONG = "Ada: I take the black one, of course." + " Really." * 120


def black(_: Ask) -> str:
    return LONG


async def test_a_person_as_the_subject_is_heard_as_it_spoke_and_only_the_moderator_reads_the_note() -> None:
    stage = Stage(TASTING, {"rulegen/supervise": OFF}, people={"Ada": black}, corrections=1)
    played = await stage.played()
    turn = next(turn for turn in played.turns if turn.speaker == "Ada")
    assert turn.text == LONG
    assert (turn.sent_back, turn.shortened) == ((), False)
    assert turn.deviation is not None
    notes = [said for said in await stage.said() if said.about == DEVIATION and said.text.startswith("Ada")]
    assert [note.to for note in notes] == [("moderator",)]
    opened = [r.event.step for r in await stage.log.read("s") if isinstance(r.event, TurnOpened)]
    assert opened == ["consent/Ada", "rule/4/turn/1/answer/1"], "asked to agree, then once, and for nothing else"
    order = [r.event.step for r in await stage.log.read("s") if isinstance(r.event, StepDone | Said)]
    assert order.index("rule/4/turn/1/said") < order.index("rule/4/turn/1/check/1"), "nobody waits for the check"


async def test_a_person_reads_who_it_is_what_it_heard_and_its_rule_but_no_style_and_nothing_hidden() -> None:
    asked: list[Ask] = []

    def ben(ask: Ask) -> str:
        asked.append(ask)
        return "Green."

    stage = Stage(people={"Ben": ben})
    await stage.played()
    (ask,) = asked
    for part in (BEN.background, BEN.task, "words of rule/2", "tells who took green", "at most 100 words"):
        assert part in ask.text, part
    assert BEN.style not in ask.text
    assert leaks(stage.cfg, asked) == []


async def test_a_model_and_a_person_get_the_same_words_and_what_a_subject_sees_already_is_not_shown_again() -> None:
    model, person = Stage(scene(NAMES)), Stage(scene(NAMES), people={"Ada": black})
    await model.played()
    await person.played()
    one, other = [a for s in (model, person) for a in await s.asks() if a.step == "rule/1/turn/1/answer/1"]
    assert [part.text for part in other.material] == ["You are Ada."]
    assert other.material[0].text in one.material[0].text
    assert (one.task, one.role, one.answer_schema) == (other.task, other.role, None)


async def test_a_person_may_answer_that_a_condition_does_not_hold() -> None:
    people = {"Ben": lambda ask: {"reason": "she took green", "applies": False} if ask.answer_schema else "no"}
    played = await Stage(scene(NAMES, DOUBTS), people=people).played()
    assert played.turns[1].silent == "does not apply: she took green"


async def test_people_in_every_seat_play_a_whole_scene() -> None:
    people = dict.fromkeys(("Ada", "Ben", "Cleo"), lambda _: "Well then.")
    stage = Stage(people=people)
    played = await stage.played()
    assert [entry.content for entry in played.record][1:] == ["Well then."] * 4
    assert {call.prompt_id for call in stage.client.asked} == {"rulegen/supervise", "rulegen/evaluate"}


async def test_a_scene_without_a_debrief_cannot_be_played_with_people_but_by_models() -> None:
    bare = TASTING.model_copy(update={"debrief": ""})
    run = await Stage(bare, people={"Ada": black}).run()
    assert "there is no debrief" in run.reason
    assert (await Stage(bare).run()).state == "finished"


def test_the_settings_for_a_scene_follow_from_who_sits_where() -> None:
    specs = {"Ada": "human:bo", "Ben": "scripted:demo", "Cleo": "human", "system": "scripted:demo"}
    judges = ("judge-1", "judge-2")
    seats = [Seat(name=name, spec=specs.get(name, "scripted:demo")) for name in (*specs, *judges)]
    cfg = config_for(scene(TELLS), seats, corrections=1)
    assert (cfg.people, cfg.judges, cfg.corrections) == (("Ada", "Cleo"), judges, 1)
    assert cfg.target is not None
    assert cfg.target.name.casefold().startswith("bandwagon")
