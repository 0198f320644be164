"""The loser tree, for every number of entrants from 1 to 33."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from math import ceil, log2
from random import Random

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.dry_run.simulation import run_virtually
from elenchus.debate_engine.errors import ProtocolBug, ProviderBusy
from elenchus.debate_engine.protocols.loser_tree.protocol import LoserTree, Match, Played

MOST = 33
ranks = st.integers(1, MOST).flatmap(lambda n: st.permutations(range(n)))
"""The strength of each entrant, the lowest number the strongest."""


def by(strengths: Sequence[int]) -> Match[int]:
    """A judge that always agrees with itself."""

    async def match(first: int, second: int) -> int:
        return min(first, second, key=strengths.__getitem__)

    return match


def of(strengths: Sequence[int]) -> LoserTree[int]:
    return LoserTree(range(len(strengths)), by(strengths))


def placed(tree: LoserTree[int], places: int) -> list[int]:
    async def play() -> None:
        for _ in range(places):
            await tree.next()

    asyncio.run(play())
    return tree.ranking


def most_more(entrants: int) -> int:
    return ceil(log2(entrants))


@given(ranks)
def test_the_first_place_takes_one_match_less_than_there_are_entrants(strengths: list[int]) -> None:
    tree = of(strengths)
    (winner,) = placed(tree, 1)
    assert strengths[winner] == 0
    assert len(tree.played) == len(strengths) - 1
    assert tree.nodes[0] == winner


@given(ranks)
def test_every_node_holds_the_loser_of_its_match(strengths: list[int]) -> None:
    tree = of(strengths)
    (winner,) = placed(tree, 1)
    assert sorted(played.node for played in tree.played) == list(range(1, len(strengths)))
    assert all(tree.nodes[played.node] == played.loser for played in tree.played)
    assert sorted(entrant for entrant in tree.nodes if entrant is not None) == list(range(len(strengths)))
    assert winner not in tree.nodes[1:]


@given(ranks)
def test_every_match_is_between_the_winners_of_the_two_nodes_below(strengths: list[int]) -> None:
    tree, n = of(strengths), len(strengths)
    placed(tree, 1)
    by_node = {played.node: played for played in tree.played}
    for node, played in by_node.items():
        below = [child - n if child >= n else by_node[child].winner for child in (2 * node, 2 * node + 1)]
        assert sorted(below) == [played.first, played.second]


@given(ranks)
def test_second_place_costs_at_most_the_height_of_the_tree_and_is_that_of_a_full_replay(strengths: list[int]) -> None:
    tree, n = of(strengths), len(strengths)
    best, *second = placed(tree, 2)
    rest = [entrant for entrant in range(n) if entrant != best]
    replay = LoserTree(rest, by(strengths)) if rest else None
    assert second == (placed(replay, 1) if replay else [])
    assert len(tree.played) - (n - 1) <= most_more(n)


@given(ranks)
def test_all_places_are_in_the_order_of_a_consistent_judge_and_nobody_meets_twice(strengths: list[int]) -> None:
    tree, n = of(strengths), len(strengths)
    assert placed(tree, n + 2) == sorted(range(n), key=strengths.__getitem__)
    pairs = [(played.first, played.second) for played in tree.played]
    assert len(set(pairs)) == len(pairs)
    for place in range(2, n + 1):
        assert sum(played.place == place for played in tree.played) <= most_more(n)


@pytest.mark.parametrize("n", range(1, MOST + 1))
def test_for_every_number_of_entrants_the_tree_keeps_losers_and_the_second_place_is_that_of_a_replay(n: int) -> None:
    """What the properties above draw by chance, once for each number: whichever entrant is the best."""
    for best in range(n):
        strengths = [(entrant - best) % n for entrant in range(n)]
        tree = of(strengths)
        assert placed(tree, 1) == [best]
        assert len(tree.played) == n - 1
        assert all(tree.nodes[played.node] == played.loser for played in tree.played)
        placed(tree, 1)
        assert tree.ranking[1:] == ([(best + 1) % n] if n > 1 else [])
        assert len(tree.played) - (n - 1) <= most_more(n)


@given(st.integers(1, MOST), st.randoms(use_true_random=False))
def test_an_inconsistent_judge_still_places_everyone_once_and_lets_nobody_meet_twice(n: int, chance: Random) -> None:
    async def match(first: int, second: int) -> int | None:
        return chance.choice([first, second, None])

    tree = LoserTree(range(n), match)
    assert sorted(placed(tree, n)) == list(range(n))
    pairs = [(played.first, played.second) for played in tree.played]
    assert len(set(pairs)) == len(pairs)


@given(st.integers(1, MOST))
def test_without_any_decision_the_first_named_wins_and_every_match_is_undecided(n: int) -> None:
    async def silent(first: int, second: int) -> None:
        assert first < second

    tree = LoserTree(range(n), silent)
    assert placed(tree, n) == list(range(n))
    assert all(played.undecided for played in tree.played)


@given(st.integers(1, MOST))
def test_a_pass_takes_as_long_as_its_rounds_since_a_levels_matches_run_side_by_side(n: int) -> None:
    flying: list[int] = []

    async def slow(first: int, second: int) -> int:
        flying.append(0)
        await asyncio.sleep(1)
        return min(first, second)

    tree = LoserTree(range(n), slow)
    _, seconds = run_virtually(tree.next())
    assert round(seconds) == tree.rounds == (most_more(n) if n > 1 else 0)
    first_round = [played for played in tree.played if played.round == 1]
    assert len(first_round) == n - 2 ** (tree.rounds - 1) if n > 1 else not first_round


def test_with_five_entrants_the_first_three_have_a_bye() -> None:
    tree = of([4, 3, 2, 1, 0])
    placed(tree, 1)
    assert [(p.round, p.first, p.second) for p in tree.played] == [(1, 3, 4), (2, 0, 4), (2, 1, 2), (3, 2, 4)]
    assert tree.nodes == [4, 2, 0, 1, 3]


def test_the_way_of_the_winner_is_replayed_without_it() -> None:
    tree = of([4, 3, 2, 1, 0])
    assert placed(tree, 2) == [4, 3]
    assert tree.played[4:] == [Played(2, 2, 2, 0, 3, 3, False), Played(2, 3, 1, 2, 3, 3, False)]


@pytest.mark.parametrize("entrants", [[], [1, 2, 1]])
def test_entrants_are_needed_each_named_once(entrants: list[int]) -> None:
    with pytest.raises(ValueError, match="each named once"):
        LoserTree(entrants, by([0, 1, 2]))


async def test_a_judge_who_names_somebody_else_is_a_mistake_of_the_program() -> None:
    async def odd(first: int, second: int) -> int:
        return first + second + 1

    with pytest.raises(ProtocolBug, match="was given to"):
        await LoserTree([0, 1], odd).next()


async def test_a_match_that_fails_is_told_after_the_others_of_its_level_are_done() -> None:
    done: list[tuple[int, int]] = []

    async def failing(first: int, second: int) -> int:
        if first == 0:
            raise ProviderBusy("no line")
        await asyncio.sleep(0)
        done.append((first, second))
        return first

    with pytest.raises(ProviderBusy):
        await LoserTree(range(4), failing).next()
    assert done == [(2, 3)]
