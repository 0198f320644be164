"""The budget of the day: what was used today, and what running debates may still use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from elenchus.bot.bindings import Binding, Bindings
from elenchus.bot.debate.spending import RemainingBudget, Spent, committed, left_today
from elenchus.bot.guild import GuildSettings
from elenchus.debate_engine.events import (
    CallRecord,
    Event,
    Fed,
    Recorded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
)
from elenchus.debate_engine.log.memory import MemoryLog
from tests.fakes.memory_store import MemoryStore

NOW = datetime(2026, 8, 2, 12, tzinfo=UTC)


def begun(**budgets: float | None) -> SessionStarted:
    return SessionStarted(protocol="socrasynth", title="m", config={}, seats=(), seed=0, version="1", **budgets)  # type: ignore[arg-type]


def used(tokens: int, usd: float) -> StepDone:
    call = CallRecord(model="scripted:x", input_tokens=tokens, cost_usd=usd)
    return StepDone(step=f"s{tokens}", input_hash="", calls=(call,))


def at(days_ago: int, *events: Event) -> list[Recorded]:
    return [Recorded(seq=n, at=NOW - timedelta(days=days_ago), event=event) for n, event in enumerate(events, 1)]


def test_a_debate_that_has_ended_counts_with_what_it_used_today() -> None:
    ended = SessionStopped(reason="")
    assert committed("s", at(0, begun(budget_usd=9.0), used(100, 0.5), ended), NOW) == Spent(tokens=100, usd=0.5)
    assert committed("s", at(1, begun(budget_usd=9.0), used(100, 0.5), ended), NOW) == Spent()


def test_a_debate_that_goes_on_counts_with_all_that_it_may_use() -> None:
    events = at(0, begun(budget_usd=9.0, budget_tokens=1_000), used(100, 0.5))
    assert committed("s", events, NOW) == Spent(tokens=1_000, usd=9.0)
    assert committed("s", at(1, begun(budget_usd=9.0), used(100, 0.5)), NOW) == Spent(tokens=0, usd=8.5)


def test_a_persona_that_could_not_carry_out_what_it_was_given_holds_nothing_back() -> None:
    """Its model is away: it is given a budget again along with the next thing."""
    mind = SessionStarted(protocol="mind", title="greta", config={}, seats=(), seed=0, version="1", budget_usd=9.0)
    fed = Fed(by="anna", texts=("The ferry is late.",))
    away = SessionPaused(why="provider", reason="its model is away")
    resting = SessionPaused(why="rest", reason="it waits to be fed or asked")
    assert committed("s", at(0, mind, used(100, 0.5), resting, fed), NOW) == Spent(tokens=100, usd=9.0), "it begins now"
    assert committed("s", at(0, mind, resting, fed, SessionResumed(), used(100, 0.5)), NOW).usd == 9.0, "it is at work"
    assert committed("s", at(0, mind, used(100, 0.5), resting, fed, SessionResumed(), away), NOW).usd == 0.5
    assert committed("s", at(0, mind, away, fed), NOW).usd == 9.0, "it is given something again"


def test_a_persona_whose_process_died_holds_nothing_back() -> None:
    mind = SessionStarted(protocol="mind", title="greta", config={}, seats=(), seed=0, version="1", budget_usd=9.0)
    events = at(0, mind, used(100, 0.5))
    assert committed("s", events, NOW).usd == 9.0
    assert committed("s", events, NOW, unowned=True).usd == 9.0, "it may have begun just now"
    assert committed("s", events, NOW + timedelta(minutes=2), unowned=True).usd == 0.5
    assert committed("s", events, NOW + timedelta(minutes=2)).usd == 9.0


async def test_only_the_servers_own_debates_count_against_its_budget() -> None:
    log, bindings = MemoryLog(), Bindings(MemoryStore())
    for n, guild in enumerate((1, 1, 2)):
        await log.create(f"s{n}", begun(budget_usd=2.0))
        await bindings.put(Binding(session=f"s{n}", guild=guild, channel=1, thread=n, moderator=1))
    await bindings.put(Binding(session="deleted", guild=1, channel=1, thread=9, moderator=1))
    settings = GuildSettings(day_usd=5.0)
    assert await left_today(log, bindings, 1, settings) == RemainingBudget(usd=1.0)
    assert await left_today(log, bindings, 2, settings) == RemainingBudget(usd=3.0)
    assert await left_today(log, bindings, 1, GuildSettings()) == RemainingBudget()
