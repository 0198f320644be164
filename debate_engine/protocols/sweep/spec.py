"""What is known of a sweep outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.sweep.schemas import Sweep, SweepConfig
from elenchus.debate_engine.session import Session

NAME = "sweep"
CONFIG, OUTCOME = SweepConfig, Sweep
SPEECH_STEPS = r"heat/[\d.]+/(?:pro|con)/\d+/speech$"
"""A pattern of the steps whose answer is a speech that can be shown while it is written."""
STEP_WORDS: tuple[tuple[str, str], ...] = (
    (r"agenda/propose/", "proposes topics"),
    (r"agenda/refine/", "refines the topics"),
    (r"agenda/merge$", "merges both lists"),
    (r"agenda/review$", "reviews the agenda"),
    (r"agenda/approve$", "approves the agenda"),
    (r"agenda/concerns/", "names concerns"),
    (r"heat/[\d.]+/(pro|con)/\d+/speech$", "speaks"),
    (r"heat/[\d.]+/.*/(read|support)$", "reads a speech"),
)
"""What a seat does in a step: patterns of the step's key, and the words after the seat's name; the first counts."""


async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Run it; its code is imported when it is first run."""
    from elenchus.debate_engine.protocols.sweep.protocol import sweep

    return await sweep(session, config)


def stub(config: SweepConfig) -> Stub:
    """Anybody in a dry run: a debate's stub models."""
    from elenchus.debate_engine.protocols.socrasynth import stub as debate

    return debate.stub(config.debate)


def plan(config: SweepConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), *, seed: int) -> Plan:
    """The calls of a sweep with this seed in which everybody answers."""
    from elenchus.debate_engine.dry_run.simulation import plan_of

    return plan_of(NAME, run, stub(config), config, seats, pace_of, seed=seed)
