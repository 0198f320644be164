"""The heat-and-quality plot as a file of a post. Drawing takes tenths of a second: off the event loop."""

from __future__ import annotations

from elenchus.bot.rendering.post import File
from elenchus.bot.rendering.safe import shortened
from elenchus.debate_engine.protocols.socrasynth.pictures import heat_of
from elenchus.debate_engine.reports.view import SessionView

ALT = 1_024
"""Units of a file's description."""


def plot(view: SessionView) -> File | None:
    """The plot with its words; None where the log has nothing to draw. Imports matplotlib and blocks."""
    picture = heat_of(view)
    return File(f"{picture.name}.png", picture.png, shortened(picture.alt, ALT)) if picture else None
