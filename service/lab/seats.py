"""Who sits where: from what was typed to the seats of a session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from elenchus.config.models import PROVIDERS
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import HUMAN, is_human

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.lab.options import DebateOptions, SweepOptions

BY_DEFAULT = "default"
"""Stands for the default model of a judge, where it is said how many judges there are."""


class Defaults(Protocol):
    """Gives models, or personas with theirs, to seats that nobody names. All raise UsageError where there is none."""

    def debater(self, *seats: str) -> str:
        """Who debates, for these seats."""
        ...

    def judges(self) -> Sequence[str]:
        """Who judges."""
        ...

    def judge(self, seat: str) -> str:
        """The first of those who judge, for this seat."""
        ...

    def by_option(self, seat: str) -> str:
        """What was chosen outright for all seats, "" where nothing was."""
        ...

    def as_one_of(self, seat: str, others: Sequence[Seat]) -> str:
        """The model of the first of these seats that has one, for this seat; a default where none has."""
        ...


def debate_seats(options: DebateOptions, defaults: Defaults, moderator: str = HUMAN) -> list[Seat]:
    """Everyone's seat in a debate; `moderator` is who approves the agenda. Raises UsageError."""
    judges = defaults.judges() if options.judges is None else options.judges
    sides = [seat_of(name, text, defaults.debater) for name, text in (("pro", options.pro), ("con", options.con))]
    limit = {"most_words": options.speech_words}
    sides = [seat.model_copy(update=limit) if is_human(seat.spec) else seat for seat in sides]
    named = ("" if text == BY_DEFAULT else text for text in judges)
    bench = [seat_of(f"judge-{n}", text, defaults.judge) for n, text in enumerate(named, 1)]
    crit = options.crit.strip() or defaults.by_option("crit") or defaults.as_one_of("crit", [*bench, *sides])
    seats = [*sides, Seat(name="crit", spec=crit), *bench]
    if options.approve_agenda:
        seats.append(Seat(name="moderator", spec=moderator))
    if options.compare_qa:
        seats.append(Seat(name="answerer", spec=defaults.as_one_of("answerer", seats[:3])))
    return seats


def sweep_seats(options: SweepOptions, defaults: Defaults) -> list[Seat]:
    """Who speaks and who reads. Raises UsageError for a person who is to speak."""
    given = (("pro", options.pro), ("con", options.con), ("crit", options.crit))
    seats = [Seat(name=name, spec=spec.strip() or defaults.debater(name)) for name, spec in given]
    if any(is_human(seat.spec) for seat in seats[:2]):
        raise UsageError("A sweep has models speak at many heats: give each side as provider:model.")
    return seats


def seat_of(name: str, text: str, default: Callable[[str], str]) -> Seat:
    """The seat of a persona, `engineer` or `engineer@provider:model`, or of a model or person. Raises UsageError.

    `default` gives who takes the seat of this name where nobody is named.
    """
    try:
        persona, spec = parted(text.strip() or default(name))
        if persona is not None and not spec:
            spec = parted(default(name))[1]
    except ValueError as error:
        raise UsageError(str(error)) from error
    if persona is None:
        if ":" not in spec and spec not in PROVIDERS and not is_human(spec):
            raise UsageError(
                f"{spec!r} is no model, persona or person: write PROVIDER:MODEL, a persona's id (`elenchus personas "
                "list`), or human."
            )
        return Seat(name=name, spec=spec)
    if is_human(spec):
        raise UsageError(f"{text!r} gives a person a persona: people speak for themselves.")
    return Seat(name=name, spec=spec, title=f"{persona.name} ({name})", manner=persona.manner)


def specs_of(seats: Iterable[Seat]) -> list[str]:
    """The models that may be called for these seats, also for people they stand in for; each once."""
    specs = (spec for seat in seats for spec in (seat.spec, seat.stand_in) if spec and not is_human(spec))
    return list(dict.fromkeys(specs))


def context_of(registry: Registry, seats: Iterable[Seat]) -> dict[str, int]:
    """`context_tokens`: what the model that reads least can read; nothing where only people sit."""
    tokens = [registry.model(seat.spec).context_tokens for seat in seats if not is_human(seat.spec)]
    return {"context_tokens": min(tokens)} if tokens else {}
