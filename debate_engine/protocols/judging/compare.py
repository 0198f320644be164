"""A debate against a plain answer: one model informs about the same agenda without debate, and judges compare.

SocraSynth's question is whether debate gives better information than asking one model; see NOTES.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Preference, PreferenceCell
from elenchus.debate_engine.protocols.judging.tally import count
from elenchus.debate_engine.protocols.speech import Topic, sections_of
from elenchus.debate_engine.session import Session, together
from elenchus.debate_engine.words import count_words

prompts = prompts_of("elenchus.debate_engine.protocols.judging")

LEAST_WORDS, MOST_WORDS = 80, 300
"""Bounds on the words a topic that the plain answer is asked for; between them, as many as the debate has."""


async def compare_with_plain_answer(
    s: Session,
    motion: str,
    topics: Sequence[Topic],
    debate_text_by_topic: Sequence[str],
    judges: Sequence[str],
    answerer: str = "answerer",
    *,
    language: str = "",
) -> Comparison:
    """The judges' preference between a debate and a plain answer, topic by topic, in both orders, side by side.

    `debate_text_by_topic[i]` is what the debate said about topic i + 1 (`material.plain_text` makes it). Without a
    plain answer the comparison is undecided and says why. Raises UsageError without judges or topics. Step keys:
    `comparison/plain-answer`, `comparison/JUDGE/debate-first/topic/1`, `comparison/result`.
    """
    if not judges or not topics:
        raise UsageError("a comparison needs at least one judge and one topic")
    s = s.under("comparison")
    answer = await plain_answer(s, motion, topics, debate_text_by_topic, answerer, language)
    no_answer = answer.reason if isinstance(answer, Declined) else ""
    text = "" if isinstance(answer, Declined) else answer
    pairs = list(zip(debate_text_by_topic, sections_of(text, topics), strict=True))
    cells = await together(
        *(
            prefer(s, motion, topic.title, n, pair, name, debate_first, language)
            for name in judges
            for debate_first in (True, False)
            for n, (topic, pair) in enumerate(zip(topics, pairs, strict=True), start=1)
        )
    )

    async def counted() -> Any:
        result = await asyncio.to_thread(comparison_of, topics, pairs, cells, text, no_answer)
        return result.model_dump(mode="json")

    return Comparison.model_validate(await s.step("result", [list(judges), len(topics)], counted))


async def plain_answer(
    s: Session, motion: str, topics: Sequence[Topic], debate: Sequence[str], answerer: str, language: str = ""
) -> str | Declined:
    """One text with a heading for each topic, about as long as the debate's."""
    words = sum(map(count_words, debate)) // len(topics)
    words = max(LEAST_WORDS, min(MOST_WORDS, words // 10 * 10))
    headings = "\n".join(f"## {n}. {topic.title}" for n, topic in enumerate(topics, start=1))
    return await s.ask(
        "plain-answer",
        answerer,
        prompts.plain_answer,
        max_tokens=2 * words * len(topics) + 100,
        optional=True,
        motion=motion,
        headings=headings,
        words=words,
        language=language,
    )


async def prefer(
    s: Session,
    motion: str,
    title: str,
    topic: int,
    pair: tuple[str, str],
    judge: str,
    debate_first: bool,
    language: str = "",
) -> PreferenceCell:
    """One judge's preference on one topic (from 1); `pair` is the debate's text and the plain answer's."""
    missing = [what for what, text in zip(("debate", "plain answer"), pair, strict=True) if not text.strip()]
    if missing:
        reason = f"nothing to compare: no text from the {' and the '.join(missing)} on this topic"
        return PreferenceCell(judge=judge, debate_first=debate_first, topic=topic, declined=reason)
    first, second = pair if debate_first else pair[::-1]
    preference = await s.ask(
        f"{judge}/{'debate' if debate_first else 'answer'}-first/topic/{topic}",
        judge,
        prompts.preference,
        Preference,
        optional=True,
        rubric=PREFERENCE,
        motion=motion,
        title=title,
        first=first,
        second=second,
        language=language,
    )
    if isinstance(preference, Declined):
        return PreferenceCell(judge=judge, debate_first=debate_first, topic=topic, declined=preference.reason)
    return PreferenceCell(judge=judge, debate_first=debate_first, topic=topic, preference=preference)


def comparison_of(
    topics: Sequence[Topic],
    pairs: Sequence[tuple[str, str]],
    cells: Sequence[PreferenceCell],
    answer: str,
    no_answer: str,
) -> Comparison:
    """The cells with everything that is counted from them. Pure; slow the first time (see `count`)."""
    return Comparison(
        **dict(count([cell.counted() for cell in cells])),
        topics=tuple(topic.title for topic in topics),
        cells=tuple(cells),
        answer=answer,
        no_answer=no_answer,
        debate_words=tuple(count_words(debate) for debate, _ in pairs),
        plain_words=tuple(count_words(plain) for _, plain in pairs),
    )
