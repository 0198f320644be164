"""What is counted over the runs of a scene: what came out in each cell, how cells differ, how far everybody came."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.cases import (
    Case,
    Instrument,
    Sample,
    are_shares,
    cases_of,
    excluded_by,
)
from elenchus.debate_engine.protocols.rulegen.study.contrasts import THESE, Compared, compared
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.judge_agreement import JudgeAgreement, judge_agreements
from elenchus.debate_engine.protocols.rulegen.study.judged_outcomes import SecondReading, second_readings
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, mean_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, RESULTS, Observation, Result, Seats
from elenchus.debate_engine.protocols.rulegen.study.omnibus import Arms, arms_of
from elenchus.debate_engine.protocols.rulegen.study.participant_flow import Attrition, Flow, attrition_of, flow_of
from elenchus.debate_engine.protocols.rulegen.study.planning import gives_shares
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion
from elenchus.debate_engine.protocols.rulegen.study.strata import by_strata
from elenchus.debate_engine.scenes.contrasts import by_default
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.measures import Purpose
from elenchus.debate_engine.scenes.plan import Plan


class Row(FrozenModel):
    """One cell (its `condition` has the levels of all factors): its `runs`, of which `counted` are analysed, and what
    came out in them: a `share` of yes, or a `mean`.

    `apart` are the others, by the reason. `results` and `frequency` are what judges saw, among those judged yes or no:
    a second instrument. `failed` are failed checks by what they check. `distinct` of the `played` runs (to the end)
    have a record of their own; what hangs together counts in intervals by its effective number.
    """

    cell: Cell
    runs: int
    counted: int
    share: Proportion | None = None
    mean: Mean | None = None
    apart: dict[str, int]
    results: dict[Result, int]
    frequency: Proportion
    failed: dict[Purpose, int]
    played: int
    distinct: int


class StudiedScene(FrozenModel):
    """Of which scene runs are counted, and how: its bias (by name), what a subject of each version meets (`design`, in
    the scene's order), the rule of its outcome and in what `unit` that is, its plan. `sha256` is the scene's hash.
    """

    name: str
    title: str = ""
    bias: str = ""
    design: Design = Design(cells=(), met={})
    outcome: str = ""
    unit: str = ""
    plan: Plan = Plan()
    sha256: str = ""


class ExcludedRuns(FrozenModel):
    """What is not among the counted runs: `sessions` of another version of the scene, `pilots`, people who were
    `unplayed` (they did not agree, or were not of the age), and all but what was chosen (`only`, in words).
    """

    sessions: int = 0
    pilots: int = 0
    unplayed: int = 0
    only: str = ""


NOTHING = ExcludedRuns()


class Study(FrozenModel):
    """All that was counted. `bias` is its name; `judges_agree` says how far judges agree with one another.

    `instrument` says by what it is told what came out, `unit` in what. `versions` are those of the scene, in their
    order, `design` says what a subject of each meets. `left_out` are sessions of another version of the scene, `pilots`
    such as were left out as pilots. `only` says in words what else was chosen, "" for all. `sha256` is the hash of the
    scene that is analysed. `registered` is when it was registered ("" if it was not), `departures` is in what it was
    done otherwise. `unplayed` people did not agree, or were not of the age: they are in no row, and in no version.
    `kept_alone`: it is over those alone who finished and let it be kept, as is promised to a class; of others there is
    not even a count, so nothing can be said of how many were lost.
    """

    name: str
    title: str
    bias: str
    instrument: Instrument = "judges"
    outcome: str = ""
    unit: str = ""
    plan: Plan = Plan()
    versions: tuple[str, ...] = ()
    design: Design = Design(cells=(), met={})
    rows: tuple[Row, ...]
    contrasts: tuple[Compared, ...] = ()
    arms: tuple[Arms, ...] = ()
    flow: tuple[Flow, ...] = ()
    attrition: tuple[Attrition, ...] = ()
    second: tuple[SecondReading, ...] = ()
    observed: tuple[Observation, ...]
    judges_agree: tuple[JudgeAgreement, ...] = ()
    left_out: int = 0
    pilots: int = 0
    only: str = ""
    sha256: str = ""
    registered: str = ""
    departures: tuple[str, ...] = ()
    unplayed: int = 0
    kept_alone: bool = False

    @property
    def cases(self) -> list[Case]:
        """What is analysed, one case for each of the observed."""
        return cases_of(self.observed, self.instrument, self.design, self.plan.strata)

    @property
    def has_numbers(self) -> bool:
        """Whether what came out is a number; where nobody counts by the rule."""
        if any(row.counted for row in self.rows):
            return any(row.mean for row in self.rows)
        return not gives_shares(self.outcome)

    @property
    def has_intervals(self) -> bool:
        """Whether any cell has enough for an interval."""
        return any(of.low is not None for row in self.rows if (of := row.share or row.mean))

    @property
    def judged(self) -> tuple[Row, ...]:
        """The rows of what judges saw, which is told once of a whole run: one for each version."""
        if all(cells == (("", version),) for version, cells in self.design.met.items()):
            return self.rows
        return rows_of(self.observed, cases_of(self.observed, "judges"), Design.between(self.versions))

    @property
    def mixed(self) -> bool:
        """Whether runs of one cell differ in the other seats, or in temperature."""
        settings: dict[Cell, set[Seats]] = defaultdict(set)
        for one in self.observed:
            settings[one.cell].add(one.settings)
        return any(len(found) > 1 for found in settings.values())

    @property
    def all_confounded(self) -> dict[str, tuple[str, ...]]:
        """By subject: what else differs between its versions."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for one in self.contrasts:
            if one.over == "versions" and one.confounded and one.subject != THESE:
                found[one.subject].update(dict.fromkeys(one.confounded))
        return {subject: tuple(names) for subject, names in found.items()}

    def confounded(self, cell: Cell) -> tuple[str, ...]:
        """What else differs between this cell's subject's versions."""
        return self.all_confounded.get(cell.subject, ())


def study_of(scene: StudiedScene, runs: Sequence[Observation], left_out: ExcludedRuns = NOTHING) -> Study:
    """Count these runs of a scene. Pure; slow the first time.

    A scene without a rule has what judges saw for what came out.
    """
    instrument: Instrument = "outcome" if scene.outcome else "judges"
    given = scene.design if instrument == "outcome" else scene.design.of_whole_runs()
    known = [*given.versions, *sorted({run.cell.condition for run in runs} - {"", *given.met}, key=_treatment_first)]
    found = given if len(known) == len(given.met) else _widened(given, known)
    cases = cases_of(runs, instrument, found, scene.plan.strata)
    contrasts = scene.plan.contrasts or by_default(found.cells)
    return Study(
        name=scene.name,
        title=scene.title,
        bias=scene.bias,
        instrument=instrument,
        outcome=scene.outcome,
        unit=scene.unit,
        plan=scene.plan,
        sha256=scene.sha256,
        versions=tuple(known),
        design=found,
        rows=rows_of(runs, cases, found),
        contrasts=(*compared(cases, contrasts, found), *by_strata(cases, contrasts, found)),
        arms=arms_of(cases, found),
        flow=flow_of(runs, cases, known),
        attrition=attrition_of(runs, known),
        second=second_readings(runs, cases) if instrument == "outcome" else (),
        observed=tuple(runs),
        judges_agree=judge_agreements(runs),
        left_out=left_out.sessions,
        pilots=left_out.pilots,
        only=left_out.only,
        unplayed=left_out.unplayed,
    )


def _widened(design: Design, versions: Sequence[str]) -> Design:
    """With versions that only sessions know: each of its own."""
    more = {version: (("", version),) for version in versions if version not in design.met}
    return design.model_copy(update={"cells": (*design.cells, *more), "met": {**design.met, **more}})


def _treatment_first(version: str) -> tuple[bool, str]:
    return version != "treatment", version


def rows_of(runs: Sequence[Observation], cases: Sequence[Case], design: Design) -> tuple[Row, ...]:
    """Every cell, people first, in the order of the design."""
    cells: dict[Cell, list[tuple[Observation, Case]]] = defaultdict(list)
    for run, case in zip(runs, cases, strict=True):
        for name in case.outcomes:
            cells[Cell(subject=case.subject, style=case.style, condition=name)].append((run, case))
    shares, places = are_shares(cases), {name: place for place, name in enumerate(design.cells)}
    order = sorted(
        cells, key=lambda cell: (cell.subject != PEOPLE, cell.subject, cell.style, places.get(cell.condition, 0))
    )
    return tuple(_row(cell, cells[cell], shares=shares) for cell in order)


def _row(cell: Cell, own: Sequence[tuple[Observation, Case]], *, shares: bool) -> Row:
    runs, cases = [run for run, _ in own], [case for _, case in own]
    results: Counter[Result] = Counter(one.result for one in runs)
    records = [one.record for one in runs if one.record]
    sample = Sample.of(cases, ((cell.condition, 1.0),))
    return Row(
        cell=cell,
        runs=len(runs),
        counted=sample.n,
        share=sample.share if shares else None,
        mean=None if shares else mean_of(sample.numbers),
        apart=dict(excluded_by(cases)),
        results={result: results[result] for result in RESULTS},
        frequency=Sample.of(cases_of([run for run in runs if not run.excluded], "judges")).share,
        failed=dict(Counter(check for one in runs for check in one.failed)),
        played=len(records),
        distinct=len(set(records)),
    )
