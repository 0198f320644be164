"""Histories of several processes, frozen and killed meanwhile, against the one order that the log itself gives.

The numbers of a session's events are a witness of the order in which everything happened. A history is linearisable
where that order fits each operation: it lies between its beginning and its end, an append under an epoch comes before
every later claim, what was refused was refused for a claim that there was, and a read is the whole log of one moment.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import Guidance, OwnerStarted, Recorded, now
from tests.storage.logs import Opener, said, started
from tests.storage.processes import Child, child

SESSIONS = ("s", "t")
PROCESSES, SECONDS = 4, 6.0


@dataclass(frozen=True)
class Operation:
    """One that was begun. `came` is ok, unknown, or the error; `until` is infinite where nobody lived to tell."""

    id: str
    does: str
    session: str
    epoch: int
    began: float
    until: float
    came: str
    numbers: tuple[int, ...] = ()


def operations(lines: Iterable[str]) -> list[Operation]:
    """What the processes told."""
    told: dict[str, dict[str, Any]] = {}
    for line in lines:
        if line.startswith("{") and line.endswith("}"):
            one = json.loads(line)
            told[one["id"]] = one
    return [
        Operation(
            one["id"], one["does"], one["session"], one["epoch"], one["from"], one.get("until", float("inf")),
            one.get("came", "unknown"), tuple(one.get("numbers", ())),
        )
        for one in told.values()
    ]  # fmt: skip


@dataclass(frozen=True)
class Log:
    """What a session's log says: where each operation's texts are, and each epoch's claim."""

    head: int
    written: Mapping[str, list[int]]
    claims: Mapping[int, int]

    @classmethod
    def of(cls, recorded: Sequence[Recorded]) -> Log:
        written: dict[str, list[int]] = defaultdict(list)
        claims: dict[int, int] = {}
        for r in recorded:
            if isinstance(r.event, Guidance):
                written[r.event.text.partition("/")[0]].append(r.seq)
            elif isinstance(r.event, OwnerStarted):
                claims[r.event.epoch] = r.seq
        return cls(len(recorded), written, claims)

    def places(self, one: Operation) -> list[int]:
        """The numbers of what an operation wrote."""
        if one.does == "claim":
            return [self.claims[one.epoch]] if one.came == "ok" and one.epoch in self.claims else []
        return self.written.get(one.id, [])


def faults(history: Sequence[Operation], recorded: Sequence[Recorded]) -> list[str]:
    """What keeps a session's history from being linearisable."""
    log = Log.of(recorded)
    if [r.seq for r in recorded] != list(range(1, log.head + 1)):
        return ["the numbers have gaps"]
    if list(log.claims) != sorted(log.claims):
        return ["epochs do not rise"]
    placed = [(one.began, one.until, there[0], there[-1]) for one in history if (there := log.places(one))]
    return [
        *(fault for one in history for fault in _misplaced(one, log)),
        *_out_of_order(placed),
        *_refused_for_nothing(history, log.claims),
        *_odd_reads(history, placed, log.head),
    ]


def _misplaced(one: Operation, log: Log) -> list[str]:
    """What is wrong with where one operation stands."""
    there, found = log.places(one), []
    if one.came in ("LostOwnership", "SessionHeld") and there:
        found.append(f"{one.id} was refused and is there")
    if one.came == "ok" and one.does in ("append", "send") and there != list(one.numbers):
        found.append(f"{one.id} was given {one.numbers} and is at {there}")
    if one.came == "ok" and one.does == "claim" and not there:
        found.append(f"{one.id} has epoch {one.epoch}, which is in no log")
    if there and there != list(range(there[0], there[0] + len(there))):
        found.append(f"{one.id} was torn apart: {there}")
    if one.does == "append" and there:
        later = [epoch for epoch, seq in log.claims.items() if seq < there[-1] and epoch > one.epoch]
        found += [f"{one.id} wrote under epoch {one.epoch} behind the claim of {epoch}" for epoch in later]
    return found


def _out_of_order(placed: list[tuple[float, float, int, int]]) -> list[str]:
    """Of two writes of which one had ended when the other began, the order in the log is that one."""
    latest = float("inf")
    found = []
    for began, until, first, _ in sorted(placed, key=lambda one: -one[2]):  # from the last in the log
        if began > latest:
            found.append(f"number {first} began after one behind it had ended")
        latest = min(latest, until)
    return found


def _refused_for_nothing(history: Sequence[Operation], claims: Mapping[int, int]) -> list[str]:
    """Whoever lost ownership lost it to a claim that had been begun."""
    begun = {one.epoch: one.began for one in history if one.does == "claim" and one.came == "ok"}
    return [
        f"{one.id} lost epoch {one.epoch} to nobody"
        for one in history
        if one.came == "LostOwnership"
        and not any(epoch > one.epoch and begun.get(epoch, 0.0) < one.until for epoch in claims)
    ]


def _odd_reads(history: Sequence[Operation], placed: list[tuple[float, float, int, int]], head: int) -> list[str]:
    """A read is the log from its beginning to one moment between the read's own beginning and end."""
    found = []
    for one in history:
        if one.does != "read" or one.came != "ok":
            continue
        seen = len(one.numbers)
        if list(one.numbers) != list(range(1, seen + 1)) or seen > head:
            found.append(f"{one.id} read {one.numbers}")
        found += [
            f"{one.id} lacks {first}, which had been written" for _, until, first, _ in placed
            if until < one.began and first > seen
        ]  # fmt: skip
        found += [
            f"{one.id} has {first}, which had not been begun" for began, _, first, _ in placed
            if began > one.until and first <= seen
        ]  # fmt: skip
    return found


async def _disturb(children: Sequence[Child], chance: random.Random) -> None:
    """Freeze one after the other for a moment, and kill the last one."""
    for _ in range(6):
        one = chance.choice(children)
        one.signal(signal.SIGSTOP)
        await asyncio.sleep(0.4)
        one.signal(signal.SIGCONT)
        await asyncio.sleep(0.3)
    children[-1].signal(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.kill
async def test_what_frozen_and_killed_processes_did_at_once_has_an_order(open_shared: Opener, tmp_path: Path) -> None:
    log = await open_shared(tmp_path / "home")
    for session in SESSIONS:
        await log.create(session, started())
    async with AsyncExitStack() as stack:
        children = [
            await stack.enter_async_context(
                child("history", tmp_path / "home", ",".join(SESSIONS), str(SECONDS), str(n),
                      function=open_shared.function)
            )
            for n in range(PROCESSES)
        ]  # fmt: skip
        for one in children:
            assert await one.line() == "ready"
        telling = asyncio.gather(*(one.rest() for one in children))
        await _disturb(children, random.Random(1))
        history = operations(line for lines in await telling for line in lines)
    done = [one for one in history if one.came == "ok"]
    assert {one.does for one in done} == {"claim", "append", "send", "read"}
    assert any(one.came == "LostOwnership" for one in history), "stale epochs were tried"
    print(f"{len(history)} operations, {len(done)} done, {len(history) - len(done)} refused or unknown")
    for session in SESSIONS:
        recorded = await log.read(session)
        assert faults([one for one in history if one.session == session], recorded) == []
    await log.aclose()


def _recorded(*events: object) -> list[Recorded]:
    return [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]  # type: ignore[arg-type]


def owner(epoch: int) -> OwnerStarted:
    return OwnerStarted(epoch=epoch, pid=1, host="h")


def op(name: str, does: str, epoch: int, times: tuple[float, float], came: str = "ok", *seqs: int) -> Operation:
    return Operation(name, does, "s", epoch, *times, came, seqs)


def test_a_history_that_has_no_order_is_found() -> None:
    recorded = _recorded(started(), owner(1), said("a/0"), owner(2), said("b/0"), said("c/0"))
    good = [
        op("x", "claim", 1, (0, 1)), op("a", "append", 1, (1, 2), "ok", 3), op("y", "claim", 2, (2, 3)),
        op("b", "append", 2, (3, 4), "ok", 5), op("c", "send", 0, (4, 5), "ok", 6),
        op("d", "append", 1, (4, 5), "LostOwnership"), op("r", "read", 0, (3, 5), "ok", 1, 2, 3, 4, 5),
    ]  # fmt: skip
    assert faults(good, recorded) == []

    def instead(*others: Operation) -> list[str]:
        return faults([*(one for one in good if one.id not in {o.id for o in others}), *others], recorded)

    assert "behind the claim" in str(instead(op("b", "append", 1, (3, 4), "ok", 5))), "a stale epoch wrote"
    assert "had ended" in str(instead(op("a", "append", 1, (5, 6), "ok", 3))), "the past was written to"
    assert "to nobody" in str(instead(op("d", "append", 2, (4, 5), "LostOwnership")))
    assert "refused and is there" in str(instead(op("c", "send", 0, (4, 5), "SessionHeld")))
    assert "lacks 3" in str(instead(op("r", "read", 0, (3, 5), "ok", 1, 2)))
    assert "not been begun" in str(instead(op("r", "read", 0, (2, 2.5), "ok", 1, 2, 3, 4, 5)))
