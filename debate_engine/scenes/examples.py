"""Answers that the forms of a scene's measures accept, for a rehearsal: an ordinary one, and what the outcome turns on.

Pure. An ordinary answer is the file's own `example`, else one that is right where the measure says what is, else the
middle of a range, the first option, yes (no to having met it before), or a few words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from elenchus.debate_engine.scenes.measures import (
    Choice,
    FreeText,
    Measure,
    Number,
    Rating,
    Scale,
    Stated,
    answer_told,
    stated,
)
from elenchus.debate_engine.scenes.outcome import UnreadableRule, outcome_of, parsed
from elenchus.debate_engine.scenes.scene import Scene

WORDS = "An example of an answer."
"""What is said in words of one's own."""

UNBOUNDED = 100
"""A number where the measure says no greatest one."""

Answers = Mapping[str, Any]
"""By measure, what is answered in its field of the form."""


def ordinary(scene: Scene) -> dict[str, Any]:
    """An answer to each measure and each item of the trials (the right one, where there is one) of a version."""
    answers = {one.name: _ordinary(one) for one in scene.measures}
    for block in scene.trials:
        for item, measure in zip(block.items, block.measures, strict=True):
            answers[measure.name] = answer_told(measure, item.right) if item.right else _ordinary(measure)
    return answers


def others_than(scene: Scene, answers: Answers, named: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The same answers but for what an outcome speaks of (`named`): each of it at its ends, then all of it."""
    blocks = [block for block in scene.trials if any(name.startswith(f"{block.name}_") for name in named)]
    ends = {one.name: ends_of(one) for one in scene.measures if one.name in named}
    for block in blocks:
        items = zip(block.items, block.measures, strict=True)
        ends |= {
            one.name: [end for end in ends_of(one) if not item.right or end != answer_told(one, item.right)]
            for item, one in items
        }
    for name in () if blocks else ends:
        yield from ({**answers, name: end} for end in ends[name])
    for n in range(max(map(len, ends.values()), default=0)):
        yield {**answers, **{name: some[min(n, len(some) - 1)] for name, some in ends.items()}}


def ends_of(measure: Measure) -> list[Any]:
    """The answers between which all others lie, as the form has them."""
    match measure:
        case Number(low=low, high=high, whole=whole):
            both = [0 if low is None else low, max(low or 0, 0) + UNBOUNDED if high is None else high]
            return [int(end) if whole else end for end in both]
        case Choice(options=options):
            return [*options]
        case Scale(points=points):
            return [points[0], points[-1]]
        case Rating(low=low, high=high):
            return [low, high]
        case FreeText():
            return [_few(measure)]
    return [False, True] if measure.serves == "met-before" else [True, False]


def _ordinary(measure: Measure) -> Any:
    if measure.example is not None:
        return int(measure.example) if isinstance(measure, Rating) else measure.example
    likely = [*_middle(measure), *ends_of(measure), *_constants(measure)]
    return next((one for one in likely if _right(measure, one)), likely[0])


def _middle(measure: Measure) -> list[Any]:
    match measure:
        case Number(whole=whole):
            low, high = ends_of(measure)
            return [int((low + high) / 2) if whole else (low + high) / 2]
        case Rating(low=low, high=high):
            return [(low + high) // 2]
        case Scale(points=points):
            return [points[len(points) // 2]]
    return []


def _constants(measure: Measure) -> list[Any]:
    """The numbers of the rule that says what is right."""
    if not measure.right or not isinstance(measure, Number):
        return []
    found = [node.value for node in ast.walk(parsed(measure.right)) if isinstance(node, ast.Constant)]
    return [one for one in found if isinstance(one, int | float)]


def _right(measure: Measure, answer: Any) -> bool:
    """Whether this is right, where the measure says what is; a rule that needs other answers says nothing here."""
    try:
        value: Stated = stated(measure, answer)
        return not measure.right or outcome_of(measure.right, {measure.name: value}) is not False
    except (ValueError, UnreadableRule):
        return False


def _few(measure: FreeText) -> str:
    return " ".join(WORDS.split()[: measure.words])
