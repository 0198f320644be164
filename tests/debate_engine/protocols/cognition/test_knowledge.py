"""What is forgotten, and what points at something unnamed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.cognition.knowledge import age_of, forget, vague_in
from elenchus.debate_engine.protocols.cognition.schemas import Statement
from tests.debate_engine.protocols.cognition.minds import said


def scored(*scores: int, iteration: int = 1, after: int = 0) -> tuple[Statement, ...]:
    """Statements with these scores, numbered on from `after`."""
    return tuple(
        Statement(id=f"k{n}", iteration=iteration, subject=f"S{n}", predicate="is", object="x", score=score)
        for n, score in enumerate(scores, after + 1)
    )


@pytest.mark.parametrize(("many", "stay"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (10, 6), (12, 7)])
def test_so_many_stay_as_the_released_code_keeps(many: int, stay: int) -> None:
    kept, gone = forget(scored(*[3] * many), 0.4)
    assert (len(kept), len(gone)) == (stay, many - stay)


def test_of_equal_scores_the_older_goes_first() -> None:
    kept, gone = forget((*scored(3, 3, 3, iteration=2, after=2), *scored(3, 3)), 0.4)
    assert [one.id for one in gone] == ["k1", "k2"]
    assert [one.id for one in kept] == ["k3", "k4", "k5"]


def test_ids_are_compared_as_numbers() -> None:
    many = scored(*[3] * 12)
    kept, _ = forget(many, 0.4)
    assert [one.id for one in kept] == ["k6", "k7", "k8", "k9", "k10", "k11", "k12"]


statements = st.lists(st.integers(1, 5), max_size=30).map(lambda scores: scored(*scores))


@given(statements, st.floats(0, 0.99))
def test_nothing_is_lost_and_nothing_that_stays_is_worth_less_than_what_goes(
    all_of_them: tuple[Statement, ...], share: float
) -> None:
    kept, gone = forget(all_of_them, share)
    assert sorted((*kept, *gone), key=age_of) == list(all_of_them)
    assert len(kept) == round(len(all_of_them) * (1 - share))
    for stays in kept:
        for goes in gone:
            assert (goes.score, age_of(goes)) < (stays.score, age_of(stays))


@given(statements, st.floats(0, 0.99), st.randoms())
def test_the_order_in_which_statements_come_makes_no_difference(
    all_of_them: tuple[Statement, ...], share: float, chance: object
) -> None:
    mixed = list(all_of_them)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert set(forget(mixed, share)[1]) == set(forget(all_of_them, share)[1])


# ── what points at something ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("subject", "word"),
    [("It", "it"), ("they", "they"), ("Its engine", "its"), ("This plan", "this"), ("The former", "former"),
     ("we", "we"), ("I", "i"), ("that", "that"), ("Both", "both")],
)  # fmt: skip
def test_a_subject_that_points_is_named(subject: str, word: str) -> None:
    assert vague_in(said(subject)) == word
    assert vague_in(said("The town", of=subject)) == word


@pytest.mark.parametrize(
    "subject",
    ["The town", "IT departments", "The US navy", "Italy", "That all men are mortal", "One in three pupils", "町",
     "Both towns", "The harbour and its boats", "?"],
)  # fmt: skip
def test_a_subject_that_names_is_clear(subject: str) -> None:
    assert vague_in(said(subject, of="a roof")) == ""
