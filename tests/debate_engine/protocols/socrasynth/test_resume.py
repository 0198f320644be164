"""A whole debate that is interrupted goes on where it stopped, and comes to the same end."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from tests.debate_engine.protocols.socrasynth.scripted_debate import ScriptedDebate


@pytest.mark.parametrize("settings", [{}, {"open_question": True, "agenda": ()}], ids=["motion", "open question"])
async def test_a_debate_cut_off_anywhere_ends_as_if_undisturbed_and_repeats_no_recorded_call(
    settings: dict[str, Any],
) -> None:
    whole = ScriptedDebate(max_rounds=2, compare_qa=True, **settings)
    outcome = await whole.debate()
    events = await whole.log.read("s")
    for cut in range(1, len(events), 5):
        resumed = ScriptedDebate(max_rounds=2, compare_qa=True, **settings)
        resumed.log = MemoryLog()
        await resumed.log.restore("s", events[:cut])
        assert await resumed.debate() == outcome, cut
        recorded = {r.event.step for r in events[:cut] if isinstance(r.event, StepDone)}
        assert not recorded & set(resumed.steps), cut
