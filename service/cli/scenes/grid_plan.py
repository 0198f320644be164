"""From the options of `elenchus scene run` to a grid and to what it may use: all before anything is spent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.estimate import pace_of, places, plan_document
from elenchus.debate_engine.human import is_human
from elenchus.debate_engine.protocols.rulegen.casting import config_of, speaking
from elenchus.debate_engine.protocols.rulegen.plan import plan
from elenchus.debate_engine.protocols.rulegen.study.design import (
    Cast,
    Cell,
    Grid,
    runs_of,
    scene_of,
    seats_of,
    started_of,
)
from elenchus.debate_engine.protocols.rulegen.study.running import Need
from elenchus.debate_engine.rehearsal import Pace, PaceOf, Plan, side_by_side
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.library import twin_of
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene
from elenchus.service.cli import checks
from elenchus.service.cli.launching import limits_of
from elenchus.service.cli.output import Out, clean
from elenchus.service.cli.planning import costing, dollars, lasting, tell_assumed, tell_turns
from elenchus.service.cli.scenes.library import guessed, named
from elenchus.service.cli.tables import WordTable

if TYPE_CHECKING:
    from elenchus.config.models import Price
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.lab.default_models import Unnamed

MOST = 1_000
"""Runs of each cell."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of one `elenchus scene run`, as they were typed."""

    scene: str
    subjects: tuple[str, ...]
    styles: tuple[str, ...]
    conditions: tuple[str, ...]
    n: int
    temperature: float | None
    confederate: str
    moderator: str
    others: str
    judges: tuple[str, ...]
    seed: int | None
    budget_tokens: int | None
    budget_usd: float | None
    price: Price | None = None
    unpriced_ok: bool = False
    model: str = ""
    at_once: int | None = None
    pilot: bool = False

    @property
    def with_people(self) -> bool:
        """Whether a person takes part."""
        return any(is_human(spec) for spec in (*self.players, *self.judges))

    @property
    def players(self) -> tuple[str, ...]:
        """Who takes part in the scene itself."""
        return (*self.subjects, self.confederate, self.moderator, self.others)


def wanted_of(typed: Mapping[str, Any]) -> Wanted:
    """The options from the command's `locals()`, without blanks around them. Raises UsageError."""
    limits = limits_of(typed["budget_tokens"], typed["budget_usd"], typed["price"], unpriced_ok=typed["unpriced_ok"])
    names = {name: typed[name].strip() for name in ("confederate", "moderator", "others")}
    same = {name: typed[name] for name in ("scene", "n", "temperature", "seed", "model", "at_once", "pilot")}
    return Wanted(
        **same, **names, subjects=_stripped(typed["subject"] or ()), styles=_stripped(typed["style"].split(",")),
        conditions=_stripped(typed["condition"].split(",")), judges=_stripped(typed["judge"] or ()),
        budget_tokens=limits.tokens, budget_usd=limits.usd, price=limits.price, unpriced_ok=limits.unpriced_ok,
    )  # fmt: skip


def _stripped(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.strip() for word in words if word.strip())


def versions_of(name: str, own: Path) -> tuple[str, dict[Condition, Scene]]:
    """What a scene is called, and its versions by condition: it, and its twin where it has one.

    It is a file, one of the person's folder `own`, or one of the library. Raises UsageError, FaultyScene.
    """
    called, scene, folder = named(name, own)
    versions: dict[Condition, Scene] = {scene.condition or "treatment": scene}
    if scene.twin:
        twin = twin_of(scene, folder)
        if (twin.condition or "control") in versions:
            raise UsageError(f"The scene and its twin {scene.twin} are the same condition: correct one of the two.")
        versions[twin.condition or "control"] = twin
    return called, {one: versions[one] for one in CONDITIONS if one in versions}


def grid_of(wanted: Wanted, settings: Settings, unnamed: Unnamed, version: str) -> Grid:
    """The plan of a grid. Raises UsageError where it cannot be played."""
    checks.temperature(wanted.temperature)
    checks.seed(wanted.seed)
    checks.within(wanted.n, 1, MOST, "-n", "20")
    checks.at_once(wanted.at_once)
    called, scenes = versions_of(wanted.scene, settings.own_scenes)
    grid = Grid(
        id=new_id(),
        name=called,
        scenes=scenes,
        subjects=wanted.subjects or (unnamed.debater("subject"),),
        styles=tuple(clean(style) for style in wanted.styles) or ("",),
        conditions=conditions_of(wanted.conditions, scenes),
        cast=cast_of(wanted, unnamed),
        n=wanted.n,
        seed=secrets.randbelow(2**31) if wanted.seed is None else wanted.seed,
        temperature=wanted.temperature,
        budget_tokens=wanted.budget_tokens,
        budget_usd=wanted.budget_usd,
        price=wanted.price,
        unpriced_ok=wanted.unpriced_ok,
        pilot=wanted.pilot,
        version=version,
        created=events.now(),
    )
    _refuse_twice("--subject", grid.subjects)
    _refuse_twice("--style", grid.styles)
    for run in runs_of(grid)[: len(grid.cells)]:
        started_of(grid, run, version)
    return grid


def cautions(wanted: Wanted, grid: Grid, own: Path) -> list[str]:
    """What to know before anything is spent: what was guessed of the scene, and what keeps it from showing anything."""
    scene = next(iter(grid.scenes.values()))
    told = guessed(wanted.scene, own)
    if not scene.bias:
        told.append("the scene names no bias, so nobody judges: write `bias:` into its front matter")
    silent = [role.name for role in scene.roles if role.kind == "subject" and role.name not in speaking(scene)]
    return [*told, *(f"{name}, a subject, speaks under no rule: there is nothing to observe" for name in silent)]


def cast_of(wanted: Wanted, unnamed: Unnamed) -> Cast:
    """Who sits beside the subject. The system agent is always a model."""
    others = wanted.others or unnamed.debater("others")
    model = unnamed.debater("system") if is_human(others) else others
    return Cast(
        confederate=wanted.confederate or others,
        moderator=wanted.moderator or others,
        other=others,
        system=model,
        judges=wanted.judges or tuple(unnamed.judges()),
    )


def conditions_of(given: tuple[str, ...], scenes: dict[Condition, Scene]) -> tuple[Condition, ...]:
    """The conditions to play: those asked for, else all there are. Raises UsageError."""
    if unknown := [name for name in given if name not in CONDITIONS]:
        raise UsageError(f"{unknown[0]!r} is no condition: give --condition {','.join(CONDITIONS)}.")
    if missing := [name for name in given if name not in scenes]:
        raise UsageError(
            f"The scene has no {missing[0]} version: name its twin in the front matter, or give --condition "
            f"{','.join(scenes)}."
        )
    return tuple(one for one in scenes if not given or one in given)


def _refuse_twice(option: str, given: tuple[str, ...]) -> None:
    if len(set(given)) < len(given):
        raise UsageError(f"{option} names the same twice: name each once, and repeat runs with -n.")


# ── what it may use ──────────────────────────────────────────────────────────────────────────────────────────────

_MARGIN = 1.25
"""On what a run may use, as tokens are estimated and an attempt may be repeated."""


_CELL_HEADINGS = ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run")
_COUNTED = ("calls", "input_tokens", "output_tokens", "reasoning_tokens")
_PRICED = ("usd", "reasoning_usd")


@dataclass(frozen=True, slots=True)
class Estimate:
    """The document of `--dry-run`, what one run may use at the most, and how many go side by side."""

    document: dict[str, Any]
    need: Need
    side_by_side: int

    @property
    def need_document(self) -> dict[str, Any]:
        """The need as it is kept."""
        return asdict(self.need)


async def estimated(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """Rehearse one run of each cell; off the event loop. `at_once`: see `side_by_side_of`."""

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    plans = {cell: await asyncio.to_thread(_plan, grid, cell, paced) for cell in grid.cells}
    width = side_by_side_of(grid, settings, registry, at_once)
    whole = plan_document(side_by_side([(plan, grid.n) for plan in plans.values()], paced, width), registry, grid.price)
    cells = {cell: plan_document(plan, registry, grid.price) for cell, plan in plans.items()}
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain")},
        "runs": len(cells) * grid.n,
        "side_by_side": width,
        "others": others_in(grid),
        "by_cell": [_row(grid, cell, one) for cell, one in cells.items()],
        "of_people": [turns for one in cells.values() for turns in one["of_people"]],
    }
    return Estimate(document, need_of(list(cells.values())), width)


def side_by_side_of(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many runs go side by side: so many, or as many calls as all providers of the grid take at once."""
    if at_once is None:
        specs = {seat.spec for seat in seats_in(grid) if not is_human(seat.spec)}
        at_once = places(settings, registry, specs)
    return min(at_once, len(grid.cells) * grid.n)


def seats_in(grid: Grid) -> list[Seat]:
    """Every seat of every cell."""
    return [seat for cell in grid.cells for seat in seats_of(scene_of(grid, cell), cell.subject, grid.cast, grid.price)]


def need_of(cells: Sequence[Mapping[str, Any]]) -> Need:
    """What a run of the dearest cell may use: all hidden reasoning too, as each call is held to its own most.

    Dollars are those of the models whose price is known.
    """
    tokens = max(cell["input_tokens"] + cell["output_tokens"] + cell["reasoning_tokens"] for cell in cells)
    usd = max(sum((row["usd"] or 0.0) + (row["reasoning_usd"] or 0.0) for row in cell["by_seat"]) for cell in cells)
    return Need(ceil(tokens * _MARGIN), usd * _MARGIN)


def others_in(grid: Grid) -> list[dict[str, str]]:
    """Who takes the seats beside the subject. Where people play nobody is shown to be the confederate."""
    scenes = [grid.scenes[condition] for condition in grid.conditions]
    seats = {seat.name: seat.spec for scene in scenes for seat in seats_of(scene, grid.subjects[0], grid.cast)}
    kinds = {role.name: role.kind for scene in scenes for role in scene.roles}
    people = any(is_human(spec) for spec in seats.values())
    return [
        {"seat": name, "kind": "" if people else kinds.get(name, ""), "model": spec}
        for name, spec in seats.items()
        if kinds.get(name) != "subject"
    ]


def _plan(grid: Grid, cell: Cell, paced: PaceOf) -> Plan:
    """One run of a cell, rehearsed."""
    scene = scene_of(grid, cell)
    seats = seats_of(scene, cell.subject, grid.cast)
    return plan(config_of(scene, seats), seats, paced)


def _row(grid: Grid, cell: Cell, document: Mapping[str, Any]) -> dict[str, Any]:
    """A cell with what one run of it takes."""
    kept = {key: document[key] for key in (*_COUNTED, *_PRICED, "minutes", "longest_chain")}
    return {**cell.model_dump(), "runs": grid.n, **kept}


def tell_estimate(estimate: Estimate, unnamed: Unnamed, out: Out) -> None:
    """The plan as a document, or as tables and a sentence."""
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return

    seats = [(other["seat"], other["kind"], other["model"]) for other in document["others"]]
    out.show(_table(("beside the subject", "", "model"), seats))
    out.line("")
    out.show(_table(_CELL_HEADINGS, [_cell_row(cell) for cell in document["by_cell"]]))
    tell_turns(document["of_people"], out)
    runs = f"{document['runs']} run{'' if document['runs'] == 1 else 's'}"
    out.line(
        f"\n{runs}: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {costing(document)}, "
        f"about {lasting(document['minutes'])} ({document['side_by_side']} side by side)"
    )
    tell_assumed(document, out)


def _cell_row(cell: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
    counts = (str(cell["runs"]), str(cell["calls"]), tokens)
    return cell["subject"], cell["style"], cell["condition"], *counts, dollars(cell["usd"])


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> WordTable:
    table = WordTable()
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
