"""Who holds which place of a study: kept in the store, over all sessions on this log, in any number of processes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.run_ends import end_of

if TYPE_CHECKING:  # every process makes `StoredAllocation`, few play scenes
    from elenchus.debate_engine.protocols.rulegen.config import Assignment
    from elenchus.debate_engine.scenes.scene import Condition

NAMESPACE = "lots"
SEEDS = "lot-seeds"
"""Where the store keeps the places of each study, and the seed of its order."""

FEW = 8
"""Sessions whose states are asked for one by one; beyond that all are listed at once, which takes as long as ten."""
FRESH = 1.0
"""Seconds for which such a list is good: of a class of 300 who come to the lot together each would list all of them. A
place that comes back is then found a second later.
"""


async def assignment_of(
    store: KeyValueStore, study: str, holder: str, versions: Iterable[Condition], seed: int | None = None
) -> Assignment:
    """By which lot the session `holder` gets its version. A study's seed is drawn once, and known to nobody who plays.

    Raises StorageError.
    """
    from elenchus.debate_engine.protocols.rulegen.config import Assignment

    if seed is None:
        await store.add(SEEDS, study, {"seed": secrets.randbelow(2**31)})
        seed = int((await store.get(SEEDS, study) or {})["seed"])
    return Assignment(study=study, holder=holder, seed=seed, of=tuple(versions))


async def forget_lots(store: KeyValueStore, study: str) -> None:
    """Remove the places of a study that is gone, in all of its versions' draws. Raises StorageError."""
    for key in [*await store.all(f"{NAMESPACE}/{study}")]:
        await store.remove(f"{NAMESPACE}/{study}", key)
    await store.remove(SEEDS, study)


class StoredAllocation:
    """Places by study, number and turn: who takes a place that came back adds the next turn, so that of two one has it.

    A place comes back when its session was stopped, failed, ended early, or is gone; but not when it was played to its
    end, and removed only as its time was over.
    """

    def __init__(self, store: KeyValueStore, log: EventLog, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._log, self._clock = store, log, clock
        self._ended_early: dict[str, bool] = {}
        """Of sessions that have finished: whether early. That does not change any more."""
        self._drawing = defaultdict[str, asyncio.Lock](asyncio.Lock)
        self._listed: Mapping[str, str] = {}
        self._listed_at = 0.0

    async def draw(self, assignment: Assignment) -> int:
        """The first free place, held from now on by the assignment's holder. Raises StorageError.

        Within a process one draws after the other: of many who find the same place free, all but one would look again.
        """
        async with self._drawing[assignment.places]:
            return await self._drawn(assignment)

    async def _drawn(self, assignment: Assignment) -> int:
        from elenchus.debate_engine.protocols.rulegen.assignment import first_free

        while True:
            turns = await self._turns(assignment.places)
            if own := next((number for number, (_, who) in turns.items() if who == assignment.holder), 0):
                return own
            states = await self._states([who for _, who in turns.values()])
            held = [number for number, (_, who) in turns.items() if not await self._is_gone(who, states)]
            number = first_free({*held})
            turn = turns[number][0] + 1 if number in turns else 1
            key, holder = f"{number:06}/{turn:06}", {"session": assignment.holder}
            if await self._store.add(f"{NAMESPACE}/{assignment.places}", key, holder):
                return number

    async def _turns(self, places: str) -> dict[int, tuple[int, str]]:
        """The last turn of each place, and who has it."""
        found: dict[int, tuple[int, str]] = {}
        for key, held in (await self._store.all(f"{NAMESPACE}/{places}")).items():
            number, turn = map(int, key.split("/"))
            found[number] = (turn, str(held["session"]))
        return found

    async def _states(self, sessions: Collection[str]) -> Mapping[str, str]:
        """The states of these sessions, of those that are there; of many as they were a moment ago."""
        if len(sessions) > FEW:
            old = self._clock() - self._listed_at > FRESH
            if old or not self._listed.keys() >= set(sessions):  # one that is not listed may have been made since
                self._listed_at = self._clock()
                self._listed = {info.id: info.state for info in await self._log.sessions()}
            return self._listed
        found: dict[str, str] = {}
        for session in sessions:
            with suppress(UnknownSession):
                found[session] = (await self._log.info(session)).state
        return found

    async def _is_gone(self, session: str, states: Mapping[str, str]) -> bool:
        from elenchus.service.lab.removal_counts import was_played

        if (state := states.get(session)) is None:
            return not await was_played(self._store, session)
        if state != "finished":
            return state in ("stopped", "failed")
        if session not in self._ended_early:
            try:
                run = end_of(session, await self._log.read(session))
            except UnknownSession:  # deleted meanwhile
                return not await was_played(self._store, session)
            self._ended_early[session] = bool(run and isinstance(run.outcome, dict) and run.outcome.get("ended"))
        return self._ended_early[session]
