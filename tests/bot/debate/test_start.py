"""What is left of a day's budget bounds what is offered."""

from __future__ import annotations

import pytest

from bot.debate.spending import Left
from bot.debate.start import check_left, limits
from bot.debate.wanted import Wanted
from debate_engine.errors import UsageError


def test_a_debate_that_may_cost_more_than_is_left_is_refused_and_told_both_sums() -> None:
    with pytest.raises(UsageError, match=r"\$0\.01 left.*\$0\.50"):
        check_left(0.5, 100, Left(usd=0.01))
    with pytest.raises(UsageError, match=r"99 tokens left.*100"):
        check_left(None, 100, Left(tokens=99))
    check_left(0.5, 100, Left(usd=0.5, tokens=100))
    check_left(None, 100, Left(usd=0.0))  # without a known price the money cannot be told beforehand


def test_a_debate_pauses_at_the_smaller_of_its_own_budget_and_what_is_left() -> None:
    assert limits(Wanted("m", budget_usd=2.0), Left(usd=1.0, tokens=7)) == (1.0, 7)
    assert limits(Wanted("m", budget_usd=0.5), Left(usd=1.0)) == (0.5, None)
    assert limits(Wanted("m"), Left()) == (None, None)
    with pytest.raises(UsageError, match="budget"):
        limits(Wanted("m", budget_usd=0.0), Left())
