"""What was said of a study before its first run. Pure.

A registration holds the hypotheses, the design, n and the stopping rule, who is left out, the analysis, and the hash of
the scene that is to be played. It is written once, and never again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid
from elenchus.debate_engine.protocols.rulegen.study.methods import METHODS
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.contrasts import Expected, by_default
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.scene import Condition, Scene
from elenchus.debate_engine.scenes.versions import design_of

JSON, MARKDOWN = "registration.json", "registration.md"
"""The two files of a registration, with the same in them."""


class Hypothesis(FrozenModel):
    """A contrast, and what is expected of it."""

    compare: str
    expect: Expected
    margin: float | None = None

    def __str__(self) -> str:
        what = {
            "greater": "the first is greater",
            "less": "the first is less",
            "different": "the two differ",
            "same": f"the two differ by less than {self.margin:g}" if self.margin else "the two do not differ",
        }
        return f"{self.compare}: {what[self.expect]}"


class RegisteredFactor(FrozenModel):
    """What is varied: its levels with the value of each. `within`: each subject meets all of them."""

    name: str
    levels: dict[str, str]
    within: bool


class PlannedRuns(FrozenModel):
    """The runs of a grid: `each` of every subject, style and version."""

    grid: str
    subjects: tuple[str, ...]
    styles: tuple[str, ...]
    versions: tuple[Condition, ...]
    each: int
    seed: int


class Registration(FrozenModel):
    """What was said beforehand. `sha256` is that of the scene's versions and its plan, as canonical JSON."""

    form: Literal[1] = 1
    written: AwareDatetime
    program: str
    scene: str
    title: str
    bias: str
    purpose: str
    sha256: str
    factors: tuple[RegisteredFactor, ...]
    versions: tuple[Condition, ...]
    hypotheses: tuple[Hypothesis, ...]
    by_default: bool
    outcome: str
    measures: dict[str, str]
    n: int | None
    stop: str
    exclusions: tuple[str, ...]
    strata: tuple[str, ...] = ()
    analysis: tuple[str, ...] = METHODS
    runs: PlannedRuns | None = None


def registration_of(
    name: str, scene: Scene, versions: Mapping[Condition, Scene], written: datetime, grid: Grid | None = None
) -> Registration:
    """Of a scene's whole file and the versions that it is played in; `grid` where its runs are planned already."""
    plan = scene.plan
    contrasts = plan.contrasts or by_default(_cells(scene, versions))
    return Registration(
        written=written,
        program=grid.version if grid else _version(),
        scene=name,
        title=scene.title,
        bias=scene.bias,
        purpose=scene.purpose,
        sha256=hash_of_scene(list(versions.values()), scene),
        factors=tuple(
            RegisteredFactor(
                name=factor.name,
                levels={level.name: level.value for level in factor.levels},
                within=factor.within,
            )
            for factor in scene.factors
        ),
        versions=tuple(versions),
        hypotheses=tuple(Hypothesis(compare=one.compare, expect=one.expect, margin=one.margin) for one in contrasts),
        by_default=not plan.contrasts,
        outcome=scene.outcome,
        measures={one.name: one.ask for one in scene.measures},
        n=plan.n,
        stop=plan.stop,
        exclusions=plan.exclusions,
        strata=plan.strata,
        runs=_planned(grid) if grid else None,
    )


def _cells(scene: Scene, versions: Mapping[Condition, Scene]) -> tuple[str, ...]:
    design = design_of(scene) if scene.factors else Design.between(list(versions))
    return (design if scene.outcome else design.of_whole_runs()).cells


def _planned(grid: Grid) -> PlannedRuns:
    return PlannedRuns(
        grid=grid.id, subjects=grid.subjects, styles=grid.styles, versions=grid.conditions, each=grid.n, seed=grid.seed
    )


def _version() -> str:
    from importlib.metadata import version

    return version("elenchus")


def hash_of_scene(versions: Sequence[Scene], scene: Scene) -> str:
    """The SHA-256 of canonical JSON (sorted keys, no spaces, UTF-8): the versions by their labels, and the plan.

    Who wrote and reviewed the file is no part of it.
    """
    by_label = {
        version.condition or "": version.model_dump(mode="json", exclude={"written_by", "reviewed"})
        for version in versions
    }
    whole = {"versions": by_label, "plan": scene.plan.model_dump(mode="json")}
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


# ── as files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def files_of(registration: Registration) -> dict[str, bytes]:
    """The registration as JSON, and as Markdown for people."""
    text = f"{registration.model_dump_json(indent=2)}\n"
    return {JSON: text.encode(), MARKDOWN: registration_markdown(registration).encode()}


def registration_markdown(one: Registration) -> str:
    """What people read. Pure."""
    made = f"Written {one.written:%Y-%m-%d %H:%M:%S %Z}, before the first run, by Elenchus {inline(one.program)}."
    defaults = " The file names none: each version is compared with the last." if one.by_default else ""
    parts = [
        f"# Registration: {inline(one.title or one.scene)}",
        f"{made} Scene `{one.scene}`, SHA-256 `{one.sha256}`.",
        *([f"## Question\n\n{inline(one.purpose)}"] if one.purpose else []),
        f"## Hypotheses\n\nTwo-sided.{defaults}\n\n" + _items(inline(str(hypothesis)) for hypothesis in one.hypotheses),
        "## Design\n\n" + _design(one),
        "## What comes out\n\n" + (f"`{one.outcome}`" if one.outcome else "What most judges see: yes or no."),
        *(["## What is asked\n\n" + _items(f"`{name}`: {inline(ask)}" for name, ask in one.measures.items())]
          if one.measures else []),
        "## How many, and when it stops\n\n" + _how_many(one),
        "## Who does not count\n\n" + (_items(f"`{rule}`" for rule in one.exclusions) or "Nobody who finishes."),
        "## Analysis\n\n" + _items(one.analysis),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _design(one: Registration) -> str:
    versions = f"Versions: {listed([inline(version) for version in one.versions])}."
    if one.strata:
        versions += f" They are balanced within the answers to {listed([f'`{name}`' for name in one.strata])}."
    if not one.factors:
        return versions
    rows = [
        [inline(factor.name), inline(", ".join(factor.levels)), f"{'within' if factor.within else 'between'} subjects"]
        for factor in one.factors
    ]
    drawn = "Who plays is given a version by lot, in blocks that hold each version once."
    if any(factor.within for factor in one.factors):
        drawn += " What varies within subjects is met in the order in which the version's name ends."
    return f"{table(['factor', 'levels', 'varied'], rows)}\n\n{versions} {drawn}"


def _how_many(one: Registration) -> str:
    told = [f"{count(one.n, 'subject')}." if one.n is not None else "No number is planned in the file."]
    if one.stop:
        told.append(f"It stops {inline(one.stop)}.")
    if one.runs:
        who = listed([inline(subject) for subject in one.runs.subjects])
        each = f"{one.runs.each} of every version and style by {who}"
        told.append(f"Runs `{one.runs.grid}`: {each}, seed {one.runs.seed}.")
    return " ".join(told)


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
