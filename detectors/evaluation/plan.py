"""What a bench will ask of its models, at the most: it is rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from debate_engine.events import Seat, SessionStarted, Value
from debate_engine.llm.budget import estimate_tokens
from debate_engine.rehearsal import Pace, PaceOf, Plan, PlannedCalls, rehearse
from debate_engine.session import Session
from detectors.evaluation.running import run_bench
from detectors.evaluation.schemas import Sample, UnlabelledConfig
from detectors.plan import StandIn, Widest

CLASSES = 4
"""The texts of a detection bench fall into so many classes of like size; each is rehearsed with its longest."""


def plan(protocol: str, cfg: Value, seats: Mapping[str, str], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a bench in which nothing is kept yet and every screener names all that it may.

    Blocks, for a large bench some seconds; call it in a thread that runs no event loop.
    """
    if not isinstance(cfg, UnlabelledConfig) or len(cfg.samples) <= CLASSES:
        return rehearsed(protocol, cfg, seats, pace_of)
    classes = [
        (rehearsed(protocol, cfg.model_copy(update={"samples": (longest,)}), seats, pace_of), times)
        for longest, times in by_size(cfg.samples)
    ]
    return side_by_side(classes, pace_of)


def rehearsed(protocol: str, cfg: Value, seats: Mapping[str, str], pace_of: PaceOf) -> Plan:
    """The bench played through as it is. Blocks: about a millisecond a call."""

    async def run(s: Session, config: dict[str, Any]) -> dict[str, Any]:
        return await run_bench(protocol, s, config, Widest())

    started = SessionStarted(
        protocol=protocol,
        title="rehearsal",
        config=cfg.model_dump(mode="json"),
        seats=tuple(Seat(name=name, spec=spec) for name, spec in seats.items()),
        seed=0,
        version="",
    )
    return rehearse(started, run, StandIn(), pace_of)


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def by_size(samples: Sequence[Sample]) -> list[tuple[Sample, int]]:
    """`CLASSES` classes of like size: the longest text of each, and how many texts are in it."""
    ranked = sorted(samples, key=lambda sample: estimate_tokens(sample.text))
    ends = [len(ranked) * n // CLASSES for n in range(CLASSES + 1)]
    return [(ranked[end - 1], end - start) for start, end in pairwise(ends)]


def side_by_side(plans: Sequence[tuple[Plan, int]], pace_of: PaceOf) -> Plan:
    """All of these, each so many times, at once.

    The time is Graham's bound for jobs on a provider's `at_once` places: no longer than the longest of them alone and,
    provider by provider, all work divided by the places. Calls, tokens and chain are sums and a maximum.
    """
    kinds: dict[tuple[str, str], list[tuple[PlannedCalls, int]]] = defaultdict(list)
    for of, times in plans:
        for calls in of.calls:
            kinds[calls.seat, calls.what].append((calls, times))
    totals = [_summed(kind) for kind in kinds.values()]
    work: dict[str, float] = defaultdict(float)
    for calls in totals:
        pace = pace_of(calls.model)
        busy = calls.count * pace.latency + calls.input_tokens / pace.reads + calls.output_tokens / pace.writes
        work[calls.model.partition(":")[0]] += busy / pace.at_once
    return Plan(
        calls=tuple(totals),
        seconds=max(of.seconds for of, _ in plans) + sum(work.values()),
        chain=max(of.chain for of, _ in plans),
    )


def _summed(kind: Sequence[tuple[PlannedCalls, int]]) -> PlannedCalls:
    """Calls of one seat with one prompt, each so many times."""
    first, _ = kind[0]
    return PlannedCalls(
        seat=first.seat,
        what=first.what,
        model=first.model,
        count=sum(times * calls.count for calls, times in kind),
        input_tokens=sum(times * calls.input_tokens for calls, times in kind),
        output_tokens=sum(times * calls.output_tokens for calls, times in kind),
    )
