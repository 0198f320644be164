"""The tables of a study, for its report and for the terminal: headings, and cells as safe Markdown. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.literature import published, sizes_beside, why_none
from elenchus.debate_engine.protocols.rulegen.study.planning import in_words, metric_of, smallest_of, too_few
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import listed


class Table(NamedTuple):
    """Headings, rows of cells, and how columns are aligned."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    aligned: str

    def __str__(self) -> str:
        return table(list(self.head), [list(row) for row in self.rows], self.aligned)

    def without_empty_styles(self) -> Table:
        """The table without its column of styles, where no subject was given one."""
        if "style" not in self.head or any(row[self.head.index("style")] != words.style("") for row in self.rows):
            return self
        at = self.head.index("style")
        rows = [[*row[:at], *row[at + 1 :]] for row in self.rows]
        return Table([*self.head[:at], *self.head[at + 1 :]], rows, self.aligned[:at] + self.aligned[at + 1 :])


def outcomes(study: Study) -> Table:
    """What came out in every cell."""
    numbers = study.has_numbers
    what = "mean" if numbers else "share"
    head = ["subject", "style", "version", "analysed", f"{what} (95 %)" if study.has_intervals else what, "left out"]
    rows = [
        [
            inline(row.cell.subject),
            inline(words.style(row.cell.style)),
            inline(row.cell.condition),
            str(row.counted),
            inline(words.came_out(row, study.unit)),
            inline(words.reasons(row.apart)),
        ]
        for row in study.rows
    ]
    if numbers:
        head.insert(5, "median")
        for cells, row in zip(rows, study.rows, strict=True):
            middle = row.mean.median if row.mean else None
            cells.insert(5, words.NOTHING if middle is None else inline(words.number(middle, study.unit)))
    return Table(head, rows, "lllrlrl" if numbers else "lllrll").without_empty_styles()


def judged(study: Study) -> Table:
    """What judges saw in every cell."""
    head = ["subject", "style", "version", "runs", "bias seen", "not seen", "neither (left out)", "frequency (95 %)",
            "distinct records"]  # fmt: skip
    rows = [
        [
            inline(row.cell.subject),
            inline(words.style(row.cell.style)),
            inline(row.cell.condition),
            str(row.runs),
            str(row.results["present"]),
            str(row.results["absent"]),
            words.judged_otherwise(row),
            words.share(row.frequency),
            f"{row.distinct} of {row.played}",
        ]
        for row in study.judged
    ]
    return Table(head, rows, "lllrrrllr").without_empty_styles()


def second_readings(study: Study) -> Table:
    """How far judges agree with what came out; of a number its means by what they saw."""
    if not any(one.agreement for one in study.second):
        means = [(one, one.seen, one.unseen) for one in study.second if one.seen and one.unseen]
        rows = [
            [inline(one.subject), inline(one.version),
             *(f"{inline(words.mean(of, study.unit))} in {of.n}" for of in (seen, unseen))]
            for one, seen, unseen in means
        ]  # fmt: skip
        return Table(["subject", "version", "judges see it", "judges do not"], rows, "llll")
    rows = [
        [inline(one.subject), inline(one.version) or words.WITHIN,
         *map(str, (of.both, of.first, of.second, of.neither)), words.agreement(of)[0], words.agreement(of)[1]]
        for one in study.second if (of := one.agreement)
    ]  # fmt: skip
    head = ["subject", "version", "both yes", "the rule alone", "judges alone", "both no", "same", "κ (95 %)"]
    return Table(head, rows, "llrrrrrl")


def judge_agreements(study: Study) -> Table:
    """How far judges agree with one another; nothing where that can be told of no version."""
    if all(one.alpha is None for one in study.judges_agree):
        return Table([], [], "")
    rows = [
        [inline(one.subject), inline(one.version) or words.WITHIN, str(one.runs), inline(words.alpha(one))]
        for one in study.judges_agree
    ]
    return Table(["subject", "version", "runs with two judges", "Krippendorff's α"], rows, "llrl")


def comparisons(found: Iterable[Compared], unit: str = "") -> Table:
    """How groups differ, numbers in their `unit`."""
    head = ["subject", "compared", "analysed", "difference (95 %)", "effect size (95 %)", "p", "p (Holm)", "expected"]
    rows = [
        [
            inline(words.who(one)),
            inline(words.compared(one)),
            words.sizes(one),
            inline(words.apart(one, unit) + words.confounded(one.confounded)),
            inline(words.size(one)),
            words.p_value(one.p),
            words.p_value(one.adjusted),
            inline(words.expected(one, unit)),
        ]
        for one in found
    ]
    return Table(head, rows, "llllllll")


def not_compared(found: Iterable[Compared]) -> list[str]:
    """What could not be compared, or whom it leaves out; in one sentence what has the same reason."""
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in found:
        if one.why:
            names[words.who(one), one.why].append(words.compared(one))
    return [f"{subject}, {listed(of)}: {why}." for (subject, why), of in names.items()]


def by_order(study: Study) -> Table:
    """What subjects were compared with themselves in, by what they met first."""
    head = ["subject", "compared", "first side first (of)", "second side first (of)", "p", "p (carry-over)"]
    rows = [
        [
            inline(one.subject),
            inline(str(one.contrast)),
            *map(inline, words.by_order(one, study.unit)),
            words.p_value(one.order.p),
            words.p_value(one.order.carry_over),
        ]
        for one in study.contrasts
        if one.order is not None and one.over == "versions"
    ]
    return Table(head, rows, "llllll")


def over_all(study: Study) -> Table:
    """Whether anything differs over all versions, where that can be told."""
    head = ["subject", "style", "versions", "test", "η² (95 %)", "p"]
    rows = [
        [inline(one.subject), inline(words.style(one.style)), str(one.versions), *words.over_all(one)]
        for one in study.arms
        if one.p is not None or (one.variance and one.variance.p is not None)
    ]
    return Table(head, rows, "llrllr").without_empty_styles()


def flow(study: Study) -> Table:
    """How far everybody came, by version."""
    head = ["who", "version", "assigned", "began", "finished", "excluded", "analysed", "why not on"]
    rows = [
        [
            one.kind,
            inline(one.version),
            *map(str, (one.assigned, one.began, one.finished, sum(one.excluded.values()), one.analysed)),
            inline(words.reasons({**one.gone, **one.excluded})),
        ]
        for one in study.flow
    ]
    return Table(head, rows, "llrrrrrl")


def detectable(study: Study, *, shares: bool) -> Table:
    """What so many would have found, subject by subject."""
    head = ["subject", "compared", "analysed", "found with a power of 0.8"]
    rows = []
    for subject in dict.fromkeys(row.cell.subject for row in study.rows):
        own = [one for one in study.contrasts if (one.over, one.subject) == ("versions", subject)]
        for one in own:
            metric = metric_of(one.contrast, study.design, shares=shares)
            size = smallest_of(one.contrast, one.worth, study.design, shares=shares, tests=len(own))
            why = too_few(one.contrast, one.worth, study.design, shares=shares, tests=len(own))
            told = why if size is None else f"{in_words(size, metric)} and more"
            if size is not None and one.contrast.expect == "same":
                told = f"no difference, within {in_words(size, metric)}"
            rows.append([inline(subject), inline(str(one.contrast)), words.worth(one), told])
    return Table(head, rows, "llll")


def literature(study: Study) -> Table:
    """What is published, and ours beside it where task or paradigm and metric are the same."""
    head = ["published", "same", "size (95 %)", "here"]
    rows = []
    for source in study.plan.literature:
        here = "; ".join(f"{one.subject}: {size}" for one, size in sizes_beside(study, source))
        told = f"{source.citation}{f' doi:{source.doi}' if source.doi else ''}{', a replication' * source.replication}"
        told += f": {source.arms}" if source.arms else ""
        rows.append([inline(told), source.same, inline(published(source)), inline(here or why_none(study, source))])
    return Table(head, rows, "llll")
