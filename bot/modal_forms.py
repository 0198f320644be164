"""Fields (`service.lab.forms`) as Discord's forms of at most five: whatever a person fills in; more come in steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import discord

from elenchus.bot.rendering import safe
from elenchus.bot.strings import msg
from elenchus.service.lab.forms import DIVIDER, TEXT, Field

FIELDS, LONGEST, TITLE, LABEL, HINT, CHOICES = 5, 4_000, 45, 45, 100, 25
"""Discord's: fields of a form; characters of a text, a title, a label and a hint; choices of a menu."""

LONG_TEXT, NUMBER = 100, 20
"""A text that may be longer than this gets a paragraph, not a line; characters of a number."""


def steps_of(fields: Sequence[Field]) -> list[list[Field]]:
    """The fields in forms of at most five."""
    return [list(fields[i : i + FIELDS]) for i in range(0, len(fields), FIELDS)]


_NOTHING: Mapping[str, str] = MappingProxyType({})


def modal(
    custom_id: str,
    title: str,
    fields: Sequence[Field],
    typed: Mapping[str, str] = _NOTHING,
    *,
    above: str = "",
    names: Mapping[str, str] = _NOTHING,
) -> discord.ui.Modal:
    """A form, with what was typed before, and a text above it; `names` are what choices are called.

    Who fills it in is heard by `components`, so the library need not remember it.
    """
    made = discord.ui.Modal(title=safe.shortened(title, TITLE), custom_id=custom_id)
    if above:
        made.add_item(discord.ui.TextDisplay(above))
    for field in fields:
        made.add_item(label_of(field, typed.get(field.name, ""), names))
    made.stop()
    return made


def label_of(field: Field, typed: str = "", names: Mapping[str, str] = _NOTHING) -> discord.ui.Label[Any]:
    """One field, within Discord's limits."""
    is_menu = field.choices and len(field.choices) <= CHOICES
    component = _menu(field, typed, names) if is_menu else _text(field, typed)
    return discord.ui.Label(text=field.label[:LABEL], description=_hint(field)[:HINT] or None, component=component)


def _hint(field: Field) -> str:
    if field.name == TEXT and not field.called:
        return msg("forms-write-here")
    if field.kind == "number":
        return "; ".join(filter(None, (field.help, _range(field.low, field.high))))
    if field.kind == "list":
        return "; ".join(filter(None, (_list(field.columns), field.help)))
    return field.help


def _range(low: float | None, high: float | None) -> str:
    """What numbers are taken."""
    if low is not None and high is not None:
        return msg("forms-between", low=low, high=high)
    if low is not None:
        return msg("forms-at-least", low=low)
    return msg("forms-at-most", high=high) if high is not None else msg("forms-a-number")


def _list(columns: Sequence[str]) -> str:
    """How a list is written."""
    if not columns:
        return msg("forms-one-a-line")
    return msg("forms-columns", columns=f" {DIVIDER} ".join(columns).lower())


def _menu(field: Field, typed: str, names: Mapping[str, str]) -> discord.ui.Select[Any]:
    options = [discord.SelectOption(label=names.get(c, c), value=c, default=c == typed) for c in field.choices]
    required = not field.optional
    return discord.ui.Select(custom_id=field.name, options=options, required=required, min_values=int(required))


def _text(field: Field, typed: str) -> discord.ui.TextInput[Any]:
    least, most, is_long = _characters(field)
    return discord.ui.TextInput(
        custom_id=field.name,
        style=discord.TextStyle.paragraph if is_long else discord.TextStyle.short,
        default=safe.shortened(typed, most) if typed else None,
        required=least > 0,
        min_length=least or None,
        max_length=most,
    )


def _characters(field: Field) -> tuple[int, int, bool]:
    """The fewest and the most characters of a field, and whether it gets a paragraph. 0: it may stay empty."""
    if field.kind == "number":
        return int(not field.optional), NUMBER, False
    if field.kind != "text":
        return min(int(not field.optional), field.least), LONGEST, True
    bound = LONGEST if field.most is None else field.most
    most = LONGEST if field.most_words is not None else min(bound, LONGEST)
    return 0 if field.optional else field.least, most, bound > LONG_TEXT
