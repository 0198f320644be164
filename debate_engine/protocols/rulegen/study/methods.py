"""How a study is counted and analysed, in sentences: for its registration beforehand, and for its report."""

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
        "odds ratio with its exact interval, Fisher's exact test. Over strata: Mantel and Haenszel's difference and "
        "odds ratio with Cochran–Mantel–Haenszel's test, or the exact test where counts are small; they suppose the "
        "same effect in all strata. Three versions and more at once: Fisher, Freeman and Halton's exact test."
    ),
    (
        "Numbers: mean with Student's interval, and the median; Welch's test with Hedges' g. Over strata: their "
        "weighted difference, with Satterthwaite's degrees of freedom. Three versions and more at once: Welch's "
        "analysis of variance, with η². These suppose that means of so many are about normal; a skewed measure asks "
        "for more subjects, or for the median to be looked at. With fewer than five on a side (of several versions: "
        "ten) p is that of an exact permutation test."
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
        "of the same, Cohen's kappa), and never in its place."
    ),
)
