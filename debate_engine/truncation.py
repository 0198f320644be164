"""Fitting a prompt into a small context, by a stated policy.

1. `drop` sections are left out, the first in the prompt first.
2. `digest` sections are shortened to a running summary: the first sentence of each paragraph, headings kept.
3. The longest remaining sections are cut, down to a floor of some 40 words (60 tokens) each; a fence stays closed.
What still does not fit is the provider's to refuse. The role and the task are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from elenchus.debate_engine.prompts import Section, closed

_FLOOR_TOKENS = 60
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")


@dataclass(frozen=True, slots=True)
class Truncated:
    """The material that fits, what was left out or shortened, and the tokens before and after (estimates)."""

    material: tuple[Section, ...]
    left_out: tuple[str, ...]
    tokens_before: int
    tokens_after: int


def truncated(material: Sequence[Section], room: int, tokens: Callable[[str], int]) -> Truncated:
    """Make the material fit into `room` tokens as far as the policy allows. `tokens` estimates a text's length."""
    sections = list(material)
    left_out: list[str] = []

    def total() -> int:
        return sum(tokens(s.text) + tokens(s.title) for s in sections)

    before = total()
    if before <= room:  # nearly always: lengths are not estimated again
        return Truncated(tuple(sections), (), before, before)
    for section in material:
        if section.policy == "drop" and total() > room:
            sections.remove(section)
            left_out.append(f"{section.title} (left out)")
    for i, section in enumerate(sections):
        if section.policy == "digest" and total() > room and len(summary := digest(section.text)) < len(section.text):
            sections[i] = section.model_copy(update={"text": summary})
            left_out.append(f"{section.title} (summarised)")
    while total() > room and (cut := _cut_longest(sections, tokens)) is not None:
        if (mark := f"{sections[cut].title} (cut)") not in left_out:
            left_out.append(mark)
    return Truncated(tuple(sections), tuple(left_out), before, total())


def _cut_longest(sections: list[Section], tokens: Callable[[str], int]) -> int | None:
    """Cut the longest section in place, and say which; None where it cannot become shorter."""
    i = max(range(len(sections)), key=lambda i: tokens(sections[i].text), default=None)
    if i is None or tokens(sections[i].text) <= _FLOOR_TOKENS:
        return None
    if len(cut := closed(shorter(sections[i].text))) >= len(sections[i].text):
        return None
    sections[i] = sections[i].model_copy(update={"text": cut})
    return i


def digest(text: str) -> str:
    """The running summary of a text: headings, and the first sentence of each paragraph."""
    paragraphs = [p.rstrip() for p in text.split("\n") if p.strip()]
    return "\n".join(p if p.lstrip().startswith("#") else _SENTENCE_END.split(p)[0] for p in paragraphs)


def shorter(text: str) -> str:
    """The first four fifths of a text, up to a blank where one is near (many languages have none)."""
    kept = text[: len(text) * 4 // 5]
    blank = kept.rfind(" ")
    return kept[:blank] if blank > len(kept) // 2 else kept
