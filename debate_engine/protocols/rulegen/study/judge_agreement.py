"""How far judges agree with one another: by subject, and version by version. Pure; slow the first time.

Subjects and versions are never added up: where these differ in how often judges say yes, the sum would show agreement
that comes of that difference alone. Over versions stands the mean of theirs, by the runs of each, as for κ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.evaluation import alpha_over
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation


class JudgeAgreement(FrozenModel):
    """Krippendorff's `alpha` of the counted yes and no on one subject in one version ("": over its versions), None with
    the `reason`. `runs` are those that two judges or more could be counted of.
    """

    subject: str
    version: str
    runs: int
    alpha: float | None = None
    reason: str = ""


def judge_agreements(runs: Sequence[Observation]) -> tuple[JudgeAgreement, ...]:
    """People first; each subject's versions together too, where there are several. Nothing where nobody was judged."""
    by: dict[str, dict[str, list[Observation]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run.opinions:
            by[run.cell.subject][run.cell.condition].append(run)
    found = list[JudgeAgreement]()
    for subject in sorted(by, key=lambda name: (name != PEOPLE, name)):
        own = [_one(subject, version, judged) for version, judged in sorted(by[subject].items())]
        found += [*own, _together(subject, own)] if len(own) > 1 else own
    return tuple(found)


def _one(subject: str, version: str, runs: Sequence[Observation]) -> JudgeAgreement:
    alpha, reason = alpha_over(run.opinions for run in runs)
    twice = sum(sum(one.counts is not None for one in run.opinions) >= 2 for run in runs)
    return JudgeAgreement(subject=subject, version=version, runs=twice, alpha=alpha, reason=reason)


def _together(subject: str, versions: Sequence[JudgeAgreement]) -> JudgeAgreement:
    told = [(one.runs, one.alpha) for one in versions if one.alpha is not None]
    total = sum(runs for runs, _ in told)
    if not told:
        return JudgeAgreement(subject=subject, version="", runs=total, reason="it can be told of no version")
    return JudgeAgreement(
        subject=subject, version="", runs=total, alpha=sum(runs * alpha for runs, alpha in told) / total
    )
