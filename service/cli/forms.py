"""A JSON schema asked field by field, one typed line at a time.

A form is a generator: it yields a `Field` (what to ask, and what was wrong with the last line), is sent what the person
typed, and returns the JSON value. It knows no terminal, so the live view and plain input drive the same form.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from elenchus.debate_engine.human_seat import no_topic
from elenchus.debate_engine.words import count_words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to type. `multiline`: many lines, ended apart; `problem` says what was wrong with the last answer."""

    label: str
    hint: str = ""
    multiline: bool = False
    problem: str = ""


_NO_TOPICS: Mapping[int, str] = {}
_OTHERWISE = re.compile(r"[,;]? ?\b(?:empty|none) when \w+")

Form = Generator[Field, str, T]
"""Yields fields, is sent the typed text, returns the value."""


def text_form(label: str) -> Form[str]:
    """Free text: at least one word."""
    field = Field(label, multiline=True)
    while not (text := (yield field)).strip():
        field = replace(field, problem="this is empty; /pass passes the turn")
    return text.strip()


Topics = Mapping[int, str]


def form_of(schema: Mapping[str, Any], label: str = "", topics: Topics = _NO_TOPICS) -> Form[Any]:
    """The form for a value of this schema (see `debate_engine.llm.schema`).

    `topics` are those that it names by number: a list of what is said to each asks for each of them.
    """
    hint = str(schema.get("description", ""))
    match schema:
        case {"const": value}:
            return value
        case {"enum": [only]}:
            return only
        case {"enum": choices}:
            return (yield from _choice(label, hint, [str(c) for c in choices], choices))
        case {"anyOf": options}:
            return (yield from _any_of(options, label, hint))
        case {"type": "object"}:
            return (yield from _object(schema, label, topics))
        case {"type": "array"}:
            return (yield from _array(schema, label, hint, topics))
        case {"type": "integer" | "number"}:
            return (yield from _number(schema, label, hint))
        case {"type": "boolean"}:
            return (yield from _choice(label, hint, ["yes", "no"], [True, False]))
        case {"type": "null"}:
            return None
    return (yield from _line(schema, label, hint))


def _object(schema: Mapping[str, Any], label: str, topics: Topics = _NO_TOPICS) -> Form[dict[str, Any]]:
    """All its fields, but for those that are asked only after other answers than were given."""
    value: dict[str, Any] = {}
    for name, sub in schema.get("properties", {}).items():
        if all(value[before] == wanted for before, wanted in sub.get("onlyIf", {}).items()):
            value[name] = yield from form_of(_as_chosen(sub), f"{label}{_worded(name)}", topics)
        else:
            value[name] = [] if sub["type"] == "array" else ""
    return value


def _as_chosen(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A field without what is said of other choices; a text that is asked for one of them is not left out."""
    if "onlyIf" not in schema:
        return schema
    hint = _OTHERWISE.sub("", schema.get("description", ""))
    needed = {"minLength": 1} if schema["type"] == "string" and "empty" not in hint else {}
    return {**schema, **needed, "description": hint}


def _each(item: Mapping[str, Any], topics: Topics) -> Form[list[dict[str, Any]]]:
    """What is said to every topic, one after the other."""
    rest = {"properties": {name: sub for name, sub in item["properties"].items() if name != "number"}}
    values = []
    for number, title in topics.items():
        values.append({"number": number, **(yield from _object(rest, f"topic {number}, {title}: "))})
    return values


def _any_of(options: list[Mapping[str, Any]], label: str, hint: str) -> Form[Any]:
    """Only "this or nothing" occurs: an empty line is nothing."""
    real = [option for option in options if option.get("type") != "null"]
    if len(real) == len(options):
        return (yield from form_of(real[0], label))
    form = form_of({"description": f"{hint} (empty: nothing)".strip(), **real[0]}, label)
    field = next(form)
    while True:
        typed = yield field
        if not typed.strip():
            return None
        try:
            field = form.send(typed)
        except StopIteration as done:
            return done.value


def _array(schema: Mapping[str, Any], label: str, hint: str, topics: Topics) -> Form[list[Any]]:
    item = schema.get("items", {"type": "string"})
    if topics and "number" in item.get("properties", ()):
        return (yield from _each(item, topics))
    least, most = schema.get("minItems", 0), schema.get("maxItems", 0)
    if item.get("type") in ("integer", "number"):
        return (yield from _numbers(item, least, label, hint, topics))
    values: list[Any] = []
    while not most or len(values) < most:
        value = yield from _item(item, f"{label} {len(values) + 1}", hint, optional=len(values) >= least)
        if value is None:
            break
        values.append(value)
    return values


def _item(item: Mapping[str, Any], label: str, hint: str, *, optional: bool) -> Form[Any]:
    """One entry of a list; None where an empty first line ends the list.

    What may be left empty is asked last, so that an empty line has one meaning.
    """
    if item.get("type") == "object":
        label = f"{label}: "
        item = {
            **item,
            "properties": dict(sorted(item["properties"].items(), key=lambda field: _may_be_empty(field[1]))),
        }
    form = form_of({"description": hint, **item}, label)
    field = next(form)
    if optional:
        field = replace(field, hint=f"{field.hint} (empty: no more)".strip())
        if not (typed := (yield field)).strip():
            return None
        try:
            field = form.send(typed)
        except StopIteration as done:
            return done.value
    while True:
        try:
            field = form.send((yield field))
        except StopIteration as done:
            return done.value


def _may_be_empty(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and "empty" in schema.get("description", "")


def _numbers(item: Mapping[str, Any], least: int, label: str, hint: str, topics: Topics) -> Form[list[Any]]:
    field = Field(label, f"{hint} (numbers with spaces between them)".strip())
    while True:
        words = re.split(r"[\s,;]+", (yield field).strip())
        values, problem = [], ""
        for word in filter(None, words):
            value, wrong = _as_number(word, item)
            if topics and not wrong and value not in topics:
                wrong = no_topic(int(value), topics)
            problem = problem or wrong
            values.append(value)
        if not problem and len(values) < least:
            problem = f"at least {least} {'number' if least == 1 else 'numbers'}, please"
        if not problem:
            return values
        field = replace(field, problem=problem)


def _number(schema: Mapping[str, Any], label: str, hint: str) -> Form[float]:
    field = Field(label, " ".join(part for part in (hint, _range(schema)) if part))
    while True:
        value, problem = _as_number((yield field).strip(), schema)
        if not problem:
            return value
        field = replace(field, problem=problem)


def _range(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"({low:g}–{high:g})"
    return f"(at least {low:g})" if low is not None else f"(at most {high:g})" if high is not None else ""


def _as_number(word: str, schema: Mapping[str, Any]) -> tuple[float, str]:
    """The number, and what is wrong with it."""
    whole = schema.get("type") == "integer"
    try:
        value: float = int(word) if whole else float(word.replace(",", "."))
    except ValueError:
        return 0, f"{word!r} is not a {'whole ' if whole else ''}number"
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    return value, "" if low <= value <= high else f"{word} is outside {_range(schema).strip('()')}"


def _choice(label: str, hint: str, names: list[str], values: list[Any]) -> Form[Any]:
    field = Field(label, " ".join(part for part in (hint, f"({' / '.join(names)})") if part))
    while True:
        typed = (yield field).strip().casefold()
        exact = [v for name, v in zip(names, values, strict=True) if name.casefold() == typed]
        near = [v for name, v in zip(names, values, strict=True) if typed and name.casefold().startswith(typed)]
        if exact or len(near) == 1:
            return (exact or near)[0]
        field = replace(field, problem=f"one of {', '.join(names)}, please (the first letters do)")


def _line(schema: Mapping[str, Any], label: str, hint: str) -> Form[str]:
    least = schema.get("minLength", 0)
    bound = schema.get("maxWords")
    field = Field(label, f"{hint} (at most {bound} words)".strip() if bound and "word" not in hint else hint)
    while True:
        text = (yield field).strip()
        if len(text) < least:
            short = f"at least {least} characters, please ({len(text)} now)"
            problem = short if text else "this must not be empty"
        elif not (problem := _too_long(text, schema)):
            return text
        field = replace(field, problem=problem)


def _too_long(text: str, schema: Mapping[str, Any]) -> str:
    """What is to be said of a text beyond its bound: that in words, where there is one."""
    if "maxWords" in schema:
        words = count_words(text)
        return f"at most {schema['maxWords']} words, please ({words} now)" if words > schema["maxWords"] else ""
    most = schema.get("maxLength", len(text))
    return f"at most {most} characters, please ({len(text)} now)" if len(text) > most else ""


def _worded(name: str) -> str:
    return name.replace("_", " ")
