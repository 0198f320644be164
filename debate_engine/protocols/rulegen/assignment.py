"""Which version of a scene a subject meets: drawn by lot at the first rule at which the versions differ.

Places are numbered; each block of as many places as there are versions holds every version once, in an order drawn from
the seed. Whoever plays or has finished holds a place; one whose subject is gone is the next to be taken. So after any
number of subjects two versions differ by one subject at the most, and who declined or left early unbalances nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count
from random import Random
from typing import Any, Protocol

from elenchus.debate_engine.events import Recorded, StepDone
from elenchus.debate_engine.protocols.rulegen.schemas import Assignment, Drawn, SceneConfig
from elenchus.debate_engine.scenes.scene import Condition, Scene
from elenchus.debate_engine.session import Session

STEP = "assignment"


class Lots(Protocol):
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


def first_difference(versions: Iterable[Scene]) -> int:
    """The index of the first rule at which versions differ; 0 where roles already do. Pure."""
    scenes = list(versions)
    if any(scene.roles != scenes[0].roles for scene in scenes):
        return 0
    asked = [_asked_by_rule(scene) for scene in scenes]
    return next((n for n, same in enumerate(zip(*asked, strict=False)) if any(one != same[0] for one in same)),
                min(map(len, asked)))  # fmt: skip


def _asked_by_rule(scene: Scene) -> list[Any]:
    """Each rule with what is measured there, in full."""
    measures = {one.name: one for one in (*scene.measures, *scene.trials)}
    return [(rule, [measures.get(name) for name in (*rule.measures, rule.trials)]) for rule in scene.rules]


async def assigned(s: Session, cfg: SceneConfig, lots: Lots) -> SceneConfig:
    """The settings with the version that is drawn now; nobody who plays is told. Step key: `assignment`."""
    assert cfg.assignment is not None, "there is something to draw"
    lot = cfg.assignment

    async def by_lot() -> dict[str, Any]:
        number = await lots.draw(lot)
        return Drawn(number=number, version=drawn(lot, number)).model_dump(mode="json")

    place = Drawn.model_validate(await s.step(STEP, lot.model_dump(mode="json"), by_lot))
    return cfg.in_version(place.version)


def place_in(recorded: Iterable[Recorded]) -> Drawn | None:
    """What was drawn in a session, None where nothing was. Pure."""
    results = (r.event.result for r in recorded if isinstance(r.event, StepDone) and r.event.step == STEP)
    return next((Drawn.model_validate(result) for result in results), None)


def as_played(cfg: SceneConfig, recorded: Iterable[Recorded]) -> SceneConfig:
    """The settings with the version that was drawn, as far as one was. Pure."""
    place = place_in(recorded) if cfg.versions else None
    return cfg.in_version(place.version) if place else cfg
