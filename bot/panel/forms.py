"""The forms that the panel's buttons open. What is filled in is heard by `components`, also after a restart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import discord

from elenchus.bot.components import filled_in
from elenchus.bot.posting.outgoing import modal_of
from elenchus.bot.strings import messages, msg

Form = Callable[[str], discord.ui.Modal]
"""A form for a session."""


def given(interaction: discord.Interaction[Any]) -> Mapping[str, str]:
    """What was filled in, "" for a field that was left empty."""
    return defaultdict(str, filled_in(interaction))


def guide(session: str) -> discord.ui.Modal:
    """Words to one side or both."""
    return _modal(
        session,
        "guide",
        msg("panel-guide-title"),
        _side(msg("panel-side"), "pro", "con", "both"),
        _text(msg("panel-guide-text")),
    )


def ask(session: str) -> discord.ui.Modal:
    """A question to one side."""
    return _modal(
        session, "ask", msg("panel-ask-title"), _side(msg("panel-side"), "pro", "con"), _text(msg("panel-ask-text"))
    )


def deepen(session: str) -> discord.ui.Modal:
    """Whose weakest reason."""
    return _modal(session, "deepen", msg("panel-deepen-title"), _side(msg("panel-deepen-who"), "pro", "con"))


def stop(session: str) -> discord.ui.Modal:
    """Why it ends."""
    return _modal(session, "stop", msg("panel-stop-title"), _text(msg("panel-stop-text")))


def budget(session: str) -> discord.ui.Modal:
    """New limits."""
    fields = (_number("tokens", msg("panel-budget-tokens")), _number("usd", msg("panel-budget-usd")))
    return _modal(session, "budget", msg("panel-budget-title"), *fields)


FORMS: Mapping[str, Form] = {"guide": guide, "ask": ask, "deepen": deepen, "stop": stop, "budget": budget}
"""By the button's action."""


def _modal(session: str, action: str, title: str, *fields: discord.ui.Label[Any]) -> discord.ui.Modal:
    return modal_of(f"el:form:{session}:{action}", title, fields)


def _side(label: str, *sides: str) -> discord.ui.Label[Any]:
    options = [discord.SelectOption(label=messages("panel-sides")[side], value=side) for side in sides]
    return discord.ui.Label(text=label, component=discord.ui.Select(custom_id="side", options=options))


def _text(label: str) -> discord.ui.Label[Any]:
    style = discord.TextStyle.paragraph
    return discord.ui.Label(text=label, component=discord.ui.TextInput(custom_id="text", style=style, max_length=2_000))


def _number(name: str, label: str) -> discord.ui.Label[Any]:
    return discord.ui.Label(text=label, component=discord.ui.TextInput(custom_id=name, required=False, max_length=20))
