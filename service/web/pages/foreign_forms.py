"""The form of a protocol that an installed package brings, or a program has registered: made of its settings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.protocols import registry
from elenchus.service.lab.forms import field_of, label, or_nothing
from elenchus.service.lab.protocol_session import ProtocolOptions, protocol_of, settings_typed
from elenchus.service.web.pages.option_fields import (
    LIMITS,
    OptionField,
    fields_with,
    given_in,
    option_field,
    properties,
    read_option,
    seat_in,
    shown,
    who_may_sit,
)

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.protocols.spec import ProtocolSpec
    from elenchus.service.web.strings import Words

KIND = "protocol"
"""By which name the messages of such forms are called."""
TITLE = "session-title"
"""What the messages of a session's title are called."""
PLAIN = ("string", "integer", "number", "boolean")
SETTING, SEAT = "set-", "seat-"
"""What the names of fields begin with, so that none is one of ours."""


def foreign_forms() -> list[ForeignForm]:
    """Those of all protocols that have one. Reads packages' metadata: call it off the event loop."""
    installed = [one.protocol for one in registry.packages() if not one.problem]
    specs = map(protocol_of, sorted({*installed, *registry.registered()}))
    return [ForeignForm(spec) for spec in specs if spec.seats]


@dataclass(frozen=True, slots=True)
class ForeignForm:
    """The form of one such protocol. Its settings are called as its package does, and explained by their descriptions.

    What is no text, number, choice or yes or no is typed as JSON.
    """

    spec: ProtocolSpec

    @property
    def title(self) -> str:
        """What people call such a session."""
        return self.spec.kind[:1].upper() + self.spec.kind[1:]

    def called(self, name: str, t: Words) -> str:
        """An option as it is called in what is said of it."""
        own = name.startswith(SETTING)
        return f"“{label(name.removeprefix(SETTING)) if own else t.of('option', name)}”"

    def context(self, settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
        """What the form shows. Reads files: call it off the event loop."""
        needed = self._schema().get("required", ())
        own = [
            self._field(name, schema, typed)._replace(required=name in needed)
            for name, schema in self._schemas().items()
        ]
        title = [option_field(properties(ProtocolOptions)["title"], "title", typed, TITLE)]
        limits = fields_with(ProtocolOptions, LIMITS, typed)
        return {"form": self, "own": own, "title": title, "limits": limits, **who_may_sit(settings)}

    def _schema(self) -> Mapping[str, Any]:
        model = self.spec.config_model
        return model.model_json_schema() if model else {"properties": {"settings": {"type": "object"}}}

    def _schemas(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._schema().get("properties", {})
        return found

    def _field(self, name: str, schema: Mapping[str, Any], typed: Mapping[str, str]) -> OptionField:
        plain = _is_plain(schema)
        about = field_of(schema if plain else {"type": "string"}, f"{SETTING}{name}")
        value = shown(_with_text(schema), about.name, typed)
        help_ = str(schema.get("description", ""))
        return OptionField(about, value, not plain, "" if plain else "json", label(name), help_)

    def options_in(self, typed: Mapping[str, str]) -> dict[str, Any]:
        """The options that were typed; those left empty are left out. Raises UnreadableReply, UsageError."""
        given = dict(given_in(ProtocolOptions, ("title", *LIMITS), typed))
        texts = dict(self._typed(typed))
        config = settings_typed(self.spec.name, texts)
        if self.spec.config_model is None and not isinstance(config := config.get("settings", {}), dict):
            raise UnreadableReply(f"{SETTING}settings must be a JSON object")
        seats = {seat: spec for seat in self.spec.seats if (spec := seat_in(f"{SEAT}{seat}", typed))}
        return given | {"config": config, "seats": seats}

    def _typed(self, typed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for name, schema in self._schemas().items():
            read = read_option(schema if _is_plain(schema) else {}, f"{SETTING}{name}", typed)
            yield from ((name, value if isinstance(value, str) else json.dumps(value)) for _, value in read)


def foreign_form(name: str) -> ForeignForm:
    """The form of this protocol. Raises UsageError where there is none, or it names no seats, or is ours."""
    spec = protocol_of(name)
    if not spec.seats:
        raise UsageError(f"Nobody knows who sits in {name}: begin it by `elenchus run {name} --seat …`.")
    return ForeignForm(spec)


def _is_plain(schema: Mapping[str, Any]) -> bool:
    """Whether a field of its own takes whatever it may be; of yes, no and nothing a box says two alone."""
    kinds = [one for one in schema.get("anyOf", (schema,)) if one.get("type") != "null"]
    real, optional = or_nothing(schema)
    of_plain_type = real.get("type") in PLAIN and not (optional and real["type"] == "boolean")
    return len(kinds) == 1 and ("enum" in real or of_plain_type)


def _with_text(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """With a default as it is typed."""
    default = schema.get("default")
    return {**schema, "default": json.dumps(default)} if isinstance(default, list | dict) else schema
