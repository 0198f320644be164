"""Who sits in a debate, by what was typed. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from elenchus.bot.people import members
from elenchus.bot.rendering import safe
from elenchus.bot.strings import msg
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import MIND, Seat
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.service.lab.options import DebateOptions
from elenchus.service.lab.seats import debate_seats

MOST_JUDGES = 9
"""So many seats fit into the one field of an offer that tells who sits where."""

_MEMBER = re.compile(r"<@!?([0-9]{5,19})>")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
_NAMED = re.compile(rf"{_MEMBER.pattern}|mind:[^,<:@]+?(?=\s*(?:[,<]|$)|\s+\S*[:@])|(?:<@)?(?:(?!<@)[^\s,])+")
"""One of several who are named one after the other. A mind's name may hold spaces: it ends before a comma, a mention,
or what has a colon or an @."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Who sits where when nobody says so (specs of models), and how a person's turn ends (`deadline` in seconds)."""

    debater: str
    judges: Sequence[str]
    deadline: float | None = 24 * 3600.0
    stand_in: str = ""


@dataclass(frozen=True, slots=True)
class _Models:
    """The server's models for seats that nobody names (see `service.lab.seats.Defaults`)."""

    default: Defaults

    def debater(self, *_seats: str) -> str:
        return self.default.debater

    def judges(self) -> Sequence[str]:
        return self.default.judges

    def judge(self, _seat: str) -> str:
        return self.default.judges[0]

    def by_option(self, _seat: str) -> str:
        return ""

    def as_one_of(self, _seat: str, others: Sequence[Seat]) -> str:
        return next((one.spec for one in others if not is_human(one.spec)), parted(self.default.debater)[1])


SPECS = ("pro", "con", "crit", "judges")
"""The options that name who sits."""


def members_in(typed: Mapping[str, Any]) -> list[int]:
    """The ids of the members who are to sit, each once."""
    texts = (typed.get(name, "") for name in SPECS)
    return list(dict.fromkeys(int(found) for text in texts for found in _MEMBER.findall(text)))


def specs_in(typed: Mapping[str, Any], defaults: Defaults) -> dict[str, Any]:
    """The specs of who sits, by the options that name them. Raises UsageError."""
    specs: dict[str, Any] = {
        name: seat_spec(text, defaults.debater) for name in ("pro", "con", "crit") if (text := typed.get(name, ""))
    }
    if crit := specs.get("crit"):
        specs["crit"] = parted(crit)[1]  # whoever scores has no manner
    specs["judges"] = judges_of(typed.get("judges", ""), defaults)
    return specs


def members_of(specs: Sequence[str]) -> list[int]:
    """The members among these specs, each once."""
    found = [members.member_of(spec.removeprefix(f"{HUMAN}:")) for spec in specs]
    return list(dict.fromkeys(member for member in found if member is not None))


NAMES = (
    "Arete", "Aspasia", "Crito", "Diotima", "Gorgias", "Hippias", "Hypatia", "Leontion", "Meno", "Phaedo", "Protagoras",
    "Theano", "Themista", "Thrasymachus", "Timaeus", "Zeno",
)  # fmt: skip
"""What personas are called: people of the Greek dialogues and schools."""


def seats_of(options: DebateOptions, defaults: Defaults, seed: int, moderator: str = HUMAN) -> tuple[Seat, ...]:
    """Everyone's seat. `seed` draws names; no name tells a model: whoever sits in a debate is not to know who is one.

    A member's seat has no name but its own: theirs comes with their agreement (SeatNamed). Raises UsageError.
    """
    seats = debate_seats(options, _Models(defaults), moderator)
    drawn = Random(seed).sample(NAMES, len(seats))
    return tuple(_shown(seat, name, defaults) for seat, name in zip(seats, drawn, strict=True))


def _title(seat: str, name: str) -> str:
    """The display name of a model on a seat: who it is, and which part it plays."""
    return "CRIT" if seat == "crit" else f"{name} ({seat.replace('-', ' ')})"


def under_its_name(seat: Seat, name: str) -> Seat:
    """The seat of a mind under the mind's own name; "" for no mind leaves it as it is."""
    return seat.model_copy(update={"title": _title(seat.name, safe.plain(name))}) if name else seat


def _shown(seat: Seat, name: str, defaults: Defaults) -> Seat:
    """The seat under its name, with how a person's turn ends."""
    if is_human(seat.spec):
        prepares = bool(defaults.stand_in) and seat.name in SIDES
        turn = {"deadline": defaults.deadline, "stand_in": defaults.stand_in, "prepares": prepares}
        return seat.model_copy(update={"title": seat.name, **turn})
    persona = seat.title.removesuffix(f" ({seat.name})")
    return seat.model_copy(update={"title": _title(seat.name, persona or name)})


def seat_for(name: str, spec: str, deadline: float | None, title: str = "") -> Seat:
    """A seat that scores or detects, of a model or a member; nobody stands in for a member there."""
    return (
        Seat(name=name, spec=spec, title=name, deadline=deadline)
        if is_human(spec)
        else Seat(name=name, spec=spec, title=title)
    )


def judges_of(text: str, defaults: Defaults) -> list[str]:
    """The judges' specs: named one after the other, a number of the default ones, or the default. Raises UsageError."""
    if not text.strip():
        return list(defaults.judges)
    if _NUMBER.fullmatch(typed := text.strip()):
        number = int(typed) if typed.isdecimal() and len(typed) < 3 else 0
        if not 1 <= number <= MOST_JUDGES:
            raise UsageError(msg("debate-judges-number", most=MOST_JUDGES))
        return [defaults.judges[n % len(defaults.judges)] for n in range(number)]
    specs = [seat_spec(part, defaults.judges[0]) for part in named_in(typed)]
    if len(specs) > MOST_JUDGES:
        raise UsageError(msg("debate-judges-number", most=MOST_JUDGES))
    return specs


def named_in(text: str) -> list[str]:
    """Members, models, personas and minds named one after the other."""
    return [found[0] for found in _NAMED.finditer(" ".join(text.split()))]


def seat_spec(text: str, default: str) -> str:
    """The spec that a text names: a member's mention, a model, a persona with its model, or `mind:NAME`.

    A persona stands before the spec, as in `engineer@openai:gpt-6-luna`, also where its model was not said. Raises
    UsageError, also for a mind by its id, which might be another server's.
    """
    text = text.strip()
    if not text:
        return default
    if MIND in text:
        raise UsageError(msg("debate-mind-by-id"))
    if member := _MEMBER.fullmatch(text):
        return members.member_spec(int(member[1]))
    if is_human(text) or text.startswith(("@", "<@")):  # <@& is a role
        raise UsageError(msg("debate-not-a-member"))
    try:
        persona, spec = parted(text)
    except ValueError as error:
        raise UsageError(safe.inline(str(error))) from error
    spec = spec or default if persona else spec
    if ":" not in spec or is_human(spec):
        raise UsageError(msg("debate-not-a-model", text=safe.inline(text)))
    return f"{persona.id}@{spec}" if persona else spec
