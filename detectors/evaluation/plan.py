"""What a bench will ask of its models, at the most: it is rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

from elenchus.debate_engine.events import Seat, SessionStarted, Value
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.rehearsal import Pace, PaceOf, Plan, rehearse, side_by_side
from elenchus.detectors.evaluation.schemas import Sample, UnlabelledConfig
from elenchus.detectors.plan import StandIn, Widest

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
    spec = spec_of(protocol)
    run = partial(spec.runs, **({"library": Widest()} if spec.needs else {}))

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
