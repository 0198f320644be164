"""The grid of a study: subject models × styles × conditions × repeats, each run a session of its own. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product

from pydantic import AwareDatetime, Field

from elenchus.config.models import Price
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import asked, is_supervised, with_fixed_lines
from elenchus.debate_engine.protocols.rulegen.config import SceneField
from elenchus.debate_engine.scenes.scene import SYSTEM, Condition, Kind, Scene

MOST_RUNS = 5_000
"""Runs of one grid."""


class Cell(FrozenModel):
    """One combination. `style` "" leaves the subject's style as the scene has it."""

    subject: str
    style: str
    condition: Condition


class SeatSpecs(FrozenModel):
    """Who sits where beside the subject; every entry is a spec."""

    confederate: str
    moderator: str
    other: str
    system: str
    judges: tuple[str, ...]

    def of(self, kind: Kind, subject: str) -> str:
        """Who plays a role of this kind."""
        return {"subject": subject, "confederate": self.confederate, "moderator": self.moderator}.get(kind, self.other)


class Grid(FrozenModel):
    """A study's whole plan, kept so that it can be gone on with. `n` runs of each cell; `seed` governs them all.

    `scenes` are its versions, `experiment` is the scene's whole file, which plans what is compared.
    A budget is for all runs together; `price` and `unpriced_ok` as in a session. `pilot`: all runs are pilots, which
    results over all sessions leave out.
    """

    id: str
    name: str
    scenes: dict[Condition, SceneField]
    experiment: SceneField | None = None
    subjects: tuple[str, ...]
    styles: tuple[str, ...]
    conditions: tuple[Condition, ...]
    cast: SeatSpecs
    n: int = Field(ge=1)
    seed: int
    temperature: float | None = None
    budget_tokens: int | None = None
    budget_usd: float | None = None
    price: Price | None = None
    unpriced_ok: bool = False
    pilot: bool = False
    version: str
    created: AwareDatetime

    @property
    def whole(self) -> Scene:
        """The scene's whole file; of a grid that was kept without it the first version."""
        return self.experiment or next(iter(self.scenes.values()))

    @property
    def cells(self) -> list[Cell]:
        """All combinations, in the order in which they were given."""
        return [
            Cell(subject=subject, style=style, condition=condition)
            for subject, style, condition in product(self.subjects, self.styles, self.conditions)
        ]

    @property
    def runs(self) -> list[GridRun]:
        """All runs (see `runs_of`)."""
        return runs_of(self)


class GridRun(FrozenModel):
    """One run: the `repeat`-th (from 1) of its cell, number `number` (from 1) of the grid. `session` is its id."""

    session: str
    number: int
    repeat: int
    cell: Cell
    seed: int

    @property
    def model(self) -> str:
        """Without the subject's model there is no run."""
        return self.cell.subject


def runs_of(grid: Grid) -> list[GridRun]:
    """All runs, repeat after repeat over all cells, so that a grid that is broken off is balanced.

    Raises UsageError where there are too many.
    """
    count = len(grid.cells) * grid.n
    if count > MOST_RUNS:
        raise UsageError(f"That are {count:,} runs, of which {MOST_RUNS:,} are allowed: give a smaller -n.")
    return list(_runs(grid))


def _runs(grid: Grid) -> Iterator[GridRun]:
    places = product(range(1, grid.n + 1), grid.cells)
    for number, (repeat, cell) in enumerate(places, 1):
        yield GridRun(
            session=f"{grid.id}-{number:04}", number=number, repeat=repeat, cell=cell, seed=seed_of(grid.seed, number)
        )


def seed_of(seed: int, number: int) -> int:
    """The seed (31 bits) of a run: another for each, the same on every machine."""
    return int.from_bytes(hashlib.sha256(f"{seed}/run/{number}".encode()).digest()[:4], "big") >> 1


def scene_of(grid: Grid, cell: Cell) -> Scene:
    """The scene as this cell plays it: the condition's version, the subject deciding in the cell's style."""
    return styled(grid.scenes[cell.condition], cell.style)


def styled(scene: Scene, style: str) -> Scene:
    """The scene in which every subject decides in this style; "" leaves it as it is."""
    if not style:
        return scene
    roles = (role.model_copy(update={"style": style}) if role.kind == "subject" else role for role in scene.roles)
    return scene.model_copy(update={"roles": tuple(roles)})


def seats_of(scene: Scene, subject: str, cast: SeatSpecs, price: Price | None = None) -> tuple[Seat, ...]:
    """The seats of a run: roles, the system agent where it has something to look at, judges. `price`: see `Seat`.

    Nobody sits on the seat of a role that is asked for nothing: its lines are all fixed, or it has none. A subject has
    a seat in any case, and a person who is named for a role without lines sits and listens.
    """
    wanted, written = asked(scene), with_fixed_lines(scene)
    seated = [(role, cast.of(role.kind, subject)) for role in scene.roles if role.name not in written]
    specs = {
        role.name: spec for role, spec in seated if role.kind == "subject" or role.name in wanted or is_human(spec)
    }
    if is_supervised(scene, [name for name in wanted if not is_human(specs[name])]):
        specs[SYSTEM] = cast.system
    specs |= {f"judge-{n}": spec for n, spec in enumerate(cast.judges, 1)}
    return tuple(Seat(name=name, spec=spec, price=price) for name, spec in specs.items())
