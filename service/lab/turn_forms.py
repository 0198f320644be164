"""A turn's form as whoever sits there is shown it, and what they typed as the answer. Pure.

In a session with subjects the fields are `f1`, `f2` …: the name of a measure would tell what is looked for, also in
what is said of an answer that cannot be used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.service.lab.forms import (
    THIS,
    Field,
    Schema,
    fields_of,
    named_as_in_the_form,
    or_nothing,
    typed_of,
    value_of,
    within_bounds,
)

Form = list[tuple[str, Field]]
"""The fields of a turn under the names by which they are sent."""

NOT_OF_THE_FORM = "This cannot be the answer: look once more at what is asked"
"""What is said where anything more would name a measure."""


def form_of(turn: OpenTurn, *, subjects: bool) -> Form:
    """The fields of a turn."""
    most = turn.asked.get("most_words") if turn.answer_schema is None else None
    fields = enumerate((replace(one, most_words=most) if most else one for one in fields_of(turn.answer_schema)), 1)
    return [(f"f{n}" if subjects else field.name, field) for n, field in fields]


def prepared_in(turn: OpenTurn, form: Form) -> dict[str, str] | None:
    """What a model has drafted as it would be typed, None for nothing."""
    if turn.prepared is None or turn.answer_schema is None:
        return None
    typed = typed_of(turn.answer_schema, turn.prepared)
    return {name: typed.get(field.name, "") for name, field in form}


def rejections(turn: OpenTurn, *, subjects: bool) -> tuple[str, ...]:
    """Why earlier answers could not be used."""
    return tuple(f"{NOT_OF_THE_FORM}." if subjects else reason for reason in turn.rejected)


def typed_value(turn: OpenTurn, typed: Mapping[str, str], *, subjects: bool) -> Any:
    """The answer that was typed, by the names in the form. Raises UsageError naming the field that cannot be read."""
    form = check_fields(turn, typed, subjects=subjects)
    known = dict(form)
    try:
        if subjects and turn.answer_schema is not None:
            return _read_one_by_one(turn.answer_schema, form, typed)
        return value_of(turn.answer_schema, {known[name].name: text for name, text in typed.items()})
    except UnreadableReply as error:
        raise UsageError(complaint(error)) from None


def check_fields(turn: OpenTurn, typed: Mapping[str, str], *, subjects: bool) -> Form:
    """The turn's form. Raises UsageError where something was typed that is none of its fields."""
    form = form_of(turn, subjects=subjects)
    known = dict(form)
    if odd := [name for name in typed if name not in known]:
        raise UsageError(f"This turn has no field {odd[0][:40]!r}: its fields are {', '.join(known)}.")
    return form


def complaint(error: BaseException) -> str:
    """What is wrong with what was typed, with places called as the form calls its fields: a sentence."""
    named = named_as_in_the_form(str(error))
    return f"{named if re.match(r'f[0-9]', named) else named[:1].upper() + named[1:]}."


def _read_one_by_one(schema: Schema, form: Form, typed: Mapping[str, str]) -> dict[str, Any]:
    """As `value_of`, and no fault names a field by its own name. Raises UnreadableReply, UsageError."""
    parts, names = schema["properties"], {field.name: name for name, field in form}
    if set(names) - set(parts):
        raise UsageError(f"{NOT_OF_THE_FORM}.")  # one form in another: no scene has such
    given = {own: _read(parts[own], typed.get(name, ""), name, alone=len(form) == 1) for own, name in names.items()}
    return {own: part["const"] if "const" in part else given[own] for own, part in parts.items()}


def _read(part: Schema, text: str, name: str, *, alone: bool) -> Any:
    try:
        value = value_of({"type": "object", "properties": {THIS: part}}, {THIS: text})[THIS]
        return value if value is None else within_bounds(or_nothing(part)[0], value)
    except UnreadableReply as error:
        fault = str(error)
        raise UnreadableReply(fault if alone else f"{name}: {fault[:1].lower()}{fault[1:]}") from None
