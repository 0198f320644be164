"""Named steps: looked up, run, recorded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import ChangedInput, DuplicateStep
from elenchus.debate_engine.events import Event, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.steps import Steps, hash_of
from tests.debate_engine.toy import toy_started


async def _steps(log: MemoryLog) -> Steps:
    own = await log.claim("s")
    recorded = await log.read("s")
    await own.release()
    return Steps(log, "s", own.epoch, recorded)


async def _new() -> tuple[MemoryLog, Steps]:
    log = MemoryLog()
    await log.create("s", toy_started())
    return log, await _steps(log)


def _effect(key: str, inputs: Any, calls: list[str]) -> Any:
    async def run() -> Sequence[Event]:
        calls.append(key)
        return [StepDone(step=key, input_hash=hash_of(inputs), inputs=inputs, result=len(calls))]

    return run


async def test_a_recorded_step_answers_from_the_log_and_its_effect_runs_once() -> None:
    log, steps = await _new()
    calls: list[str] = []
    first, fresh = await steps.run("a", [1], _effect("a", [1], calls))
    again, found_fresh = await (await _steps(log)).run("a", [1], _effect("a", [1], calls))
    assert (fresh, found_fresh) == (True, False)
    assert first == again
    assert calls == ["a"]


async def test_a_key_used_twice_in_one_run_is_an_error_that_names_it() -> None:
    _, steps = await _new()
    await steps.run("round/1", None, _effect("round/1", None, []))
    with pytest.raises(DuplicateStep, match="'round/1'"):
        await steps.run("round/1", None, _effect("round/1", None, []))


async def test_a_changed_input_under_a_recorded_key_is_an_error_that_names_both() -> None:
    log, steps = await _new()
    await steps.run("a", {"heat": 0.9}, _effect("a", {"heat": 0.9}, []))
    with pytest.raises(ChangedInput) as error:
        await (await _steps(log)).run("a", {"heat": 0.8}, _effect("a", {"heat": 0.8}, []))
    assert hash_of({"heat": 0.9}) in str(error.value)
    assert hash_of({"heat": 0.8}) in str(error.value)


async def test_a_cancelled_step_leaves_no_record() -> None:
    log, steps = await _new()
    started = asyncio.Event()

    async def forever() -> Sequence[Event]:
        started.set()
        await asyncio.Event().wait()
        return []

    task = asyncio.create_task(steps.run("a", None, forever))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not [r for r in await log.read("s") if isinstance(r.event, StepDone)]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_the_fingerprint_of_an_input_does_not_depend_on_the_order_of_keys(value: Any) -> None:
    def turned(node: Any) -> Any:
        if isinstance(node, dict):
            return {k: turned(node[k]) for k in reversed(node)}
        return [turned(item) for item in node] if isinstance(node, list) else node

    assert hash_of(value) == hash_of(turned(value))


@given(json_values, json_values)
def test_different_inputs_have_different_fingerprints(one: Any, two: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
    assert (hash_of(one) == hash_of(two)) == same
