"""Options as fields of a form, made of their model: as templates want them, and what was typed read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.service.lab.forms import Field, field_of, read

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.lab.options import RunOptions

LIMITS = ("budget_usd", "budget_tokens", "unpriced_ok", "temperature", "seed")
"""Options of every kind of session."""
LONG = ("motion", "brief", "document", "text")
"""Texts of several lines."""
OTHER = "other"
"""The choice of a seat that is typed beside it."""


class OptionField(NamedTuple):
    """A field with what stands in it. Its messages are called by `words`, unless it is `called` otherwise by a package,
    which explains it (`help`). Without a `required` one nothing is sent.
    """

    field: Field
    value: str
    long: bool
    words: str
    called: str = ""
    help: str = ""
    required: bool = False


@cache
def properties(model: type[RunOptions]) -> Mapping[str, Any]:
    """The schemas of a model's options."""
    found: Mapping[str, Any] = model.model_json_schema()["properties"]
    return found


def fields_with(model: type[RunOptions], names: tuple[str, ...], typed: Mapping[str, str]) -> list[OptionField]:
    """These options as fields, with what was typed, else their defaults."""
    return [option_field(properties(model)[one], one, typed) for one in names]


def option_field(schema: Mapping[str, Any], name: str, typed: Mapping[str, str], words: str = "") -> OptionField:
    """The option as a field, with what was typed, else its default."""
    return OptionField(field_of(schema, name), shown(schema, name, typed), name in LONG, words or name)


def shown(schema: Mapping[str, Any], name: str, typed: Mapping[str, str]) -> str:
    """What stands in a field."""
    default = schema.get("default")
    if not typed.get("sent"):
        text = f"{default:g}" if isinstance(default, float) else str(default)
        return typed.get(name) or ("yes" if default is True else "" if default in (None, False) else text)
    return typed.get(name, "")


def who_may_sit(settings: Settings) -> dict[str, Any]:
    """Whom a seat can be given to. Reads files."""
    from elenchus.config.persona_catalogue import load_personas

    return {"models": models_here(settings), "personas": load_personas(), "other": OTHER}


def given_in(model: type[RunOptions], names: tuple[str, ...], typed: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The options of these names that were typed. Raises UnreadableReply."""
    for name in names:
        yield from read_option(properties(model)[name], name, typed)


def read_option(schema: Mapping[str, Any], name: str, typed: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The option by its name, nothing where nothing was typed. Raises UnreadableReply."""
    text, kind = typed.get(name, "").strip(), field_of(schema, name).kind
    if kind == "yes-no":
        yield name, bool(text)
    elif text:
        yield name, _number(schema, name, text) if kind == "number" else text


def _number(schema: Mapping[str, Any], name: str, text: str) -> Any:
    real = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    return read({"type": real["type"]}, text, name)


def seat_in(name: str, typed: Mapping[str, str]) -> str:
    """Who was chosen for a seat, "" for nobody in particular.

    Raises UnreadableReply where another one has no name and the form is sent; while it is filled in, that comes yet.
    """
    chosen = typed.get(name, "").strip()
    if chosen != OTHER:
        return chosen
    other = typed.get(f"{name}-other", "").strip()
    if not other and typed.get("action") == "start":
        raise UnreadableReply(f"{name} must not be empty")
    return other


def models_here(settings: Settings) -> list[str]:
    """The models that can take a seat here: of vendors whose key is set, of the embedded one. Reads files."""
    from elenchus.config.defaults import EMBEDDED
    from elenchus.config.models import VENDORS, as_rows, load_models

    rows = as_rows(load_models(settings.own_models))
    keyed = [name for name in VENDORS if getattr(settings, name).key]
    known = [f"{row['provider']}:{row['model']}" for row in rows if row["provider"] in keyed]
    chosen = [one.spec for one in settings.chosen]
    return list(dict.fromkeys([*chosen, *known, EMBEDDED, "scripted:demo"]))
