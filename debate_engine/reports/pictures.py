"""The pictures of a session: which there are, as far as the log has something to draw."""

from __future__ import annotations

from functools import lru_cache

from elenchus.debate_engine.protocols.judging.strength import verdict as in_words
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.course import Stage
from elenchus.debate_engine.reports.judges_plot import judges
from elenchus.debate_engine.reports.others import sweep_of
from elenchus.debate_engine.reports.plots import heat_and_quality
from elenchus.debate_engine.reports.view import DebateView


def pictures_of(view: DebateView) -> dict[str, Picture]:
    """The session's pictures by name. Imports matplotlib and draws (tenths of a second): call it off the event loop."""
    drawn = [heat] if (heat := heat_of(view)) else []
    simulated = _simulated(view)
    if verdict := view.course.verdict:
        points = "" if verdict.a is None else f", {verdict.a:g} – {verdict.b:g} points"
        under = f"Verdict: {in_words(verdict, question=view.question)}{points}{simulated}"
        drawn.append(
            judges(verdict, {judge: view.name(judge) for judge in verdict.judges}, under, question=view.question)
        )
    if sweep := sweep_of(view):
        from elenchus.debate_engine.protocols.sweep.plot import plot_sweep

        drawn.append(plot_sweep(sweep, simulated=view.simulated))
    return {picture.name: picture for picture in drawn}


def heat_of(view: DebateView) -> Picture | None:
    """The picture of heat and quality alone; None where there is no stage yet. As `pictures_of`."""
    stages = tuple(view.course.stages())
    return _heat(stages, f"{words.shortened(view.motion, 88)}{_simulated(view)}") if stages else None


@lru_cache(maxsize=4)
def _heat(stages: tuple[Stage, ...], under: str) -> Picture:
    """Drawn once for a thread's post and the report that follows it."""
    return heat_and_quality(stages, under)


def _simulated(view: DebateView) -> str:
    return " · simulated" if view.simulated else ""
