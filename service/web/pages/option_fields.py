"""The form of a debate's options, made of their model: fields as templates want them, what was typed read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.service.lab.forms import Field, field_of, read
from elenchus.service.lab.options import DebateOptions, RunOptions

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

FIRST = ("motion", "max_rounds", "topics")
SEATS = ("pro", "con", "judge-1", "judge-2", "judge-3", "crit")
MORE = (
    "brief", "language", "words", "heat", "decay", "floor", "stop",
    "open_question", "simultaneous", "coach", "vote_seconds", "approve_agenda", "compare_qa",
)  # fmt: skip
LIMITS = ("budget_usd", "budget_tokens", "unpriced_ok", "temperature", "seed")
LEFT_OUT = ("price", "agenda")
"""Options that want a file or a table: the terminal and the API take them."""
LONG = ("motion", "brief")
"""Texts of several lines."""
OTHER = "other"
"""The choice of a seat that is typed beside it."""


class OptionField(NamedTuple):
    """A field with what stands in it."""

    field: Field
    value: str
    long: bool


@cache
def properties(model: type[RunOptions]) -> Mapping[str, Any]:
    """The schemas of a model's options."""
    found: Mapping[str, Any] = model.model_json_schema()["properties"]
    return found


def fields_with(model: type[RunOptions], names: tuple[str, ...], typed: Mapping[str, str]) -> list[OptionField]:
    """These options as fields, with what was typed, else their defaults."""
    schemas = properties(model)
    return [OptionField(field_of(schemas[one], one), shown(schemas[one], one, typed), one in LONG) for one in names]


def shown(schema: Mapping[str, Any], name: str, typed: Mapping[str, str]) -> str:
    """What stands in a field."""
    default = schema.get("default")
    if not typed.get("sent"):
        return typed.get(name) or ("yes" if default is True else "" if default in (None, False) else str(default))
    return typed.get(name, "")


def context(settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
    """What the form shows. Reads files: call it off the event loop."""
    return {
        "first": fields_with(DebateOptions, FIRST, typed),
        "more": fields_with(DebateOptions, MORE, typed),
        "limits": fields_with(DebateOptions, LIMITS, typed),
        "seats": SEATS,
        **who_may_sit(settings),
    }


def who_may_sit(settings: Settings) -> dict[str, Any]:
    """Whom a seat can be given to. Reads files."""
    from elenchus.config.persona_catalogue import load_personas

    return {"models": models_here(settings), "personas": load_personas(), "other": OTHER}


def options_in(typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that were typed; those left empty are left out. Raises UnreadableReply for what is no number."""
    given = dict(given_in(DebateOptions, (*FIRST, *MORE, *LIMITS), typed))
    seats = {name: seat_in(name, typed) for name in SEATS}
    judges = [spec for name, spec in seats.items() if name.startswith("judge-") and spec]
    given |= {name: spec for name, spec in seats.items() if spec and not name.startswith("judge-")}
    return given | ({"judges": judges} if judges else {})


def given_in(model: type[RunOptions], names: tuple[str, ...], typed: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The options of these names that were typed. Raises UnreadableReply."""
    for name in names:
        text = typed.get(name, "").strip()
        field = field_of(properties(model)[name], name)
        if field.kind == "yes-no":
            yield name, bool(text)
        elif text and field.kind == "number":
            yield name, _number(properties(model)[name], name, text)
        elif text:
            yield name, text


def _number(schema: Mapping[str, Any], name: str, text: str) -> Any:
    real = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    return read({"type": real["type"]}, text, name)


def seat_in(name: str, typed: Mapping[str, str]) -> str:
    """Who was chosen for a seat, "" for nobody in particular."""
    chosen = typed.get(name, "").strip()
    return typed.get(f"{name}-other", "").strip() if chosen == OTHER else chosen


def models_here(settings: Settings) -> list[str]:
    """The models that can take a seat here: of vendors whose key is set, of the embedded one. Reads files."""
    from elenchus.config.defaults import EMBEDDED
    from elenchus.config.models import as_rows, load_models

    rows = as_rows(load_models(settings.own_models))
    keyed = [name for name in ("openai", "anthropic", "gemini") if getattr(settings, name).key]
    known = [f"{row['provider']}:{row['model']}" for row in rows if row["provider"] in keyed]
    chosen = [one.spec for one in settings.chosen]
    return list(dict.fromkeys([*chosen, *known, EMBEDDED, "scripted:demo"]))
