"""A study as Markdown: pure rendering."""

from __future__ import annotations

from collections.abc import Iterator

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.statistics import Difference
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.spending import Use
from elenchus.debate_engine.reports.words import count, listed

HEAD = [
    "subject", "style", "condition", "runs", "bias seen", "not seen", "neither (left out)", "frequency (95 %)",
    "distinct records",
]  # fmt: skip
CONTRAST_HEAD = [
    "subject", "style", "treatment", "control", "risk difference (95 %)", "p", "p (Holm)",
]  # fmt: skip
_METHODS = (
    "Frequency: the share of runs in which most counted judges see the bias, among those that were judged yes or "
    "no; Wilson's score interval. A judge's yes counts only where it quotes words that the subject said, three or "
    "more in a row; else the judge is asked once more, and if the yes still rests on nothing it is unfounded. A "
    "run that could not be judged, whose judges are divided or mostly unfounded, that ended early or is not "
    "finished stands apart and is never counted as a no. Risk difference: treatment minus control within one "
    "subject and style, the score interval of Miettinen and Nurminen. p: Fisher's exact test, two-sided. Distinct "
    "records: how many of the runs that were played to the end differ in what was said. Runs that say the same, "
    "and the subjects of one session, are no independent observations: intervals and tests count them by their "
    "effective number (Rao and Scott 1992), which is smaller still where there are few groups of them (Korn and "
    "Graubard 1998). All: within subjects and styles, never added up over them, so that who took part in which "
    "version does not pass for an effect: the Mantel–Haenszel risk difference with the same interval, and p by "
    "Cochran–Mantel–Haenszel's test without correction; they suppose the same effect in all. p (Holm): corrected "
    "for the number of rows in the table."
)

_OUTCOMES = (
    "By the scene's own rule over what was stated, apart from what judges saw. Shares: Wilson's interval; two shares: "
    "Miettinen and Nurminen's interval and Fisher's exact test, over strata Mantel and Haenszel's difference and "
    "Cochran–Mantel–Haenszel's test. Numbers: Student's interval; two means: Welch's test, and Hedges' g with its "
    "interval by the noncentral t. People and each model are families of their own, whose p values are Holm's; models "
    "together, from three on, are compared by one difference each, and below ten nothing is said of other models."
)


def study_markdown(study: Study, picture: str = "frequency.png", alt: str = "", use: Use | None = None) -> str:
    """The whole report; `picture` is the file it points to, with `alt` beside it ("" leaves it out), `use` what its
    sessions have used together.
    """
    parts = [
        f"# {inline(study.title)}: how often the bias is seen",
        f"{inline(study.bias) or 'No bias is named'}. {count(len(study.observed), 'run')} of the scene `{study.name}`.",
        *notices(study),
        *(["## What came out", outcomes_table(study)] if study.outcomes else []),
        *([comparisons_table(study), _OUTCOMES] if study.compared else []),
        "## By cell",
        rows_table(study),
        *(["## Treatment against control", contrasts_table(study)] if study.contrasts else []),
        *([f"![{inline(alt)}]({picture})"] if alt else []),
        "## Agreement of the judges",
        agreement(study),
        *(["## What it cost", f"{use}."] if use else []),
        "## How it was counted",
        _METHODS,
    ]
    return "\n\n".join(parts) + "\n"


def outcomes_table(study: Study) -> str:
    """The outcome by the scene's own rule, by subject and version."""
    rows = [
        [
            inline(row.subject),
            inline(row.version),
            str(row.counted),
            words.share(row.share) if row.share else words.mean(row.mean) if row.mean else words.NOTHING,
            ", ".join(f"{n} {why}" for why, n in row.apart.items()) or words.NOTHING,
        ]
        for row in study.outcomes
    ]
    return table(["subject", "version", "counted", "outcome (95 %)", "left out"], rows, "llrll")


def comparisons_table(study: Study) -> str:
    """How versions differ in the outcome."""
    rows = [
        [
            inline(one.subject),
            inline(str(one.contrast)),
            f"{one.n[0]}, {one.n[1]}",
            words.compared(one),
            words.p_value(one.p),
            words.p_value(one.adjusted),
        ]
        for one in study.compared
    ]
    return table(["subject", "compared", "counted", "difference (95 %)", "p", "p (Holm)"], rows, "llllll")


def rows_table(study: Study) -> str:
    """Every cell."""
    return table(HEAD, cells_of(study), "lllrrrllr")


def cells_of(study: Study) -> list[list[str]]:
    """The table's cells, row by row."""
    return [
        [
            inline(row.cell.subject),
            inline(words.style(row.cell.style)),
            row.cell.condition,
            str(row.runs),
            str(row.results["present"]),
            str(row.results["absent"]),
            words.apart(row),
            words.share(row.frequency),
            f"{row.distinct} of {row.played}",
        ]
        for row in study.rows
    ]


def contrasts_table(study: Study) -> str:
    """Every comparison of conditions."""
    return table(CONTRAST_HEAD, contrast_cells(study), "lllllll")


def contrast_cells(study: Study) -> list[list[str]]:
    """The cells of the comparisons, row by row; the last is over all subjects and styles, where there are several."""
    rows = [
        [
            inline(one.subject),
            inline(words.style(one.style)),
            f"{one.treatment.k} of {one.treatment.n}",
            f"{one.control.k} of {one.control.n}",
            *_compared(one.difference, one.confounded),
        ]
        for one in study.contrasts
    ]
    if over := study.overall:
        runs = [count(number, "run") for number in (over.treatment, over.control)]
        rows.append(["all", f"within {over.strata}", *runs, *_compared(over.difference, over.confounded)])
    return rows


def _compared(one: Difference, confounded: tuple[str, ...]) -> list[str]:
    return [
        words.difference(one) + inline(words.confounded(confounded)),
        words.p_value(one.p),
        words.p_value(one.adjusted),
    ]


def agreement(study: Study) -> str:
    """Krippendorff's alpha over all runs, or why there is none."""
    if study.alpha is None:
        return f"Krippendorff's α cannot be told: {study.alpha_reason}."
    return f"Krippendorff's α over all runs (yes or no): {study.alpha:.2f}."


def notices(study: Study) -> list[str]:
    """What a reader must know before the numbers."""
    return [*_who_took_part(study), *_how_far_it_holds(study), *_what_was_chosen(study)]


def _who_took_part(study: Study) -> Iterator[str]:
    if scripts := sum(run.cell.subject.startswith("scripted:") for run in study.observed):
        yield f"> **Simulated.** The subject is a script, whose words are written down, in {_of_all(study, scripts)}."
    if beside := sum(run.uses("scripted") and not run.cell.subject.startswith("scripted:") for run in study.observed):
        yield f"> **Simulated.** Scripts speak or judge beside the subject in {_of_all(study, beside)}."
    if weak := sum(run.uses("local") for run in study.observed):
        yield (
            f"> **Weak model.** The small model that comes along speaks or judges in {_of_all(study, weak)}: "
            "a demonstration, no evidence."
        )
    if any(run.cell.subject == PEOPLE for run in study.observed):
        yield "> People took part; they stand under made-up names in all files."
    for one in study.contrasts:
        if one.confounded:
            yield (
                f"> **Confounded.** Treatment and control of {inline(one.subject)} ({inline(words.style(one.style))}) "
                f"were not played with the same {inline(listed(one.confounded))}: the difference between them "
                "may come from that, and is no effect of the version. Choose among the runs, as by grid."
            )
    if study.mixed:
        yield (
            "> Runs of one row differ in who speaks or judges beside the subject, or in temperature: choose among "
            "them, as by grid."
        )


def _how_far_it_holds(study: Study) -> Iterator[str]:
    if any(0 < row.distinct < row.played for row in study.rows):
        yield "> Some runs say the same, word for word: fewer observations than runs (see distinct records)."
    if short := sum(run.shortened > 0 for run in study.observed):
        some = _of_all(study, short)
        yield f"> In {some} a judge read a shortened record: its model was too small for the whole one."
    if unfounded := words.unfounded(study):
        yield f"> **Unfounded.** {unfounded}"


def _what_was_chosen(study: Study) -> Iterator[str]:
    if study.only:
        yield f"> Only {inline(study.only)}."
    if study.pilots:
        yield f"> {count(study.pilots, 'pilot')} left out; to count them: --pilots."
    if pilots := sum(run.pilot for run in study.observed):
        yield f"> **Pilot.** {_of_all(study, pilots)} {'was' if pilots == 1 else 'were'} started with --pilot."
    if study.left_out:
        left_out = count(study.left_out, "session")
        yield f"> {left_out} of another version of this scene {'was' if study.left_out == 1 else 'were'} left out."


def _of_all(study: Study, some: int) -> str:
    return f"{some} of {count(len(study.observed), 'run')}"
