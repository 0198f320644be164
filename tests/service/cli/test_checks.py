"""What is refused before anything is spent."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import checks


@pytest.mark.parametrize("text", ["", " \n", "\u3164", "\u200b\u2800 \u00ad", "\uffa0"])
def test_a_motion_of_nothing_that_can_be_seen_is_empty(text: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        checks.motion(text)


def test_a_motion_is_trimmed() -> None:
    assert checks.motion("  Homework \n should end. ") == "Homework should end."
