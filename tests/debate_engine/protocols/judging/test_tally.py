from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binomtest  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.judging.marks import First, Letter, Mark, Pick, UnreadableCell
from elenchus.debate_engine.protocols.judging.tally import Tally, Verdict, by_chance, count, is_decided, unanimous

ORDERS: tuple[First, First] = ("A", "B")
SWAPPED: dict[str, Letter] = {"A": "B", "B": "A"}


def mark(judge: str, first: First, topic: int, a: float, b: float, winner: Pick | None = None) -> Mark:
    return Mark(
        judge=judge,
        first=first,
        topic=topic,
        a=a,
        b=b,
        winner=winner or ("A" if a > b else "B" if b > a else "tie"),
    )


def unread(judge: str, first: First, topic: int, reason: str = "garbled") -> UnreadableCell:
    return UnreadableCell(judge=judge, first=first, topic=topic, reason=reason)


def panel(*judges: Sequence[tuple[float, float] | None]) -> list[Mark | UnreadableCell]:
    """Judges with points (A, B) per cell: topics with A first, then the same topics with B first; None is unread."""
    cells: list[Mark | UnreadableCell] = []
    for n, given_points in enumerate(judges, start=1):
        topics = len(given_points) // 2
        for i, pair in enumerate(given_points):
            place = (f"judge-{n}", ORDERS[i // topics], i % topics + 1)
            cells.append(mark(*place, *pair) if pair else unread(*place))
    return cells


def test_totals_are_sums_over_topics_by_judge_and_claimant() -> None:
    tally = count(panel([(8, 7), (7.5, 6), (8, 8), (7, 7.5)]))
    assert [(t.judge, t.first, t.a, t.b, t.read, t.asked) for t in tally.totals] == [
        ("judge-1", "A", 15.5, 13.0, 2, 2),
        ("judge-1", "B", 15.0, 15.5, 2, 2),
    ]
    assert (tally.a, tally.b) == (30.5, 28.5)
    assert tally.winner == "A"


def test_a_score_that_cannot_be_read_is_in_no_sum_and_is_not_zero() -> None:
    tally = count(panel([(8, 7), None], [(6, 7), (6, 7)]))
    by_place = {(t.judge, t.first): t for t in tally.totals}
    assert by_place["judge-1", "A"].a == 8
    assert (by_place["judge-1", "B"].read, by_place["judge-1", "B"].a) == (0, None)
    assert (tally.a, tally.b) == (8 + 6 + 6, 7 + 7 + 7)


def test_a_judge_read_in_less_than_half_of_its_cells_counts_in_no_verdict_and_is_listed_with_reasons() -> None:
    tally = count(panel([(6, 7)] * 4, [(6, 7)] * 4, [(10, 1), None, None, None]))
    assert (tally.a, tally.b) == (48, 56)
    assert [v.vote for v in tally.votes] == ["B", "B", None]
    assert [(f.judge, f.read, f.asked, f.reason) for f in tally.failed] == [("judge-3", 1, 4, "3 × garbled")]


def test_the_majority_of_judges_wins_over_the_total() -> None:
    tally = count(panel([(7, 6), (7, 6)], [(7, 6), (7, 6)], [(1, 10), (1, 10)]))
    assert (tally.winner_by_total, tally.winner_by_majority, tally.winner) == ("B", "A", "A")


def test_the_total_breaks_a_tie_of_the_majority() -> None:
    tally = count(panel([(7, 6), (7, 6)], [(1, 10), (1, 10)]))
    assert (tally.winner_by_total, tally.winner_by_majority, tally.winner) == ("B", "tie", "B")


def test_a_tie_is_allowed() -> None:
    tally = count(panel([(7, 6), (6, 7)], [(5, 5), (5, 5)]))
    assert (tally.winner_by_total, tally.winner_by_majority, tally.winner) == ("tie", "tie", "tie")


@pytest.mark.parametrize(
    "readable, judges, decided",
    [(0, 0, False), (0, 1, False), (1, 1, True), (1, 2, False), (2, 2, True), (1, 3, False), (2, 3, True),
     (2, 4, True), (2, 5, False), (3, 5, True)],
)  # fmt: skip
def test_the_panel_is_undecided_below_half_of_the_judges_or_two_of_several(
    readable: int, judges: int, decided: bool
) -> None:
    assert is_decided(readable, judges) == decided
    tally = count(panel(*[[(7, 6), (7, 6)]] * readable, *[[None, None]] * (judges - readable)))
    assert tally.winner == ("A" if decided else "undecided")
    assert tally.winner_by_total == tally.winner_by_majority == tally.winner


def test_the_swap_effect_is_the_mean_move_of_the_margin_over_pairs_readable_in_both_orders() -> None:
    tally = count(panel([(8, 6), (7, 7), (6, 8), (8, 7)], [(9, 1), None, None, (9, 1)]))
    assert tally.swap.pairs == 2
    assert tally.swap.mean == pytest.approx((4 - 1) / 2)
    assert tally.swap.mean_size == pytest.approx((4 + 1) / 2)
    assert tally.swap.flipped == 1


def test_the_swap_effect_is_not_known_without_a_pair() -> None:
    swap = count(panel([(8, 6), None])).swap
    assert (swap.pairs, swap.mean, swap.mean_size, swap.flipped) == (0, None, None, 0)


def test_a_winner_named_against_the_judges_own_points_is_counted() -> None:
    cells = [mark("judge-1", "A", 1, 8, 6, "B"), mark("judge-1", "B", 1, 8, 6, "tie")]
    tally = count(cells)
    assert (tally.named, tally.against_scores) == ({"A": 0, "B": 1, "tie": 1}, 1)


def test_thirds_of_points_make_no_winner_out_of_a_tie() -> None:
    thirds = [(22 / 3, 23 / 3), (23 / 3, 22 / 3), (20 / 3, 19 / 3), (19 / 3, 20 / 3)]
    assert count(panel(thirds, thirds)).winner == "tie"


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────

scores = st.integers(2, 20).map(lambda n: n / 2)


@st.composite
def panels(draw: st.DrawFn) -> list[Mark | UnreadableCell]:
    judges, topics = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    picks: st.SearchStrategy[Pick] = st.sampled_from(["A", "B", "tie"])
    return [
        mark(f"judge-{j}", first, t, draw(scores), draw(scores), draw(picks))
        if draw(st.integers(0, 3))
        else unread(f"judge-{j}", first, t)
        for j in range(1, judges + 1)
        for first in ORDERS
        for t in range(1, topics + 1)
    ]


def in_any_order(tally: Tally) -> dict[str, object]:
    """The tally without the order in which judges are listed."""
    dumped = tally.model_dump()
    return {
        key: sorted(map(repr, value)) if key in {"judges", "totals", "votes", "failed"} else value
        for key, value in dumped.items()
    }


@settings(deadline=None)  # the machine may be busy, and the first example imports numpy
@given(panels(), st.data())
def test_the_order_of_cells_changes_nothing(cells: list[Mark | UnreadableCell], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(cells))
    assert in_any_order(count(shuffled)) == in_any_order(count(cells))


def turned(verdict: Verdict) -> str:
    return SWAPPED.get(verdict, verdict)


@settings(deadline=None)  # the machine may be busy, and the first example imports numpy
@given(panels())
def test_exchanging_a_and_b_everywhere_exchanges_every_verdict_and_nothing_else(
    cells: list[Mark | UnreadableCell],
) -> None:
    picks: dict[Pick, Pick] = {"A": "B", "B": "A", "tie": "tie"}
    mirrored = count(
        [
            c.model_copy(update={"first": SWAPPED[c.first], "a": c.b, "b": c.a, "winner": picks[c.winner]})
            if isinstance(c, Mark)
            else c.model_copy(update={"first": SWAPPED[c.first]})
            for c in cells
        ]
    )
    tally = count(cells)
    assert (mirrored.a, mirrored.b) == (tally.b, tally.a)
    assert mirrored.winner_by_total == turned(tally.winner_by_total)
    assert mirrored.winner_by_majority == turned(tally.winner_by_majority)
    assert mirrored.winner == turned(tally.winner)
    assert mirrored.swap == tally.swap
    assert mirrored.agreement.scores == pytest.approx(tally.agreement.scores, abs=2e-4)
    assert mirrored.agreement.winners == pytest.approx(tally.agreement.winners, abs=2e-4)
    assert mirrored.against_scores == tally.against_scores
    assert mirrored.failed == tally.failed


@settings(deadline=None)  # the machine may be busy, and the first example imports numpy
@given(panels())
def test_there_is_a_verdict_exactly_when_enough_judges_are_readable(cells: list[Mark | UnreadableCell]) -> None:
    tally = count(cells)
    readable = sum(v.vote is not None for v in tally.votes)
    assert (tally.winner != "undecided") == is_decided(readable, len(tally.judges))
    assert readable + len(tally.failed) == len(tally.judges)


@settings(deadline=None)  # the machine may be busy, and the first example imports numpy
@given(panels())
def test_an_unreadable_judge_more_changes_no_points(cells: list[Mark | UnreadableCell]) -> None:
    silent = [unread("judge-9", first, 1) for first in ORDERS]
    tally, more = count(cells), count([*cells, *silent])
    assert (more.a, more.b, more.swap, more.agreement) == (tally.a, tally.b, tally.swap, tally.agreement)
    assert "judge-9" in [f.judge for f in more.failed]


# ── how strong a verdict is ──────────────────────────────────────────────────────────────────────────────────────


def test_judges_who_all_see_the_same_winner_agree_however_lenient_or_strict_they_are() -> None:
    """Always 2 points ahead, but 9–7, 6–4 and 4–2: α of the scores is below 0."""
    tally = count(panel(*([(high, high - 2)] * 6 for high in (9, 6, 4))))
    assert tally.agreement.scores is not None
    assert tally.agreement.scores < 0
    assert unanimous(tally)
    assert by_chance(tally) == pytest.approx(binomtest(18, 18).pvalue)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 3))
def test_the_chance_of_so_many_named_winners_is_that_of_the_sign_test(a: int, b: int, ties: int) -> None:
    cells = [("A", (6.0, 5.0))] * a + [("B", (5.0, 6.0))] * b + [("tie", (5.0, 5.0))] * ties
    marks = [mark(f"judge-{n % 2}", "A", n // 2, *points) for n, (_, points) in enumerate(cells)]
    found = by_chance(count(marks))
    if len(marks) < 2 or not a + b:
        assert found is None
    else:
        assert found == pytest.approx(binomtest(a, a + b).pvalue)


def test_one_judge_agrees_with_nobody() -> None:
    assert by_chance(count(panel([(9, 1)] * 12))) is None


def test_a_majority_is_not_unanimous_and_unread_judges_do_not_count() -> None:
    assert not unanimous(count(panel([(7, 6)] * 4, [(7, 6)] * 4, [(6, 7)] * 4)))
    assert unanimous(count(panel([(7, 6)] * 4, [(7, 6)] * 4, [None] * 4)))


def test_judges_who_toss_coins_are_unanimous_beyond_chance_in_no_more_than_5_of_100_debates() -> None:
    """Three judges, three topics; α of their scores is above 0 in about half of such debates."""
    chance, firm = random.Random(1), 0
    for _ in range(400):
        tossed = [[(chance.randint(1, 10), chance.randint(1, 10)) for _ in range(6)] for _ in range(3)]
        tally = count(panel(*tossed))
        firm += unanimous(tally) and (by_chance(tally) or 0) < 0.05
    assert firm <= 0.05 * 400
