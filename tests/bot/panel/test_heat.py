"""The heat buttons step from what the schedule will be, wherever the debate stands, and say so."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.bot.panel import content
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Recorded, now
from elenchus.debate_engine.protocols.socrasynth.heat import falling, upcoming
from elenchus.service.lab.session_status import SessionStatus
from tests.bot.people.seated import result_of, turn_for
from tests.bot.stage import DEMO, ENDLESS, Stage, texts, until
from tests.debate_engine.reports.debates import debated, started
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel


def status(*events: Event) -> SessionStatus:
    """The status of a debate in which this happened."""
    return SessionStatus.of("demo", [Recorded(seq=n, at=now(), event=e) for n, e in enumerate([started(), *events], 1)])


def gone_on_with(step: str, heat: float) -> ev.StepDone:
    return ev.StepDone(step=f"{step}/heat", input_hash="", result={"heat": heat, "set_by": []})


OPENING, FIRST = gone_on_with("opening", 0.9), gone_on_with("round/1", 0.75)


async def heats(stage: Stage, thread: Channel) -> list[float]:
    return [r.event.heat for r in await stage.events(thread) if isinstance(r.event, ev.HeatSet)]


async def pressed(stage: Stage, thread: Channel, button: str) -> str:
    return (await stage.alice.press(stage.panel(thread), button)).text


def test_the_schedule_is_the_engines_own() -> None:
    known: dict[int, float] = {0: 0.9}
    for n, heat in enumerate(falling(0.9, 1.2, 0.1, 5), 1):
        assert upcoming(known, 0.9, 1.2) == heat
        known[n] = heat
    assert upcoming({}, 0.9, 1.2) == 0.9


async def test_what_a_debate_goes_on_with_untouched_is_what_was_foretold() -> None:
    events = await debated()
    found = []
    for at, r in enumerate(events):
        if isinstance(r.event, ev.StepDone) and r.event.step.endswith("/heat"):
            coming = SessionStatus.of("demo", events[:at]).next_turn
            assert coming is not None
            assert coming.heat == pytest.approx(r.event.result["heat"])
            found.append(coming.turn)
    assert found[:2] == ["opening", "round 1"]
    assert found[-1] == "closing"
    assert SessionStatus.of("demo", events).next_turn is None


@pytest.mark.parametrize(
    ("events", "coming"),
    [
        ([], ("opening", 0.9, 0.9)),
        ([ev.HeatSet(by="x", heat=0.4)], ("opening", 0.9, 0.4)),
        ([OPENING], ("round 1", 0.75, 0.75)),
        ([OPENING, FIRST], ("round 2", 0.625, 0.625)),
        ([OPENING, FIRST, ev.HeatSet(by="x", heat=0.52)], ("round 2", 0.625, 0.52)),
        ([OPENING, gone_on_with("round/1", 0.11)], ("closing", 0.11 / 1.2, 0.11 / 1.2)),
        ([OPENING, gone_on_with("round/1", 0.11), ev.HeatSet(by="x", heat=0.2)], ("round 2", 0.11 / 1.2, 0.2)),
        ([OPENING, FIRST, ev.StepDone(step="rounds/ended", input_hash="", result="x")], None),
    ],
)
def test_the_next_turn_is_told_with_its_heat(events: list[Event], coming: tuple[str, float, float] | None) -> None:
    assert status(*events).next_turn == coming


def test_the_panel_shows_the_next_heat_and_what_it_would_have_been() -> None:
    def field(*events: Event) -> str:
        return next(f.value for f in content.shown(status(*events)).embed.fields if f.name == "Heat")

    assert field(OPENING, gone_on_with("round/1", 0.76)).endswith("0.76\nnext round 0.63")
    assert field(OPENING, gone_on_with("round/1", 0.76), ev.HeatSet(by="x", heat=0.53)).endswith(
        "next round 0.63 → 0.53"
    )
    assert field() == "the opening 0.90"


async def test_before_the_opening_heat_plus_heats_and_stops_at_the_end_of_the_scale(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        assert "the opening: 0.90 → 1.00" in await pressed(stage, thread, "Heat +")
        assert "1.00 already" in await pressed(stage, thread, "Heat +")
        assert "the opening: 1.00 → 0.90" in await pressed(stage, thread, "Heat −")
        assert await heats(stage, thread) == [1.0, 0.9]
        answer = await stage.alice.slash(thread, "debate heat", value=0.05)
        assert "0.90 → 0.05" in answer.text
        assert "0.05 → 0.00" in await pressed(stage, thread, "Heat −")
        assert "0.00 already" in await pressed(stage, thread, "Heat −")


@pytest.mark.parametrize("options", [{}, {"open_question": True}])
async def test_a_step_down_in_the_opening_is_from_the_first_rounds_heat(
    stage: Stage, bob: Person, options: dict[str, Any]
) -> None:
    """A person's open turn holds the debate in its opening; no model's speed is in this."""
    async with stage.running():
        thread = await stage.debate(con=bob.mention, pro=DEMO, judges=DEMO, **options)
        await turn_for(thread, bob, "the opening speech")
        assert "next round: 0.75 → 0.65" in await pressed(stage, thread, "Heat −")
        assert "next round: 0.65 → 0.75" in await pressed(stage, thread, "Heat +")
        assert await heats(stage, thread) == [0.65, 0.75]


async def test_a_step_in_a_round_is_from_the_next_rounds_heat_and_is_gone_on_with(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention, pro=DEMO, judges=DEMO, rounds=2)
        turn = await turn_for(thread, bob, "a refutation")
        assert "next round: 0.63 → 0.53" in await pressed(stage, thread, "Heat −")
        await bob.press(turn, "Pass")
        await turn_for(thread, bob, "a refutation", turn)
        assert (await result_of(stage, thread, "round/2/heat"))["heat"] == 0.53


async def test_once_the_rounds_are_over_there_is_no_heat_to_set(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=DEMO, con=DEMO, judges=f"{DEMO}, {ENDLESS}")
        await until(lambda: any("The rounds are over" in text for text in texts(thread)))
        assert "heat of the closings is settled" in await pressed(stage, thread, "Heat −")
        assert "heat of the closings is settled" in (await stage.alice.slash(thread, "debate heat", value=0.2)).text
        assert await heats(stage, thread) == []
