"""The line of a difference on a class's page: its scale is in the outcome's own unit, or in points of shares."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from elenchus.service.lab.classes.publication import Effect, Group, Publication
from elenchus.service.web import drawings
from elenchus.service.web.rendering import environment
from elenchus.service.web.strings import Words

NUMBERS = Group(name="low", cells=("low",), n=9, mean=4.0, median=0.0)
SHARES = Group(name="low", cells=("low",), n=20, share=0.5)


@pytest.mark.parametrize(
    ("group", "unit", "reach", "scale"),
    [
        (NUMBERS, "", 3.52, ["−3.52", "0", "3.52"]),
        (NUMBERS, "beads", 2000.0, ["−2,000", "0", "2,000 beads"]),
        (NUMBERS, "per cent", 30.4, ["−30.4", "0", "30.4 points"]),
        (SHARES, "", 0.4, ["−40", "0", "40 points"]),
    ],
)
def test_the_scale_of_a_difference_is_in_what_came_out(group: Group, unit: str, reach: float, scale: list[str]) -> None:
    effect = Effect(compare="a against b", sentences=("…",), n=(9, 9), difference=0.1, low=-reach, high=reach / 2)
    found = Publication(at=datetime.now(UTC), title="T", unit=unit, analysed=18, groups=(group,), effects=(effect,))
    parts = environment().get_template("class-parts.html").make_module({})
    html = str(parts.came_out(found, None, drawings.interval, Words("en")))  # type: ignore[attr-defined]
    (line,) = re.findall(r'<p class="scale"[^>]*>(.*?)</p>', html)
    assert [text.replace("-", "−") for text in re.findall(r"<span>(.*?)</span>", line)] == scale
    assert html.count("mean") == (group.mean is not None), "where no mean is told there is none"
