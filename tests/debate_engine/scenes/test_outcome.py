"""The rule that says what came out of a scene."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes.measures import Stated
from elenchus.debate_engine.scenes.outcome import UnreadableRule, check, is_yes_or_no, names_in, outcome_of, unit_in

VALUES: dict[str, Stated | None] = {
    "price": 240.0, "lowest": 200, "answer": "A", "higher": True, "anchor": 480, "missing": None,
    "tea": "2 × green ≥ 1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("price", 240.0),
        ("price >= 240", True),
        ("price ≥ (190 + anchor) / 2", False),
        ("price − lowest", 40.0),
        ("-price", -240.0),
        ('answer = "A"', True),
        ("answer == 'B'", False),
        ('answer = "a = b"', False),
        ('tea = "2 × green ≥ 1"', True),
        ("answer ≠ 'B' and not higher", False),
        ("190 < price <= 240", True),
        ("higher", True),
        ("0.1 + 0.2 = 0.3", True),
        ("0.1 + 0.2 > 0.3", False),
        ("0.1 + 0.2 <= 0.3", True),
        ("0.3 != 0.1 + 0.2", False),
        ("price = 240.00001", False),
        ("missing", None),
        ("missing > 3", None),
        ("missing > 3 and price > 1000", False),
        ("missing > 3 or price > 100", True),
        ("missing > 3 or price > 1000", None),
        ("not missing", None),
        ("price / (lowest - 200)", None),
        ("1e308 * 10", None),
    ],
)
def test_a_rule_gives_what_it_says_and_nothing_where_a_measure_is_missing(rule: str, found: Stated | None) -> None:
    assert outcome_of(rule, VALUES) == found


def test_a_rule_says_whether_it_is_yes_or_no_and_what_it_speaks_of() -> None:
    assert [is_yes_or_no(rule) for rule in ("price", "price > 1", "not higher", "price > 1 or higher")] == [
        False, True, True, True,
    ]  # fmt: skip
    assert names_in("price > anchor and price < 3") == ("price", "anchor")
    check("price > anchor", ["price", "anchor"])
    with pytest.raises(UnreadableRule, match="speaks of prize, which the scene does not have: it has price, anchor"):
        check("prize > anchor", ["price", "anchor"])


@pytest.mark.parametrize(
    "rule",
    [
        "", " ", "price >", "price > 3; price", "__import__('os').system('true')", "price.real", "[1]", "price[0]",
        "lambda: 1", "f'{price}'", "price ** 9999999", "price if higher else 1", "(price := 3)", "True", "None", "1j",
        "price @ 3", "'a' * 999999999 if higher else 1", "(" * 100 + "price" + ")" * 100 + ("+1" * 200), "b'x'", "\x00",
        "price % 2",
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused_and_never_run(rule: str) -> None:
    with pytest.raises(UnreadableRule):
        outcome_of(rule, VALUES)


def test_a_text_is_not_compared_with_a_number() -> None:
    with pytest.raises(UnreadableRule, match="compares a text with a number"):
        outcome_of("answer > 3", VALUES)


@given(st.text(max_size=120))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    try:
        outcome_of(text, VALUES)
    except UnreadableRule as refused:
        assert str(refused)


@pytest.mark.parametrize(
    ("rule", "unit"),
    [
        ("price", "euros"),
        ("price - limit", "euros"),
        ("(price + limit) / 2", "euros"),
        ("2 * price", "euros"),
        ("-price + 10", "euros"),
        ("price - hours", ""),
        ("price / limit", ""),
        ("100 / price", ""),
        ("price >= 240", ""),
        ("sure", ""),
        ("7", ""),
    ],
)
def test_an_outcome_has_the_unit_of_what_it_is_a_sum_or_a_share_of(rule: str, unit: str) -> None:
    assert unit_in(rule, {"price": "euros", "limit": "euros", "hours": "hours"}) == unit


@pytest.fixture
def crowded() -> Iterator[None]:
    """Threads take turns wherever they can, also amid what Python does in C."""
    often, thresholds = sys.getswitchinterval(), gc.get_threshold()

    def collected(*_: object) -> None:
        sum(range(50))

    sys.setswitchinterval(1e-6)
    gc.set_threshold(10, 2, 2)
    gc.callbacks.append(collected)
    yield
    gc.callbacks.remove(collected)
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(often)


@pytest.mark.usefixtures("crowded")
def test_rules_are_read_in_many_threads_at_once() -> None:
    def read(depth: int) -> set[str]:
        if depth:
            return read(depth - 1)
        return {name for _ in range(60) for name in names_in("(price - lowest) / 2 >= 24 and not answer = 'A'")}

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(read, range(0, 42, 7))) == [{"price", "lowest", "answer"}] * 6
