"""Common beginnings stand once in a tree, and each text can be read off it again."""

from __future__ import annotations

from hypothesis import given, strategies as st

from elenchus.detectors.alignment.training.learning.tree import grouped, shared, tree_of

Texts = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=8)


@given(Texts)
def test_each_text_is_the_path_to_its_end_and_each_beginning_stands_once(texts: list[list[int]]) -> None:
    tree = tree_of(sorted(texts))
    for text, end in zip(sorted(texts), tree.ends, strict=True):
        path = tree.paths[end]
        assert [tree.ids[token] for token in path] == text
        assert [tree.places[token] for token in path] == list(range(len(text)))
    beginnings = {tuple(text[: n + 1]) for text in texts for n in range(len(text))}
    assert len(tree.ids) == len(beginnings)


@given(Texts, st.integers(0, 12))
def test_each_text_stands_in_one_group_and_no_tree_is_larger_than_it_may(texts: list[list[int]], most: int) -> None:
    groups = list(grouped(texts, most))
    assert sorted(n for group in groups for n in group) == list(range(len(texts)))
    for group in groups:
        assert len(group) == 1 or len(tree_of([texts[n] for n in group]).ids) <= most


def test_prompts_with_three_answers_each_are_read_once() -> None:
    system, texts = list(range(100, 125)), list[list[int]]()
    for prompt in range(4):
        texts += [[*system, *[prompt] * 30, 50 + answer, 9] for answer in range(3)]
    trees = [tree_of([texts[n] for n in group]) for group in grouped(texts, 512)]
    assert sum(map(len, texts)) == 4 * 3 * 57
    assert sum(len(tree.ids) for tree in trees) == 25 + 4 * (30 + 3 * 2)
    assert shared([1, 2], [1, 2, 3]) == 2
