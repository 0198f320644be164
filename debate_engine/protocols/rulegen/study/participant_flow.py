"""How far everybody came, version by version, and whether as many were lost in each. Pure; slow at first (imports)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS, Case, excluded_by
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.shares import same_shares
from elenchus.debate_engine.protocols.rulegen.study.statistics import proportion

BEFORE_THE_LOT = "before the lot"
"""Where those stand in the flow who have no version: they left before one was drawn, or are not as far yet."""


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
    """Whether as many of a subject's runs were lost in every version: `lost` of the `among` who began (and did not
    finish) or who finished (and were excluded by a rule of the file); the exact p over all versions, None with nobody
    lost. `subject` is people, or a model: models are never added up.
    """

    subject: str
    stage: Literal["began", "finished"]
    among: int
    lost: int
    by_version: dict[str, int]
    p: float | None = None


def flow_of(runs: Sequence[Observation], cases: Sequence[Case], versions: Sequence[str]) -> tuple[Flow, ...]:
    """Of people and of models, version by version, those without one first; `cases` are those of `runs`, in their
    order.
    """
    found = []
    for kind in (PEOPLE, MODELS):
        for version in ("", *versions):
            own = [
                (run, case)
                for run, case in zip(runs, cases, strict=True)
                if run.cell.condition == version and (run.cell.subject == PEOPLE) == (kind == PEOPLE)
            ]
            if own:
                found.append(_flow(kind, version or BEFORE_THE_LOT, own))
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


def attrition_of(runs: Sequence[Observation], versions: Sequence[str]) -> tuple[Attrition, ...]:
    """Of people, and of each model of which a run was lost, where anybody came so far in two versions or more; who left
    before the lot left no version.
    """
    by: dict[str, list[Observation]] = defaultdict(list)
    for run in runs:
        if run.began or run.finished:
            by[run.cell.subject].append(run)
    found = []
    for subject in sorted(by, key=lambda name: (name != PEOPLE, name)):
        finished = [run for run in by[subject] if run.finished]
        gone = [run for run in by[subject] if not run.finished]
        excluded = [run for run in finished if run.excluded]
        if gone or subject == PEOPLE:
            found.append(_lost(subject, "began", versions, by[subject], gone))
        if excluded:
            found.append(_lost(subject, "finished", versions, finished, excluded))
    return tuple(one for one in found if one is not None)


def _lost(
    subject: str,
    stage: Literal["began", "finished"],
    versions: Sequence[str],
    among: Sequence[Observation],
    lost: Sequence[Observation],
) -> Attrition | None:
    of, out = (Counter(run.cell.condition for run in runs) for runs in (among, lost))
    there = [version for version in versions if of[version]]
    if len(there) < 2:
        return None
    return Attrition(
        subject=subject,
        stage=stage,
        among=sum(of[version] for version in there),
        lost=sum(out[version] for version in there),
        by_version={version: out[version] for version in there},
        p=same_shares([proportion(out[version], of[version]) for version in there]),
    )
