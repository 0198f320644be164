"""Forgetting a person: it begins here, for one session, whoever runs it, and for those that examine its words.

How a log is rewritten, and whose words go, is said in `redaction`; what else is kept on people, `lab.personal_data`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import SessionHeld, SessionPaused, StorageError, UnknownSession
from elenchus.debate_engine.events import ForgetAsked, Recorded, Redacted, SessionFinished, SessionStarted
from elenchus.debate_engine.log import RESCUED, EventLog, Ownership, state_of
from elenchus.debate_engine.privacy import fingerprints, redaction
from elenchus.debate_engine.privacy.authorship import people_in
from elenchus.debate_engine.privacy.mind_redaction import as_heard, names_beside
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.steps import Replay, ReplayEnded

if TYPE_CHECKING:
    from elenchus.debate_engine.runner import Runner

_log = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds for the process that runs a session to rewrite its log."""
LOOKS_EVERY = 0.1
"""Seconds between two looks whether it has."""


async def forget(runner: Runner, session_id: str, seat: str, *, name_only: bool = False) -> int:
    """Replace the words of the person on `seat` everywhere (see `redaction`); the number of texts changed.

    `name_only`: the person of that name took no part, and is taken off the seat.
    Sessions that examine this one's words are rewritten before it, so that a failure leaves nothing forgotten by
    halves: say it again. Raises SessionHeld while a process runs the session: send it a ForgetAsked instead.
    """
    own = await runner.log.claim(session_id)
    try:
        return await rewrite(runner, own, seat, name_only)
    finally:
        await own.release()


async def forget_wherever(runner: Runner, session_id: str, seat: str, *, by: str = "", name_only: bool = False) -> int:
    """The same, whether a process runs the session, which is asked then, or not; one may end in between.

    Raises UnknownSession, StorageError where that process does not do it within `PATIENCE`.
    """
    while True:
        try:
            return await forget(runner, session_id, seat, name_only=name_only)
        except SessionHeld:
            changed = await request_forgetting(runner.log, session_id, seat, by, name_only=name_only)
        if changed is not None:
            return changed
        if (await runner.log.info(session_id)).owner:
            raise StorageError(
                f"The process that runs {session_id} has not replaced these words within a minute: end it, then say "
                "this again."
            )


async def rewrite(runner: Runner, own: Ownership, seat: str, name_only: bool) -> int:
    """The same for a session that is owned by who calls."""
    log, session_id = runner.log, own.session_id
    await log.append(session_id, [], own.epoch)  # waits for what is still being written
    in_copies = await _forget_in_copies(runner, session_id, seat, name_only)  # first: they look the words up here
    recorded = await log.read(session_id)
    in_copies += await _forget_in_minds(runner, recorded, session_id, seat)
    before = await source_events(log, recorded)
    way = await asyncio.to_thread(redaction.redaction_for, recorded, seat, before, name_only)  # long for a long log
    rewritten = await asyncio.to_thread(way.rewritten, recorded)
    if state_of(recorded) == RESCUED:
        final = await asyncio.to_thread(fingerprints.without_prompts, rewritten, way)
    else:
        final = await _replayed(runner, session_id, recorded, rewritten, way)
    await log.rewrite(session_id, final, own.epoch)
    notice = redaction.notice([*before, *recorded], seat, way.strings, name_only)
    await log.append(session_id, [notice], own.epoch)
    return way.strings + in_copies


async def _replayed(
    runner: Runner, session_id: str, recorded: list[Recorded], rewritten: list[Recorded], way: redaction.Redaction
) -> list[Recorded]:
    """The rewritten record with fingerprints as a replay finds them, and the outcome that it comes to."""
    replay = Replay(runner.log, session_id, rewritten)
    started, before = rewritten[0].event, recorded[0].event
    assert isinstance(started, SessionStarted), "a log that lacks it is rescued"
    assert isinstance(before, SessionStarted)
    session = runner.session(session_id, started, replay, RunState(started, rewritten, replay))
    outcome = None
    try:
        outcome = await runner.protocols[started.protocol](session, started.config)
    except (ReplayEnded, SessionPaused):
        pass  # the record ends here, or the session waits to be asked for more
    except Exception:  # noqa: BLE001 - whatever a protocol raises, forgetting comes first; the steps reached so far are renewed
        _log.exception("session %s: the replay after forgetting somebody broke off", session_id)
    if outcome is not None and way.measured:
        rewritten = await asyncio.to_thread(fingerprints.as_replayed, rewritten, replay.inputs)
    final = await asyncio.to_thread(fingerprints.renewed, rewritten, replay.inputs, way.words)
    changed = bool(way.measured) or started.config != before.config
    if outcome is not None and changed:  # it may tell places in what changed
        final = with_outcome(final, outcome)
    return final


async def _forget_in_copies(runner: Runner, session_id: str, seat: str, name_only: bool) -> int:
    """The same in every session that examines this one's words; the number of texts changed there."""
    count = 0
    for copy in await runner.log.derived_from(session_id):
        count += await forget_wherever(runner, copy, seat, name_only=name_only)
    return count


async def _forget_in_minds(runner: Runner, recorded: Sequence[Recorded], session_id: str, seat: str) -> int:
    """The same in every mind that sits in this session: what it heard there of them, and their name in all that it has
    made of that; the number of texts changed.
    """
    first, count = recorded[0].event, 0
    minds = {one.mind for one in first.seats if one.mind} if isinstance(first, SessionStarted) else set()
    for mind in sorted(minds):
        with suppress(UnknownSession):
            heard = await runner.log.read(mind)
            theirs = as_heard(session_id, recorded, seat) & people_in(heard)
            for who in sorted(theirs):
                count += await forget_wherever(runner, mind, who)
            for name in sorted(names_beside(heard, theirs)):
                count += await forget_wherever(runner, mind, name, name_only=True)
    return count


async def source_events(log: EventLog, recorded: Sequence[Recorded]) -> list[Recorded]:
    """The events of the session whose words this one examines, those of its own source before them, and so on.

    One that was deleted has no words any more to look up.
    """
    first = recorded[0].event
    if not isinstance(first, SessionStarted) or not first.source:
        return []
    try:
        source = await log.read(first.source)
    except UnknownSession:
        return []
    return [*await source_events(log, source), *source]


async def request_forgetting(
    log: EventLog, session_id: str, who: str, by: str = "", *, name_only: bool = False
) -> int | None:
    """Ask the process that runs the session, and wait until it is done; the number of texts changed.

    None: it did not answer within `PATIENCE`, or runs the session no more. Raises UnknownSession, StorageError.
    """
    sent = await log.send(session_id, ForgetAsked(by=by or who, seat=who, name_only=name_only))
    until = monotonic() + PATIENCE
    while monotonic() < until:
        owned = (await log.info(session_id)).owner  # first: whoever leaves may have done it before
        news = await log.read(session_id, after=sent.seq)
        done = [r.event.strings for r in news if isinstance(r.event, Redacted)]
        if done and not is_waiting(await log.read(session_id), who):  # somebody else may be forgotten first
            return done[-1]
        if not owned:
            return None
        await asyncio.sleep(LOOKS_EVERY)
    return None


def is_waiting(recorded: Iterable[Recorded], who: str) -> bool:
    """Whether somebody of this name, or on this seat, is still to be forgotten. Pure."""
    return any(one.seat == who for one in redaction.to_forget(recorded))


def with_outcome(events: Sequence[Recorded], outcome: dict[str, Any]) -> list[Recorded]:
    """The events with this outcome where the session is finished. Pure."""
    return [
        r.model_copy(update={"event": r.event.model_copy(update={"outcome": outcome})})
        if isinstance(r.event, SessionFinished)
        else r
        for r in events
    ]
