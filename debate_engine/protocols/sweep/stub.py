"""The dry run of a sweep: a debate's stub models, of whom everybody answers."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.socrasynth import stub as debate
from elenchus.debate_engine.protocols.sweep.protocol import sweep
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig


def stub(cfg: SweepConfig) -> Stub:
    """Anybody in a sweep."""
    return debate.stub(cfg.debate)


def plan(cfg: SweepConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), *, seed: int) -> Plan:
    """The calls of a sweep with this seed in which everybody answers."""
    return plan_of("sweep", sweep, stub(cfg), cfg, seats, pace_of, seed=seed)
