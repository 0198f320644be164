"""How far judges agree with what came out by the scene's rule: by subject, and version by version. Pure; slow at first.

Subjects are never added up. A κ of several versions is the mean of theirs by their numbers (W. Barlow, M.-Y. Lai and S.
P. Azen, *Stat. Med.* 10 (1991) 1465–1472): of all versions added up it would also say that versions differ in how often
the answer is yes. Where runs say the same, word for word, it has no interval.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.cases import Case, Sample, are_shares
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, mean_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.statistics import Agreement, Z, agreement


class SecondReading(FrozenModel):
    """What judges saw beside what came out, of one subject in one version ("": over its versions), over all analysed
    runs that were judged yes or no.

    `agreement` for an outcome of yes or no (first: the rule, second: the judges); for a number its mean where judges
    saw the bias, and where they did not.
    """

    subject: str
    version: str
    judged: int
    agreement: Agreement | None = None
    seen: Mean | None = None
    unseen: Mean | None = None


Judged = Sequence[tuple[Case, bool]]
"""Cases, each with whether judges saw the bias."""


def second_readings(runs: Sequence[Observation], cases: Sequence[Case]) -> tuple[SecondReading, ...]:
    """People first; of yes and no each subject's versions together too, where there are several."""
    by: dict[str, dict[str, list[tuple[Case, bool]]]] = defaultdict(lambda: defaultdict(list))
    for run, case in zip(runs, cases, strict=True):
        if case.counts and run.result in ("present", "absent"):
            by[case.subject][case.version].append((case, run.result == "present"))
    found, shares = list[SecondReading](), are_shares(cases)
    for subject in sorted(by, key=lambda name: (name != PEOPLE, name)):
        own = [_one(subject, version, judged, shares=shares) for version, judged in sorted(by[subject].items())]
        found += own
        if shares and len(own) > 1:
            found.append(_together(subject, own))
    return tuple(found)


def _one(subject: str, version: str, judged: Judged, *, shares: bool) -> SecondReading:
    of = SecondReading(subject=subject, version=version, judged=len(judged))
    if not shares:
        seen, unseen = (
            Sample((case.cluster, float(case.outcome or 0)) for case, is_seen in judged if is_seen is which).numbers
            for which in (True, False)
        )
        return of.model_copy(update={"seen": mean_of(seen), "unseen": mean_of(unseen)})
    found = agreement((bool(case.outcome), seen) for case, seen in judged)
    clusters = Counter(case.cluster for case, _ in judged if case.cluster)
    if any(n > 1 for n in clusters.values()):
        found = found.model_copy(update={"error": None, "low": None, "high": None})
    return of.model_copy(update={"agreement": found})


def _together(subject: str, versions: Sequence[SecondReading]) -> SecondReading:
    own = [(one.judged, one.agreement) for one in versions if one.agreement]
    sums = {name: sum(getattr(of, name) for _, of in own) for name in ("both", "first", "second", "neither")}
    judged = sum(n for n, _ in own)
    found = Agreement.model_validate({**sums, "raw": (sums["both"] + sums["neither"]) / judged})
    told = [(n, of.kappa, of) for n, of in own if of.kappa is not None]
    if told:
        total = sum(n for n, _, _ in told)
        kappa = sum(n * of for n, of, _ in told) / total
        found = found.model_copy(update={"kappa": kappa})
        if all(of.error is not None for _, _, of in told):
            half = Z * sqrt(sum((n * (of.error or 0.0)) ** 2 for n, _, of in told)) / total
            found = found.model_copy(update={"low": max(-1.0, kappa - half), "high": min(1.0, kappa + half)})
    return SecondReading(subject=subject, version="", judged=judged, agreement=found)
