"""What a sweep will ask of its models, at the most: the sweep rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.protocols.socrasynth.plan import StandIn
from elenchus.debate_engine.protocols.sweep.protocol import sweep
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
from elenchus.debate_engine.rehearsal import Pace, PaceOf, Plan, rehearse


def plan(cfg: SweepConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), *, seed: int) -> Plan:
    """The calls of a sweep with this seed in which everybody answers. Call it in a thread that runs no event loop."""
    started = SessionStarted(
        protocol="sweep",
        title=cfg.motion,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=seed,
        version="",
    )
    return rehearse(started, sweep, StandIn(cfg.debate), pace_of)
