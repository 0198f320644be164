"""What is printed for good on a narrow terminal: no score's line is torn, and what goes on below stands indented."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console, RenderableType

from elenchus.debate_engine.protocols.crit.schemas import Quality, ScoredReason, TopicQuality
from elenchus.debate_engine.protocols.socrasynth.shown import _scored, ended
from elenchus.debate_engine.reports.blocks import Note
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.cli.show.render import rendered
from tests.debate_engine.reports.debates import debated

REASONS = tuple(ScoredReason(side="pro", about="round 2", reason=f"Reason {n}.") for n in range(12))
BY_TOPIC = tuple(TopicQuality(number=n, gamma=6.0, standing=5.0) for n in range(1, 6))
QUALITY = Quality(gamma=5.9, standing=4.7, reasons=REASONS, by_topic=BY_TOPIC, unreadable=2)


def lines(what: RenderableType, columns: int) -> list[str]:
    """What stands on a terminal of so many columns, without empty lines."""
    console = Console(width=columns, file=StringIO())
    console.print(what)
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_score_stands_under_its_name_with_what_it_is_made_of(columns: int) -> None:
    told = " ".join(line.strip() for line in lines(rendered(_scored("the whole debate", QUALITY, 4.9)), columns))
    assert told.startswith("quality after the whole debate: gamma 5.9 (+1.0), standing 4.7, 12 reasons, 2 unreadable")
    assert "gamma by topic 1: 6.0" in told


@pytest.mark.parametrize("columns", [60, 80])
async def test_the_end_of_a_debate_is_indented_to_its_last_line(columns: int) -> None:
    view = SessionView.of("demo", await debated())
    shown = [line for block in ended(view) for line in lines(rendered(block), columns)]
    headings = [n for n, line in enumerate(shown) if line.startswith(("JOINT PROPOSAL", "VERDICT", "IN SHORT"))]
    assert len(headings) == 3
    assert all(line.startswith(("   ", " !")) or n in headings for n, line in enumerate(shown))
    told = " ".join(line.strip() for line in shown)
    assert "VERDICT" in told
    assert "The side for the motion" in told[told.index("VERDICT") :]
    assert "swapping the roles moved the margin by" in told
    assert "The motion was “" in told[told.index("IN SHORT") :]


@pytest.mark.parametrize("columns", [60, 80])
def test_a_note_goes_on_below_its_first_word(columns: int) -> None:
    first, *below = lines(rendered(Note("crit → moderator: " + "a long reason " * 12, "moderator")), columns)
    assert first.startswith(" » crit → moderator")
    assert below
    assert all(line.startswith("   ") and line[3] != " " for line in below)
