"""What an ask wants to know as fields, and what was typed for them as the value that was asked for. Pure.

A free text is one field. An object gives a field for each of its values; a list is one field: an entry a line, the
values of an entry divided by `|`. Front ends render the fields; one that asks line by line reads them by `read_valid`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.llm.schema import faults_in, raise_faults
from elenchus.service.lab.numbers import as_read, misread, read_number, written

Schema = Mapping[str, Any]

TEXT = "text"
"""The name of the one field of a free text."""

YES, NO = "Yes", "No"
DIVIDER = "|"
THIS = "this"
"""How a complaint calls a field that is asked alone."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `name` is the path of its value in the answer, such as `pro.a_validity`.

    `low` and `high` bound a number, `least` and `most` the characters of a text (`most_words` its words, where they
    count); `columns` are the values of a list's entries, none where an entry is one value. `called` is what people read
    in the place of its name.
    """

    name: str
    kind: Literal["text", "number", "choice", "yes-no", "list"]
    help: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    least: int = 0
    most: int | None = None
    most_words: int | None = None
    columns: tuple[str, ...] = ()
    called: str = ""

    @property
    def label(self) -> str:
        """Its name as people read it."""
        return self.called or (label(self.name) if self.name != TEXT else "Your words")


def label(name: str) -> str:
    """A field's label from its name: `pro.a_validity` becomes "Pro: a validity"."""
    worded = ": ".join(part.replace("_", " ") for part in name.split("."))
    return worded[:1].upper() + worded[1:]


def fields_of(schema: Schema | None) -> list[Field]:
    """The fields of an answer of this form; of a free text without a schema."""
    return [Field(TEXT, "text", least=1)] if schema is None else list(_fields(schema, ""))


def _fields(schema: Schema, path: str) -> Iterator[Field]:
    real, _ = or_nothing(schema)
    if real.get("type") == "object":
        for name, sub in real["properties"].items():
            yield from _fields(sub, _below(path, name))
    elif "const" not in real:
        yield field_of(schema, path)


def field_of(schema: Schema, name: str = "") -> Field:
    """The field of one value or of one list."""
    schema, optional = or_nothing(schema)
    about = str(schema.get("description", ""))
    match schema:
        case {"enum": choices}:
            return Field(name, "choice", about, optional, tuple(str(choice) for choice in choices))
        case {"type": "boolean"}:
            return Field(name, "yes-no", about, optional, (YES, NO))
        case {"type": "integer" | "number"}:
            return Field(name, "number", about, optional, low=schema.get("minimum"), high=schema.get("maximum"))
        case {"type": "array", "items": item}:
            columns = tuple(label(column) for column in item["properties"]) if item.get("type") == "object" else ()
            return Field(name, "list", about, optional, least=schema.get("minItems", 0), columns=columns)
    bounds = {"least": schema.get("minLength", 0), "most": schema.get("maxLength")}
    return Field(name, "text", about, optional, most_words=schema.get("maxWords"), **bounds)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def or_nothing(schema: Schema) -> tuple[Schema, bool]:
    """The schema itself, and whether the value may be left out: `X or nothing`."""
    real = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if not real:
        return schema, False
    return {k: v for k, v in schema.items() if k != "anyOf"} | dict(real[0]), len(real) < len(schema["anyOf"])


# ── from a value to what is typed ────────────────────────────────────────────────────────────────────────────────────


def typed_of(schema: Schema, value: Any, path: str = "") -> dict[str, str]:
    """The fields as they are typed for this value: `value_of` gives the value again."""
    schema, _ = or_nothing(schema)
    if schema.get("type") == "object":
        parts = [typed_of(sub, value.get(name), _below(path, name)) for name, sub in schema["properties"].items()]
        return {key: text for part in parts for key, text in part.items()}
    if value is None or "const" in schema:
        return {}
    if schema.get("type") == "array":
        return {path: "\n".join(_written(schema["items"], item) for item in value)}
    return {path: _plain(value)}


def _written(item: Schema, value: Any) -> str:
    if item.get("type") != "object":
        return " ".join(_plain(value).split())
    parts = [" ".join(_plain(value.get(name, "")).replace(DIVIDER, "/").split()) for name in item["properties"]]
    return f" {DIVIDER} ".join(parts).rstrip(f" {DIVIDER}")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return "" if value is None else written(value) if isinstance(value, float) else str(value)


def shown_to_read(schema: Schema, value: Any) -> str:
    """The value as it is read: a line for each of a list's items, without the marks of the form."""
    lines = []
    for field in fields_of(schema):
        text = typed_of(schema, value).get(field.name, "")
        rows = [" · ".join(part for cell in row.split(DIVIDER) if (part := cell.strip())) for row in text.splitlines()]
        lines += [f"{field.label}: {rows[0]}"] if len(rows) == 1 else [f"{field.label}:", *(f"- {row}" for row in rows)]
    return "\n".join(line for line in lines if line)


def numbers_understood(schema: Schema | None, value: Any, locale: str | None = None) -> str:
    """The numbers of an answer that are written otherwise elsewhere, as the reader's locale has them; "" for none.

    A measure's name would say what is looked for: they stand alone, in the order in which they were asked for.
    """
    told = [
        as_read(one, locale)
        for one in (value.values() if schema is not None and isinstance(value, dict) else ())
        if isinstance(one, int | float) and not isinstance(one, bool) and misread(one)
    ]
    return "; ".join(told)


_PLACE = re.compile(r"(?:^|(?<=; ))(\w+(?:\.\w+|\[\d+\])*)(?= (?:must|may|lacks|has|needs)\b)")
"""Where a fault's place stands in what `debate_engine.llm.schema.check` says: before each fault."""


def named_as_in_the_form(problem: str) -> str:
    """A complaint about a value, with its places called as the form calls its fields: "Topics, line 2: scope"."""

    def called(found: re.Match[str]) -> str:
        first, *rest = re.findall(r"\w+|\[\d+\]", found[1])
        named = [f"line {int(part[1:-1]) + 1}" if part[0] == "[" else label(part).lower() for part in rest]
        return ": ".join([", ".join([label(first), *named[:1]]), *named[1:]])

    return _PLACE.sub(called, problem)


# ── from what was typed ──────────────────────────────────────────────────────────────────────────────────────────────


def value_of(schema: Schema | None, typed: Mapping[str, str]) -> Any:
    """The value of the asked form, its bounds still to be checked (`human_seat.read_answer`).

    Raises UnreadableReply naming the field that cannot be read.
    """
    return typed.get(TEXT, "").strip() if schema is None else _value(schema, "", typed)


def _value(schema: Schema, path: str, typed: Mapping[str, str]) -> Any:
    schema, optional = or_nothing(schema)
    if schema.get("type") == "object":
        return {name: _value(sub, _below(path, name), typed) for name, sub in schema["properties"].items()}
    if "const" in schema:
        return schema["const"]
    text = typed.get(path, "").strip()
    if optional and not text:
        return None
    if schema.get("type") == "array":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return [_line(schema["items"], line, label(path)) for line in lines]
    return read(schema, text, label(path))


def _line(item: Schema, line: str, name: str) -> Any:
    if item.get("type") != "object":
        return read(item, line.removeprefix("- "), name)
    names = list(item["properties"])
    parts = [part.strip() for part in line.split(DIVIDER, len(names) - 1)]
    missing = [""] * (len(names) - len(parts))  # trailing values may be left out where they may be empty
    values = zip(names, [*parts, *missing], strict=True)
    return {column: read(item["properties"][column], part, f"{name}: {label(column)}") for column, part in values}


def read(schema: Schema, text: str, name: str = THIS) -> Any:
    """One value from its text; the first letters of a choice do. Raises UnreadableReply."""
    text = text.strip()
    match schema:
        case {"enum": choices}:
            return _chosen({str(choice): choice for choice in choices}, text, name)
        case {"type": "boolean"}:
            return _chosen({YES: True, NO: False}, text, name)
        case {"type": "integer" | "number" as kind}:
            return read_number(
                text, name, whole=kind == "integer", low=schema.get("minimum"), high=schema.get("maximum")
            )
    return text


def read_valid(schema: Schema, text: str) -> Any:
    """One value from its text, within its bounds. Raises UnreadableReply."""
    return within_bounds(schema, read(schema, text))


def within_bounds(schema: Schema, value: Any) -> Any:
    """The value of a field that is asked alone, if it fits. Raises UnreadableReply."""
    if faults := faults_in(value, schema, THIS):
        raise_faults(faults)
    return value


def is_numbered(choices: Iterable[str]) -> bool:
    """Whether a choice may be typed as its number (from 1): not where choices have digits of their own."""
    return not any(sign.isdigit() for choice in choices for sign in choice)


def _chosen(choices: Mapping[str, Any], text: str, name: str) -> Any:
    typed = text.casefold()
    exact = [value for choice, value in choices.items() if choice.casefold() == typed]
    near = [value for choice, value in choices.items() if typed and choice.casefold().startswith(typed)]
    if not exact and not near and len(typed) < 4 and typed.isascii() and typed.isdigit() and is_numbered(choices):
        near = list(choices.values())[int(typed) - 1 : int(typed)] if int(typed) else []
    if not exact and len(near) != 1:
        raise UnreadableReply(f"{name} must be one of {', '.join(choices)}")
    return (exact or near)[0]
