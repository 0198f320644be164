"""Which version of a scene a subject meets: drawn by lot at the first rule at which the versions differ.

Places are numbered; each block of as many places as there are versions holds every version once, in an order drawn from
the seed. Whoever plays or has finished holds a place; one whose subject is gone is the next to be taken. So after any
number of subjects two versions differ by one subject at the most, and who declined or left early unbalances nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, Protocol

from elenchus.debate_engine.events import Recorded, StepDone
from elenchus.debate_engine.protocols.rulegen.config import Assignment, DrawnVersion, SceneConfig
from elenchus.debate_engine.protocols.rulegen.played import Statement
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.debate_engine.session import Session

STEP = "assignment"


class Allocation(Protocol):
    """Who holds which place of a study, over all sessions on this log."""

    async def draw(self, assignment: Assignment) -> int:
        """The first place (from 1) that nobody holds, held by its session from now on; the same one asked again.

        Raises StorageError.
        """
        ...


class FirstPlace:
    """Lots of which every session gets the first: for a dry run."""

    async def draw(self, assignment: Assignment) -> int:
        """The first place."""
        return 1


def drawn(assignment: Assignment, number: int) -> Condition:
    """The version of a place (from 1), the same on every machine. Pure."""
    block, place = divmod(number - 1, len(assignment.of))
    seed = f"{assignment.seed}/{assignment.stratum}/{block}"
    return Random(seed).sample(assignment.of, len(assignment.of))[place]


def first_free(held: Collection[int]) -> int:
    """The first place that nobody holds. Pure."""
    return next(number for number in count(1) if number not in held)


def stratum_of(cfg: SceneConfig, found: Iterable[Statement]) -> str:
    """What the subjects stated that the versions are balanced within, in words; "" where nothing is. Pure."""
    told = {one.measure: one.told or "–" for one in found}
    return "; ".join(f"{name}: {told.get(name, '–')}" for name in cfg.scene.plan.strata)


async def assigned(s: Session, cfg: SceneConfig, lots: Allocation, found: Iterable[Statement] = ()) -> SceneConfig:
    """The settings with the version that is drawn now; nobody who plays is told. Step key: `assignment`.

    `found` is what the subjects have stated. Of their stratum a hash is kept: it outlives a subject who takes it back.
    """
    assert cfg.assignment is not None, "there is something to draw"
    lot = cfg.assignment
    if words := stratum_of(cfg, found):
        stratum = sha256(f"{lot.study}/{lot.seed}/{words}".encode()).hexdigest()[:16]
        lot = lot.model_copy(update={"stratum": stratum})

    async def by_lot() -> dict[str, Any]:
        number = await lots.draw(lot)
        return DrawnVersion(number=number, version=drawn(lot, number)).model_dump(mode="json")

    place = DrawnVersion.model_validate(await s.step(STEP, lot.model_dump(mode="json"), by_lot))
    return cfg.in_version(place.version)


def place_in(recorded: Iterable[Recorded]) -> DrawnVersion | None:
    """What was drawn in a session, None where nothing was. Pure."""
    results = (r.event.result for r in recorded if isinstance(r.event, StepDone) and r.event.step == STEP)
    return next((DrawnVersion.model_validate(result) for result in results), None)


def as_played(cfg: SceneConfig, recorded: Iterable[Recorded]) -> SceneConfig:
    """The settings with the version that was drawn, as far as one was. Pure."""
    place = place_in(recorded) if cfg.versions else None
    return cfg.in_version(place.version) if place else cfg
