"""How a study was analysed, in the sentences of a methods section. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import listed


def analysis_sentences(study: Study) -> Iterator[str]:
    """Each test that was used."""
    numbers = any(row.mean is not None and row.mean.n for row in study.rows)
    several = any(one.strata > 1 and one.over != "pooled" for one in study.contrasts)
    yield "Everybody was analysed in the version to which they had been assigned."
    yield from _of_means(study, several=several) if numbers else _of_shares(study, several=several)
    yield from _of_strata(study, numbers=numbers)
    yield from _of_subjects_with_themselves(study, numbers=numbers)
    if any(one.equivalent for one in study.contrasts):
        yield "Where no difference was expected, two one-sided tests at the margin said beforehand were used."
    if any(one.by_model for one in study.contrasts):
        yield "Models together were compared by one difference a model, and Student's t test on these."
    yield (
        "Runs that hang together (of one session, or the same word for word) counted by their effective number. Tests "
        "were two-sided at α = .05, intervals are at 95 %, and p values were corrected within each family of "
        "comparisons (Holm). The data, and scripts that count again in Python and R, are in this folder."
    )


def _of_strata(study: Study, *, numbers: bool) -> Iterator[str]:
    """What is said of the strata of the plan."""
    if not any(one.over in ("pooled", "strata") for one in study.contrasts):
        return
    names = listed([inline(name) for name in study.plan.strata])
    yield f"Versions had been balanced within the answers to {names}; the planned comparisons are over all."
    if any(one.over == "pooled" for one in study.contrasts):
        how = (
            "by the difference of means weighted by the strata's sizes, with Satterthwaite's degrees of freedom"
            if numbers
            else "by Mantel and Haenszel's difference and odds ratio with Cochran, Mantel and Haenszel's test "
            "(exact where counts are small)"
        )
        yield f"Beside them they were pooled over these strata {how}."
    yield "They are also told in each stratum that had five or more in each group."


def _of_subjects_with_themselves(study: Study, *, numbers: bool) -> Iterator[str]:
    """What is said of factors within subjects, and of interactions."""
    kinds = {one.kind for one in study.contrasts}
    if "within" in kinds and numbers:
        yield "Subjects were compared with themselves by Student's paired t test; the effect size is d_z."
    elif "within" in kinds:
        yield (
            "Subjects were compared with themselves by McNemar's exact test, with the risk difference of pairs "
            "(Tango's score interval)."
        )
    if "within" in kinds:
        yield "Whether the difference, or the sum, depended on the order was tested beside it."
    if "interaction between" in kinds:
        test = "a contrast of four means with Satterthwaite's degrees of freedom" if numbers else "a score test"
        yield f"Interactions of factors between subjects, as differences of differences, were tested by {test}."
    if "interaction mixed" in kinds:
        yield "Interactions with a factor within subjects were tested by Welch's test on difference scores."
    if "interaction within" in kinds:
        yield "Interactions of factors within subjects were tested by Student's t on one number a subject."


def _of_means(study: Study, *, several: bool) -> Iterator[str]:
    strata = ", within strata with Satterthwaite's degrees of freedom" if several else ""
    yield f"Means have Student's intervals, and were compared by Welch's test{strata}; the effect size is Hedges' g."
    if any(one.means and one.means.exact for one in study.contrasts):
        yield "Where a group had fewer than five numbers, p is that of an exact permutation test."
    if study.arms:
        yield "Three versions or more were compared by Welch's analysis of variance, with η² as the effect size."


def _of_shares(study: Study, *, several: bool) -> Iterator[str]:
    strata = ", within strata by Cochran, Mantel and Haenszel's, exact where counts are small," if several else ""
    yield f"Shares have Wilson's intervals, and were compared by Fisher's exact test{strata} with the risk difference "
    yield "(Miettinen and Nurminen's interval) and the odds ratio as effect sizes."
    if study.arms:
        yield "Three versions or more were compared by Fisher, Freeman and Halton's exact test."
