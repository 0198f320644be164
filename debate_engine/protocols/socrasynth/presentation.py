"""How a debate is told: what of its log stands in reports, tables and programs' documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.judging.schemas import Judgement, side_of
from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.protocols.socrasynth.plot import pictures
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.report import sections
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.socrasynth.score_rows import SCORES
from elenchus.debate_engine.protocols.socrasynth.shown import ended, shown
from elenchus.debate_engine.protocols.socrasynth.summary import sentences
from elenchus.debate_engine.reports import words

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


_METHOD = (
    "The rounds go on while the quality of the arguments does not fall; the method is SocraSynth's (E. Y. Chang, "
    "arXiv 2402.06634), with CRIT for the quality."
)


def _config(view: SessionView) -> DebateConfig | None:
    debate = debate_of(view)
    return debate.config if debate else None


def _settings(view: SessionView) -> list[str]:
    if (cfg := _config(view)) is None:
        return []
    cap = f"at most {words.count(cfg.max_rounds, 'round')}" if cfg.max_rounds else "no limit of rounds"
    turns = "both sides at once" if cfg.simultaneous else "pro first, con having heard it"
    return [
        f"Heat from {cfg.heat:.2f}, divided by {cfg.decay:g} before each round, down to {cfg.floor:g}; {cap}; {turns}.",
        _METHOD,
    ]


def _missing(view: SessionView) -> list[str]:
    """Each missing part in a sentence; empty for a whole debate."""
    if not isinstance(view.projection, DebateProjection):
        return []
    told, debate = [], view.projection
    if debate.config and (parts := _parts(debate, debate.config)):
        told.append(f"{'Not in this session' if view.ended else 'Not there yet'}: {', '.join(parts)}.")
    if debate.config and not debate.config.judges:
        told.append("No judges were set, so there is no verdict.")
    if debate.unreadable:
        told.append(f"Recorded in a form that this version does not read: {', '.join(debate.unreadable)}.")
    return told


def _parts(debate: DebateProjection, cfg: DebateConfig) -> list[str]:
    parts = [
        ("the agenda", debate.agenda is not None),
        ("the opening speeches", "opening" in debate.spoken),
        ("a scored round", any(s.quality for s in debate.rounds()) or debate.ended is not None),
        ("the closings", "closing" in debate.spoken),
        ("the final score", debate.final is not None),
        *([("the judges' verdict", debate.verdict is not None)] if cfg.judges else []),
        ("the joint proposal", debate.proposal is not None),
        *([("the comparison with a plain answer", debate.comparison is not None)] if cfg.compare_qa else []),
    ]
    return [name for name, there in parts if not there]


def _small(view: SessionView) -> Sequence[str]:
    cfg = _config(view)
    return cfg.small if cfg else ()


def _troubles(view: SessionView) -> list[tuple[str, list[tuple[str, str]]]]:
    debate = debate_of(view)
    reasons = debate.quality.reasons if debate and debate.quality else ()
    unread = [(f"{r.side}, {r.about}", f"{r.reason} ({r.unread})") for r in reasons if not r.readable]
    return [("Reasons whose score could not be read: no score", unread)]


def _run_facts(view: SessionView) -> dict[str, Any]:
    """The rounds, the winner, which side merged the agenda and which drafted the joint document."""
    if (debate := debate_of(view)) is None:
        return {}
    merged_by = debate.outcome.merged_by if debate.outcome else ""
    drafted_by = debate.proposal.drafted_by if debate.proposal else ""
    return {
        "drawn": {"merged_by": merged_by or None, "drafted_by": drafted_by or None},
        "rounds": [
            {"round": s.n, "heat": s.heat, "gamma": s.gamma, "noise": s.noise, "standing": s.standing}
            for s in debate.rounds()
        ],
        "winner": debate.verdict.winning_side if debate.verdict else None,
    }


def _as_json(view: SessionView) -> dict[str, Any]:
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
        "judges": _judges(view, debate),
        "winner": debate.verdict.winning_side if debate.verdict else None,
        "proposal": outcome.get("proposal"),
        "ended": debate.ended,
        "quality": {"gamma": quality.gamma, "standing": quality.standing} if quality else None,
        "judgement": debate.verdict.model_dump(mode="json") if debate.verdict else None,
        "comparison": debate.comparison.model_dump(mode="json") if debate.comparison else None,
        "open_outcome": outcome.get("open_outcome") or None,
        "audience": audience.model_dump(mode="json") if audience else None,
        "open_turns": [{"step": turn.step, "seat": turn.seat} for turn in view.asked],
    }


def _judges(view: SessionView, debate: DebateProjection) -> list[dict[str, Any]]:
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


PRESENTATION = Presentation(
    project=DebateProjection,
    shown=shown,
    ended=ended,
    summary=sentences,
    settings=_settings,
    missing=_missing,
    small=_small,
    sections=sections,
    apart=("agenda",),
    failures=_troubles,
    pictures=pictures,
    scores=SCORES,
    run_facts=_run_facts,
    as_json=_as_json,
)
