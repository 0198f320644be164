"""What a server's debates have used of its budget of the day: computed from their logs, so that nothing can drift."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

from elenchus.bot.bindings import Binding
from elenchus.bot.guild import GuildSettings
from elenchus.debate_engine.dry_run.estimate import summed
from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import (
    Attended,
    FrozenModel,
    GivenToMind,
    Recorded,
    SessionPaused,
    SessionStarted,
)
from elenchus.debate_engine.llm.budget import Budget
from elenchus.debate_engine.log import EventLog, calls_of
from elenchus.service.lab.mind_options import is_id_in
from elenchus.service.lab.minds import PROTOCOL, STILLBORN
from elenchus.service.lab.session_status import SessionStatus


class Spent(FrozenModel):
    """Tokens and US dollars; what has no known price counts by the ceiling that the session has for it."""

    tokens: int = 0
    usd: float = 0.0


class RemainingBudget(FrozenModel):
    """What is left of the day's budget, None where there is no limit."""

    tokens: int | None = None
    usd: float | None = None


async def left_today(
    log: EventLog, bindings: Iterable[Binding], guild: int, settings: GuildSettings
) -> RemainingBudget:
    """The budget of the day less what was used today (UTC) and what running debates, and personas that were given
    something, may still use.
    """
    if settings.day_usd is None and settings.day_tokens is None:
        return RemainingBudget()
    shown = [binding.session for binding in bindings if binding.guild == guild]
    minds = [i for i in await log.sessions() if i.protocol == PROTOCOL and is_id_in(str(guild), i.id)]
    spent = [await _of(log, session) for session in shown]
    spent += [await _of(log, mind.id, unowned=mind.owner is None) for mind in minds]
    tokens, usd = sum(s.tokens for s in spent), sum(s.usd for s in spent)
    return RemainingBudget(
        tokens=None if settings.day_tokens is None else max(0, settings.day_tokens - tokens),
        usd=None if settings.day_usd is None else max(0.0, settings.day_usd - usd),
    )


async def _of(log: EventLog, session: str, *, unowned: bool = False) -> Spent:
    try:
        return committed(session, await log.read(session), datetime.now(UTC), unowned=unowned)
    except UnknownSession:
        return Spent()


def committed(session: str, events: list[Recorded], at: datetime, *, unowned: bool = False) -> Spent:
    """What a session has used on the day of `at`, and may still use if it has not ended. `unowned`: nobody runs it."""
    status = SessionStatus.of(session, events)
    started = status.view.started
    ceiling = Budget(unpriced_usd=started.unpriced_usd if started else None)
    today = _spent((r for r in events if r.at.date() == at.date()), ceiling)
    if status.ended or _rests(status, events) or (unowned and events[-1].at < at - STILLBORN):
        return today
    used = _spent(events, ceiling)
    return Spent(
        tokens=today.tokens + max(0, (status.most_tokens or 0) - used.tokens),
        usd=today.usd + max(0.0, (status.most_usd or 0.0) - used.usd),
    )


def _rests(status: SessionStatus, events: list[Recorded]) -> bool:
    """Whether it is a mind that nobody has given anything since it was last at work: it is given a budget again when
    somebody does. What it has heard on a seat, and what it could not carry out, as its model was away, waits until then
    and holds nothing of the budget back.
    """
    started = status.view.started
    if started is None or started.protocol != PROTOCOL or status.state != "paused":
        return False
    since = takewhile(lambda event: not isinstance(event, SessionPaused), (r.event for r in reversed(events)))
    return not any(isinstance(event, GivenToMind) and not isinstance(event, Attended) for event in since)


def used_by(events: list[Recorded]) -> Spent:
    """What a session has used in all its life."""
    started = next((r.event for r in events if isinstance(r.event, SessionStarted)), None)
    return _spent(events, Budget(unpriced_usd=started.unpriced_usd if started else None))


def _spent(events: Iterable[Recorded], ceiling: Budget) -> Spent:
    calls = list(calls_of(events))
    each = [(call.input_tokens + call.output_tokens, call.cost_usd) for call in calls]
    return Spent(tokens=sum(n for n, _ in each), usd=sum(ceiling.dollars(n, usd) for n, usd in each))


def priced(cost: Mapping[str, Any], unpriced_usd: float | None) -> dict[str, Any]:
    """An estimate (see `dry_run.estimate`) in which what has no known price is counted by the ceiling for it."""
    ceiling = Budget(unpriced_usd=unpriced_usd)
    if cost["usd"] is not None or unpriced_usd is None:
        return dict(cost)
    spoken = [ceiling.dollars(row["input_tokens"] + row["output_tokens"], row["usd"]) for row in cost["by_seat"]]
    thought = [ceiling.dollars(row["reasoning_tokens"], row["reasoning_usd"]) for row in cost["by_seat"]]
    return {**cost, "usd": summed(spoken), "reasoning_usd": summed(thought)}
