"""What a server's debates have used of its budget of the day: computed from their logs, so that nothing can drift."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.bindings import Binding
from bot.guild import GuildSettings
from bot.panel.board import Board
from debate_engine.errors import UnknownSession
from debate_engine.events import Recorded, Value
from debate_engine.log import EventLog, usage_of


class Spent(Value):
    """Tokens and US dollars with a known price."""

    tokens: int = 0
    usd: float = 0.0


class Left(Value):
    """What is left of the day's budget, None where there is no limit."""

    tokens: int | None = None
    usd: float | None = None


async def left_today(log: EventLog, bindings: Iterable[Binding], guild: int, settings: GuildSettings) -> Left:
    """The budget of the day less what was used today (UTC) and what running debates may still use."""
    if settings.day_usd is None and settings.day_tokens is None:
        return Left()
    spent = [await _of(log, binding.session) for binding in bindings if binding.guild == guild]
    tokens, usd = sum(s.tokens for s in spent), sum(s.usd for s in spent)
    return Left(
        tokens=None if settings.day_tokens is None else max(0, settings.day_tokens - tokens),
        usd=None if settings.day_usd is None else max(0.0, settings.day_usd - usd),
    )


async def _of(log: EventLog, session: str) -> Spent:
    try:
        return committed(session, await log.read(session), datetime.now(UTC))
    except UnknownSession:
        return Spent()


def committed(session: str, events: list[Recorded], at: datetime) -> Spent:
    """What a session has used on the day of `at`, and may still use if it has not ended."""
    today, usd = usage_of(r for r in events if r.at.date() == at.date())
    tokens = today.input_tokens + today.output_tokens
    board = Board.of(session, events)
    if not board.ended:
        used, dollars = usage_of(events)
        tokens += max(0, (board.most_tokens or 0) - used.input_tokens - used.output_tokens)
        usd += max(0.0, (board.most_usd or 0.0) - dollars)
    return Spent(tokens=tokens, usd=usd)
