"""What a release has recorded, the next one reads to the same end.

`recorded_by_0.1/` holds a session of each kind, as `sessions export` writes it in `events.jsonl`:

    jq -c 'del(.seq, .at, .inputs?, .calls?) | if .host then .host = "" else . end'

A replay reaches every step by the key under which it was recorded, takes each answer in the form in which it was given,
and comes to the outcome that stands there. Where it does not, a session that an upgrade finds under way loses answers,
or is asked for them once more. A new field of an answer has a default therefore; another form, key or order of steps
is for sessions that begin with it, which a setting tells (a field of their config, whose default is how it was). As
long as 0.1 is not out, its files are recorded anew.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import SessionPaused
from elenchus.debate_engine.events import EVENTS, Recorded, SessionFinished, SessionStarted, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.steps import Replay

FILES = sorted((Path(__file__).parent / "recorded_by_0.1").glob("*.jsonl"))


class Nobody:
    """A seat that is never asked: the replay ends at the first step that is not recorded."""

    def most(self, _: Any) -> tuple[int, float]:
        return 0, 0.0


def _holds(now: Any, then: Any) -> bool:
    """Whether a JSON value is the recorded one, but for fields that came since."""
    if isinstance(then, dict):
        return all(key in now and _holds(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(_holds, now, then))
    return bool(now == then)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
async def test_what_0_1_recorded_comes_to_the_same_end(file: Path) -> None:
    events = [EVENTS.validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    record = [Recorded(seq=n, at=datetime.now(UTC), event=event) for n, event in enumerate(events, 1)]
    started, ended = events[0], events[-1]
    assert isinstance(started, SessionStarted)
    spec = spec_of(started.protocol)
    runner = Runner(MemoryLog(), {}, lambda _seat, _room: Nobody())  # type: ignore[arg-type,return-value]
    replay = Replay(runner.log, "s", record)
    session = runner.session("s", started, replay, RunState(started, record, replay))
    run = spec.runs(session, started.config, **{need: spec.dry.given[need] for need in spec.needs})
    if isinstance(ended, SessionFinished):
        outcome = await run
        assert spec.outcome_of(ended.outcome) is not None
        assert _holds(json.loads(json.dumps(outcome)), ended.outcome)
        assert {event.step for event in events if isinstance(event, StepDone)} <= replay.inputs.keys()
    else:  # a mind, which goes on from how it was after the last thing, and waits for more
        with pytest.raises(SessionPaused):
            await run


def test_there_is_a_recorded_session_of_each_kind_that_people_hold() -> None:
    assert {file.stem for file in FILES} == {"crit", "detect", "mind", "rldf", "rulegen", "socrasynth", "sweep"}
