"""Texts in tokens with each common beginning once, so that a model reads it once: a tree laid out in one row. Pure.

A token attends to those of its own text alone and has its place in that text, so that it is read as if the text stood
alone; what two texts begin with alike is one and the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Ids = list[int]


class Tree(NamedTuple):
    """Texts in one row of `ids`. `places`: of each token in its text, from 0; `paths`: which tokens of the row it
    follows, with itself; `ends`: where each text ends in the row.
    """

    ids: Ids
    places: list[int]
    paths: list[list[int]]
    ends: list[int]


def tree_of(texts: Sequence[Ids]) -> Tree:
    """The tree of texts that stand in order, so that those with the same beginning are beside each other."""
    tree, path, before = Tree([], [], [], []), list[int](), Ids()
    for text in texts:
        path = path[: shared(before, text)]
        for place in range(len(path), len(text)):
            path = [*path, len(tree.ids)]
            tree.ids.append(text[place])
            tree.places.append(place)
            tree.paths.append(path)
        tree.ends.append(path[-1])
        before = text
    return tree


def grouped(texts: Sequence[Ids], most: int) -> Iterator[list[int]]:
    """Which texts make a tree of at most so many tokens (more where one text has more); each text stands in one."""
    group, size = list[int](), 0
    for n in sorted(range(len(texts)), key=texts.__getitem__):
        more = len(texts[n]) - (shared(texts[group[-1]], texts[n]) if group else 0)
        if group and size + more > most:
            yield group
            group, size, more = [], 0, len(texts[n])
        group.append(n)
        size += more
    if group:
        yield group


def shared(first: Ids, second: Ids) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
