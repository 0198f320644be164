"""The plan of a session, by the name of its protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted


def planned(
    protocol: str,
    config: FrozenModel | Mapping[str, Any],
    seats: Sequence[Seat],
    pace_of: PaceOf = lambda _: Pace(),
    *,
    seed: int = 0,
) -> Plan:
    """What a session with these settings and seats asks at the most."""
    given = config.model_dump(mode="json") if isinstance(config, FrozenModel) else dict(config)
    started = SessionStarted(protocol=protocol, title="", config=given, seats=tuple(seats), seed=seed, version="")
    return plan_of(started, pace_of)
