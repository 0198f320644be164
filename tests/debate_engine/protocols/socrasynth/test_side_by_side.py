"""What does not depend on each other is in flight together: shown by what each call has read, not by a clock.

`traced` finds in the log which call has read which (see `benchmarks/critical_path.py`); the plan of the same debate
says how many calls the program really waits for, one after the other, if as many may be in flight as it likes.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks.critical_path import asked, traced
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.socrasynth.stub import stub
from tests.debate_engine.dry_run.planned import planned as plan
from tests.debate_engine.protocols.socrasynth.scripted_debate import ScriptedDebate

JUDGES = ("judge-1", "judge-2", "judge-3")


async def held(seconds: float = 0.0, **settings: Any) -> tuple[ScriptedDebate, list[Recorded]]:
    """A debate that goes to its limits, between models whose sentences are all different; and its log."""
    session = ScriptedDebate(seconds=seconds, judges=JUDGES, **settings)
    stand_in = stub(session.cfg)
    session.client.answerer = lambda call: stand_in(asked(call))
    await session.debate()
    return session, await session.log.read("s")


@pytest.mark.parametrize(
    ("settings", "chain"),
    [
        ({"agenda": (), "topics": 2, "max_rounds": 2}, 4 + 1 + 2 * 4 + 1 + 4),
        ({"max_rounds": 3}, 1 + 3 * 4 + 1 + 4),
        ({"max_rounds": 2, "simultaneous": True}, 1 + 2 * 3 + 1 + 4),
        ({"max_rounds": 2, "coach": True, "compare_qa": True}, 1 + 2 * 4 + 1 + 4),
        ({"max_rounds": 1, "heat": 0.05}, 1 + 1 + 4),
    ],
    ids=["plain", "agenda by hand", "simultaneous", "coached and compared", "no rounds"],
)
async def test_a_debate_waits_for_no_call_that_it_does_not_need(settings: dict[str, Any], chain: int) -> None:
    """Agenda 4; openings 1; a round pro, con, reasons, scores; closings 1; a proposal with three reviews 4."""
    session, events = await held(**settings)
    assert max(call.depth for call in traced(events)) == chain
    planned = await asyncio.to_thread(plan, "socrasynth", session.cfg, session.started().seats, seed=1)
    assert planned.chain == chain


@pytest.mark.slow
async def test_judges_topics_configurations_and_validations_are_in_flight_together() -> None:
    session, events = await held(seconds=0.3, max_rounds=1)
    steps = [call.step for call in traced(events)]
    rulings = [step for step in steps if step.startswith("judging/")]
    assert len(rulings) == len(JUDGES) * 2 * len(session.cfg.agenda)
    closing = [f"closing/crit/reasons/{side}/closing" for side in ("pro", "con")]
    assert session.flew_together(*rulings, *closing, "conciliation/draft")
    for said in ("opening", "round-1"):
        validations = [s for s in steps if s.startswith("round/1/crit/validate/") and f"/{said}/" in s]
        assert len(validations) == 2 * 2 * len(session.cfg.agenda)
        assert session.flew_together(*validations)
    assert session.flew_together("round/1/pro", *(f"round/1/crit/reasons/{side}/opening" for side in ("pro", "con")))
    assert session.flew_together("round/1/done/pro", "round/1/done/con", "round/1/crit/reasons/con/round-1")
    assert session.client.most_in_flight >= len(rulings) + 3
