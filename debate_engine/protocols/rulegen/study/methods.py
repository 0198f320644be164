"""How a study is counted and analysed, in sentences: for its registration, report and methods section. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.permutation import ARRANGEMENTS
from elenchus.debate_engine.protocols.rulegen.study.shares import TABLES
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import listed

KEPT_ALONE = (
    "Here are those alone who finished and let it be kept. Who left, declined, was too late, said no afterwards or "
    "took it back is in no file, not even as a count: whether as many were lost in every version cannot be told from "
    "these."
)
"""Of a class, whose people are promised that."""

METHODS = (
    (
        "Analysed as assigned: everybody counts in the version that was drawn for them. Who did not finish, for "
        "whom an exclusion of the file holds, and of whom what came out cannot be told, does not count and stands "
        "beside it, by version and reason."
    ),
    (
        "What came out is said by the scene's own rule over what was stated. A scene without a rule has what most "
        "judges saw. A judge's yes counts only where it quotes words that the subject said, three or more in a row; "
        "else the judge is asked once more, and if the yes still rests on nothing it is unfounded: neither yes nor "
        "no."
    ),
    (
        "Shares: Wilson's score interval; their difference with the score interval of Miettinen and Nurminen, the "
        "odds ratio (the conditional one, as R's fisher.test has it, no cross product) with its exact interval, "
        "Fisher's exact test. Over strata: Mantel and Haenszel's difference and odds ratio with "
        "Cochran–Mantel–Haenszel's test, or the exact test where counts are small; they suppose the same effect in all "
        "strata. Three versions and more at once: Fisher, Freeman and Halton's exact test."
    ),
    (
        "Numbers: mean with Student's interval, and the median; Welch's test with Hedges' g. Over strata: their "
        "weighted difference, with Satterthwaite's degrees of freedom. Three versions and more at once: Welch's "
        "analysis of variance, with η². These suppose that means of so many are about normal; a skewed measure asks "
        "for more subjects, or for the median to be looked at. With fewer than five on a side (of several versions: "
        "ten) p is that of a permutation test over all arrangements, or over 9,999 drawn ones where there are more."
    ),
    (
        "Subjects compared with themselves, where a factor varies within them: yes and no by McNemar's exact test, "
        "with the risk difference of pairs and Tango's score interval; numbers by Student's paired t, with d_z, the "
        "mean difference in the standard deviation of the differences (of fewer than five the exact test of all "
        "signs). Orders, styles and a contrast's other factors are one sample then, as each subject is its own "
        "control. Whether the difference, and the sum of the two, depend on what was met first is told beside the "
        "result; no analysis is chosen by it. Whoever lacks the outcome at one of the levels that each was to meet "
        "is in no comparison, and is counted. Compared between subjects, each is one case, with the mean of its "
        "levels."
    ),
    (
        "An interaction is a difference of two differences, in the outcome's own unit. Between subjects: of shares "
        "the score test of the four with its interval (from fifteen in a group on), which says whether differences "
        "in points differ, not whether odds ratios do; of means the contrast of the four with each group's own "
        "variance and Satterthwaite's degrees of freedom (from five in a group on). Of a factor within and one "
        "between subjects: the differences of subjects with themselves, compared between others by Welch's test. "
        "Within subjects: one such number a subject, and Student's t."
    ),
    (
        "Where the file names strata, versions are balanced within their answers, and the planned comparison is over "
        "all. Beside it each contrast between subjects is pooled over strata, people and each model by itself (shares "
        "by Mantel and Haenszel's difference and odds ratio with Cochran–Mantel–Haenszel's test or the exact one, "
        "numbers by the weighted difference), a family of its own; and every contrast is told in each stratum that has "
        "five or more in each group, another family."
    ),
    (
        "Where no difference is expected, two one-sided tests at the margin that the file names (of shares: score "
        "tests of the risk difference, of pairs Tango's; of means: Welch's, of pairs Student's). Every other test "
        "is two-sided, whatever was expected: the expected direction is told, and changes no p."
    ),
    (
        "Subjects are never added up. People are a family of comparisons, and each model is one; a subject's "
        "styles, and a contrast's other factors, are strata. In a family p values are Holm's. Models together are "
        "compared by one difference a model and Student's t on these, which supposes that models' differences are "
        "about normal; below ten models nothing is said of models as such. Beside it stand these models alone, "
        "supposing the same effect in each."
    ),
    (
        "A repeat is no subject. Runs of a model that say the same word for word, and subjects of one session, are "
        "no independent observations: shares count them by their effective number (Rao and Scott 1992; smaller "
        "still where there are few groups of them, Korn and Graubard 1998), numbers by one mean each. Where a model "
        "has only values to state, the same record is chance, unless at temperature 0. People are each one "
        "observation."
    ),
    (
        "What judges saw is a second instrument beside a rule: it is shown with its agreement with the first (share "
        "of the same, Cohen's kappa; by subject and version, over versions their mean), and never in its place. "
        "How far judges agree with one another (Krippendorff's alpha) is told alike."
    ),
)
"""Beforehand, of any study: what is done with what comes out."""


def analysis_sentences(study: Study) -> Iterator[str]:
    """How this study was analysed: each test that was used, and none that was not; for a methods section."""
    numbers = any(row.mean is not None and row.mean.n for row in study.rows)
    yield "Everybody was analysed in the version to which they had been assigned."
    yield from _of_means(study) if numbers else _of_shares(study)
    yield from _of_strata(study, numbers=numbers)
    yield from _of_subjects_with_themselves(study, numbers=numbers)
    if any(one.equivalent and one.equivalent.p is not None for one in study.contrasts):
        yield "Where no difference was expected, two one-sided tests at the margin said beforehand were used."
    if any(one.by_model and one.p is not None for one in study.contrasts):
        yield "Models together were compared by one difference a model, and Student's t test on these."
    clusters = Counter((case.subject, case.cluster) for case in study.cases if case.counts and case.cluster)
    if any(n > 1 for n in clusters.values()):
        how = "one mean each" if numbers else "their effective number"
        yield f"Runs that hang together (of one session, or the same word for word) counted by {how}."
    if any(one.p is not None for one in study.contrasts):
        yield ("Tests were two-sided at α = .05, and p values were corrected within each family of comparisons (Holm).")
    elif study.observed:
        yield "What was planned could not be tested with those who are analysed."
    yield "Intervals are at 95 %. The data, and scripts that count again in Python and R, are in this folder."


def _between(study: Study) -> list[Compared]:
    """What was compared between subjects, and tested."""
    return [one for one in study.contrasts if one.kind == "between" and one.p is not None and one.over != "pooled"]


def _of_means(study: Study) -> Iterator[str]:
    if study.has_intervals:
        yield "Means have Student's intervals."
    tested = [one for one in _between(study) if one.means]
    if any(one.means and not one.means.exact for one in tested):
        several = any(one.strata > 1 for one in tested)
        strata = ", within strata with Satterthwaite's degrees of freedom" if several else ""
        yield f"Means were compared by Welch's test{strata}."
    if any(one.means and one.means.exact for one in tested):
        yield (
            "Of groups with fewer than five numbers p is that of a permutation test by Welch's t, over all arrangements"
            f"{_drawn(any(one.means and one.means.drawn for one in tested))}."
        )
    if any(one.means and one.means.g is not None for one in tested):
        yield "The effect size is Hedges' g."
    if any(one.variance and one.variance.p is not None and not one.variance.exact for one in study.arms):
        yield "Three versions or more were compared by Welch's analysis of variance, with η² as the effect size."
    arranged = [one.variance for one in study.arms if one.variance and one.variance.exact]
    if arranged:
        yield (
            "Three versions or more, one of them with fewer than ten numbers, were compared by a permutation test over "
            f"all arrangements{_drawn(any(of.drawn for of in arranged))}."
        )


def _drawn(any_is: bool) -> str:
    return f" (where there are more, {ARRANGEMENTS:,} that were drawn at random)" if any_is else ""


def _of_shares(study: Study) -> Iterator[str]:
    if study.has_intervals:
        yield "Shares have Wilson's intervals."
    tested = [one for one in _between(study) if one.shares]
    if tested:
        several = any(one.strata > 1 for one in tested)
        strata = ", within strata by Cochran, Mantel and Haenszel's, exact where counts are small," if several else ""
        yield f"Shares were compared by Fisher's exact test{strata} with the risk difference "
        yield "(Miettinen and Nurminen's interval) and the odds ratio as effect sizes."
    if any(one.p is not None for one in study.arms):
        yield (
            "Three versions or more were compared by Fisher, Freeman and Halton's exact test, its p from "
            f"{TABLES:,} tables with the same margins that were drawn at random."
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
    kinds = {one.kind for one in study.contrasts if one.p is not None}
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
