"""`mind:NAME` on a seat: from the name to the model that speaks for the mind, and the mind that it speaks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SessionStarted, mind_in
from elenchus.service.lab.detection import DetectOptions
from elenchus.service.lab.grid import GridOptions
from elenchus.service.lab.mind_options import MindOptions, mind_id
from elenchus.service.lab.options import CritOptions, RunOptions, SweepOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from elenchus.debate_engine.events import Seat
    from elenchus.service.lab.minds import Minds

SEAT = "mind:"
FIELDS = ("pro", "con", "crit", "judges", "model", "subjects", "confederate", "moderator", "others", "seats",
          "detector", "referee")  # fmt: skip
"""Where options say who sits."""

OptionsT = TypeVar("OptionsT", bound=RunOptions)


def names_mind(options: RunOptions) -> bool:
    """Whether a mind is to sit somewhere."""
    return any(is_mind(spec) for field in FIELDS for spec in _specs(getattr(options, field, "")))


async def with_minds(options: OptionsT, minds: Minds, place: str = "") -> OptionsT:
    """The options with every `mind:NAME` of this place found: as they are where there is none.

    Raises UsageError for a name that no mind has here, and where no mind can sit.
    """
    if not names_mind(options):
        return options
    if isinstance(options, SweepOptions | CritOptions | DetectOptions | MindOptions):
        raise UsageError("A mind takes part in debates and scenes: name a model here (provider:model).")
    if isinstance(options, GridOptions) and (options.n > 1 or len(options.subjects) > 1 or len(options.styles) > 1):
        raise UsageError("A mind remembers what it was in: play a scene with one once, and name one subject.")
    changed: dict[str, Any] = {}
    for field in FIELDS:
        match getattr(options, field, ""):
            case str() as spec if is_mind(spec):
                changed[field] = await with_mind(spec, minds, place)
            case tuple() as specs if any(map(is_mind, specs)):
                changed[field] = tuple([await with_mind(spec, minds, place) for spec in specs])
            case dict() as seats if any(map(is_mind, seats.values())):
                changed[field] = {name: await with_mind(spec, minds, place) for name, spec in seats.items()}
    return options.model_copy(update=changed)


def is_mind(spec: Any) -> bool:
    """Whether this is `mind:NAME`."""
    return isinstance(spec, str) and spec.strip().startswith(SEAT)


def _specs(value: Any) -> tuple[Any, ...]:
    match value:
        case tuple():
            return value
        case dict():
            return tuple(value.values())
    return (value,)


async def with_mind(spec: str, minds: Minds, place: str = "") -> str:
    """`provider:model#mind-…` for a mind of this place by its name, every other spec as it is. Raises UsageError."""
    if not is_mind(spec):
        return spec
    name = spec.strip().removeprefix(SEAT)
    await minds.look(name, place)
    first = (await minds.events(name, place))[0].event
    assert isinstance(first, SessionStarted)
    found = f"{first.seats[0].spec}#{mind_id(name, place)}"
    assert mind_in(found) == mind_id(name, place)
    return found


async def names_of_minds(specs: Iterable[str], minds: Minds, place: str = "") -> dict[str, str]:
    """What the minds among these specs of seats are called, by spec. Raises UsageError where one is not there."""
    found = dict[str, str]()
    for spec in dict.fromkeys(specs):
        if session := mind_in(spec):
            first = (await minds.events(session, place))[0].event
            assert isinstance(first, SessionStarted)
            found[spec] = first.title
    return found


async def under_their_names(seats: Sequence[Seat], minds: Minds, place: str = "") -> list[Seat]:
    """The seats, those of minds under the minds' own names (`greta (pro)`), as personas of the catalogue sit there."""
    names = await names_of_minds((seat.spec for seat in seats), minds, place)
    return [
        seat.model_copy(update={"title": f"{names[seat.spec]} ({seat.name})"}) if seat.spec in names else seat
        for seat in seats
    ]
