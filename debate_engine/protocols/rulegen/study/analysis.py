"""What is counted over the runs of a scene: how often the bias is there in each cell, and how conditions differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.evaluation import alpha_over
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared, compared as compared_outcomes
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import RESULTS, Observation, Result, Seats
from elenchus.debate_engine.protocols.rulegen.study.outcomes import OutcomeRow, cases_of, outcome_rows
from elenchus.debate_engine.protocols.rulegen.study.statistics import (
    Cluster,
    Difference,
    Proportion,
    difference,
    holm,
    proportion,
    stratified,
)
from elenchus.debate_engine.scenes.contrasts import by_default
from elenchus.debate_engine.scenes.scene import CONDITIONS


class Row(FrozenModel):
    """One cell: its `runs`, what became of them, the bias's `frequency` among those judged yes or no.

    `distinct` of the runs that were played to the end have a record of their own; runs with the same record (so too
    the subjects of one session) hang together, and count in the interval by their effective number.
    """

    cell: Cell
    runs: int
    results: dict[Result, int]
    played: int
    distinct: int
    frequency: Proportion


class Contrast(FrozenModel):
    """Treatment against control of one subject and style. `confounded` names what else differs between the two: who
    judges, who sits on which other seat, the temperature.
    """

    subject: str
    style: str
    treatment: Proportion
    control: Proportion
    difference: Difference
    confounded: tuple[str, ...] = ()


class Overall(FrozenModel):
    """Treatment against control within each of `strata` subjects and styles, over all of them.

    Runs of different subjects are never added up: who takes part in which condition would pass for an effect.
    """

    strata: int
    treatment: int
    control: int
    difference: Difference
    confounded: tuple[str, ...] = ()


class Study(FrozenModel):
    """All that was counted. `bias` is its name; `alpha` (Krippendorff) says how far judges agree over all runs.

    `outcomes` are by the scene's own rule, apart from what judges saw, and `compared` how versions differ in them.
    `left_out` are sessions of another version of the scene, `pilots` such as were left out as pilots. `only` says in
    words what else was chosen, "" for all.
    """

    name: str
    title: str
    bias: str
    rows: tuple[Row, ...]
    contrasts: tuple[Contrast, ...]
    overall: Overall | None = None
    outcomes: tuple[OutcomeRow, ...] = ()
    compared: tuple[Compared, ...] = ()
    observed: tuple[Observation, ...]
    alpha: float | None
    alpha_reason: str
    left_out: int = 0
    pilots: int = 0
    only: str = ""

    @property
    def mixed(self) -> bool:
        """Whether runs of one cell differ in the other seats, or in temperature."""
        settings: dict[Cell, set[Seats]] = defaultdict(set)
        for one in self.observed:
            settings[one.cell].add(one.settings)
        return any(len(found) > 1 for found in settings.values())

    def confounded(self, cell: Cell) -> tuple[str, ...]:
        """What else differs between this cell and the other version of the scene."""
        where = (cell.subject, cell.style)
        return next((one.confounded for one in self.contrasts if (one.subject, one.style) == where), ())


def study_of(
    name: str, title: str, bias: str, runs: Sequence[Observation], left_out: int = 0, versions: Sequence[str] = ()
) -> Study:
    """Count; `versions` are those of the scene, in their order. Pure; slow the first time."""
    cells = dict.fromkeys(one.cell for one in runs)
    rows = [row_of(cell, [one for one in runs if one.cell == cell]) for cell in sorted(cells, key=_in_order)]
    contrasts, overall = compared(rows, runs)
    cases = cases_of(runs)
    known = [*versions, *dict.fromkeys(case.version for case in cases if case.version not in versions)]
    has_outcome = any(case.outcome is not None for case in cases)
    value, reason = alpha_over([one.opinions for one in runs])
    return Study(
        name=name,
        title=title,
        bias=bias,
        rows=tuple(rows),
        contrasts=contrasts,
        overall=overall,
        outcomes=outcome_rows(cases, known) if has_outcome else (),
        compared=compared_outcomes(cases, by_default(known), known) if has_outcome else (),
        observed=tuple(runs),
        alpha=value,
        alpha_reason=reason,
        left_out=left_out,
    )


def _in_order(cell: Cell) -> tuple[str, str, int, str]:
    place = CONDITIONS.index(cell.condition) if cell.condition in CONDITIONS else len(CONDITIONS)
    return cell.subject, cell.style, place, cell.condition


def row_of(cell: Cell, runs: Sequence[Observation]) -> Row:
    """One cell's numbers."""
    counted = Counter(one.result for one in runs)
    records = [one.record for one in runs if one.record]
    yes, no = counted["present"], counted["absent"]
    return Row(
        cell=cell,
        runs=len(runs),
        results={result: counted[result] for result in RESULTS},
        played=len(records),
        distinct=len(set(records)),
        frequency=proportion(yes, yes + no, clusters_of(runs)),
    )


def clusters_of(runs: Sequence[Observation]) -> list[Cluster]:
    """The runs that were judged yes or no, by their record."""
    found: dict[str, list[bool]] = defaultdict(list)
    for number, one in enumerate(runs):
        if one.result in ("present", "absent"):
            found[one.record or f"run {number}"].append(one.result == "present")
    return [(sum(yes), len(yes)) for yes in found.values()]


def compared(rows: Sequence[Row], runs: Sequence[Observation]) -> tuple[tuple[Contrast, ...], Overall | None]:
    """Treatment against control within each subject and style, and over all where there are several of them.

    The p values are Holm's over all of these together.
    """
    frequency = {(row.cell.subject, row.cell.style, row.cell.condition): row.frequency for row in rows}
    places = dict.fromkeys((row.cell.subject, row.cell.style) for row in rows)
    pairs = {
        place: (frequency[*place, "treatment"], frequency[*place, "control"])
        for place in places
        if all((*place, condition) in frequency for condition in CONDITIONS)
    }
    found = [difference(*pair) for pair in pairs.values()]
    strata = [pair for pair in pairs.values() if all(one.n for one in pair)]
    if len(strata) > 1:
        found.append(stratified(strata))
    corrected = [
        one.model_copy(update={"adjusted": p}) for one, p in zip(found, holm([one.p for one in found]), strict=True)
    ]
    contrasts = tuple(
        Contrast(
            subject=subject,
            style=style,
            treatment=treatment,
            control=control,
            difference=of,
            confounded=confounded_by([one for one in runs if (one.cell.subject, one.cell.style) == (subject, style)]),
        )
        for ((subject, style), (treatment, control)), of in zip(pairs.items(), corrected, strict=False)
    )
    return contrasts, _overall(contrasts, corrected[-1]) if len(strata) > 1 else None


def confounded_by(runs: Sequence[Observation]) -> tuple[str, ...]:
    """The settings whose values were not taken equally often (in shares) by the judged runs of the two conditions."""
    judged = [one for one in runs if one.result in ("present", "absent")]
    sides = [[dict(one.settings) for one in judged if one.cell.condition == condition] for condition in CONDITIONS]
    if not all(sides):
        return ()
    names = dict.fromkeys(name for side in sides for settings in side for name in settings)
    return tuple(name for name in names if len({_shares(name, side) for side in sides}) > 1)


def _shares(name: str, side: Sequence[dict[str, str]]) -> frozenset[tuple[str, Fraction]]:
    taken = Counter(settings.get(name, "") for settings in side)
    return frozenset((value, Fraction(times, len(side))) for value, times in taken.items())


def _overall(contrasts: Sequence[Contrast], of: Difference) -> Overall:
    strata = [one for one in contrasts if one.treatment.n and one.control.n]
    return Overall(
        strata=len(strata),
        treatment=sum(one.treatment.n for one in strata),
        control=sum(one.control.n for one in strata),
        difference=of,
        confounded=tuple(dict.fromkeys(name for one in strata for name in one.confounded)),
    )
