"""The forms of personas: who one is to be, what it is given; as they were typed, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from elenchus.config.documents import UnreadableDocument
from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.mind_options import MindOptions
from elenchus.service.web.pages.option_fields import LIMITS, OTHER, fields_with, given_in, models_here, seat_in

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

PERSONS = ("invented", "myself", "dead")
LEFT_OUT = ("price", "settings", "temperature")
"""Options of experts, which the terminal and the API take, and one that no mind takes: its prompts set their own."""
OWN_LIMITS = tuple(name for name in LIMITS if name not in LEFT_OUT)
LONGEST_PROFILE = 100_000
"""Characters of a profile that is typed."""


def context(settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
    """What the form of a new persona shows. Reads files: call it off the event loop."""
    return {
        "persons": PERSONS,
        "limits": fields_with(MindOptions, OWN_LIMITS, typed),
        "models": models_here(settings),
        "other": OTHER,
    }


def options_in(typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that were typed; those left empty are left out. Raises UnreadableReply, UsageError."""
    given = dict(given_in(MindOptions, OWN_LIMITS, typed))
    texts = {name: typed.get(name, "").strip() for name in ("name", "person", "character", "language")}
    given |= {name: text for name, text in texts.items() if text}
    given |= {"model": model} if (model := seat_in("model", typed)) else {}
    given |= {"opinions": lines} if (lines := lines_in(typed.get("opinions", ""))) else {}
    if profile := typed.get("profile", "").strip():
        given["profile"] = _profile_in(profile)
    return given


def lines_in(text: str) -> list[str]:
    """The lines of a text that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _profile_in(text: str) -> dict[str, Any]:
    """A profile as lines `Attribute: value`, or JSON. Raises UsageError."""
    from elenchus.config.json_and_yaml import yaml_in

    if len(text) > LONGEST_PROFILE:
        raise UsageError(f"The profile has {len(text):,} characters, and {LONGEST_PROFILE:,} are the most.")
    try:
        found = yaml_in(text, "The profile")
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    if not isinstance(found, dict):
        raise UsageError("The profile is no list of attributes with values: write ATTRIBUTE: VALUE on each line.")
    return {str(name): value for name, value in found.items()}
