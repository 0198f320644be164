"""Named steps: looked up, run, recorded."""

from __future__ import annotations

import asyncio
import json
import logging
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import ChangedInput, DuplicateStep, NewerSchema
from elenchus.debate_engine.events import Event, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.steps import FIRST, RELEASE, Steps, hash_of, release_of, unknown_input
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


# ── releases beside each other ───────────────────────────────────────────────────────────────────────────────────────


async def _recorded_by(release: str, inputs: Any) -> MemoryLog:
    log, steps = await _new()
    done = StepDone(step="a", input_hash=hash_of(inputs, release), inputs=inputs, result="kept")
    await steps.append([done])
    return log


async def _reached_in(log: MemoryLog, inputs: Any, release: str) -> Any:
    """What the step gives in this release."""
    own = await log.claim("s")
    made = Steps(log, "s", own.epoch, await log.read("s"), release)
    await own.release()
    done, fresh = await made.run("a", inputs, _effect("a", inputs, []))
    assert isinstance(done, StepDone)
    assert not fresh
    return done.result


def test_the_release_is_that_of_the_package() -> None:
    version = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["version"]
    assert ".".join(version.split(".")[:2]) == RELEASE


@pytest.mark.parametrize("release", ["0.10", "0.11", "1.0"])
async def test_a_step_of_an_older_release_stands_and_that_is_told_once(
    release: str, caplog: pytest.LogCaptureFixture
) -> None:
    log, steps = await _new()
    for step in ("a", "b"):
        await steps.append([StepDone(step=step, input_hash=hash_of("old", "0.9"), inputs="old", result="kept")])
    own = await log.claim("s")
    made = Steps(log, "s", own.epoch, await log.read("s"), release)
    with caplog.at_level(logging.WARNING):
        for step in ("a", "b"):
            done, fresh = await made.run(step, "new", _effect(step, "new", []))
            assert isinstance(done, StepDone)
            assert (done.result, fresh) == ("kept", False)
    assert [r.message for r in caplog.records] == [
        "step 'a', at least, stands as Elenchus 0.9 recorded it: this one asks otherwise"
    ]


async def test_a_step_of_a_newer_release_is_left_to_it_unless_both_ask_alike() -> None:
    log = await _recorded_by("0.10", "new words")
    assert await _reached_in(log, "new words", "0.9") == "kept"
    with pytest.raises(NewerSchema) as error:
        await _reached_in(log, "old words", "0.9")
    assert str(error.value) == (
        "Step 'a' of session s was recorded by Elenchus 0.10, and 0.9 would ask otherwise: go on with 0.10."
    )


async def test_two_words_of_one_release_are_a_mistake_in_the_code_as_before() -> None:
    log = await _recorded_by("0.2", "words")
    with pytest.raises(ChangedInput):
        await _reached_in(log, "other words", "0.2")


@pytest.mark.parametrize("release", ["0.1", "0.2", "0.3", "0.4"])
async def test_a_step_whose_input_another_release_rewrote_stands_in_every_release(release: str) -> None:
    log, steps = await _new()
    await steps.append([StepDone(step="a", input_hash=unknown_input(release), inputs="[…]", result="kept")])
    assert await _reached_in(log, "words", "0.3") == "kept"
    assert release_of(unknown_input(release)) == release


@given(st.text(), st.tuples(st.integers(0, 9999), st.integers(0, 9999)).map(lambda two: f"{two[0]}.{two[1]}"))
def test_a_fingerprint_tells_its_release_whatever_else_may_stand_there(other: str, release: str) -> None:
    assert release_of(hash_of(None, release)) == release
    assert release_of(f"x{other}") == FIRST


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
