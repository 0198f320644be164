"""What is asked of every `Recall`, over numpy, in Chroma and by words: the likest first, whatever was asked before."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, strategies as st

from elenchus.config.settings import Settings
from elenchus.debate_engine.retrieval import RankedText, Recall, WordOverlap
from elenchus.service.app import open_app
from elenchus.storage.chroma_recall import RecallInChroma
from elenchus.storage.embeddings import RecallByMeaning, recall_of_this_machine

if TYPE_CHECKING:
    from elenchus.service.protocols import Protocols

TEXTS = ("Cats sleep all day.", "The fund pays interest.", "Dogs bark at night.", "Cats sleep all day.")
WORDS = ("tea", "cat", "sea", "ship", "law")
BY_MEANING = (RecallByMeaning, RecallInChroma)
EVERY: tuple[Callable[[], Recall], ...] = (*BY_MEANING, WordOverlap)


@pytest.mark.parametrize("of", EVERY)
async def test_the_likest_comes_first_and_of_equal_texts_the_earlier(of: Callable[[], Recall]) -> None:
    cats, money = await of().likest(["Cats sleep all day.", "The fund pays interest."], TEXTS, 3)
    assert [near.place for near in cats[:2]] == [0, 3]
    assert cats[0].likeness == pytest.approx(1)
    assert money[0].place == 1
    assert len(cats) == len(money) == 3


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize(("queries", "texts", "most"), [((), TEXTS, 3), (("a",), (), 3), (("a", "b"), TEXTS, 0)])
async def test_nothing_is_found_among_nothing(
    of: Callable[[], Recall], queries: Sequence[str], texts: Sequence[str], most: int
) -> None:
    assert await of().likest(queries, texts, most) == [[] for _ in queries]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), max_size=5))
def test_what_was_asked_before_makes_no_difference(asked: list[list[str]]) -> None:
    asyncio.run(is_as_fresh(RecallByMeaning, asked))


async def test_in_chroma_it_makes_none_either() -> None:
    await is_as_fresh(RecallInChroma, [["tea", "cat"], ["law", "cat", "ship", "sea", "tea"], ["tea", "tea"], ["ship"]])


async def is_as_fresh(of: type[RecallByMeaning], asked: list[list[str]]) -> None:
    used, small = of(), of(kept=3)
    for texts in asked:
        fresh = await RecallByMeaning().likest(["tea at sea"], texts, 4)
        assert same(await used.likest(["tea at sea"], texts, 4), fresh)
        assert same(await small.likest(["tea at sea"], texts, 4), fresh)


def same(found: list[list[RankedText]], others: list[list[RankedText]]) -> bool:
    """Whether two have found the same, by the same likeness but for the last digits."""
    pairs = zip(found, others, strict=True)
    return all(
        [near.place for near in some] == [near.place for near in more]
        and [near.likeness for near in some] == pytest.approx([near.likeness for near in more], abs=1e-5)
        for some, more in pairs
    )


@pytest.mark.parametrize("of", BY_MEANING)
async def test_a_text_without_words_is_like_nothing(of: type[RecallByMeaning]) -> None:
    assert (await of().likest([""], ["tea"], 1)) == [[RankedText(0, 0.0)]]


async def test_memories_of_several_minds_in_one_store_do_not_mix() -> None:
    """Each is asked among its own texts, of which some are those of others as well."""
    chroma, numpy = RecallInChroma(), RecallByMeaning()
    words = ("ferry", "harbour", "council", "engine", "school", "garden", "winter", "bread", "choir", "lamp")
    minds = [[f"The {a} is near the {b}, says {who}." for a in words for b in words] for who in ("Ida", "Otto", "Ann")]
    minds[2][:50] = minds[0][:50]
    for _ in range(2):
        for texts in minds:
            found = await chroma.likest(["Where is the choir?", "Is there bread in winter?", ""], texts, 5)
            assert same(found, await numpy.likest(["Where is the choir?", "Is there bread in winter?", ""], texts, 5))


async def test_more_than_chroma_is_asked_for_are_all_compared() -> None:
    texts = [f"House {n} opens its door." for n in range(1_200)]
    (found,) = await RecallInChroma().likest(["house 7"], texts, len(texts))
    assert sorted(near.place for near in found) == list(range(1_200))
    assert [near.likeness for near in found] == sorted((near.likeness for near in found), reverse=True)


# ── which one a machine has ──────────────────────────────────────────────────────────────────────────────────────────


def test_each_says_what_it_compares_by() -> None:
    assert re.fullmatch(r"wordllama-[\d.post]+ \(cosine\)", RecallByMeaning().name)
    assert RecallInChroma().name.endswith("(cosine, in Chroma)")
    assert WordOverlap().name == "words in common"


async def test_a_setting_says_in_what_memories_are_kept_and_nothing_of_them_lies_in_a_file(tmp_path: Path) -> None:
    assert type(recall_of_this_machine()) is RecallByMeaning
    settings = Settings.model_validate({"home": tmp_path, "memories": {"index": "chroma"}})
    async with open_app(settings) as app:
        protocols = cast("Protocols", app.runner.protocols)
        assert isinstance(protocols.recall, RecallInChroma)
        (found,) = await protocols.recall.likest(["cats"], ["A cat named Wilhelmina sleeps.", "The fund pays."], 1)
        assert found[0].place == 0
        await protocols.recall.likest(["cats"], ["Wilhelmina the cat sleeps by the sea."], 1)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"Wilhelmina" in path.read_bytes()]
    assert not [*tmp_path.rglob("chroma*")]
