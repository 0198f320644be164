"""Who sits where, in words: the display name of a seat, and what kind of speaker its spec names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from elenchus.debate_engine.events import Seat, SessionStarted, mind_in, model_in
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.reports import safe

Kind = Literal["person", "simulated", "weak", "local", "model"]
"""`weak` is the embedded model, `local` any other model in the process, `simulated` a script."""

EMBEDDED = "local:smollm2"
OF_EMBEDDED = "smollm2-135m is a very small model: it shows how everything works; its scores and verdicts say nothing"
"""What a reader should know before it is seated."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A seat as readers see it. `model` is empty for a person."""

    seat: str
    name: str
    model: str
    kind: Kind


def kind_of(spec: str) -> Kind:
    """What sits on a seat with this spec."""
    if is_human(spec):
        return "person"
    if spec.startswith("scripted:"):
        return "simulated"
    if spec.startswith(EMBEDDED):
        return "weak"
    return "local" if spec.startswith("local:") else "model"


def speaker_of(seat: Seat) -> Speaker:
    """A seat in words: its title, else a person's name, else the seat's own name."""
    kind = kind_of(seat.spec)
    person = seat.spec.removeprefix(HUMAN).removeprefix(":") if kind == "person" else ""
    return Speaker(seat.name, seat.title or person or seat.name, "" if kind == "person" else safe.spec(seat.spec), kind)


def model_in_words(spec: str) -> str:
    """The model of a spec; of one that speaks for a mind that it does."""
    return f"{model_in(spec)}, for a persona that remembers" if mind_in(spec) else spec


def names_of(seats: Iterable[Seat]) -> Mapping[str, str]:
    """Display names by seat; two seats with the same title keep their seat's name beside it."""
    speakers = [speaker_of(seat) for seat in seats]
    taken = [s.name for s in speakers]
    return {s.seat: s.name if taken.count(s.name) == 1 else f"{s.name} ({s.seat})" for s in speakers}


def with_name(started: SessionStarted, seat: str, title: str) -> SessionStarted:
    """The same beginning, with this display name on a seat."""
    seats = tuple(s.model_copy(update={"title": title}) if s.name == seat else s for s in started.seats)
    return started.model_copy(update={"seats": seats})
