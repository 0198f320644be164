"""A console whose words, whoever wrote them, cannot drive the terminal: only the console itself can."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from elenchus.debate_engine.printable import printable


class PrintableConsole(Console):
    """Everything that is shown, live displays and tables too, goes through `render`."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is shown; their texts are printable, rich's own controls stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))
