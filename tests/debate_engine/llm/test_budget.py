"""What a session may spend, and what a text is estimated to cost."""

from __future__ import annotations

from hypothesis import given, strategies as st

from elenchus.debate_engine.llm.budget import Budget, estimate_call, estimate_tokens
from elenchus.debate_engine.llm.client import Call, Message, Usage

TOKENS = st.integers(0, 10_000)


def test_a_budget_without_limits_is_never_exceeded() -> None:
    assert Budget().after(Usage(10**9, 10**9), 1e6).would_exceed(10**9, 1e6) is None


def test_a_call_that_would_pass_the_tokens_is_refused_in_words() -> None:
    budget = Budget(tokens=1000).after(Usage(600, 100, 50), 0.0)
    assert budget.would_exceed(300) is None
    assert budget.would_exceed(301) == "700 of 1,000 tokens are spent and the next call may take 301"


def test_a_call_that_would_pass_the_money_is_refused_in_words() -> None:
    budget = Budget(usd=0.01).after(Usage(1, 1), 0.008)
    assert budget.would_exceed(10, 0.002) is None
    assert "$0.0080 of $0.0100" in (budget.would_exceed(10, 0.003) or "")


def test_calls_of_unknown_price_are_counted_apart_and_never_as_free() -> None:
    budget = Budget(usd=1.0).after(Usage(1, 1), None).after(Usage(1, 1), 0.25).after(Usage(1, 1), 0.0)
    assert (budget.usd_spent, budget.unpriced) == (0.25, 1)


def test_raising_a_limit_keeps_what_is_spent_and_the_other_limit() -> None:
    budget = Budget(tokens=10, usd=1.0).after(Usage(8, 8), 0.5).raised(tokens=100)
    assert (budget.tokens, budget.usd, budget.tokens_spent, budget.usd_spent) == (100, 1.0, 16, 0.5)
    assert budget.would_exceed(84) is None


@given(st.lists(st.tuples(TOKENS, TOKENS, st.none() | st.floats(0, 10))))
def test_spending_only_adds_up(calls: list[tuple[int, int, float | None]]) -> None:
    budget = Budget(tokens=5000)
    for inputs, outputs, usd in calls:
        after = budget.after(Usage(inputs, outputs), usd)
        assert after.tokens_spent == budget.tokens_spent + inputs + outputs
        assert after.usd_spent >= budget.usd_spent
        assert (after.would_exceed() is None) == (after.tokens_spent <= 5000)
        budget = after


@given(st.text(), st.text())
def test_a_longer_text_never_has_fewer_tokens(one: str, two: str) -> None:
    assert 0 <= estimate_tokens(one) <= estimate_tokens(one + two)
    assert estimate_tokens(one + two) <= estimate_tokens(one) + estimate_tokens(two) + 1


@given(st.text(min_size=1))
def test_every_text_has_a_token_and_none_more_than_it_has_bytes(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text.encode("utf-8", "replace"))


def test_a_schema_and_the_marks_between_messages_count_too() -> None:
    bare = Call("m", (Message("user", "Speak."),))
    assert estimate_call(bare) > estimate_tokens("Speak.")
    assert estimate_call(Call("m", bare.messages, schema={"type": "object"})) > estimate_call(bare)


def test_a_limit_of_dollars_refuses_a_call_whose_price_nobody_knows_unless_that_is_agreed() -> None:
    assert "nobody knows what the next call costs" in (Budget(usd=1.0).would_exceed(10, None) or "")
    assert Budget(tokens=100).would_exceed(10, None) is None, "tokens are known of every call"
    assert Budget(usd=1.0, unpriced_ok=True).would_exceed(10, None) is None
    agreed = Budget(usd=1.0).raised(unpriced_ok=True).raised(usd=2.0)
    assert agreed.would_exceed(10, None) is None, "a yes stands when the limit is raised"
