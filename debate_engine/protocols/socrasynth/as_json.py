"""A debate as JSON for programs, as far as it has come: what is not known yet is null or empty. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.judging.schemas import Judgement, side_of
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def as_json(view: SessionView) -> dict[str, Any]:
    """A debate, as far as it has come: what is not known yet is null or empty."""
    if (debate := debate_of(view)) is None:
        return {}
    outcome = view.outcome or {}
    quality = debate.quality
    audience = view.moderation.audience()
    return {
        "motion": view.title,
        "claim": debate.claim or None,
        "merged_by": outcome.get("merged_by") or None,
        "agenda": [topic.model_dump(mode="json") | {"title": topic.title} for topic in debate.agenda or ()],
        "rounds": [
            {"n": stage.n, "heat": stage.heat, "gamma": stage.gamma, "standing": stage.standing}
            for stage in debate.rounds()
        ],
        "judges": judges(view, debate),
        "winner": debate.winner or None,
        "proposal": outcome.get("proposal"),
        "ended": debate.ended,
        "quality": {"gamma": quality.gamma, "standing": quality.standing} if quality else None,
        "judgement": debate.verdict.model_dump(mode="json") if debate.verdict else None,
        "comparison": debate.comparison.model_dump(mode="json") if debate.comparison else None,
        "open_outcome": outcome.get("open_outcome") or None,
        "audience": audience.model_dump(mode="json") if audience else None,
        "open_turns": [{"step": turn.step, "seat": turn.seat} for turn in view.asked],
    }


def judges(view: SessionView, debate: DebateProjection) -> list[dict[str, Any]]:
    """Each judge with its vote and points; without a vote where it has none (yet), with the reason where it failed."""
    verdict = debate.verdict
    names = debate.config.judges if debate.config else ()
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
