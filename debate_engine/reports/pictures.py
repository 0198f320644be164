"""The pictures of a session: which there are, as far as the log has something to draw."""

from __future__ import annotations

from debate_engine.reports import words
from debate_engine.reports.canvas import Picture, alone
from debate_engine.reports.judges_plot import judges
from debate_engine.reports.others import sweep_of
from debate_engine.reports.plots import heat_and_quality
from debate_engine.reports.view import DebateView


def pictures_of(view: DebateView) -> dict[str, Picture]:
    """The session's pictures by name. Imports matplotlib and draws (tenths of a second): call it off the event loop."""
    drawn: list[Picture] = []
    simulated = " · simulated" if view.simulated else ""
    if stages := view.course.stages():
        drawn.append(heat_and_quality(stages, f"{words.shortened(view.motion, 88)}{simulated}"))
    if verdict := view.course.verdict:
        points = "" if verdict.a is None else f", {verdict.a:g} – {verdict.b:g} points"
        under = f"Verdict: {words.WINNERS[verdict.winning_side]}{points}{simulated}"
        drawn.append(judges(verdict, {judge: view.name(judge) for judge in verdict.judges}, under))
    if sweep := sweep_of(view):
        from debate_engine.protocols.sweep.plot import plot_sweep

        with alone():
            plotted = plot_sweep(sweep)
        drawn.append(Picture("sweep", plotted.png, plotted.svg, plotted.alt))
    return {picture.name: picture for picture in drawn}
