"""How long a session with people is kept, how it ended for each of them, and what of it is counted. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from pydantic import ValidationError

from elenchus.debate_engine.events import (
    OwnerStarted,
    Recorded,
    Redacted,
    SessionFailed,
    SessionFinished,
    SessionStarted,
    SessionStopped,
    StepDone,
    TurnOpened,
    Withdrawn,
)
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from elenchus.debate_engine.protocols.rulegen.assignment import as_played
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, config_in
from elenchus.debate_engine.protocols.rulegen.played import EndReason, Played

_KEEP = re.compile(r"consent/.+/keep")

DEMONSTRATION = timedelta(hours=24)
"""After its end nothing is left of a demonstration; nor of a scene that misled and that nobody agreed to since."""

PLAYED = "played"
"""How a session that was played to its end is counted."""

RenewedConsent = Literal["", "yes", "no", "silent"]
"""What who was misled answered, once told of it, to whether it may be kept; "" where nobody was asked."""
UNKEPT: dict[RenewedConsent, str] = {"no": "not kept", "silent": "no answer whether it may be kept"}
"""How a session is counted of which nothing is kept for that."""

Ending = Literal["complete", "screened", "withdrew", "timed out"]
"""How it ended for somebody who took part."""
_ENDINGS: dict[EndReason, Ending] = {
    "no consent": "screened",
    "screened": "screened",
    "withdrawn": "withdrew",
    "vanished": "timed out",
}


def config_of(recorded: Sequence[Recorded]) -> SceneConfig | None:
    """The settings of a scene with people, None for any other session."""
    started = recorded[0].event if recorded else None
    cfg = config_in(started) if isinstance(started, SessionStarted) else None
    return cfg if cfg and (cfg.people or cfg.human_judges) else None


def end_reason(recorded: Sequence[Recorded]) -> tuple[EndReason, str]:
    """Why a scene ended early, and because of which seat; "" twice where it did not, or has not ended."""
    steps = (r.event for r in recorded if isinstance(r.event, StepDone) and r.event.step == "ended")
    for step in steps:
        if isinstance(step.result, dict):
            return step.result["why"], step.result["seat"]
    return "", ""


def renewed_consent(recorded: Sequence[Recorded]) -> RenewedConsent:
    """What its subjects answered: one no is a no, and a silence that is left is none the less no yes.

    Who withdrew instead of answering is not counted here.
    """
    events = [r.event for r in recorded]
    asked = [one.step for one in events if isinstance(one, TurnOpened) and _KEEP.fullmatch(one.step)]
    if not asked or any(isinstance(one, Withdrawn) for one in events):
        return ""
    results = {one.step: one.result for one in events if isinstance(one, StepDone)}
    given = [_agreed(results.get(step)) for step in asked]
    return "no" if "no" in given else "yes" if set(given) == {"yes"} else "silent"


def _agreed(result: object) -> str:
    """Yes or no as a step recorded it, "" for anything else."""
    match result:
        case {"value": {"agreed": "yes" | "no" as agreed}}:
            return str(agreed)
    return ""


def ended_at(recorded: Sequence[Recorded]) -> datetime | None:
    """When the session ended, None where it has not."""
    over = (SessionFinished, SessionStopped, SessionFailed)
    return next((r.at for r in reversed(recorded) if isinstance(r.event, over)), None)


def kept_until(recorded: Sequence[Recorded]) -> datetime | None:
    """When the session is to be removed; None for one that keeps no promise to people.

    One that never ends counts from the last that happened in it. A subject who was misled and has not said since that
    it may be kept, is kept no longer than in a demonstration; who said no, no longer than that.
    """
    cfg = config_of(recorded)
    if cfg is None or not cfg.mode:
        return None
    later = (r.at for r in reversed(recorded) if not isinstance(r.event, OwnerStarted | Redacted))
    end = ended_at(recorded)
    last = end or next(later, recorded[-1].at)
    why, _ = end_reason(recorded)
    if why == "not kept":
        return last
    agreed = end is not None or not cfg.misled
    if cfg.mode == "study" and cfg.terms and agreed and why not in _ENDINGS:
        return last + timedelta(days=cfg.terms.retention_days)
    return last + DEMONSTRATION


def ending_of(recorded: Sequence[Recorded], seat: str) -> Ending | None:
    """How it ended for the person on this seat, as far as the log has it; None before that.

    Who played to the end has done their part, whatever came of it, and so has who was there when others stopped.
    """
    cfg = config_of(recorded)
    if cfg is None or seat not in cfg.people:
        return None
    why, whose = end_reason(recorded)
    if why:
        return _ENDINGS.get(why, "complete") if whose == seat else "complete"
    if any(isinstance(r.event, Withdrawn) and r.event.seat == seat for r in recorded):
        return None  # the words are not gone yet
    return "complete" if ended_at(recorded) else None


def tally_of(recorded: Sequence[Recorded]) -> dict[str, str]:
    """What stays of a session as a count: the scene, its version, how it ended, what came out. Nobody's words or
    numbers.
    """
    cfg = config_of(recorded)
    if cfg is None:
        return {}
    why, _ = end_reason(recorded)
    ends = [r.event.outcome for r in recorded if isinstance(r.event, SessionFinished)]
    came_out = "" if why else _came_out(ends[-1] if ends else None)
    ended = why or (PLAYED if ends else "unfinished")
    version = as_played(cfg, recorded).scene.condition or ""
    return {"scene": cfg.scene.title, "version": version, "ended": ended, "outcome": came_out}


def _came_out(outcome: object) -> str:
    """Yes or no where the outcome is one, else what judges found; "" for neither, and where a session has several."""
    try:
        played = Played.model_validate(outcome)
    except ValidationError:
        return ""
    match played.outcomes, played.evaluation.verdicts if played.evaluation else ():
        case (one,), _:
            return one.told if isinstance(one.value, bool) else ""
        case (), (verdict,):
            return verdict.verdict
    return ""


def names_of_people(recorded: Sequence[Recorded]) -> list[str]:
    """Under which names a scene's log has its people: their own, and seats on which somebody without a name sits."""
    started = recorded[0].event
    if not isinstance(started, SessionStarted):
        return []
    seats = [seat for seat in started.seats if is_human(seat.spec)]
    names = [seat.name if seat.spec == HUMAN else seat.spec.removeprefix(f"{HUMAN}:") for seat in seats]
    names += [by for r in recorded if is_pseudonym(by := str(getattr(r.event, "by", "")))]
    return list(dict.fromkeys(names))
