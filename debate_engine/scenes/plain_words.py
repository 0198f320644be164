"""What YAML and pydantic say of a scene's file, in words that its author can act on. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from elenchus.config.documents import UnreadableDocument
from elenchus.config.validation import no_number
from elenchus.debate_engine.scenes.measures import number

# ── YAML ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_YAML = {
    "could not find expected ':'": "after a name a colon and a blank are wanted",
    "mapping values are not allowed": "a colon stands where none is expected: put a text that has one in quotation "
    "marks, and write a blank after the colon of a name",
    "did not find expected ','": "a comma or a closing bracket is missing, or a quotation mark stands inside a text",
    "did not find expected key": "a quotation mark is missing or one too many, or a line begins further right or left "
    "than the others",
    "did not find expected node content": "something is missing before a comma or a bracket",
    "unexpected end of stream": "a quotation mark or a bracket is not closed",
    "unknown escape": "a backslash stands in quotation marks: write two of them",
    "cannot start any token": "a text begins with a character that it cannot begin with: put it in quotation marks",
}


def told_of_yaml(error: UnreadableDocument, line: str) -> str:
    """What is wrong with YAML that could not be read, from the error and the line that it names."""
    if "YAML" not in error.problem:
        return error.problem
    indented = line[: len(line) - len(line.lstrip())]
    if "\t" in indented or ("cannot start any token" in error.problem and "\t" in line):
        return "a tab stands in this line: write blanks in its place, or nothing"
    return next((told for said, told in _YAML.items() if said in error.problem), "it is not written as `name: value`")


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_WANTED = {
    "missing": "it is missing",
    "extra_forbidden": "it means nothing here",
    "string_type": "a text is wanted, in quotation marks",
    "string_pattern_mismatch": "a name begins with a small letter, and has small letters, digits and _ (at most 31)",
    "int_type": "a whole number is wanted",
    "float_type": "a number is wanted",
    "finite_number": "a finite number is wanted",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "tuple_type": "a list is wanted, as [A, B]",
    "list_type": "a list is wanted, as [A, B]",
    "dict_type": "`{name: value}` is wanted",
    "model_type": "`{name: value}` is wanted",
    "model_attributes_type": "`{name: value}` is wanted",
    "union_tag_not_found": "it has no kind",
}
_BOUNDS = {
    "greater_than_equal": ("write at least {}", "ge"), "greater_than": ("write more than {}", "gt"),
    "less_than_equal": ("write at most {}", "le"), "less_than": ("write less than {}", "lt"),
    "string_too_short": ("write at least {} characters", "min_length"),
    "string_too_long": ("write at most {} characters", "max_length"),
    "too_short": ("{} or more are wanted", "min_length"), "too_long": ("at most {} are wanted", "max_length"),
}  # fmt: skip


def told_of(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, from one of pydantic's errors."""
    kind, limits = str(error["type"]), error.get("ctx", {})
    if said := no_number(kind, error["input"]):
        return said
    if kind in _BOUNDS:
        how, limit = _BOUNDS[kind]
        return f"{how.format(number(limits[limit]))}" + (
            f", not {limits['actual_length']}" if kind.startswith("too") else ""
        )
    if kind == "literal_error":
        return f"write one of: {_one_of(limits['expected'])}"
    if kind == "union_tag_invalid":
        return f"“{limits['tag']}” is no kind; write one of: {_one_of(limits['expected_tags'])}"
    if kind == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    return _WANTED.get(kind, "it is not what is wanted here")


def _one_of(expected: str) -> str:
    """Pydantic's `'a', 'b' or 'c'` as a list."""
    return ", ".join(name for name in re.findall(r"'([^']*)'", expected) if name)


def place_in(loc: tuple[int | str, ...], besides: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Where a value stands, from pydantic's `loc`: names and numbers alone, no types and none of `besides`."""
    types = ("bool", "int", "float", "str", *besides)
    return tuple(str(part) for part in loc if str(part) not in types and "[" not in str(part))
