"""What sessions will ask for at the most, as values: calls to models, turns of people, the time they take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from elenchus.debate_engine.events import FrozenModel


class PlannedCalls(FrozenModel):
    """So many calls to the model of one seat with one prompt; tokens are estimates for all of them together."""

    seat: str
    what: str
    model: str
    count: int
    input_tokens: int
    output_tokens: int


class PlannedTurns(FrozenModel):
    """So many questions with one prompt to the person `who` (a spec) on one seat."""

    seat: str
    who: str
    what: str
    count: int


class Plan(FrozenModel):
    """What a session will ask for, at the most: calls to models, and `turns` of people.

    `seconds` is the time it takes at the given paces, waiting for people not counted; `chain` the number of calls of
    which each needs the one before; `said` how often somebody says something (`Said`).
    """

    calls: tuple[PlannedCalls, ...]
    seconds: float
    chain: int
    turns: tuple[PlannedTurns, ...] = ()
    said: int = 0

    @property
    def count(self) -> int:
        """All calls."""
        return sum(c.count for c in self.calls)

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output tokens of all calls."""
        return sum(c.input_tokens for c in self.calls), sum(c.output_tokens for c in self.calls)


class Pace(FrozenModel):
    """How fast a model answers: seconds before the first word, tokens a second in and out, calls at once.

    `context` bounds what it reads at once (tokens).
    """

    latency: float = 1.0
    reads: float = 5_000.0
    writes: float = 60.0
    at_once: int = 8
    context: int = 100_000


PaceOf = Callable[[str], Pace]
"""The pace of a model by its spec."""


def side_by_side(plans: Sequence[tuple[Plan, int]], pace_of: PaceOf, at_once: int | None = None) -> Plan:
    """All of these, each so many times; at most `at_once` of them at a time, None: all.

    The time is Graham's bound for jobs on places: the longest of them alone and, beside it, whichever takes longer: all
    calls on their providers' `at_once` places, or the other jobs on theirs. What is counted is summed, the chain is the
    longest.
    """
    kinds: dict[tuple[str, str, str], list[tuple[PlannedCalls, int]]] = defaultdict(list)
    for of, times in plans:
        for calls in of.calls:
            kinds[calls.seat, calls.what, calls.model].append((calls, times))
    totals = [_summed(kind) for kind in kinds.values()]
    longest = max(of.seconds for of, _ in plans)
    seconds = longest
    if sum(times for _, times in plans) > 1:
        others = sum(of.seconds * times for of, times in plans) - longest
        seconds += max(sum(_busy(totals, pace_of).values()), others / at_once if at_once else 0.0)
    return Plan(
        calls=tuple(totals),
        seconds=seconds,
        chain=max(of.chain for of, _ in plans),
        said=sum(of.said * times for of, times in plans),
        turns=tuple(
            turns.model_copy(update={"count": turns.count * times}) for of, times in plans for turns in of.turns
        ),
    )


def _busy(totals: Sequence[PlannedCalls], pace_of: PaceOf) -> dict[str, float]:
    """Seconds for which each provider's places are busy with all of these calls."""
    work: dict[str, float] = defaultdict(float)
    for calls in totals:
        pace = pace_of(calls.model)
        busy = calls.count * pace.latency + calls.input_tokens / pace.reads + calls.output_tokens / pace.writes
        work[calls.model.partition(":")[0]] += busy / pace.at_once
    return work


def _summed(kind: Sequence[tuple[PlannedCalls, int]]) -> PlannedCalls:
    """Calls of one seat's model with one prompt, each so many times."""
    first, _ = kind[0]
    counted = ("count", "input_tokens", "output_tokens")
    return first.model_copy(
        update={name: sum(times * getattr(calls, name) for calls, times in kind) for name in counted}
    )
