"""A session of any protocol, by its name: what may be said of it, who sits where, and the session that it becomes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field, TypeAdapter, ValidationError

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.registry import BUILT_IN, spec_of
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.options import Line, RunOptions
from elenchus.service.lab.seats import seat_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.spec import ProtocolSpec


class ProtocolOptions(RunOptions):
    """A session of a protocol that an installed package brings, or a program has registered.

    `config` are the protocol's settings; `seats` say who sits where, by the seat's name: a model (`provider:model`), a
    persona (`engineer`, `engineer@provider:model`) or a person. Of a protocol that says which seats it has, those that
    nobody names go to a default model. `title`: what the session is about (default: what people call such a session).
    """

    protocol: str
    config: dict[str, Any] = Field(default_factory=dict)
    seats: dict[str, str] = Field(default_factory=dict)
    title: Line = ""


WAYS = {
    "socrasynth": "`elenchus debate`, in Python lab.debate",
    "crit": "`elenchus crit`, in Python lab.crit",
    "sweep": "`elenchus sweep`, in Python lab.sweep",
    "detect": "`elenchus detect`, in Python lab.detect",
    "rulegen": "`elenchus scene run`, in Python lab.scene_grid",
}
"""How ours are started."""


def protocol_of(name: str) -> ProtocolSpec:
    """The protocol of this name that is to be started by it. Raises UsageError for one of ours: it has its own way."""
    if name in BUILT_IN:
        way = WAYS.get(name, "see `elenchus --help`")
        raise UsageError(f"{name} is started in a way of its own, with defaults and limits: {way}.")
    return spec_of(name)


def protocol_seats(options: ProtocolOptions, default: Callable[[str], str]) -> list[Seat]:
    """Everyone's seat; `default` gives who takes a seat that nobody names. Raises UsageError."""
    spec = protocol_of(options.protocol)
    names = spec.seats or tuple(options.seats)
    if not names:
        raise UsageError(f"Nobody sits in it: name who takes each seat of {spec.name}.")
    if odd := [name for name in options.seats if name not in names]:
        raise UsageError(f"The protocol {spec.name} has no seat {odd[0]!r}: its seats are {', '.join(names)}.")
    return [seat_of(name, options.seats.get(name, ""), default) for name in names]


def protocol_session(options: ProtocolOptions, seats: Sequence[Seat]) -> NewSession:
    """The session. Raises UsageError for settings that the protocol does not take."""
    spec = protocol_of(options.protocol)
    config = spec.settings(options.config)
    return NewSession(spec.name, options.title or spec.kind, seats, lambda _: config)


def settings_typed(name: str, typed: Mapping[str, str]) -> dict[str, Any]:
    """Settings as a person types them: a text where the protocol takes one there, else what is written as JSON."""
    fields = model.model_fields if (model := protocol_of(name).config_model) else {}
    return {key: _value(fields[key].annotation if key in fields else None, text) for key, text in typed.items()}


def _value(annotation: Any, text: str) -> Any:
    try:
        if annotation is not None:
            TypeAdapter(annotation).validate_python(text)
            return text
    except ValidationError:
        pass
    try:
        return json.loads(text)
    except ValueError:
        return text
