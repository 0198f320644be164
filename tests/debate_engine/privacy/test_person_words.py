"""Which stretches of a text are a person's words."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.privacy.person_words import PersonWords

SAID_30 = PersonWords((("30",),), frozenset())


@pytest.mark.parametrize(
    "instant", ["2026-11-23T21:34:30.046160+00:00", "2026-11-23T21:34:30+00:00", "2030-11-30T21:34:12+00:30"]
)
def test_the_clock_s_digits_are_nobody_s_words(instant: str) -> None:
    assert SAID_30.mask(instant) == instant


@pytest.mark.parametrize(
    "text", ["it cost 30 at 21:34", "2026-11-23T21:34:30+00:00 I said 30", "30", "21:34:30 precisely, no?"]
)
def test_in_any_other_text_the_number_that_somebody_gave_goes(text: str) -> None:
    assert "30" not in SAID_30.mask(text)
