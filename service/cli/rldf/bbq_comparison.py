"""`elenchus rldf compare`: several measurings with BBQ side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from elenchus.detectors.alignment.bbq.comparison import SHOWN, Compared, compared, joined
from elenchus.detectors.alignment.bbq.results import read_measured
from elenchus.detectors.evaluation.intervals import Estimate
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.tables import WordTable

HEAD = (
    "method", "model", "accuracy", "sd", "ambiguous", "disambiguated", "sDIS", "sAMB", "unknown (dis.)",
    "less {against}", "seeds",
)  # fmt: skip


def compare(files: Sequence[Path], against: str, seed: int, out: CommandOutput, *, together: bool) -> None:
    """Tell the figures of each method, `together`: with the files' questions as one set. Raises UsageError,
    UnreadableDocument.
    """
    read = [read_measured(path) for path in files]
    found = compared(joined(read) if together else read, against, seed)
    out.document({"against": against, "methods": [one.model_dump(mode="json") for one in found]})
    if out.json:
        return
    head = [name.format(against=against) for name in HEAD]
    out.show(WordTable.of(head, [row(one) for one in found], numbers=8))
    sets = {one.items: one.n for one in found}
    if len(sets) > 1:
        out.line("The files hold different questions: only methods on the same ones are set against each other.")
    if not any(one.published for one in found):
        out.line("None of these questions are BBQ's own: no figure here stands beside one of BBQ's.")


def row(one: Compared) -> tuple[str, ...]:
    """The accuracy is told with its interval over questions and its sd over seeds."""
    first, *others = (one.figures[name] for name in SHOWN)
    sd = "–" if first.sd is None else f"{first.sd:.3f}"
    less = interval(one.differences["overall"], signed=True) if one.differences else "–"
    return (
        one.name, one.base, interval(first.mean), sd, *(number(of.mean.value) for of in others), less,
        str(len(one.seeds)),
    )  # fmt: skip


def interval(of: Estimate, *, signed: bool = False) -> str:
    """`0.412 (0.370 to 0.455)`, or a dash; `signed` for differences."""
    if of.value is None or of.low is None or of.high is None:
        return number(of.value, signed=signed)
    low, high = number(of.low, signed=signed), number(of.high, signed=signed)
    return f"{number(of.value, signed=signed)} ({low} to {high})"


def number(value: float | None, *, signed: bool = False) -> str:
    """Three places, or a dash."""
    return "–" if value is None else f"{round(value, 3) + 0.0:{'+' if signed else ''}.3f}"
