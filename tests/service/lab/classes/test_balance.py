"""Versions are balanced among those who play, whoever leaves and whoever comes late."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hypothesis import example, given, settings, strategies as st

from elenchus.debate_engine.events import SessionFinished, SessionStarted
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.rulegen.assignment import drawn
from elenchus.service.lab.allocation import StoredAllocation, assignment_of
from tests.fakes.memory_store import MemoryStore

moves = st.lists(st.sampled_from(["comes", "comes", "comes", "leaves", "finishes"]), max_size=60)


@dataclass
class Class:
    """People who are drawn a version when they come to it, as in a class's sessions; two seconds pass between two."""

    versions: tuple[str, ...]
    seed: int
    log: MemoryLog = field(default_factory=MemoryLog)
    store: MemoryStore = field(default_factory=MemoryStore)
    playing: dict[str, str] = field(default_factory=dict)
    finished: dict[str, str] = field(default_factory=dict)
    came: int = 0

    def __post_init__(self) -> None:
        self.lots = StoredAllocation(self.store, self.log, lambda: 2.0 * self.came)

    async def comes(self) -> None:
        session, self.came = f"s{self.came}", self.came + 1
        await self.log.create(
            session, SessionStarted(protocol="rulegen", title="T", config={}, seats=(), seed=1, version="0")
        )
        lot = await assignment_of(self.store, "class-x", session, self.versions, self.seed)
        self.playing[session] = drawn(lot, await self.lots.draw(lot))

    async def ends(self, which: int, *, early: str) -> None:
        session = sorted(self.playing)[which % len(self.playing)]
        hold = await self.log.claim(session)
        await self.log.append(session, [SessionFinished(outcome={"ended": early})], hold.epoch)
        version = self.playing.pop(session)
        if not early:
            self.finished[session] = version

    def spread(self) -> int:
        """By how many the versions differ among those who play or have played."""
        found = Counter([*self.playing.values(), *self.finished.values()])
        sizes = [found[version] for version in self.versions]
        return max(sizes) - min(sizes)


@settings(max_examples=60)
@example(["comes"] * 11 + ["leaves", "comes"], 2, 47, 9)
@given(moves, st.integers(2, 6), st.integers(0, 10_000), st.integers(0, 1_000))
async def test_with_as_many_late_comers_as_leavers_versions_differ_by_one_at_the_most(
    told: list[str], n: int, seed: int, which: int
) -> None:
    room, gone = Class(tuple("abcdef"[:n]), seed), 0
    for step, move in enumerate(told):
        if move == "comes":
            await room.comes()
            gone = max(0, gone - 1)
        elif room.playing:
            await room.ends(which + step, early="vanished" if move == "leaves" else "")
            gone += move == "leaves"
        assert room.spread() <= 1 + gone, "each who leaves unbalances by one, until somebody has their place"
    for _ in range(gone):
        await room.comes()
    assert room.spread() <= 1
