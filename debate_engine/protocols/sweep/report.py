"""A sweep as blocks of a report and as rows for a table of data. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.protocols.socrasynth.heat import band_of
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.debate_engine.protocols.sweep.lexicons import CATEGORIES
from elenchus.debate_engine.protocols.sweep.schemas import (
    MEASURES,
    WHO,
    MeasureName,
    Phrase,
    Quoted,
    Row,
    Sweep,
    Take,
    Trend,
)
from elenchus.debate_engine.reports.document import bullets, table
from elenchus.debate_engine.reports.escape import inline

UNREAD = "unread"
NOT_MEASURED = "not measured"
NONE_FOUND = "no such words"
UNTOLD = "cannot be told"
_SHOWN = 100  # characters of a description or quote in the table; the data hold them whole

NAMES: dict[MeasureName, str] = {
    "support": "support for the other side's position (1–10)",
    "hedges": "hedges per 100 words",
    "boosters": "boosters per 100 words",
    "polarising": "polarising words per 100 words",
    "risk_share": "share of risk words against benefit words",
    "words": "words",
}
EXPECTED: dict[MeasureName, str] = {
    "support": "falls",
    "hedges": "most in the middle",
    "boosters": "most at both ends",
    "polarising": "rises",
    "risk_share": "rises",
    "words": "no change",
}
"""How each measure goes with rising heat if speakers do what the paper's table of heats says (our reading of it)."""

_LEGEND = (
    "A quoted phrase is copied from the speech by the evaluator, which does not know the heat, and is checked against "
    "the speech. The word lists are our own, English only and validated against nothing; negation is handled roughly. "
    "Words of the topic itself count at every heat alike. rho is Spearman's rank correlation of single speeches with "
    "the heat; p is from a permutation test, two-sided, and in brackets after Holm's correction for all tests."
)


def of_sweep(sweep: Sweep) -> list[str]:
    """The whole report: what was heard beside what the paper expects, the numbers, the trends, notes, words counted."""
    return [
        f"### Sweep of contentiousness: {inline(sweep.motion)}",
        *_set_up(sweep),
        *("#### Heard", phrases_table(sweep)),
        *("#### Measured", numbers_table(sweep)),
        *("#### Change with the heat", trends_table(sweep)),
        *_notes(sweep),
        _LEGEND,
        *("#### Words counted", _words_counted(sweep)),
    ]


def phrases_table(sweep: Sweep) -> str:
    """Heat, tone, emphasis and language: the paper's band, then each side's first readable speech."""
    rows = []
    for heat in sweep.heats:
        rows.append([f"**{heat:g}**", "*expected*", *_expected(heat)])
        rows += [["", side, *_heard(sweep.take(heat, side))] for side in SIDES]
    return table(["heat", "", "tone", "emphasis", "language"], rows, "-")


def numbers_table(sweep: Sweep) -> str:
    """Every measure by heat and side; with several samples, mean ± standard deviation."""
    rows = [[f"{row.heat:g}", row.side, *(_number(m, row) for m in MEASURES)] for row in sweep.rows]
    return table(["heat", "side", *(NAMES[m] for m in MEASURES)], rows, "-")


def trends_table(sweep: Sweep) -> str:
    """Every measure's rank correlation with the heat."""
    rows = [[NAMES[m], EXPECTED[m], *(trend_in_words(sweep.trend(m, who)) or UNTOLD for who in WHO)] for m in MEASURES]
    tested = [t.trend for t in sweep.trends if t.trend.p is not None]
    methods = "; ".join(dict.fromkeys(t.method for t in tested))
    note = f"\n\n{len(tested)} tests ({methods}), corrected by Holm." if tested else ""
    return table(["measure", "expected as the heat rises", "pro", "con", "both"], rows, "-") + note


def trend_in_words(trend: Trend) -> str:
    """The correlation, p (and after Holm's correction) and n; "" where there is none."""
    if trend.rho is None or trend.p is None:
        return ""
    rho = f"{trend.rho:+.2f}".replace("-", "−") if abs(trend.rho) >= 0.005 else "0.00"
    p = "p < 0.001" if trend.p < 0.001 else f"p = {trend.p:.3f}"
    holm = "" if trend.adjusted is None else f" (Holm {trend.adjusted:.3f})"
    return f"rho = {rho}, {p}{holm}, n = {trend.n}"


# ── data ─────────────────────────────────────────────────────────────────────────────────────────────────────────

CODEBOOK: dict[str, str] = {
    "heat": "contentiousness of the instruction, 0 (agreement) to 1 (devil's advocate)",
    "side": "pro or con: who spoke, about the other side's position",
    "sample": "number of the speech at this heat and side, from 1",
    "support": "how far the speech supports the other side's position, 1 to 10, by the evaluator; empty: unread",
    "words": "words, headings left out; empty for scripts without spaces",
    "hedges": "hedges per 100 words; empty: not measured (no speech, or not in English)",
    "boosters": "boosters per 100 words",
    "polarising": "absolute or condemning words per 100 words",
    "risk_words": "risk words, and negated benefit words",
    "benefit_words": "benefit words, and negated risk words",
    "risk_share": "risk words / (risk words + benefit words); empty without any",
    "tone": "tone in the evaluator's words; empty: unread",
    "tone_quote": "the words of the speech that show it, as the evaluator copied them",
    "tone_quoted": "found (stands in the speech), missing or none",
    "emphasis": "as tone",
    "emphasis_quote": "as tone_quote",
    "emphasis_quoted": "as tone_quoted",
    "language": "as tone",
    "language_quote": "as tone_quote",
    "language_quoted": "as tone_quoted",
    "echoed": "example phrases of the instruction that the speech uses, separated by semicolons",
    "withheld": "how many parts were taken out because they repeat the instruction on the heat",
    "missing": "why there is no speech, reading or score; empty where all is there",
}
"""What each column of `csv_rows` means, in their order."""


def csv_rows(sweep: Sweep) -> list[dict[str, Any]]:
    """One row a speech, for csv.DictWriter with the fields of CODEBOOK; None is written as an empty cell."""
    return [_csv_row(take) for take in sweep.takes]


def _csv_row(take: Take) -> dict[str, Any]:
    found = take.measures.found if take.measures and take.measures.english else None
    row: dict[str, Any] = {
        "heat": take.heat,
        "side": take.side,
        "sample": take.sample,
        **{measure: take.value(measure) for measure in MEASURES},
        "risk_words": len(found["risk"]) if found else None,
        "benefit_words": len(found["benefit"]) if found else None,
        "echoed": "; ".join(take.echoed),
        "withheld": len(take.withheld),
        "missing": "; ".join(dict.fromkeys(filter(None, (take.declined, take.reading_unread, take.support_unread)))),
    }
    for name, phrase in _phrases(take):
        row |= {name: phrase.words, f"{name}_quote": phrase.quote, f"{name}_quoted": phrase.quoted}
    return {name: row.get(name) for name in CODEBOOK}


def _phrases(take: Take) -> list[tuple[str, Phrase]]:
    if take.reading is None:
        return []
    return [("tone", take.reading.tone), ("emphasis", take.reading.emphasis), ("language", take.reading.language)]


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _set_up(sweep: Sweep) -> list[str]:
    each = "one speech" if sweep.samples == 1 else f"{sweep.samples} speeches"
    told = (
        f"{each.capitalize()} of each side at each heat, about the *other* side's position, all on the same agenda and "
        "none having heard another:"
    )
    return [told, "\n".join(f"{n}. {inline(topic.title)}" for n, topic in enumerate(sweep.agenda, 1))]


def _expected(heat: float) -> list[str]:
    band = band_of(heat)
    return [f"*{inline(text)}*" for text in (band.tone, band.emphasis, band.language)]


def _heard(takes: Sequence[Take]) -> list[str]:
    for take in takes:
        if take.reading is not None:
            return [_phrase(phrase) for _, phrase in _phrases(take)]
    return ["no speech" if all(t.declined for t in takes) else UNREAD] * 3


def _phrase(phrase: Phrase) -> str:
    if phrase.quoted == "none":
        return f"{_short(phrase.words)} (nothing quoted)"
    flag = "" if phrase.quoted == "found" else " **not in the speech**"
    return f"{_short(phrase.words)}: “{_short(phrase.quote)}”{flag}"


def _short(text: str) -> str:
    return inline(text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} …")


def _number(measure: MeasureName, row: Row) -> str:
    spread = row.numbers[measure]
    if spread.mean is None:
        measured = measure == "risk_share" and row.numbers["hedges"].n
        return UNREAD if measure == "support" else NONE_FOUND if measured else NOT_MEASURED
    digits = {"words": 0, "risk_share": 2}.get(measure, 1)
    shown = f"{spread.mean:.{digits}f}" + (f" ± {spread.sd:.{digits}f}" if spread.sd is not None else "")
    return shown if spread.n == row.takes else f"{shown} ({spread.n} of {row.takes})"


def _notes(sweep: Sweep) -> list[str]:
    """What is missing or to be taken with care, each with its number."""
    takes = sweep.takes
    counts = {
        "not given": sum(bool(t.declined) for t in takes),
        "without a readable description": sum(not t.reading and not t.declined for t in takes),
        "without a readable support score, and left out of the sums": sum(
            t.support is None and not t.declined for t in takes
        ),
        "with a quote that does not stand in the speech": sum(_quoted(t, "missing") for t in takes),
        "with a description that quotes nothing": sum(_quoted(t, "none") for t in takes),
        "with parts that repeat the instruction on the heat (neither shown to the evaluator nor measured)": sum(
            bool(t.withheld) for t in takes
        ),
        "with example phrases of the instruction (which are counted like any other words)": sum(
            bool(t.echoed) for t in takes
        ),
        "not in English (so no words were looked up)": sum(
            t.measures is not None and not t.measures.english for t in takes
        ),
    }
    lines = [f"{what}: {n}" for what, n in counts.items() if n]
    return [f"Of {len(takes)} speeches:", bullets(lines)] if lines else []


def _quoted(take: Take, how: Quoted) -> bool:
    return any(phrase.quoted == how for _, phrase in _phrases(take))


def _words_counted(sweep: Sweep) -> str:
    rows = [[f"{row.heat:g}", row.side, *_found(sweep, row.heat, row.side)] for row in sweep.rows]
    return table(["heat", "side", *CATEGORIES], rows, "-")


def _found(sweep: Sweep, heat: float, side: Side) -> list[str]:
    measured = [t.measures for t in sweep.take(heat, side) if t.measures and t.measures.english]
    cells = []
    for category in CATEGORIES:
        words = [word for m in measured for word in m.found[category]]
        times = {word: words.count(word) for word in words}
        cells.append(", ".join(inline(word) + (f" ×{n}" if n > 1 else "") for word, n in times.items()))
    return cells
