"""The plan of a scene is what the scene asks for at the most."""

from __future__ import annotations

import asyncio
from collections import Counter

from tests.debate_engine.dry_run.planned import planned as plan
from tests.debate_engine.protocols.rulegen.stage import OFF, TASTING, Stage


async def test_a_scene_that_goes_to_its_limits_makes_the_planned_calls() -> None:
    yes = {"reason": "So.", "quotes": ["made up by the judge"], "present": "yes"}
    stage = Stage(TASTING, {"rulegen/supervise": OFF, "rulegen/evaluate": yes}, short_term=1)
    await stage.played()
    made = await asyncio.to_thread(plan, "rulegen", stage.cfg, stage.started().seats)
    planned = Counter({call.what: 0 for call in made.calls})
    for call in made.calls:
        planned[call.what] += call.count
    assert planned == Counter(call.prompt_id for call in stage.client.asked)
    assert made.count == len(stage.client.asked)
    assert made.seconds > 0


async def test_people_cost_no_calls() -> None:
    stage = Stage(TASTING, people={"Ada": lambda _: "Green."})
    made = await asyncio.to_thread(plan, "rulegen", stage.cfg, stage.started().seats)
    assert not [call for call in made.calls if call.seat == "Ada"]
