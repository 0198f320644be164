"""What a forgotten person stated goes with their words: values, outcomes, times, and lines that were made of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from elenchus.debate_engine.events import EVENTS, Said, SessionFinished, SessionStarted
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.page_times import page_times
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.protocols.rulegen.study.observation import observations_in
from elenchus.debate_engine.scenes.measures import Choice, Number
from tests.debate_engine.protocols.rulegen.stage import Stage
from tests.debate_engine.protocols.rulegen.test_fixed_lines import priced

PRICE = 30.5


def stage(tea: str = "green") -> Stage:
    played = priced()
    plans = Choice(name="tea", options=("green", "Plan A", "Plan B"))
    played = played.model_copy(update={"measures": (Number(name="price", unit="euros", low=0, high=99), plans)})
    return Stage(played, people={"Ada": lambda _: {"price": PRICE, "tea": tea}}, judges=())


async def lines(stage: Stage) -> list[dict[str, Any]]:
    return [json.loads(EVENTS.dump_json(r.event)) for r in await stage.log.read("s")]


async def test_no_value_is_left_anywhere_once_a_person_is_forgotten() -> None:
    played = stage()
    await played.played()
    assert str(PRICE) in json.dumps(await lines(played)), "it stood there before"
    await played.runner().forget("s", "Ada")
    assert str(PRICE) not in json.dumps(await lines(played))
    told = ("said", "turn_answered", "session_finished")
    chosen = [line for line in await lines(played) if line["kind"] in told]
    assert "green" not in json.dumps(chosen), "a choice is a value, too"


async def test_the_outcome_of_a_forgotten_person_is_none_and_the_run_can_still_be_read() -> None:
    played = stage()
    await played.played()
    await played.runner().forget("s", "Ada")
    recorded = await played.log.read("s")
    (finished,) = [r.event for r in recorded if isinstance(r.event, SessionFinished)]
    outcome = Played.model_validate(finished.outcome)
    assert [(one.value, one.told) for one in outcome.stated] == [(None, ""), (None, "")]
    assert [one.value for one in outcome.outcomes] == [None]
    (seen,) = observations_in("s", recorded)
    assert (seen.outcome, set(seen.stated.values()), seen.seconds) == (None, {None}, {})
    assert (await played.runner().run("s")).state == "finished"


async def test_how_long_a_forgotten_person_took_is_told_no_more() -> None:
    played = stage()
    await played.played()
    assert [one.seat for one in page_times(await played.log.read("s"))] == ["Ada", "Ada"]
    await played.runner().forget("s", "Ada")
    assert page_times(await played.log.read("s")) == []


@pytest.mark.parametrize("way", ["Ada", "bo"])
async def test_forgetting_a_choice_of_two_words_leaves_the_scene_as_it_was(way: str) -> None:
    played = stage("Plan A")
    await played.played()
    await played.runner().forget("s", way)
    recorded = await played.log.read("s")
    first = recorded[0].event
    assert isinstance(first, SessionStarted)
    assert SceneConfig.model_validate(first.config).scene == played.cfg.scene
    assert not [r for r in recorded if isinstance(r.event, Said) and "Plan A" in r.event.text]


async def test_a_second_time_finds_nothing() -> None:
    played = stage()
    await played.played()
    await played.runner().forget("s", "Ada")
    assert await played.runner().forget("s", "Ada") == 0
