"""The pictures of a debate, as far as the log has something to draw. Tenths of a second: off the event loop."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.judging.plot import judges
from elenchus.debate_engine.protocols.judging.strength import verdict as in_words
from elenchus.debate_engine.protocols.socrasynth.plot import heat_and_quality
from elenchus.debate_engine.protocols.socrasynth.projection import debate_of
from elenchus.debate_engine.protocols.socrasynth.results import Stage
from elenchus.debate_engine.reports import words

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.canvas import Picture
    from elenchus.debate_engine.reports.view import SessionView


def pictures(view: SessionView) -> list[Picture]:
    """Heat and quality, and the judges' points."""
    drawn = [heat] if (heat := heat_of(view)) else []
    debate = debate_of(view)
    if debate and (verdict := debate.verdict):
        points = "" if verdict.a is None else f", {verdict.a:g} – {verdict.b:g} points"
        under = f"Verdict: {in_words(verdict, question=debate.question)}{points}{_simulated(view)}"
        names = {judge: view.name(judge) for judge in verdict.judges}
        drawn.append(judges(verdict, names, under, question=debate.question))
    return drawn


def heat_of(view: SessionView) -> Picture | None:
    """The picture of heat and quality alone; None where there is no stage yet."""
    debate = debate_of(view)
    stages = tuple(debate.stages()) if debate else ()
    return _heat(stages, f"{words.shortened(view.title, 88)}{_simulated(view)}") if stages else None


@lru_cache(maxsize=4)
def _heat(stages: tuple[Stage, ...], under: str) -> Picture:
    """Drawn once for a thread's post and the report that follows it."""
    return heat_and_quality(stages, under)


def _simulated(view: SessionView) -> str:
    return " · simulated" if view.simulated else ""
