"""From what was typed with `/scene start` to seats. Pure; whatever cannot be done is refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass

from elenchus.bot.debate.options import Defaults, spec_of
from elenchus.bot.people.members import member_of
from elenchus.bot.rendering import safe
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.scenes.scene import SYSTEM, Kind, Scene

_SEPARATED = re.compile(r"<@!?\d{5,20}>|[^\s,]+")


@dataclass(frozen=True, slots=True)
class SceneOptions:
    """The options of one `/scene start`, as they were typed. `minutes` is a person's time for a turn."""

    scene: str
    subject: str = ""
    confederate: str = ""
    moderator: str = ""
    judge: str = ""
    subjects: int = 0
    conditions: str = ""
    model: str = ""
    minutes: int = 0
    budget_usd: float | None = None


def specs_in(text: str) -> list[str]:
    """Models and members named one after the other. Raises UsageError."""
    return [spec_of(part, "") for part in _SEPARATED.findall(text)]


def subject_of(scene: Scene) -> str:
    """The role that subjects play. Raises UsageError where there are several, or none that speaks."""
    found = [role.name for role in scene.roles if role.kind == "subject" and role.name in speaking(scene)]
    if len(found) != 1:
        raise UsageError(msg("scenes-one-subject", found=len(found)))
    return found[0]


def others_of(
    scene: Scene, options: SceneOptions, defaults: Defaults, names: Mapping[int, str], deadline: float | None
) -> tuple[Seat, ...]:
    """Everybody's seats but the subject's: roles that speak, the system agent, the judges. Raises UsageError.

    Confederates and moderators are taken in the order of the scene; a model takes over from a person who is gone.
    `names` are how members are called in the log.
    """
    model = options.model or defaults.debater
    given = {"confederate": specs_in(options.confederate), "moderator": specs_in(options.moderator)}
    subject, seats = subject_of(scene), list[Seat]()
    kinds: dict[str, Kind] = {role.name: role.kind for role in scene.roles}
    for name in speaking(scene):
        if name != subject:
            left = given.get(kinds[name], [])
            seats.append(seat_for(name, left.pop(0) if left else model, names, deadline, stand_in=model))
    if too_many := [kind for kind, left in given.items() if left]:
        raise UsageError(msg("scenes-too-many", kind=too_many[0]))
    judges = [
        seat_for(f"judge-{n}", spec, names, deadline, stand_in=defaults.judges[0])
        for n, spec in enumerate(specs_in(options.judge) or defaults.judges, 1)
    ]
    return (*seats, Seat(name=SYSTEM, spec=model), *judges)


def seat_for(name: str, spec: str, names: Mapping[int, str], deadline: float | None, *, stand_in: str = "") -> Seat:
    """A seat for a model or a member. Nobody stands in for a subject: that would be another's decision."""
    member = member_of(spec.removeprefix(f"{HUMAN}:"))
    if member is None:
        return Seat(name=name, spec=spec, title=safe.plain(name))
    return Seat(name=name, spec=f"{HUMAN}:{names[member]}", title=name, deadline=deadline, stand_in=stand_in)


def with_stand_in(seat: Seat, known: Container[str]) -> Seat:
    """The seat as it is; its stand-in's where it was for a person who is forgotten (whose spec is not `known`)."""
    if not is_human(seat.spec) or seat.spec in known:
        return seat
    return Seat(name=seat.name, spec=seat.stand_in, title=safe.plain(seat.name))
