"""Sessions with people are removed by themselves when their time is over, or when somebody takes back what they said.

Removing is forgetting everybody in the session, as always, and then deleting it, with all that examined its words. What
is begun is noted first and can be done again from anywhere: whatever dies in between is finished at the next look. What
stays is a count.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import ElenchusError, SessionHeld, StorageError, UnknownSession, UsageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED, withdrawal_days
from elenchus.debate_engine.protocols.rulegen.people.retention import (
    UNKEPT,
    config_of,
    end_reason,
    ended_at,
    kept_until,
    names_of_people,
    renewed_consent,
    tally_of,
)
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import withdrawn_at
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab import codes, person_records, removal_counts
from elenchus.service.lab.codes import PROMISED

if TYPE_CHECKING:
    from elenchus.service.lab.personal_data import PersonalData

WITHDRAWN = "withdrawn"
"""Namespace: sessions that were withdrawn."""
BINDINGS = "bindings"
"""Where a bot keeps which sessions it shows: what it shows it removes itself."""
EVERY = 3_600.0
"""Seconds between two looks."""
PREPARING = timedelta(days=1)
"""How long a session may be promised before it is made."""

NO_SUCH_CODE = "This code is not known, or not any more: nothing was changed. Look whether it is typed as it was given."

_log = logging.getLogger(__name__)

Hide = Callable[[str], Awaitable[None]]
"""Removes what a front end shows of a session."""


@dataclass(frozen=True)
class Withdrawal:
    """Somebody took back what they said in this session of a scene (its title), on this day (ISO). No more is known."""

    session: str
    date: str
    scene: str


@dataclass(frozen=True)
class Retention:
    """Keeps what people were promised. `hide` is given by whoever shows sessions, and takes one out of where it is
    shown by them; what others show still is deleted by these. All raise StorageError.
    """

    people: PersonalData
    clock: Callable[[], datetime] = events.now
    hide: Hide | None = None

    async def promise(self, session: str) -> None:
        """Note, before it is made, that this session is to be removed one day."""
        await self.people.store.put(PROMISED, session, {"since": self.clock().isoformat()})

    @asynccontextmanager
    async def kept(self, every: float = EVERY) -> AsyncIterator[None]:
        """Inside, it is looked at once and again and again; the first look is finished, however short it is inside."""
        looked = asyncio.Event()
        task = asyncio.create_task(self.keep(every, looked), name="retention")
        try:
            yield
            await looked.wait()
        finally:
            await cancelled(task)

    async def keep(self, every: float = EVERY, looked: asyncio.Event | None = None) -> None:
        """Look at once and again and again, until cancelled; `looked` is set after each look.

        What goes wrong is told in the program's log.
        """
        while True:
            try:
                await self.sweep()
            except ElenchusError:
                _log.exception("what people were promised could not be kept; it is tried again")
            finally:
                if looked is not None:
                    looked.set()
            await asyncio.sleep(every)

    async def sweep(self) -> int:
        """Remove whatever is over its time, and finish what was begun; how many sessions are gone by that."""
        removed = 0
        for session in await self.people.pseudonyms.expected() if self.people.pseudonyms else ():
            try:
                await self.settle(session)
            except SessionHeld:
                continue
        for session, promised in (await self.people.store.all(PROMISED)).items():
            try:
                if promised.get("begun") or await self._is_due(session, promised["since"]):
                    removed += await self._remove(session)
            except SessionHeld:
                continue  # somebody uses it at this moment: at the next look
            except ElenchusError:
                _log.exception("a session could not be removed yet; it is tried again")
        return removed

    async def remove(self, session: str) -> bool:
        """Remove a session before its time, as at its time; whether nothing of it is left. What stays is a count.

        False: something shows it still, or it is used at this moment, and the rest goes at a later look.
        """
        await self._begin(session)
        try:
            return bool(await self._remove(session))
        except SessionHeld:
            return False

    async def _is_due(self, session: str, since: str) -> bool:
        try:
            info, recorded = await self.people.log.info(session), await self.people.log.read(session)
        except UnknownSession:  # deleted, or never made
            return self.clock() - datetime.fromisoformat(since) > PREPARING
        until = kept_until(recorded)
        return until is not None and self.clock() >= until and (info.owner is None or ended_at(recorded) is not None)

    # ── taking it back ───────────────────────────────────────────────────────────────────────────────────────────

    async def withdraw(self, code: str) -> bool:
        """Remove the session of whoever has this code; whether all of it is gone already.

        False: it is noted, and the rest goes as soon as whoever shows or uses the session comes to it, or at the next
        look. Until then the code finishes what was begun with it. Raises UsageError.
        """
        if (found := await codes.withdrawal_behind(self.people.store, code)) is None:
            raise UsageError(NO_SUCH_CODE)
        session = found[0]
        if not (await self.people.store.get(PROMISED, session) or {}).get("begun"):
            await self._begin_withdrawal(session)
        try:
            return bool(await self._remove(session))
        except StorageError:
            _log.info("session %s was taken back and could not be removed at once", session, exc_info=True)
            return False

    async def _begin_withdrawal(self, session: str) -> None:
        try:
            recorded = await self.people.log.read(session)
        except UnknownSession:
            raise UsageError(NO_SUCH_CODE) from None
        self._check_in_time(recorded)
        await self._note_withdrawal(session, recorded, self.clock())
        await self._begin(session)

    def _check_in_time(self, recorded: Sequence[Recorded]) -> None:
        cfg, end = config_of(recorded), ended_at(recorded)
        if cfg is None or end is None or self.clock() > end + timedelta(days=withdrawal_days(cfg)):
            raise UsageError("The time in which this could be taken back is over: write to whoever runs the study.")

    async def _note_withdrawal(self, session: str, recorded: Sequence[Recorded], when: datetime) -> None:
        cfg = config_of(recorded)
        note = {"date": when.date().isoformat(), "scene": cfg.scene.title if cfg else ""}
        await self.people.store.add(WITHDRAWN, session, note)

    async def withdrawals(self) -> list[Withdrawal]:
        """All that were taken back and are removed, or are to be."""
        known = await self.people.store.all(WITHDRAWN)
        return [Withdrawal(session, one["date"], one["scene"]) for session, one in known.items()]

    # ── removing ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _begin(self, session: str) -> None:
        """Note that it is to be done, whatever dies; from then on no code is needed, and no new one given."""
        await self.people.store.put(PROMISED, session, {"since": self.clock().isoformat(), "begun": True})

    async def _remove(self, session: str) -> int:
        """1 where nothing is left. The key goes first, as its entries are found by the log; the words go last."""
        await self._begin(session)
        with suppress(UnknownSession):  # it was deleted before something died
            recorded = await self.people.log.read(session)
            await self._count(session, recorded)
            await self.forget_keys(session, recorded)
            await person_records.remove(self.people.store, session=session)
            for name in names_of_people(recorded):
                await self.people.forget_in(session, name)
        if not await self._delete(session):
            return 0
        await codes.keep_secret_without_session(self.people.store, session)
        await codes.remove_withdrawal_codes(self.people.store, session)
        await self.people.store.remove(PROMISED, session)
        await self.settle(session)
        return 1

    async def _delete(self, session: str) -> bool:
        """Delete it, after whatever examines its words (which is found by its id, also where it is gone itself).

        False: something else shows one of them, and has to take it away.
        """
        for copy in await self.people.log.derived_from(session):
            if not await self._delete(copy):
                return False
        if self.hide is not None:
            await self.hide(session)
        if await self._is_shown(session):
            return False
        with suppress(UnknownSession):
            await self.people.log.delete(session)
        return True

    async def _is_shown(self, session: str) -> bool:
        shown = (await self.people.store.all(BINDINGS)).values()
        return any(one.get("session") == session for one in shown)

    async def _count(self, session: str, recorded: Sequence[Recorded]) -> None:
        """Keep a count of it, once; nothing but the day where somebody took it back, and that it may not be kept."""
        if await removal_counts.is_counted(self.people.store, session):
            return  # the words may be gone when it is done again
        unkept = UNKEPT.get(renewed_consent(recorded))
        taken = withdrawn_at(recorded) or (self.clock() if unkept else None)
        if taken is not None:
            await self._note_withdrawal(session, recorded, taken)
        if unkept:
            tally = tally_of(recorded) | {"version": "", "ended": unkept, "outcome": ""}
            await removal_counts.count(self.people.store, session, tally)
        elif await self.people.store.get(WITHDRAWN, session) is None:
            await removal_counts.count(self.people.store, session, tally_of(recorded))

    async def counts(
        self, scene: str, there: Collection[str] = (), among: Collection[str] | None = None
    ) -> Counter[tuple[str, str, str]]:
        """How many sessions of a scene (its title) are gone: see `removal_counts.counts`."""
        return await removal_counts.counts(self.people.store, scene, there, among)

    async def forget_keys(self, session: str, recorded: Sequence[Recorded]) -> None:
        """Take out of the key whoever is in this session and in no other. `recorded`: with their made-up names."""
        for name in {*filter(is_pseudonym, names_of_people(recorded)), *await self._expected(session)}:
            await self._forget_key(session, name)

    async def settle(self, session: str) -> None:
        """Of a session that is over, or gone, leave nobody in the key whom its log does not have; where nothing was
        played nobody at all, in either.
        """
        there: list[str] = []
        try:
            if (await self.people.log.info(session)).state not in ("finished", "stopped"):
                return
            recorded = await self.people.log.read(session)
            if end_reason(recorded)[0] in UNPLAYED:
                await self.forget_keys(session, recorded)
                for name in names_of_people(recorded):
                    await self.people.forget_in(session, name)
            there = names_of_people(await self.people.log.read(session))
        except UnknownSession:
            if await self.people.store.get(PROMISED, session) is not None:
                return  # it is being made
        for name in await self._expected(session):
            if name not in there:
                await self._forget_key(session, name)
        if self.people.pseudonyms is not None:
            await self.people.pseudonyms.expect_nobody(session)

    async def _forget_key(self, session: str, name: str) -> None:
        key = self.people.pseudonyms
        if key is not None and (account := await key.account_of(name)):
            await self.people.forget_key_of(account, session)

    async def _expected(self, session: str) -> Sequence[str]:
        key = self.people.pseudonyms
        return (await key.expected()).get(session, ()) if key is not None else ()
