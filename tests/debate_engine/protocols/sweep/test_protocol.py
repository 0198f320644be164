from __future__ import annotations

import asyncio

import pytest

from elenchus.debate_engine.events import Said, Seat, StepDone
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, Scripted
from elenchus.debate_engine.protocols.socrasynth.heat import band_of, describe
from elenchus.debate_engine.protocols.sweep.report import of_sweep
from elenchus.debate_engine.protocols.sweep.schemas import HEATS, SweepConfig
from tests.debate_engine.dry_run.planned import planned
from tests.debate_engine.protocols.sweep.made_sweeps import MOTION, SUPPORT, TEXTS, TOPICS
from tests.debate_engine.protocols.sweep.stage import SEATS, Stage, heat_of, plainly

TAKES = 2 * len(HEATS)


def prompt(call: Call) -> str:
    return "\n".join(message.content for message in call.messages)


async def test_both_sides_speak_and_are_read_at_every_heat() -> None:
    sweep = await Stage().outcome()
    assert [(t.heat, t.side) for t in sweep.takes] == [(heat, side) for heat in HEATS for side in ("pro", "con")]
    assert all(t.text == TEXTS[t.heat] and t.support == SUPPORT[t.heat] for t in sweep.takes)
    assert all(t.reading and t.reading.tone.quoted == "found" for t in sweep.takes)
    assert sweep.trend("support", "both").rho == -1.0
    assert sweep.row(0.9, "pro").numbers["risk_share"].mean == 1.0


async def test_all_speeches_are_in_flight_together_and_so_are_all_readings() -> None:
    stage = Stage(script=Script(latency=0.1))
    await stage.outcome()
    assert stage.speakers.most_in_flight == TAKES
    assert stage.evaluator.most_in_flight == 2 * TAKES


async def test_every_speaker_is_told_its_heat_the_one_agenda_and_the_other_sides_position() -> None:
    stage = Stage()
    await stage.outcome()
    for call in stage.speakers.asked:
        assert describe(heat_of(call)) in prompt(call)
        assert all(topic.title in prompt(call) for topic in TOPICS)
        holds = "to be rejected" if "/pro/" in call.step else "to be adopted"
        assert f"The other side holds that the motion is {holds}" in prompt(call)


async def test_no_speaker_hears_another() -> None:
    stage = Stage()
    await stage.outcome()
    for call in stage.speakers.asked:
        assert not any(text in prompt(call) for text in TEXTS.values())
    said = [
        r.event for r in await stage.log.read("sweep") if isinstance(r.event, Said) and r.event.speaker != "moderator"
    ]
    assert len(said) == TAKES
    assert {s.to for s in said} == {("moderator",)}


async def test_the_evaluator_is_blind_to_heat_and_side_also_when_a_speech_repeats_its_instruction() -> None:
    def telling(call: Call) -> str | dict[str, object] | Scripted | None:
        if call.prompt_id == "sweep/speak":
            return f"{describe(heat_of(call))}\n{TEXTS[heat_of(call)]}"
        return plainly(call)

    stage = Stage(answerer=telling)
    sweep = await stage.outcome()
    for call in stage.evaluator.asked:
        asked = prompt(call)
        assert "ontentious" not in asked
        assert band_of(heat_of(call)).tone not in asked
        assert "proponent" not in asked
        assert "opponent" not in asked
        assert TEXTS[heat_of(call)] in asked
    assert all(len(t.withheld) == 4 for t in sweep.takes)
    assert [t.measures for t in sweep.takes] == [t.measures for t in (await Stage().outcome()).takes]


async def test_a_speech_that_only_repeats_its_instruction_is_not_read_at_all() -> None:
    def parrot(call: Call) -> str | dict[str, object] | Scripted | None:
        return describe(0.9) if call.prompt_id == "sweep/speak" and heat_of(call) == 0.9 else plainly(call)

    stage = Stage(answerer=parrot)
    sweep = await stage.outcome()
    take = sweep.take(0.9, "pro")[0]
    assert (take.measures, take.reading, take.support) == (None, None, None)
    assert take.support_unread == "the speech only repeats its instruction"
    assert not [call for call in stage.evaluator.asked if heat_of(call) == 0.9]


async def test_a_quote_that_the_evaluator_made_up_is_marked_as_missing() -> None:
    def inventing(call: Call) -> str | dict[str, object] | Scripted | None:
        if call.prompt_id == "sweep/read":
            false = {"quote": "words that nobody said", "words": "harsh"}
            return {"tone": false, "emphasis": false, "language": {"quote": "", "words": "mild"}}
        return plainly(call)

    reading = (await Stage(answerer=inventing).outcome()).takes[0].reading
    assert reading is not None
    assert (reading.tone.quoted, reading.language.quoted) == ("missing", "none")


@pytest.mark.parametrize("fault", ["garbled", "empty", "refused", "truncated"])
async def test_an_unread_score_is_no_score_and_is_left_out(fault: str) -> None:
    def failing(call: Call) -> str | dict[str, object] | Scripted | None:
        lost = call.prompt_id == "sweep/support" and call.step.startswith("heat/0.90/pro/")
        return Scripted.model_validate({"fault": fault}) if lost else plainly(call)

    sweep = await Stage(answerer=failing).outcome()
    take = sweep.take(0.9, "pro")[0]
    assert take.support is None
    assert take.support_unread
    assert take.reading is not None
    assert sweep.row(0.9, "pro").numbers["support"].n == 0
    assert sweep.trend("support", "pro").n == len(HEATS) - 1
    assert "| 0.9 | pro | unread |" in "\n\n".join(of_sweep(sweep))


async def test_an_evaluator_that_cannot_be_reached_costs_its_readings_and_nothing_else() -> None:
    def away(call: Call) -> str | dict[str, object] | Scripted | None:
        return plainly(call) if call.prompt_id == "sweep/speak" else Scripted(fault="down")

    sweep = await Stage(answerer=away).outcome()
    assert all(t.support is None and t.reading is None and t.measures for t in sweep.takes)


async def test_a_refused_speech_is_shown_as_not_given() -> None:
    def refusing(call: Call) -> str | dict[str, object] | Scripted | None:
        return Scripted(fault="refused") if call.step == "heat/0.90/con/1/speech" else plainly(call)

    sweep = await Stage(answerer=refusing).outcome()
    assert sweep.take(0.9, "con")[0].declined
    assert (sweep.row(0.9, "con").spoken, sweep.row(0.9, "con").numbers["words"].mean) == (0, None)
    assert "no speech" in "\n\n".join(of_sweep(sweep))


async def test_the_agenda_is_agreed_once_for_all_heats() -> None:
    stage = Stage(SweepConfig(motion=MOTION, topics=2, samples=2))
    sweep = await stage.outcome()
    assert len(sweep.agenda) == 2
    assert sum(call.prompt_id.startswith("socrasynth/merge") for call in stage.speakers.asked) == 1
    speeches = [prompt(call) for call in stage.speakers.asked if call.prompt_id == "sweep/speak"]
    assert len(speeches) == 2 * TAKES
    assert all(topic.title in speech for topic in sweep.agenda for speech in speeches)


async def test_samples_are_speeches_of_their_own() -> None:
    stage = Stage(SweepConfig(motion=MOTION, agenda=TOPICS, heats=(0.9, 0.0), samples=3))
    sweep = await stage.outcome()
    assert [t.sample for t in sweep.take(0.9, "pro")] == [1, 2, 3]
    assert sweep.row(0.9, "pro").numbers["support"].n == 3
    assert set(stage.steps.values()) == {1}


async def test_the_log_holds_each_takes_numbers_as_soon_as_they_are_known() -> None:
    stage = Stage()
    await stage.outcome()
    done = {r.event.step: r.event.result for r in await stage.log.read("sweep") if isinstance(r.event, StepDone)}
    assert done["heat/0.90/pro/1/measured"]["support"] == 1
    assert done["heat/0.90/pro/1/measured"]["measures"]["found"]["polarising"] == ["unacceptable"]


async def test_a_finished_sweep_asks_nothing_again() -> None:
    stage = Stage()
    first = await stage.outcome()
    count = len(stage.asked)
    run = await stage.run()
    assert len(stage.asked) == count
    assert run.outcome == first.model_dump(mode="json")


async def test_a_resumed_sweep_asks_only_what_is_not_recorded_and_ends_the_same() -> None:
    whole = Stage()
    outcome = await whole.outcome()
    recorded = await whole.log.read("sweep")
    for cut in range(1, len(recorded), 7):
        answered = {r.event.step for r in recorded[:cut] if isinstance(r.event, StepDone)}
        stage = Stage(script=Script())
        await stage.start(recorded[:cut])
        run = await stage.run()
        assert run.outcome == outcome.model_dump(mode="json")
        assert stage.steps.keys() == whole.steps.keys() - answered
        assert set(stage.steps.values()) <= {1}


async def test_a_sweep_ends_also_when_three_calls_in_ten_fail() -> None:
    script = Script(faults=0.3, seed=3)
    cfg = SweepConfig(motion=MOTION, agenda=TOPICS, samples=3)
    stage = Stage(cfg, answerer=None, script=script)
    stage.limits.deadline = 0.2
    sweep = await stage.outcome()
    for take in sweep.takes:
        assert take.support is None or 1 <= take.support <= 10
        assert take.declined or take.support is not None or take.support_unread
        assert take.declined or take.reading is not None or take.reading_unread
    assert of_sweep(sweep)


async def test_filler_of_the_demo_model_goes_through_the_whole_sweep() -> None:
    sweep = await Stage(SweepConfig(motion=MOTION), answerer=None).outcome()
    assert all(t.text for t in sweep.takes)


async def test_the_plan_foretells_the_calls() -> None:
    cfg = SweepConfig(motion=MOTION, topics=2, samples=2)
    plan = await asyncio.to_thread(planned, "sweep", cfg, [Seat(name=name, spec="openai:x") for name in SEATS], seed=1)
    stage = Stage(cfg)
    await stage.outcome()
    assert plan.count == len(stage.asked)
    assert plan.chain == 6  # proposals, refinements, merge, review, speeches, readings
