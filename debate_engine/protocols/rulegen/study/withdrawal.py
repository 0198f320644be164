"""Who took back what they said: of such a session nothing counts and nothing is handed out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.events import ForgetAsked, Recorded, Redacted, SessionStarted, StepDone, Withdrawn
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.rulegen.config import config_in
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED
from elenchus.debate_engine.protocols.rulegen.people.retention import (
    RenewedConsent,
    end_reason,
    ended_at,
    renewed_consent,
)
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation


@dataclass(frozen=True, slots=True)
class Removed:
    """What is known of sessions that are gone: by session the day (ISO) on which it was taken back or not let be kept.

    After deception `declined` said that it is not to be kept, and `silent` did not say so: both are among the `days`.
    """

    days: Mapping[str, str] = field(default_factory=dict)
    declined: int = 0
    silent: int = 0


NONE_REMOVED = Removed()

WITHDRAWN = "withdrawn"
"""Why a run of somebody who withdrew ended early, whenever that was."""


def withdrawn_at(recorded: Sequence[Recorded]) -> datetime | None:
    """When somebody withdrew from this session, did not let it be kept, or a subject's words were, or are to be,
    forgotten. None: nobody did, or nothing was played that could be taken back.

    Where words were forgotten for somebody's name the log does not say on which seat they sat: then any subject whose
    name it does not have may be meant, and counts as withdrawn.
    """
    if end_reason(recorded)[0] in UNPLAYED:
        return None
    names = _subjects(recorded)
    return next((r.at for r in recorded if _is_withdrawal(r, names)), None)


def _is_withdrawal(r: Recorded, names: frozenset[str]) -> bool:
    match r.event:
        case Withdrawn() | StepDone(step="ended", result={"why": "not kept"}):
            return True
        case Redacted(seat=seat, name_only=False) | ForgetAsked(seat=seat, name_only=False):
            return seat in names
    return False


def _subjects(recorded: Sequence[Recorded]) -> frozenset[str]:
    """What people on a subject's seat may be called: the seat, their name, `REDACTED` for a name that is gone."""
    started = recorded[0].event if recorded else None
    if not isinstance(started, SessionStarted) or (cfg := config_in(started)) is None:
        return frozenset()
    roles = {role.name for role in cfg.scene.roles if role.kind == "subject"}
    seats = [seat for seat in started.seats if seat.name in roles and is_human(seat.spec)]
    names = {seat.spec.removeprefix(HUMAN).removeprefix(":") or REDACTED for seat in seats}
    return frozenset(names | {seat.name for seat in seats})


def renewed_consents(logs: Mapping[str, Sequence[Recorded]], removed: Removed) -> Counter[RenewedConsent]:
    """How many said yes, said no or kept silent when they were asked, after deception, whether it may be kept.

    Who still has the question before them is not counted.
    """
    found: Counter[RenewedConsent] = Counter(
        renewed_consent(recorded) for recorded in logs.values() if ended_at(recorded)
    )
    found["no"] += removed.declined
    found["silent"] += removed.silent
    del found[""]
    return found


def without_withdrawn(runs: Sequence[Observation], logs: Mapping[str, Sequence[Recorded]]) -> list[Observation]:
    """The runs; of those from which somebody withdrew no more than that, also where it was after the end."""
    gone = {session for session, recorded in logs.items() if withdrawn_at(recorded)}
    return [_emptied(one) if one.session in gone else one for one in runs]


def _emptied(one: Observation) -> Observation:
    kept = ("session", "role", "cell", "seed", "temperature", "others", "pilot", "began", "choices", "chosen")
    return Observation(**{name: getattr(one, name) for name in kept}, result="ended early", why=WITHDRAWN)
