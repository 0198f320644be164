"""A session as the one JSON document that a command prints. Pure."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.protocols.judging.schemas import Judgement, side_of
from elenchus.debate_engine.reports.view import DebateView

NOT_DETECTED: dict[str, Any] = {
    "verdict": None,
    "bias": None,
    "ranking": [],
    "candidates": [],
    "matches": [],
    "decision": None,
}
"""What a detection has that has not come to its end."""


def session_document(view: DebateView, state: str | None = None) -> dict[str, Any]:
    """Any session; `state` overrides that of the log (`interrupted`, where nobody runs it)."""
    match view.started.protocol if view.started else "":
        case "socrasynth":
            return debate_document(view, state)
        case protocol:
            return {
                "id": view.session_id,
                "state": state or view.state,
                "protocol": protocol,
                "title": view.motion,
                "reason": view.reason,
                **(NOT_DETECTED if protocol == "detect" else {}),
                **(view.outcome or {}),
                **troubles(view),
                "usage": usage(view),
            }


def debate_document(view: DebateView, state: str | None = None) -> dict[str, Any]:
    """A debate, as far as it has come: what is not known yet is null or empty."""
    course, outcome = view.course, view.outcome or {}
    quality = course.quality
    audience = view.hand.audience()
    return {
        "id": view.session_id,
        "state": state or view.state,
        "motion": view.motion,
        "claim": course.claim or None,
        "merged_by": outcome.get("merged_by") or None,
        "agenda": [topic.model_dump(mode="json") | {"title": topic.title} for topic in course.agenda or ()],
        "rounds": [
            {"n": stage.n, "heat": stage.heat, "gamma": stage.gamma, "standing": stage.standing}
            for stage in course.rounds()
        ],
        "judges": judges(view),
        "winner": view.winner or None,
        "proposal": outcome.get("proposal"),
        "usage": usage(view),
        **troubles(view),
        "reason": view.reason,
        "ended": course.ended,
        "quality": {"gamma": quality.gamma, "standing": quality.standing} if quality else None,
        "judgement": course.verdict.model_dump(mode="json") if course.verdict else None,
        "comparison": course.comparison.model_dump(mode="json") if course.comparison else None,
        "open_outcome": outcome.get("open_outcome") or None,
        "audience": audience.model_dump(mode="json") if audience else None,
        "open_turns": [{"step": turn.step, "seat": turn.seat} for turn in view.asked],
    }


def troubles(view: DebateView) -> dict[str, Any]:
    """Which answers are lost and why, and which were read with changes."""
    t = view.troubles
    return {
        "no_answers": [{"step": n.step, "seat": n.seat, "reason": n.reason} for n in t.no_answers],
        "adjusted": [{"step": a.step, "model": a.model, "notes": list(a.notes)} for a in t.adjusted],
    }


def judges(view: DebateView) -> list[dict[str, Any]]:
    """Each judge with its vote and points; without a vote where it has none (yet), with the reason where it failed."""
    verdict = view.course.verdict
    names = view.config.judges if view.config else ()
    models = {speaker.seat: speaker.model or "a person" for speaker in view.speakers}
    return [{"judge": name, "model": models.get(name, ""), **_vote(verdict, name)} for name in names]


def _vote(verdict: Judgement | None, name: str) -> dict[str, Any]:
    vote = next((v for v in verdict.votes if v.judge == name), None) if verdict else None
    if verdict is None or vote is None:
        return {"vote": None, "pro": None, "con": None, "read": 0, "asked": 0, "failed": None}
    failed = next((f.reason for f in verdict.failed if f.judge == name), None)
    return {
        "vote": side_of(vote.vote) if vote.vote else None,
        "pro": vote.a,
        "con": vote.b,
        "read": vote.read,
        "asked": vote.asked,
        "failed": failed,
    }


def usage(view: DebateView) -> dict[str, Any]:
    """Calls, tokens and money; `usd` is null where no price is known, `unpriced_calls` says how many add nothing."""
    total = view.spending.total
    return {
        "calls": total.calls,
        "input_tokens": total.tokens.input_tokens,
        "output_tokens": total.tokens.output_tokens,
        "cached_tokens": total.tokens.cached_tokens,
        "usd": total.usd,
        "unpriced_calls": total.unpriced,
        "by_model": {
            model: {
                "calls": use.calls,
                "input_tokens": use.tokens.input_tokens,
                "output_tokens": use.tokens.output_tokens,
                "usd": use.usd,
            }
            for model, use in view.spending.models.items()
        },
    }
