"""What is left of a day's budget bounds what is offered."""

from __future__ import annotations

import pytest

from bot.debate.spending import Left
from bot.debate.start import check_left, limits
from bot.debate.wanted import Wanted
from bot.strings import debate as words
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


def test_an_offer_tells_apart_what_hidden_reasoning_may_take_where_a_model_has_any() -> None:
    plan = {"calls": 60, "input_tokens": 64_485, "output_tokens": 12_904, "usd": 0.25, "minutes": 3.2}
    plain = words.cost({**plan, "reasoning_tokens": 0, "reasoning_usd": 0.0})
    assert "**$0.2500** · about **3** min" in plain
    thinking = words.cost({**plan, "reasoning_tokens": 480_000, "reasoning_usd": 2.4})
    assert thinking.startswith(plain)
    assert "hidden reasoning" in thinking.removeprefix(plain)
    assert "480,000 tokens out ($2.40)" in thinking.removeprefix(plain)
    assert "(unknown price)" in words.cost({**plan, "reasoning_tokens": 480_000, "reasoning_usd": None})
