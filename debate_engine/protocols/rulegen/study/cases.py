"""The table that is analysed: one case a subject of a run. Who counts in it, and how far everybody came. Pure.

What came out is by the scene's own rule over what was stated (`outcome`). A scene without such a rule has only what
judges saw; then that is what came out, and the report says so. The two are never mixed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, Seats
from elenchus.debate_engine.protocols.rulegen.study.shares import same_shares
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion, proportion

Instrument = Literal["outcome", "judges"]
"""By what it is said what came out: the scene's own rule, or (where it has none) what judges saw."""

MODELS = "models"
"""All models, each one subject."""

NO_OUTCOME = "no outcome"


class Case(FrozenModel):
    """One subject in one run: who played (`people`, or a model), in which style, which version, and what came out.

    `outcome` is yes or no (a bool) or a number; None where it cannot be told. `excluded` says why it does not count.
    Cases of one `cluster` are no independent observations ("": it hangs together with none). `settings` are what may
    make it another measurement than the next.
    """

    subject: str
    version: str
    style: str = ""
    outcome: bool | float | None = None
    excluded: str = ""
    cluster: str = ""
    settings: Seats = ()

    @property
    def counts(self) -> bool:
        """Whether it is analysed."""
        return not self.excluded and self.outcome is not None


def cases_of(runs: Sequence[Observation], instrument: Instrument) -> list[Case]:
    """One case for each subject of each run. Who ended early, has not finished, or is excluded by a rule of the file
    does not count.
    """
    return [
        Case(
            subject=one.cell.subject,
            style=one.cell.style,
            version=one.cell.condition,
            outcome=_outcome(one, instrument),
            excluded=_excluded(one, instrument),
            cluster=one.hangs_with,
            settings=tuple(seat for seat in one.settings if instrument == "judges" or seat[0] != "judges"),
        )
        for one in runs
    ]


def _outcome(one: Observation, instrument: Instrument) -> bool | float | None:
    if instrument == "judges":
        return {"present": True, "absent": False}.get(one.result)
    return None if isinstance(one.outcome, str) else one.outcome


def _excluded(one: Observation, instrument: Instrument) -> str:
    if not one.finished:
        return one.result
    if one.excluded:
        return f"excluded: {one.excluded}"
    return one.result if instrument == "judges" and _outcome(one, instrument) is None else ""


class Sample:
    """The counted outcomes of one cell, those that hang together side by side."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._clusters: dict[str, list[bool | float]] = defaultdict(list)
        for number, case in enumerate(cases):
            if case.counts and case.outcome is not None:
                self._clusters[case.cluster or f"case {number}"].append(case.outcome)

    @property
    def n(self) -> int:
        """How many there are."""
        return sum(map(len, self._clusters.values()))

    @property
    def numbers(self) -> list[float]:
        """One number for what hangs together: its mean."""
        return [sum(values) / len(values) for values in self._clusters.values()]

    @property
    def share(self) -> Proportion:
        """The share of yes, what hangs together counted by its effective number."""
        clusters = [(int(sum(values)), len(values)) for values in self._clusters.values()]
        return proportion(sum(yes for yes, _ in clusters), self.n, clusters)


def are_shares(cases: Iterable[Case]) -> bool:
    """Whether all that came out is yes or no."""
    return all(isinstance(case.outcome, bool) for case in cases if case.counts)


Key = tuple[str, str, str]
"""A cell: subject, style, version."""


@dataclass(frozen=True)
class CellTable:
    """The cases by cell."""

    cases: Sequence[Case]
    versions: Sequence[str]

    @cached_property
    def by_cell(self) -> dict[Key, list[Case]]:
        """The counted cases of every cell that has any."""
        found: dict[Key, list[Case]] = defaultdict(list)
        for case in self.cases:
            if case.counts:
                found[case.subject, case.style, case.version].append(case)
        return dict(found)

    @cached_property
    def samples(self) -> dict[Key, Sample]:
        """What came out in each of them."""
        return {key: Sample(cases) for key, cases in self.by_cell.items()}

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

    def of(self, key: Key) -> Sample:
        """What came out in a cell."""
        return self.samples.get(key, _NOTHING)


_NOTHING = Sample(())


def excluded_by(cases: Iterable[Case]) -> Mapping[str, int]:
    """How many cases do not count, by the reason; those without an outcome under their own."""
    return dict(Counter(case.excluded or NO_OUTCOME for case in cases if not case.counts))


# ── how far everybody came ───────────────────────────────────────────────────────────────────────────────────────────


class Flow(FrozenModel):
    """The flow of subjects of one kind (`people` or `models`) in one version: how many came how far, and why not on.

    `gone` are those that began and did not finish, by the reason; `excluded` those that finished and are not analysed.
    """

    kind: str
    version: str
    assigned: int
    began: int
    finished: int
    analysed: int
    gone: dict[str, int]
    excluded: dict[str, int]


class Attrition(FrozenModel):
    """Whether as many of those who began went in every version: the exact p over all of them, None with nobody gone."""

    kind: str
    began: int
    gone: int
    p: float | None = None


def flow_of(runs: Sequence[Observation], cases: Sequence[Case], versions: Sequence[str]) -> tuple[Flow, ...]:
    """Of people and of models, version by version; `cases` are those of `runs`, in their order."""
    found = []
    for kind in (PEOPLE, MODELS):
        for version in versions:
            own = [
                (run, case)
                for run, case in zip(runs, cases, strict=True)
                if run.cell.condition == version and (run.cell.subject == PEOPLE) == (kind == PEOPLE)
            ]
            if own:
                found.append(_flow(kind, version, own))
    return tuple(found)


def _flow(kind: str, version: str, own: Sequence[tuple[Observation, Case]]) -> Flow:
    gone = Counter(run.why or run.result for run, _ in own if run.began and not run.finished)
    return Flow(
        kind=kind,
        version=version,
        assigned=len(own),
        began=sum(run.began or run.finished for run, _ in own),
        finished=sum(run.finished for run, _ in own),
        analysed=sum(case.counts for _, case in own),
        gone=dict(gone),
        excluded=dict(excluded_by(case for run, case in own if run.finished)),
    )


def attrition_of(flow: Sequence[Flow]) -> tuple[Attrition, ...]:
    """Of each kind of which anybody began in two versions or more."""
    found = []
    for kind in dict.fromkeys(one.kind for one in flow):
        own = [one for one in flow if one.kind == kind and one.began]
        if len(own) > 1:
            gone = [one.began - one.finished for one in own]
            p = same_shares([proportion(lost, one.began) for lost, one in zip(gone, own, strict=True)])
            found.append(Attrition(kind=kind, began=sum(one.began for one in own), gone=sum(gone), p=p))
    return tuple(found)
