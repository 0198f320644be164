"""`elenchus cogbench score`: a method's figures, as a document or as tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from elenchus.detectors.evaluation.cogbench.bootstrap import FEWEST
from elenchus.detectors.evaluation.cogbench.comparison import Comparison, compared
from elenchus.detectors.evaluation.cogbench.results import read_results
from elenchus.detectors.evaluation.cogbench.runs import control_in, control_line
from elenchus.detectors.evaluation.cogbench.score import AdditionalFigure, FigureByIteration, Score, score
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


def tell_score(file: Path, method: str, second: tuple[Path, str] | None, seed: int, out: CommandOutput) -> None:
    """Print the figures; with a `second` method (its file, its name) also how far the two differ.

    Raises UsageError, UnreadableDocument.
    """
    within(seed, 0, 2**31, "--seed", "0")
    results = read_results(file)
    found = score(method, results.answers(method), seed)
    known, document, differ = {method: control_in(results, method)}, found.document, None
    if second:
        other = results if second[0] == file else read_results(second[0])
        differ = compared(results, method, other, second[1], seed)
        known[second[1]] = control_in(other, second[1])
        document["compared"] = differ.model_dump(mode="json")
    controls = {name: control for name, control in known.items() if control}
    out.document(document | {"controls": controls})
    if out.json:
        return
    _show(found, controls, out)
    if second and differ:
        out.line("")
        _show_difference(differ, second[0], controls, out)
    for name, control in controls.items():
        out.line(f"* {control_line(name, control)}")


def _show(found: Score, controls: Collection[str], out: CommandOutput) -> None:
    title = (
        f"{_marked(found.method, controls)}: {counted(found.answers, 'answer')}, {found.left_out} left out of κ, "
        f"{found.rationality.left_out} of rationality"
    )
    rows = [_row(name, figure) for name, figure in _figures(found).items()]
    out.show(WordTable.of(("as the released scorer", "average", "5th", "10th", "over"), rows, numbers=4, title=title))
    out.line("")
    beside = [(_BESIDE[name], *cells) for name, *cells in _rows(found.beside)]
    out.show(WordTable.of(("beside it", "average (95 %)", "5th", "10th"), beside, numbers=3))
    out.line("")
    for line in _said(found):
        out.line(line)


def _marked(method: str, controls: Collection[str]) -> str:
    return f"{method}*" if method in controls else method


def _show_difference(found: Comparison, file: Path, controls: Collection[str], out: CommandOutput) -> None:
    own, other = (_marked(name, controls) for name in (found.method, found.against))
    less = other if found.against != found.method else f"that of {file}"
    title = (
        f"{own} less {less}: {counted(found.answers, 'answer')} of each to the same questions, "
        f"{found.left_out} left out of κ; {counted(found.reasons, 'reason')} of each rated"
    )
    rows = [
        (_BESIDE[name], *(_number(one.average.value) for one in found.values[name]), *cells)
        for name, *cells in _rows(found.differences, signed)
    ]
    head = ("the same answers", own, less, "difference (95 %)", "5th", "10th")
    out.show(WordTable.of(head, rows, numbers=5, title=title))
    out.line("")
    out.line(_resampled(found))


def _figures(found: Score) -> dict[str, FigureByIteration]:
    return {"authenticity (κ)": found.authenticity, "rationality": found.rationality}


def _row(name: str, figure: FigureByIteration) -> tuple[str, ...]:
    return name, *map(_number, (figure.average, figure.fifth, figure.tenth)), f"{figure.averaged} iterations"


def _rows(
    beside: Mapping[str, AdditionalFigure], shown: Callable[[float], str] = "{:.3f}".format
) -> list[tuple[str, ...]]:
    """Rows that begin with a figure's key."""
    return [(name, *(interval(one, shown) for one in (of.average, of.fifth, of.tenth))) for name, of in beside.items()]


def _said(found: Score) -> Iterator[str]:
    formula = found.paper_formula
    yield (
        f"The paper's formula (a κ a question, then the mean): {_number(formula.average)}; {formula.defined} of "
        f"{formula.questions} questions have a κ."
    )
    yield _resampled(found)
    for judge, reasons in found.judges.items():
        yield f"reasons rated by a model, {judge}: {reasons}; what that is worth elenchus cogbench judge tells"
    for name, figure in _figures(found).items():
        for reason in dict.fromkeys(figure.undefined.values()):
            where = ", ".join(str(i) for i, why in figure.undefined.items() if why == reason)
            yield f"no {name} in iteration {where}: {reason}"


def _resampled(found: Score | Comparison) -> str:
    return (
        f"Intervals come from {found.resamples:,} resamples of {counted(found.topics, 'topic')} and, crosswise, "
        f"{counted(found.profiles, 'profile')}, each with all its iterations"
        + (f"; of fewer than {FEWEST} pairs of the two there is none." if found.clusters < FEWEST else ".")
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


signed = "{:+.3f}".format


def interval(of: Estimate, shown: Callable[[float], str] = "{:.3f}".format) -> str:
    """`0.412 (0.370 to 0.455)`, or a dash."""
    if of.value is None:
        return "–"
    if of.low is None or of.high is None:
        return shown(of.value)
    return f"{shown(of.value)} ({shown(of.low)} to {shown(of.high)})"
