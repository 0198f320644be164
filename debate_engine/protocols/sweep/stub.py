"""The dry run of a sweep over heats: a debate's stub models, who all answer."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig


def stub(config: SweepConfig) -> Stub:
    """Anybody in a dry run: a debate's stub models."""
    from elenchus.debate_engine.protocols.socrasynth import stub as debate

    return debate.stub(config.debate)


def plan(config: SweepConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), *, seed: int) -> Plan:
    """The calls of a sweep with this seed in which everybody answers."""
    from elenchus.debate_engine.dry_run.simulation import plan_of
    from elenchus.debate_engine.protocols.sweep.protocol import sweep

    return plan_of("sweep", sweep, stub(config), config, seats, pace_of, seed=seed)
