"""The table that is analysed: one case a subject of a run, and who counts in it. Pure.

What came out is by the scene's own rule over what was stated (`outcome`). A scene without such a rule has only what
judges saw; then that is what came out, and the report says so. The two are never mixed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, Seats
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion, proportion
from elenchus.debate_engine.scenes.contrasts import Group
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.measures import Stated

Instrument = Literal["outcome", "judges"]
"""By what it is said what came out: the scene's own rule, or (where it has none) what judges saw."""

MODELS = "models"
"""All models, each one subject."""

NO_OUTCOME = "no outcome"

Outcome = bool | float | None
"""What came out: yes or no, or a number; None where it cannot be told."""


class Case(FrozenModel):
    """One subject in one run: who played (`people`, or a model), in which style, which version, and what came out.

    `version` is "" before one was drawn.

    `levels` are the outcomes by cell where several are met, in the order of meeting them; `outcome` is then their mean,
    None where one is missing. `excluded` says why it does not count. Cases of one `cluster` are no independent
    observations ("": it hangs together with none). `settings` are what may make it another measurement than the next.
    `stratum` is what it answered to the plan's strata, in words; "" where the plan has none.
    """

    subject: str
    version: str
    style: str = ""
    outcome: Outcome = None
    levels: dict[str, Outcome] = Field(default_factory=dict)
    excluded: str = ""
    cluster: str = ""
    settings: Seats = ()
    stratum: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is analysed."""
        return not self.excluded and self.outcome is not None

    @property
    def outcomes(self) -> Mapping[str, Outcome]:
        """What came out in each cell that it met; in none before a version was drawn."""
        return self.levels or ({self.version: self.outcome} if self.version else {})

    def meets(self, cells: Iterable[tuple[str, float]]) -> bool:
        """Whether it has an outcome in all of these cells."""
        found = self.outcomes
        return all(found.get(cell) is not None for cell, _ in cells)

    def score(self, cells: Sequence[tuple[str, float]]) -> bool | float:
        """Its outcomes in cells that it meets by their weights; of one cell as it is."""
        found = self.outcomes
        if len(cells) == 1 and cells[0][1] == 1:
            value = found[cells[0][0]]
            assert value is not None, "see meets"
            return value
        parts = [weight * float(found[cell] or 0.0) for cell, weight in cells]
        total = sum(parts)
        # what floats leave where numbers cancel is no difference
        return 0.0 if abs(total) <= 1e-12 * max(map(abs, parts)) else float(f"{total:.12g}")


def cases_of(
    runs: Sequence[Observation], instrument: Instrument, design: Design | None = None, strata: Sequence[str] = ()
) -> list[Case]:
    """One case for each subject of each run. Who ended early, has not finished, is excluded by a rule of the file, or
    has no outcome at one of the levels that it was to meet does not count. `strata` are the plan's measures.
    """
    met = design.met if design else {}
    return [_case(one, instrument, dict(met.get(one.cell.condition, ())), strata) for one in runs]


def _case(one: Observation, instrument: Instrument, met: Mapping[str, str], strata: Sequence[str]) -> Case:
    several = one.outcomes if instrument == "outcome" else {}
    levels = {met.get(name, name): _told(value) for name, value in several.items()}
    missing = [name for name, value in several.items() if _told(value) is None]
    outcome = _outcome(one, instrument)
    if levels:
        outcome = None if missing else sum(map(float, filter(None, levels.values()))) / len(levels)
    elif met and one.cell.condition not in met.values():
        levels = dict.fromkeys(met.values(), outcome)  # told once of a whole run
    why = _excluded(one, instrument)
    return Case(
        subject=one.cell.subject,
        style=one.cell.style,
        version=one.cell.condition,
        outcome=outcome,
        levels=levels,
        excluded=why or (f"{NO_OUTCOME} at {', '.join(missing)}" if missing else ""),
        cluster=one.hangs_with,
        settings=tuple(seat for seat in one.settings if instrument == "judges" or seat[0] != "judges"),
        stratum="; ".join(f"{name}: {_answer(one.stated.get(name))}" for name in strata),
    )


def _answer(value: Stated | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:g}"


def _outcome(one: Observation, instrument: Instrument) -> Outcome:
    if instrument == "judges":
        return {"present": True, "absent": False}.get(one.result)
    return _told(one.outcome)


def _told(value: Stated | None) -> Outcome:
    return None if isinstance(value, str) else value


def _excluded(one: Observation, instrument: Instrument) -> str:
    if not one.finished:
        return one.result
    if one.excluded:
        return f"excluded: {one.excluded}"
    return one.result if instrument == "judges" and _outcome(one, instrument) is None else ""


class Sample:
    """Outcomes of cases that count, those that hang together side by side: by their cluster and what came out."""

    def __init__(self, values: Iterable[tuple[str, bool | float]]) -> None:
        self.clusters: dict[str, list[bool | float]] = defaultdict(list)
        for number, (cluster, value) in enumerate(values):
            self.clusters[cluster or f"case {number}"].append(value)

    @classmethod
    def of(cls, cases: Iterable[Case], cells: Sequence[tuple[str, float]] = ()) -> Sample:
        """What came out in these cells, by their weights; without any what came out all in all."""
        there = (case for case in cases if case.counts and case.meets(cells))
        return cls((case.cluster, case.score(cells) if cells else case.outcome or False) for case in there)

    @property
    def n(self) -> int:
        """How many there are."""
        return sum(map(len, self.clusters.values()))

    @property
    def numbers(self) -> list[float]:
        """One number for what hangs together: its mean."""
        return [sum(values) / len(values) for values in self.clusters.values()]

    @property
    def share(self) -> Proportion:
        """The share of yes, what hangs together counted by its effective number."""
        clusters = [(int(sum(values)), len(values)) for values in self.clusters.values()]
        return proportion(sum(yes for yes, _ in clusters), self.n, clusters)


def are_shares(cases: Iterable[Case]) -> bool:
    """Whether all that came out is yes or no."""
    return all(isinstance(value, bool) for case in cases if case.counts for value in case.outcomes.values())


class Key(NamedTuple):
    """Subjects that are taken together: who, in which style, by which cells, and of which `stratum` ("": of any)."""

    subject: str
    style: str
    group: Group
    stratum: str = ""


@dataclass(frozen=True)
class CellTable:
    """The cases by who played them."""

    cases: Sequence[Case]
    design: Design

    @cached_property
    def counted(self) -> dict[tuple[str, str], list[Case]]:
        """The counted cases by subject and style."""
        found: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in self.cases:
            if case.counts:
                found[case.subject, case.style].append(case)
        return dict(found)

    @cached_property
    def has_shares(self) -> bool:
        """Whether what came out is yes or no."""
        return are_shares(self.cases)

    @cached_property
    def subjects(self) -> list[str]:
        """Everybody who played, people first."""
        return sorted({case.subject for case in self.cases}, key=lambda name: (name != PEOPLE, name))

    def styles(self, subject: str) -> list[str]:
        """The styles in which a subject played."""
        return sorted({case.style for case in self.cases if case.subject == subject})

    @cached_property
    def _found(self) -> dict[Key, list[Case]]:
        return {}

    def cases_in(self, key: Key) -> list[Case]:
        """The counted cases that meet all cells of a group."""
        if key not in self._found:
            own = self.counted.get((key.subject, key.style), ())
            self._found[key] = [
                case for case in own if case.meets(key.group.cells) and key.stratum in ("", case.stratum)
            ]
        return self._found[key]

    @cached_property
    def _samples(self) -> dict[Key, Sample]:
        return {}

    def of(self, key: Key) -> Sample:
        """What came out in a group."""
        if key not in self._samples:
            cells = key.group.cells
            self._samples[key] = Sample((case.cluster, case.score(cells)) for case in self.cases_in(key))
        return self._samples[key]


def excluded_by(cases: Iterable[Case]) -> Mapping[str, int]:
    """How many cases do not count, by the reason; those without an outcome under their own."""
    return dict(Counter(case.excluded or NO_OUTCOME for case in cases if not case.counts))
