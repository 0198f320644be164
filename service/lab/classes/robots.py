"""Answering robots: they play a class as people do, by the same use case, with answers drawn from what a form allows.

They are labelled as robots wherever they stand, and nobody counts them as people. They agree to everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from elenchus.debate_engine.protocols.rulegen.spec import SPEC
from elenchus.debate_engine.reports.moderation import OpenTurn

VIA = "robot"
"""The front end that their answers name."""
WORDS = "robot"

_FAR = 100.0
"""Where a number has no bounds of its own."""


def answer_to(turn: OpenTurn, chance: Random) -> Any:
    """An answer of the asked form, by lot; yes wherever somebody is asked for their consent."""
    if SPEC.is_decision(turn.step):
        return {"agreed": "yes"}
    return WORDS if turn.answer_schema is None else _value(turn.answer_schema, chance)


def _value(schema: Mapping[str, Any], chance: Random) -> Any:
    match schema:
        case {"const": value}:
            return value
        case {"anyOf": options}:
            return _value(next(one for one in options if one.get("type") != "null"), chance)
        case {"enum": choices}:
            return chance.choice(list(choices))
        case {"type": "object", "properties": fields}:
            return {name: _value(field, chance) for name, field in fields.items()}
        case {"type": "array", "items": item}:
            return [_value(item, chance) for _ in range(max(1, schema.get("minItems", 0)))]
        case {"type": "boolean"}:
            return chance.random() < 0.5
        case {"type": "integer" | "number" as kind}:
            low = schema.get("minimum", 0.0)
            number = chance.triangular(low, schema.get("maximum", low + _FAR))
            return round(number) if kind == "integer" else round(number, 2)
    return WORDS


def thinking(chance: Random, pace: float) -> float:
    """Seconds before a robot answers: `pace` in the middle, seldom long."""
    return pace * chance.lognormvariate(0.0, 0.5)
