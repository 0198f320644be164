"""What came out by the scene's own rule, in each version of each subject: counted apart from what judges saw. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Case, excluded_by
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, mean_of
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion, proportion

_GONE = ("ended early", "unfinished")


class OutcomeRow(FrozenModel):
    """The outcomes of one subject in one version: a share of yes or a mean, and what does not count, by the reason."""

    subject: str
    version: str
    counted: int
    share: Proportion | None = None
    mean: Mean | None = None
    apart: dict[str, int]


def cases_of(runs: Sequence[Observation]) -> list[Case]:
    """One case for each subject of each run; who ended early, has not finished, or is excluded by a rule of the file
    does not count.
    """
    return [
        Case(
            subject=one.cell.subject,
            version=one.cell.condition,
            outcome=None if isinstance(one.outcome, str) else one.outcome,
            excluded=one.result if one.result in _GONE else f"excluded: {one.excluded}" if one.excluded else "",
        )
        for one in runs
    ]


def outcome_rows(cases: Sequence[Case], versions: Sequence[str]) -> tuple[OutcomeRow, ...]:
    """A row for each subject and version that was played, in the order of the versions."""
    subjects = dict.fromkeys(case.subject for case in cases)
    found = (
        _row(subject, version, [case for case in cases if (case.subject, case.version) == (subject, version)])
        for subject in subjects
        for version in versions
    )
    return tuple(row for row in found if row.counted or row.apart)


def _row(subject: str, version: str, cases: Sequence[Case]) -> OutcomeRow:
    values = [case.outcome for case in cases if case.counts]
    row = OutcomeRow(subject=subject, version=version, counted=len(values), apart=dict(excluded_by(cases)))
    if values and all(isinstance(value, bool) for value in values):
        return row.model_copy(update={"share": proportion(sum(map(bool, values)), len(values))})
    numbers = [float(value) for value in values if value is not None]
    return row.model_copy(update={"mean": mean_of(numbers)}) if numbers else row
