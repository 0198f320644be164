"""Which models sit where when nobody says so.

The order, for each seat that nobody names: its persona's own model; `--model`; `ELENCHUS_MODEL`; `default:` in
models.yaml (the last three are `Settings.chosen`); a vendor's cheap model where its key is set; one's own server, the
first of models.yaml before `OPENAI_BASE_URL` and its like; the embedded model. docs/models.md tells people.
"""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

from elenchus.config.settings import ModelChoice

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

EMBEDDED = "local:smollm2-135m"
CHEAP = {"openai": "gpt-6-luna", "anthropic": "claude-haiku-5-5", "gemini": "gemini-3.5-flash-lite"}
"""A vendor's model that is good enough for a debate and costs least (prices: `config/models.yaml`)."""

JUDGES = 3


class Unasked(ValueError):
    """Only a server of one's own is there, which `service.lab.default_models` asks for its models."""


def available(settings: Settings) -> list[ModelChoice]:
    """The models to choose from, best first. Raises Unasked."""
    if settings.chosen:
        return list(settings.chosen)
    keyed = [name for name in CHEAP if getattr(settings, name).key]
    if not keyed and (own := own_servers(settings)):
        raise Unasked(f"No model is named, and the server {own[0]} is there: set ELENCHUS_MODEL to {own[0]}:MODEL.")
    found = [ModelChoice(spec=f"{name}:{CHEAP[name]}", why=f"{name.upper()}_API_KEY is set") for name in keyed]
    return found or [ModelChoice(spec=EMBEDDED, why="no key and no server of your own is set")]


def own_servers(settings: Settings) -> list[str]:
    """The servers that take seats where no key is set: those of models.yaml, then vendors whose address is set."""
    return [*settings.servers, *(name for name in CHEAP if getattr(settings, name).base_url)]


def to_ask(settings: Settings) -> bool:
    """Whether one's own servers should be asked for their models before `available` is."""
    return not settings.chosen and bool(own_servers(settings))


def debater(settings: Settings) -> str:
    """Who debates. Raises Unasked."""
    return available(settings)[0].spec


def judges(settings: Settings) -> list[str]:
    """Who judges. Raises Unasked."""
    return [chosen.spec for chosen in judging(settings)]


def judging(settings: Settings) -> list[ModelChoice]:
    """Who judges: other vendors' models than the debaters' first, in turn. Raises Unasked."""
    found = available(settings)
    return list(islice(cycle([*found[1:], *found[:1]]), JUDGES))
