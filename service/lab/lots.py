"""Who holds which place of a study: kept in the store, over all sessions on this log, in any number of processes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.protocols.rulegen.assignment import first_free
from elenchus.debate_engine.protocols.rulegen.config import Assignment
from elenchus.debate_engine.runner import end_of
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.service.lab.retention import was_played

NAMESPACE = "lots"
SEEDS = "lot-seeds"
"""Where the store keeps the places of each study, and the seed of its order."""


async def assignment_of(
    store: KeyValueStore, study: str, holder: str, versions: Iterable[Condition], seed: int | None = None
) -> Assignment:
    """By which lot the session `holder` gets its version. A study's seed is drawn once, and known to nobody who plays.

    Raises StorageError.
    """
    if seed is None:
        await store.add(SEEDS, study, {"seed": secrets.randbelow(2**31)})
        seed = int((await store.get(SEEDS, study) or {})["seed"])
    return Assignment(study=study, holder=holder, seed=seed, of=tuple(versions))


class StoredLots:
    """Places by study, number and turn: who takes a place that came back adds the next turn, so that of two one has it.

    A place comes back when its session was stopped, failed, ended early, or is gone; but not when it was played to its
    end, and removed only as its time was over.
    """

    def __init__(self, store: KeyValueStore, log: EventLog) -> None:
        self._store, self._log = store, log

    async def draw(self, assignment: Assignment) -> int:
        """The first free place, held from now on by the assignment's holder. Raises StorageError."""
        while True:
            turns = await self._turns(assignment.places)
            if own := next((number for number, (_, who) in turns.items() if who == assignment.holder), 0):
                return own
            held = [number for number, (_, who) in turns.items() if not await self._is_gone(who)]
            number = first_free(held)
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

    async def _is_gone(self, session: str) -> bool:
        try:
            info = await self._log.info(session)
            if info.state != "finished":
                return info.state in ("stopped", "failed")
            run = end_of(session, await self._log.read(session))
        except UnknownSession:
            return not await was_played(self._store, session)
        return bool(run and isinstance(run.outcome, dict) and run.outcome.get("ended"))
