"""The work of `elenchus decision`: data in, learners in a thread, table and files out."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.service.cli import checks, context
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.detectors.decision.data import Debate
    from elenchus.detectors.decision.learning.objective import OnProgress
    from elenchus.detectors.decision.learning.training import Mean, Report, Row

FEWEST, MOST = 20, 20_000
"""Debates that can be simulated."""

TOLD_EVERY = 5.0
"""Seconds between two words about how far a learner is."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The options as they were typed; no learners means all that can run here."""

    data: Path | None
    simulate: int
    learners: tuple[str, ...]
    seeds: int
    published_reward: bool
    weights: tuple[str, ...]
    export: Path | None


# ── learn ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def train(options: LearningOptions, out: CommandOutput) -> None:
    """Learn with one learner, show it, write what was asked for. Raises UsageError."""
    await _finish(options, out, await _compared(options, out, {}))


async def evaluate(options: LearningOptions, out: CommandOutput) -> None:
    """The learners beside given weights. Raises UsageError."""
    from elenchus.detectors.decision.learning.training import published
    from elenchus.service.lab.detection import weights_named

    given = published()
    for file in options.weights:
        given[f"weights {file}"] = _array(weights_named(file).values)
    await _finish(options, out, await _compared(options, out, given))


def _array(values: Sequence[float]) -> Any:
    import numpy as np

    return np.array(values)


async def _compared(options: LearningOptions, out: CommandOutput, given: dict[str, Any]) -> Report:
    from elenchus.detectors.decision.learning.objective import stoppable
    from elenchus.detectors.decision.learning.training import compare, learner_of

    checks.within(options.seeds, 1, 100, "--seeds", "5")
    debates_of = _source(options)
    learners = {name: learner_of(name, published_reward=options.published_reward) for name in _names(options, out)}
    stop = threading.Event()

    def tell(name: str, seed: int) -> OnProgress:
        return stoppable(_progress(name, seed, options.seeds, out), stop)

    try:
        return await asyncio.to_thread(compare, debates_of, learners, range(1, options.seeds + 1), tell, given)
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    finally:
        stop.set()  # after a Ctrl-C the thread ends with its learner's next round


def _source(options: LearningOptions) -> Callable[[int], Sequence[Debate]]:
    """Where a seed's debates come from."""
    from elenchus.detectors.decision.data import read_debates
    from elenchus.detectors.decision.simulate import simulate

    if (options.data is not None) == (options.simulate != 0):
        raise UsageError("Give the debates to learn from: --data FILE, or --simulate N for made-up ones.")
    if options.data is None:
        checks.within(options.simulate, FEWEST, MOST, "--simulate", "683")
        return lambda seed: simulate(options.simulate, seed)
    try:
        debates = read_debates(options.data)
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    return lambda seed: debates


def _names(options: LearningOptions, out: CommandOutput) -> tuple[str, ...]:
    from elenchus.detectors.decision.learning.training import NAMES, installed

    here = installed()
    if not options.learners:
        for name in set(NAMES) - set(here):
            out.warn(f"{name} is left out: it needs torch (pip install 'elenchus[train]')")
        return here
    for name in options.learners:
        if name not in NAMES:
            raise UsageError(f"There is no learner {name!r}: take one of {', '.join(NAMES)}.")
        if name not in here:
            raise UsageError(f"{name} needs torch: pip install 'elenchus[train]', or give --learner genetic.")
    return tuple(dict.fromkeys(options.learners))


def _progress(name: str, seed: int, seeds: int, out: CommandOutput) -> Callable[[int, int], None]:
    last = 0.0

    def told(done: int, of: int) -> None:
        nonlocal last
        if done == 0 or time.monotonic() - last >= TOLD_EVERY:
            last = time.monotonic()
            out.tell(f"{name}, seed {seed} of {seeds}: {done} of {of} rounds")

    return told


# ── show and write ───────────────────────────────────────────────────────────────────────────────────────────────


async def _finish(options: LearningOptions, out: CommandOutput, report: Report) -> None:
    out.document(as_json(report))
    if not out.json:
        _print(out, report)
    if options.export is not None:
        for path in await asyncio.to_thread(write, options.export, report):
            out.tell(f"wrote {path}")


def as_json(report: Report) -> dict[str, Any]:
    """The report with the means that are computed from its runs."""
    rows = [
        {"name": row.name, "given": row.given, "train": row.train.model_dump(), "held_out": row.held_out.model_dump(),
         "best": row.best.model_dump(), "runs": [run.model_dump() for run in row.runs]}
        for row in report.rows
    ]  # fmt: skip
    return report.model_dump(mode="json", exclude={"rows"}) | {"rows": rows}


def _print(out: CommandOutput, report: Report) -> None:
    from elenchus.service.cli.tables import WordTable

    seeds = len(report.rows[0].runs)
    title = f"{report.data}: {report.train} to train, {report.held_out} held out; seeds: {seeds}"
    rows = [
        (row.name, told(row.train), told(row.held_out), *(f"{weight:.3f}" for weight in row.best.weights))
        for row in report.rows
    ]
    headings = ("learner", "train %", "held out %", *CRITERIA)
    out.show(WordTable.of(headings, rows, numbers=len(headings) - 1, title=title))
    out.line("Intervals: 95 %, over seeds. The weights are those of the seed with the best train accuracy.")
    if report.verdict:
        out.line(report.verdict)
    if report.simulated:
        out.line("SIMULATED debates: these figures say how the learners compare, and nothing about detecting biases.")


def told(mean: Mean) -> str:
    """A mean with its interval, in per cent."""
    if mean.low is None or mean.high is None:
        return f"{100 * mean.mean:.1f}"
    return f"{100 * mean.mean:.1f} ({100 * mean.low:.1f}–{100 * mean.high:.1f})"


def write(folder: Path, report: Report) -> list[Path]:
    """The weights of each learner, every run as a table, and the whole report. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"weights-{row.name}.yaml": _weights(report, row) for row in report.rows if not row.given}
    files |= {"runs.csv": _csv(report), "report.json": json.dumps(as_json(report), indent=2, ensure_ascii=False) + "\n"}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in files]


def _weights(report: Report, row: Row) -> str:
    """A file for `elenchus detect --weights`."""
    best = row.best
    source = (
        f"learnt from {report.train} of {report.data} by {row.name} (seed {best.seed}): "
        f"train {100 * best.train:.1f} %, held out {100 * best.held_out:.1f} %"
    )
    values = "".join(f"  {name}: {weight!r}\n" for name, weight in zip(CRITERIA, best.weights, strict=True))
    return f"source: {json.dumps(source)}\nvalues:\n{values}"


def _csv(report: Report) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["debates", "learner", "seed", "train", "held_out", "evaluations", "seconds", *CRITERIA])
    for row in report.rows:
        for run in row.runs:
            figures = [run.seed, run.train, run.held_out, run.evaluations, run.seconds]
            writer.writerow([report.data, row.name, *figures, *run.weights])
    return out.getvalue()


# ── record ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def record(file: Path, beginning: str, label: str, out: CommandOutput) -> None:
    """Write the debates of one session, or of all whose texts are labelled. Raises UsageError."""
    from elenchus.detectors.decision.data import write_debates
    from elenchus.detectors.decision.record import debates_of
    from elenchus.service.cli.session_lookup import find
    from elenchus.service.lab.detection import bias_named

    if label and not beginning:
        raise UsageError("--label goes with --session: it says what one text shows.")
    bias = bias_named(label) if label else ""
    async with context.opened() as app:
        infos = [await find(app.log, beginning)] if beginning else await app.log.sessions()
        taken = {info.id: debates_of(await app.log.read(info.id), bias) for info in infos}
    found = {session: got for session, got in taken.items() if got is not None}
    if not found:
        raise UsageError(
            "No finished detection of a labelled text was found: run `elenchus bench unlabelled --method full`, "
            "or name a detection and its text's bias with --session ID --label BIAS."
        )
    debates = [debate for got in found.values() for debate in got.debates]
    if not debates:
        raise UsageError(
            f"The {len(found)} sessions with labelled texts had no scored debate in which one side was right."
        )
    await asyncio.to_thread(write_debates, file, debates)
    told = {
        "file": str(file),
        "sessions": len(found),
        "debates": len(debates),
        "without_right_side": sum(got.without_right_side for got in found.values()),
        "unscored": sum(got.unscored for got in found.values()),
    }
    out.document(told)
    if not out.json:
        out.line(
            f"{told['debates']} debates of {told['sessions']} sessions in {file}; left out, as neither side was "
            f"right: {told['without_right_side']}, as no referee scored them: {told['unscored']}"
        )
