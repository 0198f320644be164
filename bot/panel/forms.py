"""The forms that the panel's buttons open. What is filled in is heard by `components`, also after a restart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import discord

from elenchus.bot.components import filled_in
from elenchus.bot.posting.outgoing import modal_of
from elenchus.bot.strings import panel as words


def given(interaction: discord.Interaction[Any]) -> Mapping[str, str]:
    """What was filled in, "" for a field that was left empty."""
    return defaultdict(str, filled_in(interaction))


def form_of(action: str, session: str) -> discord.ui.Modal:
    """The form that the button of an action opens."""
    title, fields = FORMS[action]
    return modal_of(f"el:form:{session}:{action}", title, tuple(field() for field in fields))


def _side(label: str, *sides: str) -> discord.ui.Label[Any]:
    options = [discord.SelectOption(label=words.SIDES[side], value=side) for side in sides]
    return discord.ui.Label(text=label, component=discord.ui.Select(custom_id="side", options=options))


def _text(label: str) -> discord.ui.Label[Any]:
    style = discord.TextStyle.paragraph
    return discord.ui.Label(text=label, component=discord.ui.TextInput(custom_id="text", style=style, max_length=2_000))


def _number(name: str, label: str) -> discord.ui.Label[Any]:
    return discord.ui.Label(text=label, component=discord.ui.TextInput(custom_id=name, required=False, max_length=20))


FORMS: Mapping[str, tuple[str, tuple[Callable[[], discord.ui.Label[Any]], ...]]] = {
    "guide": (
        words.GUIDE_TITLE, (partial(_side, words.SIDE, "pro", "con", "both"), partial(_text, words.GUIDE_TEXT))
    ),
    "ask": (words.ASK_TITLE, (partial(_side, words.SIDE, "pro", "con"), partial(_text, words.ASK_TEXT))),
    "deepen": (words.DEEPEN_TITLE, (partial(_side, words.DEEPEN_WHO, "pro", "con"),)),
    "stop": (words.STOP_TITLE, (partial(_text, words.STOP_TEXT),)),
    "budget": (
        words.BUDGET_TITLE, (partial(_number, "tokens", words.BUDGET_TOKENS), partial(_number, "usd", words.BUDGET_USD))
    ),
}  # fmt: skip
"""Title and fields by the button's action."""
