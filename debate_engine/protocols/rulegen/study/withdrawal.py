"""Who took back what they said: of such a session nothing counts and nothing is handed out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from elenchus.debate_engine.events import ForgetAsked, Recorded, Redacted, SessionStarted, StepDone, Withdrawn
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.privacy.authorship import REDACTED
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED
from elenchus.debate_engine.protocols.rulegen.people.retention import end_reason
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation, config_in

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


def without_withdrawn(runs: Sequence[Observation], logs: Mapping[str, Sequence[Recorded]]) -> list[Observation]:
    """The runs; of those from which somebody withdrew no more than that, also where it was after the end."""
    gone = {session for session, recorded in logs.items() if withdrawn_at(recorded)}
    return [_emptied(one) if one.session in gone else one for one in runs]


def _emptied(one: Observation) -> Observation:
    kept = ("session", "role", "cell", "seed", "temperature", "others", "pilot", "began", "choices")
    return Observation(**{name: getattr(one, name) for name in kept}, result="ended early", why=WITHDRAWN)
