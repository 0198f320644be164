"""Short-term memory, which is full after so many words, and what is recalled from long-term memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Any

from elenchus.debate_engine.protocols.cognition.config import MindSettings
from elenchus.debate_engine.protocols.cognition.schemas import Mind, Statement
from elenchus.debate_engine.retrieval import RankedText, Recall
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
    match cfg.policy:
        case "relevance":
            return cfg.recall + cfg.least_similar
        case "park":
            return memories


def chosen(cfg: MindSettings, mind: Mind, near: Sequence[RankedText], now: int) -> list[int]:
    """The places of what is recalled of what is near, the weightiest first. Pure.

    `least_similar`: of one more than is wanted those that are least alike, the least first, as in the released code.
    """
    match cfg.policy:
        case "relevance":
            places = [one.place for one in near]
            return places[::-1][: cfg.recall] if cfg.least_similar else places[: cfg.recall]
        case "park":
            weight = park(cfg, mind, near, now)
            return nsmallest(cfg.recall, weight, key=lambda place: (-weight[place], place))


def park(cfg: MindSettings, mind: Mind, near: Sequence[RankedText], now: int) -> dict[int, float]:
    """Recency, importance and relevance, each from 0 to 1 over what there is, added up (Park et al. 2023, 4.1). Pure.

    Recency falls by `decay` with each iteration since a memory was last recalled, or learned. Where recall is `spaced`,
    a memory that was recalled in n iterations falls so far in n + 1 of them: e^(−t/S) with a strength S that grows by
    one with each recall, several in one iteration being one (MemoryBank: Zhong et al. 2023, arXiv 2305.10250).
    """
    of, used, recalls = [mind.memories[one.place] for one in near], mind.used, mind.recalls if cfg.spaced else {}
    aged = [(now - used.get(one.id, one.iteration)) / (1 + recalls.get(one.id, 0)) for one in of]
    decay = {age: cfg.decay**age for age in set(aged)}
    recency = _from_0_to_1([decay[age] for age in aged])
    importance = _from_0_to_1([one.score for one in of])
    relevance = _from_0_to_1([one.likeness for one in near])
    weighed = zip(near, recency, importance, relevance, strict=True)
    return {one.place: recent + important + relevant for one, recent, important, relevant in weighed}


def _from_0_to_1(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    spread = high - low
    return [(value - low) / spread for value in values] if spread > 0 else [0.0] * len(values)
