"""Answers that the forms of a scene's measures accept, for a rehearsal: an ordinary one, and what the outcome turns on.

Pure. An ordinary answer is the file's own `example`, else one that is right where the measure says what is, else the
middle of a range, the first option, yes (no to having met it before), or a few words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from elenchus.debate_engine.scenes.measures import Measure, Number, Stated, stated
from elenchus.debate_engine.scenes.outcome import UnreadableRule, outcome_of, parsed
from elenchus.debate_engine.scenes.scene import Scene

Answers = Mapping[str, Any]
"""By measure, what is answered in its field of the form."""


def ordinary(scene: Scene) -> dict[str, Any]:
    """An answer to each measure and each item of the trials (the right one, where there is one) of a version."""
    answers = {one.name: _ordinary(one) for one in scene.measures}
    for block in scene.trials:
        for item, measure in zip(block.items, block.measures, strict=True):
            answers[measure.name] = measure.answers.of_text(item.right) if item.right else _ordinary(measure)
    return answers


def others_than(scene: Scene, answers: Answers, named: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The same answers but for what an outcome speaks of (`named`): each of it at its ends, then all of it."""
    blocks = [block for block in scene.trials if any(name.startswith(f"{block.name}_") for name in named)]
    ends = {one.name: one.answers.ends for one in scene.measures if one.name in named}
    for block in blocks:
        items = zip(block.items, block.measures, strict=True)
        ends |= {
            one.name: tuple(end for end in one.answers.ends if not item.right or end != one.answers.of_text(item.right))
            for item, one in items
        }
    for name in () if blocks else ends:
        yield from ({**answers, name: end} for end in ends[name])
    for n in range(max(map(len, ends.values()), default=0)):
        yield {**answers, **{name: some[min(n, len(some) - 1)] for name, some in ends.items()}}


def _ordinary(measure: Measure) -> Any:
    if measure.example is not None:
        return int(measure.example) if measure.kind == "rating" else measure.example
    likely = [*measure.answers.middle, *measure.answers.ends, *_constants(measure)]
    return next((one for one in likely if _right(measure, one)), likely[0])


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
