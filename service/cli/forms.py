"""The fields of an answer (`service.lab.forms`) asked one after the other, a list entry by entry.

A form is a generator: it yields a `Prompt` (what to ask, and what was wrong with the last line), is sent what the
person typed, and returns the JSON value. It knows no terminal, so the live view and plain input drive the same form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.human_seat import no_topic
from elenchus.service.lab.forms import Field, Schema, field_of, is_numbered, or_nothing, read, read_valid, within_bounds

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One thing to type. `multiline`: many lines, ended apart; `problem` says what was wrong with the last answer."""

    label: str
    hint: str = ""
    multiline: bool = False
    problem: str = ""


Topics = Mapping[int, str]
_NO_TOPICS: Topics = {}
_OTHERWISE = re.compile(r"[,;]? ?\b(?:empty|none) when \w+")

Form = Generator[Prompt, str, T]
"""Yields prompts, is sent the typed text, returns the value."""


def text_form(label: str, most_words: int | None = None) -> Form[str]:
    """Free text: at least one word; that it has `most_words` at the most is told here, and held by whoever asks."""
    prompt = Prompt(label, f"(at most {most_words} words)" if most_words else "", multiline=True)
    while not (text := (yield prompt)).strip():
        prompt = replace(prompt, problem="this is empty; /pass passes the turn")
    return text.strip()


def form_of(schema: Schema, label: str = "", topics: Topics = _NO_TOPICS) -> Form[Any]:
    """The form for a value of this schema (see `debate_engine.llm.schema`).

    `topics` are those that it names by number: a list of what is said to each asks for each of them.
    """
    real, optional = or_nothing(schema)
    if optional:
        return (yield from _unless_empty(form_of(real, label, topics), "(empty: nothing)"))
    match real:
        case {"const": only} | {"enum": [only]}:
            return only
        case {"type": "object"}:
            return (yield from _object(real, label, topics))
        case {"type": "array"}:
            return (yield from _array(real, label, topics))
    return (yield from _asked(Prompt(label, _hint(field_of(real))), lambda typed: read_valid(real, typed)))


def _asked(prompt: Prompt, read: Callable[[str], T]) -> Form[T]:
    """What is read of the typed text, asked again until it can be."""
    while True:
        typed = yield prompt
        try:
            return read(typed)
        except UnreadableReply as problem:
            prompt = replace(prompt, problem=str(problem))


def _hint(field: Field) -> str:
    """The field's help, and what is taken."""
    low, high, words, taken = field.low, field.high, field.most_words, ""
    if field.choices:
        long = any(" " in choice for choice in field.choices) and is_numbered(field.choices)
        choices = " / ".join(f"{n} {choice}" if long else choice for n, choice in enumerate(field.choices, 1))
        taken = f"({choices.lower() if field.kind == 'yes-no' else choices})"
    elif low is not None and high is not None:
        taken = f"({low:,.12g}–{high:,.12g})"
    elif low is not None or high is not None:
        taken = f"(at least {low:,.12g})" if low is not None else f"(at most {high:,.12g})"
    elif words and "word" not in field.help:
        taken = f"(at most {words} words)"
    return f"{field.help} {taken}".strip()


def _unless_empty(form: Form[Any], note: str) -> Form[Any]:
    """The form's value; None where its first prompt is left empty."""
    prompt = first = next(form)
    while True:
        is_first = prompt.label == first.label
        typed = yield (replace(prompt, hint=f"{prompt.hint} {note}".strip()) if is_first else prompt)
        if is_first and not typed.strip():
            return None
        try:
            prompt = form.send(typed)
        except StopIteration as done:
            return done.value


# ── objects ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _object(schema: Schema, label: str, topics: Topics = _NO_TOPICS) -> Form[dict[str, Any]]:
    """All its fields, but for those that are asked only after other answers than were given."""
    value: dict[str, Any] = {}
    for name, sub in schema.get("properties", {}).items():
        if all(value[before] == wanted for before, wanted in sub.get("onlyIf", {}).items()):
            inner = _entry_label(or_nothing(sub)[0], f"{label}{name.replace('_', ' ')}")
            value[name] = yield from form_of(_as_chosen(sub), inner, topics)
        else:
            value[name] = [] if sub["type"] == "array" else ""
    return value


def _as_chosen(schema: Schema) -> Schema:
    """A field without what is said of other choices; a text that is asked for one of them is not left out."""
    if "onlyIf" not in schema:
        return schema
    hint = _OTHERWISE.sub("", schema.get("description", ""))
    needed = {"minLength": 1} if schema["type"] == "string" and "empty" not in hint else {}
    return {**schema, **needed, "description": hint}


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _array(schema: Schema, label: str, topics: Topics) -> Form[list[Any]]:
    item, hint = schema["items"], str(schema.get("description", ""))
    if topics and "number" in item.get("properties", ()):
        return (yield from _each(item, topics))
    if item.get("type") in ("integer", "number"):
        prompt = Prompt(label, f"{hint} (numbers with spaces between them)".strip())
        return (yield from _asked(prompt, lambda typed: _numbers(schema, typed, topics)))
    least, most = schema.get("minItems", 0), schema.get("maxItems", 0)
    values: list[Any] = []
    while not most or len(values) < most:
        form = form_of(_entry(item, hint), _entry_label(item, f"{label} {len(values) + 1}"))
        value = yield from (_unless_empty(form, "(empty: no more)") if len(values) >= least else form)
        if value is None:
            break
        values.append(value)
    return values


def _each(item: Schema, topics: Topics) -> Form[list[dict[str, Any]]]:
    """What is said to every topic, one after the other."""
    rest = {"properties": {name: sub for name, sub in item["properties"].items() if name != "number"}}
    values = []
    for number, title in topics.items():
        values.append({"number": number, **(yield from _object(rest, f"topic {number}, {title}: "))})
    return values


def _numbers(schema: Schema, typed: str, topics: Topics) -> list[Any]:
    """The numbers of one line. Raises UnreadableReply."""
    values = [read(schema["items"], word, repr(word)) for word in re.split(r"[\s,;]+", typed.strip()) if word]
    if other := [value for value in values if topics and value not in topics]:
        raise UnreadableReply(no_topic(other[0], topics))
    return cast("list[Any]", within_bounds(schema, values))


def _entry_label(item: Schema, label: str) -> str:
    return f"{label}: " if item.get("type") == "object" else label


def _entry(item: Schema, hint: str) -> Schema:
    """One entry of a list. What may be left empty is asked last, so that an empty line has one meaning."""
    if item.get("type") != "object":
        return {"description": hint, **item}
    return {**item, "properties": dict(sorted(item["properties"].items(), key=lambda field: _may_be_empty(field[1])))}


def _may_be_empty(schema: Schema) -> bool:
    return schema.get("type") == "string" and "empty" in schema.get("description", "")
