"""Recall by meaning: the likest first, the same whatever was asked before, and fast among ten thousand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.retrieval import Near, Recall, WordOverlap
from elenchus.storage.embeddings import RecallByMeaning

TEXTS = ("Cats sleep all day.", "The fund pays interest.", "Dogs bark at night.", "Cats sleep all day.")


@pytest.mark.parametrize("recall", [RecallByMeaning(), WordOverlap()])
async def test_the_likest_comes_first_and_of_equal_texts_the_earlier(recall: Recall) -> None:
    cats, money = await recall.likest(["Cats sleep all day.", "The fund pays interest."], TEXTS, 3)
    assert [near.place for near in cats[:2]] == [0, 3]
    assert cats[0].likeness == pytest.approx(1)
    assert money[0].place == 1
    assert len(cats) == len(money) == 3


@pytest.mark.parametrize("recall", [RecallByMeaning(), WordOverlap()])
@pytest.mark.parametrize(("queries", "texts", "most"), [((), TEXTS, 3), (("a",), (), 3), (("a", "b"), TEXTS, 0)])
async def test_nothing_is_found_among_nothing(
    recall: Recall, queries: Sequence[str], texts: Sequence[str], most: int
) -> None:
    assert await recall.likest(queries, texts, most) == [[] for _ in queries]


@given(st.lists(st.lists(st.sampled_from(["tea", "cat", "sea", "ship", "law"]), min_size=1, max_size=8), max_size=5))
def test_what_was_asked_before_makes_no_difference(asked: list[list[str]]) -> None:
    used, small = RecallByMeaning(), RecallByMeaning(kept=3)

    async def compared() -> None:
        for texts in asked:
            fresh = await RecallByMeaning().likest(["tea at sea"], texts, 4)
            assert await used.likest(["tea at sea"], texts, 4) == fresh
            assert await small.likest(["tea at sea"], texts, 4) == fresh

    asyncio.run(compared())


async def test_a_text_without_words_is_like_nothing() -> None:
    assert (await RecallByMeaning().likest([""], ["tea"], 1)) == [[Near(0, 0.0)]]
