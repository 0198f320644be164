"""A scene that is interrupted goes on where it stopped, and comes to the same end."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import Guidance, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.scenes.scene import Rule
from tests.debate_engine.protocols.rulegen.stage import NAMES, OFF, TASTING, Stage, scene

TALK = Rule(
    mode="unicast", purpose="CON", initiator="Ben", receivers=("Ada",), content="discusses it with Ada, if asked"
)
EVENTFUL = scene(*TASTING.rules, TALK, NAMES)


def stage(people: dict[str, Any]) -> Stage:
    """Corrections, memories, recall and a conversation."""
    made = Stage(EVENTFUL, {"rule/5/turn/1/check/1": OFF}, people=people, short_term=1, recalled=1)
    made.commands["rule/3/turn/1/plan"] = [Guidance(by="mo", to=("Ada",), text="Take your time.")]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("people", [{}, {"Ada": lambda _: "I take black."}], ids=["models", "a person"])
async def test_a_scene_cut_off_anywhere_ends_as_if_undisturbed_and_repeats_no_recorded_call(
    people: dict[str, Any],
) -> None:
    whole = stage(people)
    outcome = await whole.played()
    events = await whole.log.read("s")
    given = next(r.seq for r in events if r.event.kind == "guidance")
    for cut in [*range(1, given, 7), *range(given, len(events), 3)]:
        resumed = stage(people)
        resumed.log = MemoryLog()
        await resumed.log.restore("s", events[:cut])
        if cut >= given:
            resumed.commands.clear()
        assert await resumed.played() == outcome, cut
        recorded = {r.event.step for r in events[:cut] if isinstance(r.event, StepDone)}
        assert not recorded & set(resumed.steps), cut


async def test_a_scene_goes_on_after_its_subject_has_been_forgotten_halfway() -> None:
    words = "I take the black one like my aunt Mathilda did"
    whole = stage({"Ada": lambda _: words})
    await whole.played()
    events = await whole.log.read("s")
    halfway = next(r.seq for r in events if getattr(r.event, "step", "") == "rule/6/turn/1/said")
    resumed = stage({"Ada": lambda _: "No more words."})
    resumed.commands.clear()
    resumed.log = MemoryLog()
    await resumed.log.restore("s", events[:halfway])
    assert await resumed.runner().forget("s", "Ada") > 0
    played = await resumed.played()
    assert "[redacted]" in [entry.content for entry in played.record]
    assert "Mathilda" not in "".join(r.event.model_dump_json() for r in await resumed.log.read("s"))


async def test_a_finished_scene_is_not_played_again() -> None:
    once = stage({})
    first: Run = await once.run()
    asked = len(once.steps)
    assert await once.run() == first
    assert len(once.steps) == asked
