"""What stub models say in a dry run: the longest answer of the asked form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.participant import Ask

Stub = Callable[[Ask], Any]
"""What a stub model answers to an ask: a text, or a JSON value of the asked form."""

_LONGEST_WORD = 12
"""Characters of a word with its blank, on the safe side of what a text's bound allows."""

_AT_MOST = re.compile(r"at most (\d+) words|(\d+) to (\d+) words")


@dataclass
class SchemaFiller:
    """Values that fill a JSON schema, no two texts alike: lists as long as allowed, numbers in the middle."""

    count: int = 0

    def words(self, number: int) -> str:
        """So many words that were not used before."""
        self.count += 1
        return " ".join([f"point-{self.count}", *["words"] * (number - 1)]) + "."

    def fill(self, schema: Mapping[str, Any], items: int = 2) -> Any:
        """A value of this schema; lists without a bound get `items` entries."""
        match schema:
            case {"const": value}:
                return value
            case {"enum": [first, *_]}:
                return first
            case {"anyOf": [first, *_]}:
                return self.fill(first, items)
            case {"type": "object", "properties": properties}:
                return {name: self.fill(sub, items) for name, sub in properties.items()}
            case {"type": "array"}:
                many = max(schema.get("maxItems", items), schema.get("minItems", 0))
                return [self.fill(schema.get("items", {"type": "string"}), items) for _ in range(many)]
            case {"type": "integer" | "number" as kind}:
                low, high = schema.get("minimum", 1), schema.get("maximum", schema.get("minimum", 1) + 9)
                return (low + high) // 2 if kind == "integer" else (low + high) / 2
            case {"type": "boolean"}:
                return True
            case {"type": "null"}:
                return None
        return self.words(typical_words(schema))


def typical_words(schema: Mapping[str, Any]) -> int:
    """How many words a model writes where the field's description says how many it may."""
    description = str(schema.get("description", ""))
    longest = max(1, int(schema.get("maxLength", 18 * _LONGEST_WORD)) // _LONGEST_WORD)
    if found := _AT_MOST.search(description):
        return max(1, min(longest, int(found[1] or found[3]) * 3 // 4))
    return min(longest, 6 if "few words" in description else 60)


def speech(headings: Sequence[str], words: int, filler: SchemaFiller) -> str:
    """A speech of so many words under each heading."""
    return "\n\n".join(f"## {n}. {heading}\n{filler.words(words)}" for n, heading in enumerate(headings, 1))


def filling() -> Stub:
    """A stub that fills whatever form it is asked for, and says some words where it is asked for none."""
    filler = SchemaFiller()

    def answer(ask: Ask) -> Any:
        return filler.fill(ask.answer_schema or {})

    return answer
