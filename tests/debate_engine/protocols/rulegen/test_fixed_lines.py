"""Fixed lines and measures as they are played: no model for a person, typed values beside what is said."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import StepDone, TurnOpened
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.protocols.rulegen.casting import asked, check_playable, with_fixed_lines
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF
from elenchus.debate_engine.protocols.rulegen.played import Outcome, Statement
from elenchus.debate_engine.protocols.rulegen.study.grid import SeatSpecs, seats_of
from elenchus.debate_engine.scenes.measures import Choice, Number
from elenchus.debate_engine.scenes.scene import Rule, Scene
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import NAMES, SYS, TELLS, Stage, scene

ASKS = Rule(
    mode="broadcast", purpose="FTO", initiator="Cleo", receivers=("Ada", "Ben"), content="asks for a price",
    says="{Ada}, {Ben} paid 48 for this tea. What is it worth?",
)  # fmt: skip
STATES = Rule(
    mode="broadcast", purpose="FEL", initiator="Ada", receivers=("Ben", "Cleo"), content="names the price",
    measures=("price", "tea"), says="It is worth {price}; I take {tea}.",
)  # fmt: skip
THANKS = Rule(
    mode="unicast", purpose="SDC", initiator="Cleo", receivers=("Ada",), content="thanks", says="{price} it is."
)
MEASURES = (
    Number(name="price", ask="How much?", unit="euros", low=0, high=99),
    Choice(name="tea", options=("green", "black")),
)


def priced(*more: Rule, outcome: str = "price > 24") -> Scene:
    """A price for a tea, after a number that means nothing."""
    return scene(SYS, ASKS, *more, STATES, THANKS).model_copy(update={"measures": MEASURES, "outcome": outcome})


def states(price: float = 30, tea: str = "green") -> dict[str, Any]:
    return {"price": price, "tea": tea}


async def test_a_person_plays_a_scene_of_fixed_lines_and_no_model_is_called() -> None:
    stage = Stage(priced(), people={"Ada": lambda _: states(30.5)}, judges=())
    played = await stage.played()
    assert not stage.client.asked
    assert [entry.content for entry in played.record] == [
        "Two teas stand here.",
        "Ada, Ben paid 48 for this tea. What is it worth?",
        "It is worth 30.5 euros; I take green.",
        "30.5 euros it is.",
    ]
    assert played.stated == (
        Statement(step="rule/3/turn/1/stated", rule=3, subject="Ada", measure="price", value=30.5, told="30.5 euros"),
        Statement(step="rule/3/turn/1/stated", rule=3, subject="Ada", measure="tea", value="green", told="green"),
    )
    assert played.outcomes == (Outcome(subject="Ada", rule="price > 24", value=True),)
    opened = [r.event.step for r in await stage.log.read("s") if isinstance(r.event, TurnOpened)]
    assert opened == ["consent/Ada", "rule/3/turn/1/stated"]


async def test_values_are_in_the_log_as_what_they_are() -> None:
    stage = Stage(priced(), people={"Ada": lambda _: states(30)}, judges=())
    await stage.played()
    (recorded,) = [
        r.event.result
        for r in await stage.log.read("s")
        if isinstance(r.event, StepDone) and r.event.step == "rule/3/turn/1/measures"
    ]
    assert [(one["measure"], one["value"]) for one in recorded] == [("price", 30.0), ("tea", "green")]


async def test_the_same_lines_reach_every_subject_whoever_it_is() -> None:
    person = await Stage(priced(), people={"Ada": lambda _: states()}, judges=()).played()
    model = Stage(priced(), {"rulegen/state": states()}, judges=())
    assert (await model.played()).record == person.record
    assert {call.prompt_id for call in model.client.asked} == {"rulegen/state"}, (
        "no plan, no supervision, no reflection"
    )


async def test_a_subject_that_is_a_model_states_by_the_form_and_is_told_nothing_hidden() -> None:
    stage = Stage(priced(NAMES, TELLS), {"rulegen/state": states(10, "black")}, judges=())
    played = await stage.played()
    assert [one.value for one in played.outcomes] == [False]
    assert played.stated[1].value == "black"
    asks = [ask for ask in await stage.asks() if ask.prompt_id == "rulegen/state"]
    assert asks
    assert leaks(stage.cfg, asks) == []
    for part in ("How much?", "paid 48", "names the price", "You live on the ground floor."):
        assert part in asks[0].text, part
    assert asks[0].answer_schema is not None
    assert asks[0].answer_schema["properties"]["price"]["maximum"] == 99


@pytest.mark.parametrize(
    "answer", [{"price": 500, "tea": "green"}, {"price": "dear", "tea": "green"}, {"tea": "green"}, "no"]
)
async def test_what_cannot_be_read_is_no_value_and_no_outcome(answer: Any) -> None:
    played = await Stage(priced(NAMES), {"rulegen/state": answer}, judges=()).played()
    assert {one.value for one in played.stated} == {None}
    assert all(one.why for one in played.stated)
    assert [one.value for one in played.outcomes] == [None]


async def test_a_line_that_needs_what_was_not_stated_is_not_said() -> None:
    played = await Stage(priced(NAMES), {"rulegen/state": "no"}, judges=()).played()
    assert [turn.silent for turn in played.turns if turn.rule == 5] == ["it needs what was not stated: price"]


async def test_a_person_may_speak_freely_where_no_model_sits() -> None:
    stage = Stage(
        priced(NAMES), people={"Ada": lambda ask: states() if ask.answer_schema else "The green one."}, judges=()
    )
    played = await stage.played()
    assert "The green one." in [entry.content for entry in played.record]


async def test_a_person_on_a_seat_with_fixed_lines_speaks_in_words_of_its_own() -> None:
    people = {"Ada": lambda _: states(), "Cleo": lambda _: "My own words."}
    played = await Stage(priced(), people=people, judges=()).played()
    assert [entry.content for entry in played.record if entry.origin == "Cleo"] == ["My own words."] * 2


def test_nobody_sits_where_all_lines_are_fixed() -> None:
    cast = SeatSpecs(confederate="openai:x", moderator="openai:x", other="openai:x", system="openai:x", judges=())
    fixed = priced()
    assert (asked(fixed), with_fixed_lines(fixed)) == (("Ada",), ("Cleo",))
    assert [seat.name for seat in seats_of(fixed, "human", cast)] == ["Ada"], "nor where nobody is asked for anything"
    values = fixed.model_copy(update={"rules": (ASKS, STATES.model_copy(update={"says": ""}))})
    for scene_of_values in (fixed, values):
        seats = seats_of(scene_of_values, "openai:y", cast)
        assert [seat.name for seat in seats] == ["Ada"], "values are nothing to supervise"
    assert [seat.name for seat in seats_of(priced(NAMES), "openai:y", cast)] == ["Ada", "system"]
    watching = cast.model_copy(update={"confederate": "human:bo"})
    assert [seat.name for seat in seats_of(fixed, "human", watching)] == ["Ada", "Ben"], "a person may sit and listen"
    check_playable(Stage(fixed, judges=()).cfg, {"Ada"})
    with pytest.raises(UsageError, match="nobody sits on system"):
        check_playable(Stage(priced(NAMES), judges=()).cfg, {"Ada"})
    check_playable(Stage(fixed, people={"Ada": lambda _: ""}, judges=()).cfg, {"Ada"})


async def test_the_debriefing_says_that_nobody_plays_who_says_nothing() -> None:
    stage = Stage(priced(), people={"Ada": lambda _: states()}, judges=())
    await stage.played()
    (told,) = [one.text for one in transcript(await stage.log.read("s")) if one.about == DEBRIEF]
    assert "Ben (the confederate): nobody: says nothing" in told
    assert "a language model" not in told


def test_an_outcome_is_told_as_people_write_it() -> None:
    told = [Outcome(subject="Ada", rule="price", value=value).told for value in (250.0, 1200, 0.5, True, False, None)]
    assert told == ["250", "1,200", "0.5", "yes", "no", "cannot be told, as something was not stated"]
