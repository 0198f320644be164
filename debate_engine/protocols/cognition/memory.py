"""Short-term memory, which is full after so many words, and what is recalled from long-term memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from elenchus.debate_engine.protocols.cognition.schemas import Mind, MindSettings, Statement
from elenchus.debate_engine.retrieval import Near, Recall
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import count_words, first_words

# ── short-term memory ────────────────────────────────────────────────────────────────────────────────────────────


def perceived(short_term: Sequence[str], texts: Sequence[str], capacity: int) -> tuple[list[str], tuple[str, ...]]:
    """Each filling of short-term memory, and what then is left in it, piece by piece. Pure.

    A text goes in paragraph by paragraph; what is longer than the capacity is cut after a sentence, else after a word.
    """
    fillings, held, words = list[str](), list(short_term), sum(map(count_words, short_term))
    for piece in (piece for text in texts for piece in pieces_of(text, capacity)):
        size = count_words(piece)
        if held and words + size > capacity:
            fillings.append("\n\n".join(held))
            held, words = [], 0
        held.append(piece)
        words += size
    return fillings, tuple(held)


def pieces_of(text: str, capacity: int) -> Iterator[str]:
    """A text in pieces of at most so many words: paragraphs where they are short enough."""
    for paragraph in (part.strip() for part in re.split(r"\n\s*\n", text)):
        if not paragraph:
            continue
        yield from [paragraph] if count_words(paragraph) <= capacity else _cut(paragraph, capacity)


def _cut(paragraph: str, capacity: int) -> Iterator[str]:
    rest = paragraph
    while rest:
        first = first_words(rest, capacity)
        if len(first) < len(rest):
            ends = [found.end() for found in re.finditer(r"[.!?…][\"'”’»)]*\s|[。！？\n]", first)]
            first = first[: ends[-1]] if ends and ends[-1] > len(first) // 2 else first
        first = first or rest[:1]
        if first.strip():
            yield first.strip()
        rest = rest[len(first) :].lstrip()


# ── long-term memory ─────────────────────────────────────────────────────────────────────────────────────────────


async def recalled(
    s: Session, cfg: MindSettings, recall: Recall, mind: Mind, questions: Sequence[str], now: int
) -> list[tuple[Statement, ...]]:
    """What bears on each question, the weightiest first. Step key: `recall`. `now` is the iteration."""
    memories = mind.memories
    if not memories or not cfg.recall:
        return [() for _ in questions]
    by_id = {memory.id: memory for memory in memories}

    async def found() -> Any:
        near = await recall.likest(questions, [memory.text for memory in memories], looked_at(cfg, len(memories)))
        return [[memories[place].id for place in chosen(cfg, mind, one, now)] for one in near]

    spaced = ["spaced"] if cfg.spaced else []
    inputs = [list(questions), len(memories), memories[-1].id, cfg.recall, cfg.policy, cfg.least_similar, *spaced]
    ids: list[list[str]] = await s.step("recall", inputs, found)
    return [tuple(by_id[one] for one in some) for some in ids]


def looked_at(cfg: MindSettings, memories: int) -> int:
    """How many of so many memories are compared before some are chosen."""
    return memories if cfg.policy == "park" else cfg.recall + cfg.least_similar


def chosen(cfg: MindSettings, mind: Mind, near: Sequence[Near], now: int) -> list[int]:
    """The places of what is recalled of what is near, the weightiest first. Pure.

    `least_similar`: of one more than is wanted those that are least alike, the least first, as in the released code.
    """
    if cfg.policy == "park":
        weight = park(cfg, mind, near, now)
        return sorted(weight, key=lambda place: (-weight[place], place))[: cfg.recall]
    places = [one.place for one in near]
    return places[::-1][: cfg.recall] if cfg.least_similar else places[: cfg.recall]


def park(cfg: MindSettings, mind: Mind, near: Sequence[Near], now: int) -> dict[int, float]:
    """Recency, importance and relevance, each from 0 to 1 over what there is, added up (Park et al. 2023, 4.1). Pure.

    Recency falls by `decay` with each iteration since a memory was last recalled, or learned. Where recall is `spaced`,
    a memory that was recalled in n iterations falls so far in n + 1 of them: e^(−t/S) with a strength S that grows by
    one with each recall, several in one iteration being one (MemoryBank: Zhong et al. 2023, arXiv 2305.10250).
    """
    places = [one.place for one in near]
    of = [mind.memories[place] for place in places]
    since = [now - mind.used.get(one.id, one.iteration) for one in of]
    strength = [1 + mind.recalls.get(one.id, 0) if cfg.spaced else 1 for one in of]
    recency = _from_0_to_1([cfg.decay ** (t / s) for t, s in zip(since, strength, strict=True)])
    importance = _from_0_to_1([float(one.score) for one in of])
    relevance = _from_0_to_1([one.likeness for one in near])
    return {place: sum(three) for place, *three in zip(places, recency, importance, relevance, strict=True)}


def _from_0_to_1(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
