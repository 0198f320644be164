"""The chart of attitudes: what the persona says and what people say are both to be seen, also where they agree."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

from matplotlib.colors import to_rgb
from PIL import Image

from elenchus.debate_engine.protocols.cognition.plot import plot_attitudes
from elenchus.debate_engine.protocols.cognition.report import Curve, marks
from elenchus.debate_engine.reports.canvas import CON, PRO

HEAD = 0.2
"""Of the picture's height: the title and the key."""


def pixels(png: bytes, colour: str) -> int:
    """How many of the chart's own are of this colour."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    chart = picture.crop((0, int(HEAD * picture.height), *picture.size))
    wanted = tuple(round(255 * part) for part in to_rgb(colour))
    return sum(times for times, found in chart.getcolors(1 << 24) or [] if found == wanted)


def test_where_people_say_what_the_persona_says_both_are_seen() -> None:
    said = ((0, 3), (1, 4), (2, 4), (3, 2))
    drawn = plot_attitudes([Curve("Dogs are good.", said)], "Greta", {"Dogs are good.": said})
    assert pixels(drawn.png, PRO) > 1_000
    assert pixels(drawn.png, CON) > 1_000


def test_marks_below_a_chart_are_few_round_and_evenly_apart() -> None:
    for last in (0, 1, 2, 5, 6, 8, 23, 100, 999):
        found = list(marks(last))
        assert len(found) <= 6
        assert len({after - one for one, after in pairwise(found)}) <= 1
        assert found[0] == 0
        assert last - found[-1] < max(1, found[-1])
