"""What each picture shows, in words and numbers, for those who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.judging.tally import Total
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.course import Stage


def alt_text_heat_and_quality(stages: Sequence[Stage]) -> str:
    """Heat, Γ and standing of every stage."""
    if not stages:
        return "An empty plot of heat and argument quality: the debate has not begun."
    return "Line plot by stage of the debate. " + " ".join(f"{_stage(s)}." for s in stages)


def _stage(s: Stage) -> str:
    by_hand = " (set by the moderator)" if s.set_by_moderator else ""
    parts = [f"heat {s.heat:.2f}{by_hand}"] if s.heat is not None else []
    if s.quality:
        parts += [f"argument quality {words.score(s.gamma)}", f"standing of the claim {words.score(s.standing)}"]
    return f"{s.name.capitalize()}: {', '.join(parts) or 'nothing recorded'}"


def alt_text_judges(judgement: Judgement, names: Mapping[str, str], *, question: bool = False) -> str:
    """Both sides' points by judge and configuration, and the verdict."""
    totals = "; ".join(
        f"{names.get(t.judge, t.judge)}, {'pro' if t.first == 'A' else 'con'} claiming: {_points(t)}"
        for t in judgement.totals
    )
    return f"Dot plot of points by judge and configuration. {totals}. Verdict: {verdict(judgement, question=question)}."


def _points(t: Total) -> str:
    if t.a is None or t.b is None:
        return words.NO_SCORE
    some = "" if t.read == t.asked else f" ({t.read} of {t.asked} topics)"
    return f"pro {t.a:g}, con {t.b:g}{some}"
