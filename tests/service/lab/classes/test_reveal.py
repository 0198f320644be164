"""Which files of a class are handed out once somebody has taken back what was shown."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from elenchus.debate_engine.scenes.design import Design
from elenchus.service.lab.classes.disclosure import groups_of
from elenchus.service.lab.classes.publication import Publication
from elenchus.service.lab.classes.reveal import may_be_handed_out

SHOWN = {"high": 8, "low": 7}


@pytest.mark.parametrize(
    ("high", "low", "handed_out"),
    [(8, 7, True), (7, 7, False), (5, 4, False), (4, 7, False), (3, 7, True), (3, 6, False), (0, 0, True)],
)
def test_files_are_handed_out_where_of_each_group_nobody_is_left_out_or_five_are(
    high: int, low: int, handed_out: bool
) -> None:
    design = Design.between(tuple(SHOWN), ("anchor",))
    groups = groups_of({cell: [float(n) for n in range(people)] for cell, people in SHOWN.items()}, design)
    assert [group.n for group in groups] == [8, 7]
    shown = Publication(at=datetime(2026, 1, 1, tzinfo=UTC), title="S", groups=groups)
    assert may_be_handed_out(shown, {"high": high, "low": low}) == handed_out
