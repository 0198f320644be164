"""What a report on a session cannot show, and why: not reached yet, not asked for, or not readable."""

from __future__ import annotations

from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.view import DebateView


def missing(view: DebateView) -> list[str]:
    """Each missing part in a sentence (plain text); empty for a whole debate."""
    told = [_state(view)] if view.state != "finished" else []
    if view.troubles.lost_events:
        told.append(f"{words.count(view.troubles.lost_events, 'event')} of the log could not be read.")
    if view.config is None:
        return told
    parts = [name for name, there in _parts(view) if not there]
    if parts and not view.ended:
        told.append(f"Not there yet: {', '.join(parts)}.")
    elif parts:
        told.append(f"Not in this session: {', '.join(parts)}.")
    return told + _unreadable(view)


def _state(view: DebateView) -> str:
    why = f": {view.reason}" if view.reason else ""
    return f"This session is {words.STATES[view.state]}{why}."


def _parts(view: DebateView) -> list[tuple[str, bool]]:
    course, cfg = view.course, view.config
    assert cfg is not None
    return [
        ("the agenda", course.agenda is not None),
        ("the opening speeches", "opening" in course.spoken),
        ("a scored round", any(s.quality for s in course.rounds()) or course.ended is not None),
        ("the closings", "closing" in course.spoken),
        ("the final score", course.final is not None),
        *([("the judges' verdict", course.verdict is not None)] if cfg.judges else []),
        ("the joint proposal", course.proposal is not None),
        *([("the comparison with a plain answer", course.comparison is not None)] if cfg.compare_qa else []),
    ]


def _unreadable(view: DebateView) -> list[str]:
    told = []
    if view.config is not None and not view.config.judges:
        told.append("No judges were set, so there is no verdict.")
    if odd := view.course.unreadable:
        told.append(f"Recorded in a form that this version does not read: {', '.join(odd)}.")
    return told
