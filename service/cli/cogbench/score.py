"""`elenchus cogbench score`: a method's figures, as a document or as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from elenchus.detectors.evaluation.cogbench.bootstrap import FEWEST
from elenchus.detectors.evaluation.cogbench.results import read_results
from elenchus.detectors.evaluation.cogbench.score import AdditionalFigure, Course, Score, score
from elenchus.detectors.evaluation.intervals import Estimate
from elenchus.service.cli.checks import within
from elenchus.service.cli.live.status import counted
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.tables import WordTable

_BESIDE = {
    "authenticity": "authenticity (κ)",
    "rationality": "rationality",
    "quadratic_kappa": "κ with quadratic weights",
    "spearman": "Spearman's ρ",
    "mean_absolute_error": "mean absolute error",
}


def tell_score(file: Path, method: str, seed: int, out: CommandOutput) -> None:
    """Print the figures. Raises UsageError, UnreadableDocument."""
    within(seed, 0, 2**31, "--seed", "0")
    found = score(method, read_results(file).answers(method), seed)
    out.document(found.document)
    if out.json:
        return
    title = (
        f"{method}: {counted(found.answers, 'answer')}, {found.left_out} left out of κ, "
        f"{found.rationality.left_out} of rationality"
    )
    rows = [_row(name, course) for name, course in _courses(found).items()]
    out.show(WordTable.of(("as the released scorer", "average", "5th", "10th", "over"), rows, numbers=4, title=title))
    out.line("")
    out.show(WordTable.of(("beside it", "average (95 %)", "5th", "10th"), _rows(found.beside), numbers=3))
    out.line("")
    for line in _said(found):
        out.line(line)


def _courses(found: Score) -> dict[str, Course]:
    return {"authenticity (κ)": found.authenticity, "rationality": found.rationality}


def _row(name: str, course: Course) -> tuple[str, ...]:
    return name, *map(_number, (course.average, course.fifth, course.tenth)), f"{course.averaged} iterations"


def _rows(beside: Mapping[str, AdditionalFigure]) -> list[tuple[str, ...]]:
    return [(_BESIDE[name], *map(interval, (of.average, of.fifth, of.tenth))) for name, of in beside.items()]


def _said(found: Score) -> Iterator[str]:
    formula = found.paper_formula
    yield (
        f"The paper's formula (a κ a question, then the mean): {_number(formula.average)}; {formula.defined} of "
        f"{formula.questions} questions have a κ."
    )
    yield (
        f"Intervals come from {found.resamples:,} resamples of {counted(found.topics, 'topic')} and, crosswise, "
        f"{counted(found.profiles, 'profile')}, each with all its iterations"
        + (f"; of fewer than {FEWEST} pairs of the two there is none." if found.clusters < FEWEST else ".")
    )
    for judge, reasons in found.judges.items():
        yield f"reasons rated by a model, {judge}: {reasons}; what that is worth elenchus cogbench judge tells"
    for name, course in _courses(found).items():
        for reason in dict.fromkeys(course.undefined.values()):
            where = ", ".join(str(i) for i, why in course.undefined.items() if why == reason)
            yield f"no {name} in iteration {where}: {reason}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def interval(of: Estimate) -> str:
    """`0.412 (0.370 to 0.455)`, or a dash."""
    if of.value is None or of.low is None or of.high is None:
        return _number(of.value)
    return f"{of.value:.3f} ({of.low:.3f} to {of.high:.3f})"
