"""An Ask's schema as forms of at most five fields, and what was filled in as the JSON value that was asked for. Pure.

Free text is one paragraph. An object gives a field for each of its values; a list of values one line each; a list of
objects one line each with their values divided by `|`. Too many fields come in steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from elenchus.bot.rendering import fields
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnreadableReply

Schema = Mapping[str, Any]

FIELDS, LONGEST, LABEL, HINT, CHOICES = 5, 4_000, 45, 100, 25
"""Discord's: fields of a form, characters of a text, of a label and of a hint; choices of a menu."""

TEXT = "text"
"""The key of the one field of a free text."""

DIVIDER = "|"
_LONG_TEXT = 100
"""A text that may be longer than this gets a paragraph, not a line."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `key` is the path of its value, `choices` the names of a menu; `most` and `least` are characters."""

    key: str
    label: str
    hint: str = ""
    kind: Literal["paragraph", "line", "choice"] = "paragraph"
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = LONGEST

    @property
    def required(self) -> bool:
        """Whether it may not stay empty."""
        return self.least > 0


def fields_of(schema: Schema | None) -> list[Field]:
    """The fields of an answer of this form; of a free text without a schema."""
    if schema is None:
        return [Field(TEXT, msg("forms-your-words"), msg("forms-write-here"), least=1)]
    return list(_fields(schema, ""))


def steps_of(fields: Sequence[Field]) -> list[list[Field]]:
    """The fields in forms of at most five."""
    return [list(fields[i : i + FIELDS]) for i in range(0, len(fields), FIELDS)]


def _fields(schema: Schema, path: str) -> Iterator[Field]:
    schema, optional = _real(schema)
    if schema.get("type") == "object":
        for name, sub in schema["properties"].items():
            yield from _fields(sub, f"{path}.{name}" if path else name)
    elif "const" not in schema:
        yield _field(schema, path, optional=optional)


def _field(schema: Schema, path: str, *, optional: bool) -> Field:
    label, about = fields.label(path)[:LABEL], str(schema.get("description", ""))
    least = 0 if optional else 1
    match schema:
        case {"enum": choices} if len(choices) <= CHOICES:
            return Field(path, label, about[:HINT], "choice", tuple(str(c) for c in choices), least)
        case {"type": "boolean"}:
            return Field(path, label, about[:HINT], "choice", (msg("forms-yes"), msg("forms-no")), least)
        case {"type": "integer" | "number"}:
            hint = fields.joined(about, fields.in_range(schema.get("minimum"), schema.get("maximum")))
            return Field(path, label, hint[:HINT], "line", (), least, 20)
        case {"type": "array", "items": item}:
            hint = fields.joined(fields.list_of(_columns(item), DIVIDER), about)
            return Field(path, label, hint[:HINT], "paragraph", (), min(least, schema.get("minItems", 0)))
    bound = int(schema.get("maxLength", LONGEST))
    most = LONGEST if "maxWords" in schema else min(bound, LONGEST)
    shortest = 0 if optional else int(schema.get("minLength", 0))
    return Field(path, label, about[:HINT], "paragraph" if bound > _LONG_TEXT else "line", (), shortest, most)


def _columns(item: Schema) -> list[str]:
    return [fields.label(name) for name in item["properties"]] if item.get("type") == "object" else []


def _real(schema: Schema) -> tuple[Schema, bool]:
    """The schema itself, where it may be left out: `X or nothing`."""
    real = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return ({**schema, **real[0]}, len(real) < len(schema["anyOf"])) if real else (schema, False)


# ── from a value to a filled-in form ──


def typed_of(schema: Schema, value: Any, path: str = "") -> dict[str, str]:
    """The fields as they are filled in for this value of the asked form: `value_of` gives the value again."""
    schema, _ = _real(schema)
    if schema.get("type") == "object":
        parts = [
            typed_of(sub, value.get(name), f"{path}.{name}" if path else name)
            for name, sub in schema["properties"].items()
        ]
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
    return (
        (msg("forms-yes") if value else msg("forms-no"))
        if isinstance(value, bool)
        else ""
        if value is None
        else str(value)
    )


def shown_to_read(schema: Schema, value: Any) -> str:
    """The value as it is read: a line for each of a list's items, without the marks of the form."""
    lines = []
    for field in fields_of(schema):
        text = typed_of(schema, value).get(field.key, "")
        rows = [" · ".join(part for cell in row.split(DIVIDER) if (part := cell.strip())) for row in text.splitlines()]
        lines += [f"{field.label}: {rows[0]}"] if len(rows) == 1 else [f"{field.label}:", *(f"- {row}" for row in rows)]
    return "\n".join(line for line in lines if line)


_PLACE = re.compile(r"(?:^|(?<=; ))(\w+(?:\.\w+|\[\d+\])*)(?= (?:must|may|lacks|has|needs)\b)")
"""Where a fault's place stands in what `debate_engine.llm.schema.check` says: before each fault."""


def named_as_in_the_form(problem: str) -> str:
    """A complaint about a value, with its places called as the form calls its fields: "Topics, line 2: scope"."""

    def called(found: re.Match[str]) -> str:
        first, *rest = re.findall(r"\w+|\[\d+\]", found[1])
        named = [f"line {int(part[1:-1]) + 1}" if part[0] == "[" else fields.label(part).lower() for part in rest]
        return ": ".join([", ".join([fields.label(first), *named[:1]]), *named[1:]])

    return _PLACE.sub(called, problem)


# ── from what was filled in ──────────────────────────────────────────────────────────────────────────────────────


def value_of(schema: Schema | None, typed: Mapping[str, str]) -> Any:
    """The value of the asked form, to be checked by `human.read`. Raises UnreadableReply naming the field."""
    return typed.get(TEXT, "").strip() if schema is None else _value(schema, "", typed)


def _value(schema: Schema, path: str, typed: Mapping[str, str]) -> Any:
    schema, optional = _real(schema)
    if schema.get("type") == "object":
        properties = schema["properties"].items()
        return {name: _value(sub, f"{path}.{name}" if path else name, typed) for name, sub in properties}
    if "const" in schema:
        return schema["const"]
    text = typed.get(path, "").strip()
    if optional and not text:
        return None
    if schema.get("type") == "array":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return [_line(schema["items"], line, fields.label(path)) for line in lines]
    return _one(schema, text, fields.label(path))


def _line(item: Schema, line: str, label: str) -> Any:
    if item.get("type") != "object":
        return _one(item, line.removeprefix("- "), label)
    names = list(item["properties"])
    parts = [part.strip() for part in line.split(DIVIDER, len(names) - 1)]
    missing = [""] * (len(names) - len(parts))  # trailing values may be left out where they may be empty
    values = zip(names, [*parts, *missing], strict=True)
    return {name: _one(item["properties"][name], part, f"{label}: {fields.label(name)}") for name, part in values}


def _one(schema: Schema, text: str, label: str) -> Any:
    match schema:
        case {"enum": choices}:
            found = [c for c in choices if str(c).casefold() == text.casefold()]
            if not found:
                raise UnreadableReply(msg("forms-one-of", name=label, choices=", ".join(str(c) for c in choices)))
            return found[0]
        case {"type": "boolean"}:
            if text.casefold() not in (msg("forms-yes").casefold(), msg("forms-no").casefold()):
                yes_or_no = ", ".join((msg("forms-yes"), msg("forms-no")))
                raise UnreadableReply(msg("forms-one-of", name=label, choices=yes_or_no))
            return text.casefold() == msg("forms-yes").casefold()
        case {"type": "integer" | "number" as kind}:
            try:
                return int(text) if kind == "integer" else float(text.replace(",", "."))
            except ValueError:
                if kind == "integer":
                    raise UnreadableReply(msg("forms-no-whole-number", name=label)) from None
                raise UnreadableReply(msg("forms-no-number", name=label)) from None
    return text
