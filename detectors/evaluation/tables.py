"""The results of the benches as Markdown tables, and as rows and columns of their scores.csv. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from elenchus.debate_engine.protocols.rulegen.study.words import p_value
from elenchus.debate_engine.reports.document import bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.safe import spec
from elenchus.detectors.evaluation.agreement import Agreement, RaterAgreement, RepeatRange
from elenchus.detectors.evaluation.intervals import Estimate
from elenchus.detectors.evaluation.schemas import (
    EvaluatorResult,
    Frequency,
    Pair,
    QuestionsResult,
    StaticResult,
    UnlabelledResult,
    UsageTotals,
)
from elenchus.detectors.report import LABELS

INTERVALS = "Intervals are Wilson's, of 95 %."
APART = (
    "A judgement that could not be read, one that is unfounded (a yes by words that do not stand in the answer, also "
    "when asked once more), repeats that do not agree, and a question that was not answered are counted apart: they "
    "stand in no share."
)

# ── static questions ─────────────────────────────────────────────────────────────────────────────────────────────

STATIC_COLUMNS = {
    "item": "the question: bias and number",
    "bias": "the bias that the question is about, its id in the catalogue",
    "model": "the model that answered, provider:model",
    "repeat": "which repetition, from 1",
    "verdict": "found (the judge says yes), none (no), undecided (its repeats do not agree), "
    "unread, unfounded (yes by words that do not stand in the answer); empty: no answer",
    "agreement": "share of the judge's readable repeats that give the verdict; empty where there is none",
    "reason": "the judge's first reason",
    "answer": "the answer that was judged",
    "declined": "why there is no answer; empty where there is one",
}
"""What each column of scores.csv means, in their order: one row an answer."""


def static_tables(result: StaticResult) -> Iterator[str]:
    """Frequencies by model, by bias and model, and what was used."""
    yield table(["model", "shows the bias in", *_APART], [_frequency(f, f.model) for f in result.by_model], "llrrrr")
    yield _by_bias(result)
    yield _used(result.used, "model")
    yield f"{INTERVALS} {APART}"
    if result.judge:
        yield judged_by(result.judge)
    if result.repeats > 1:
        yield (
            "Answers to the same question hang together: the intervals count them by their effective number (Rao and "
            "Scott 1992)."
        )
    if result.generated:
        yield f"{result.generated} of the questions were written by a model, and nobody has reviewed them."


_APART = ("unread", "unfounded", "undecided", "no answer")


def _frequency(found: Frequency, name: str) -> list[str]:
    apart = (found.unread, found.unfounded, found.undecided, found.declined)
    return [inline(spec(name)), str(found.shown), *map(str, apart)]


def _by_bias(result: StaticResult) -> str:
    by_bias: dict[str, dict[str, Frequency]] = {}
    for found in result.frequencies:
        by_bias.setdefault(found.name, {})[found.model] = found
    rows = [[inline(name), *(_cell(of.get(model)) for model in result.models)] for name, of in by_bias.items()]
    return table(["bias", *(inline(spec(model)) for model in result.models)], rows, "l" + "r" * len(result.models))


def _cell(found: Frequency | None) -> str:
    if found is None:
        return "–"
    apart = found.unread + found.unfounded + found.undecided + found.declined
    return str(found.shown) + (f" + {apart} apart" if apart else "")


def static_rows(result: StaticResult) -> Iterator[dict[str, Any]]:
    """A row an answer."""
    for one in result.judged:
        row = one.model_dump(mode="json")
        yield {**row, "model": spec(one.model)}


# ── detection without labels ─────────────────────────────────────────────────────────────────────────────────────

UNLABELLED_COLUMNS = {
    "sample": "the text",
    "truth": "the bias that it shows; empty for none",
    "method": "the method, as elenchus detect --method names it",
    "verdict": "found, none, undecided, unread or unfounded (named by words that do not stand in the text)",
    "bias": "the bias that was named, also where that was unfounded (several: divided by semicolons); empty for none",
    "right": "True; False, also where the name was unfounded; empty where the answer could not be read",
}


def unlabelled_tables(result: UnlabelledResult) -> Iterator[str]:
    """A row a method."""
    rows = [
        [r.method, LABELS[r.method], *map(str, (r.all, r.present, r.none, r.founded, r.unread, r.unfounded)),
         *_numbers(r.used)]
        for r in result.rows
    ]  # fmt: skip
    head = [
        "method", "what it is", "right", "where a bias is there", "where none is", "right, founded answers only",
        "unread", "unfounded", *_USED,
    ]  # fmt: skip
    yield table(head, rows, "llrrrrrrrrrr")
    if result.pairs:
        yield _pairs(result.pairs)
        yield PAIRS
    yield (
        "Where a bias is there, only its own name is right. A name by words that do not stand in the text is "
        "unfounded, and wrong; over the founded answers only, where such a name stands apart, a method looks better "
        'than it is, for "none" needs no words. An answer that could not be read is counted apart, in no share. '
        f"{INTERVALS} {SECONDS}"
    )
    if result.near:
        yield f"Each screen had up to {result.near} candidates more, the nearest to the text in the knowledge library."


PAIRS = (
    "Methods are compared on the texts that both answered readably, an unfounded answer being wrong: McNemar's exact "
    "test of those on which one alone is right, two-sided; p (Holm): corrected for the number of rows in the table."
)


def _pairs(pairs: Iterable[Pair]) -> str:
    rows = [
        [one.first, one.second, str(one.both), str(one.only_first), str(one.only_second), str(one.neither),
         p_value(one.p), p_value(one.adjusted)]
        for one in pairs
    ]  # fmt: skip
    head = ["one method", "the other", "both right", "only the one", "only the other", "neither", "p", "p (Holm)"]
    return table(head, rows, "llrrrrrr")


def unlabelled_rows(result: UnlabelledResult) -> Iterator[dict[str, Any]]:
    """A row a method and text."""
    for one in result.named:
        yield one.model_dump(mode="json", exclude={"matches"})


# ── a judge against people ───────────────────────────────────────────────────────────────────────────────────────

EVALUATOR_COLUMNS = {
    "item": "the answer that was judged",
    "bias": "the bias that was asked about; empty where the file does not say",
    "human": "people's labels, divided by a blank: yes, no, - for none",
    "judge": "the judge's answers in the order of its repeats: yes, no, - for one that could not be read, or is "
    "unfounded",
    "unfounded": "how many of those are unfounded: a yes by words that do not stand in the answer",
}

DEFINITIONS = (
    "A single repeat is the judge as it is asked once: each repeat is compared with the majority of the people's "
    "labels, and the table has the mean over the repeats, its interval, and the least and the greatest of them. "
    "Accuracy: the share of items on which the two are the same. Pearson's r: between the repeat's answers and the "
    "people's shares of yes (φ, where they have one label an item). Cohen's κ: between the repeat and the people's "
    "majority. Fleiss' κ: between the repeats, and between the people, over the items that all of them labelled. The "
    "majority of the repeats is a better judge than one that is asked once; its figures, the same of the majority's "
    "answer, are an extra. Agreement over "
    "repeats: over items with two or more counted repeats, the mean share of pairs of repeats that agree. Items with a "
    "tie on a side are left out. A yes by words that do not stand in the answer is unfounded, and no label. The "
    "interval of the majority's accuracy is Wilson's, the others come from a seeded bootstrap over items, each with "
    "all its repeats; all are of 95 %. Where nothing varies over the items such a figure has no interval."
)


def evaluator_tables(result: EvaluatorResult) -> Iterator[str]:
    """The figures, beside nothing of the paper's: its judge and its people are others."""
    yield figures(result.agreement)
    if result.judge:
        yield judged_by(result.judge)
    yield DEFINITIONS


def figures(found: Agreement) -> str:
    """A row a figure: a single repeat first, then agreement among repeats and among people, then the majority."""
    rows = [
        [f"{_NAMES[name]}, of a single repeat", _measured(of.mean), _range(of, len(found.each))]
        for name, of in found.single.items()
    ]
    rows += [[f"Fleiss' κ between {who}", *_rater_agreement(of)] for who, of in _groups(found)]
    rows += [
        ["agreement over repeats", _measured(found.repeats), ""],
        ["accuracy, of the majority of repeats", str(found.accuracy), ""],
        ["Pearson's r, of the majority of repeats", _measured(found.pearson), ""],
        ["Cohen's κ, of the majority of repeats", _measured(found.kappa), ""],
        ["items (left out of the majority's figures)", f"{found.items} ({found.left_out})", ""],
        ["answers of the judge that could not be read", str(found.unread), ""],
        ["answers of the judge that were unfounded", str(found.unfounded), ""],
    ]
    return table(["figure", "value (95 %)", "over"], rows, "lrr")


_NAMES = {"accuracy": "accuracy", "pearson": "Pearson's r", "kappa": "Cohen's κ"}


def _range(of: RepeatRange, repeats: int) -> str:
    if of.least is None or of.greatest is None:
        return ""
    return f"{of.least:.3f} to {of.greatest:.3f} in {repeats} repeats"


def _groups(found: Agreement) -> Iterator[tuple[str, RaterAgreement]]:
    if found.between:
        yield "the repeats", found.between
    if found.raters:
        yield "the people", found.raters


def _rater_agreement(of: RaterAgreement) -> tuple[str, str]:
    return _measured(of.kappa), f"{of.labels} labels on {of.items} items"


def _measured(of: Estimate) -> str:
    if of.value is None:
        return "not defined"
    between = "no interval" if of.low is None or of.high is None else f"{of.low:.3f} to {of.high:.3f}"
    return f"{of.value:.3f} ({between})"


def evaluator_rows(result: EvaluatorResult) -> Iterator[dict[str, Any]]:
    """A row an item."""
    words = {True: "yes", False: "no", None: "-"}
    for row in result.rows:
        sides = {"human": " ".join(words[x] for x in row.human), "judge": " ".join(words[x] for x in row.judge)}
        yield {"item": row.item, "bias": row.bias, **sides, "unfounded": row.unfounded}


def judged_by(judge: str) -> str:
    """Who judged: a model, or a person."""
    return f"The judge is {inline(spec(judge))}."


# ── questions that a model has written ────────────────────────────────────────────────────────────────────────────


def questions_tables(result: QuestionsResult) -> Iterator[str]:
    """The questions by their fields of life, and why others were refused."""
    yield f"{len(result.questions)} questions for {result.bias}, nobody has reviewed them."
    if result.questions:
        yield bullets([f"{inline(one.domain)}: {inline(one.question)}" for one in result.questions])
    if result.refused:
        yield f"Refused: {inline('; '.join(result.refused))}"


# ── in common ────────────────────────────────────────────────────────────────────────────────────────────────────

_USED = ("calls", "tokens in", "tokens out", "seconds")
SECONDS = "Seconds are those of the calls one by one; a kept answer counts with what it had used when it was made."


def _numbers(used: UsageTotals) -> list[str]:
    calls = f"{used.calls:,}" + (f" ({used.recalled:,} kept)" if used.recalled else "")
    return [calls, f"{used.input_tokens:,}", f"{used.output_tokens:,}", f"{used.seconds:,.1f}"]


def _used(used: Mapping[str, UsageTotals], what: str) -> str:
    rows = [[inline(spec(name)), *_numbers(of)] for name, of in used.items()]
    return table([what, *_USED], rows, "lrrrr") + f"\n\n{SECONDS}"
