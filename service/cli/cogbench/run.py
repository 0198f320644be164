"""`elenchus cogbench run` and `resume`: plans it, or plays what is missing, and writes the results."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.schemas import CognitionResult
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridProgress, GridRunner, RunLimit
from elenchus.debate_engine.reports.files import check_folder
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.runs import (
    CONTROLS,
    CogBenchCell,
    CogBenchRun,
    control_line,
    feedback_of,
    joined,
    records_of,
)
from elenchus.detectors.evaluation.cogbench.shapes import Json, write_json
from elenchus.detectors.evaluation.cogbench.topics import Material, own_set, profiles_in, released
from elenchus.service.cli import context, failures
from elenchus.service.cli.batch import ended, played, tell_total
from elenchus.service.cli.cogbench.dynamics import tell_dynamics
from elenchus.service.cli.launch import Options, detached
from elenchus.service.cli.live.status import counted
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.preflight import checked_models, dollars, prepare, refuse_unpriced, tell_before
from elenchus.service.cli.progress import lines
from elenchus.service.cli.session_lookup import matching
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab.batches import Estimate, KeptPlan, keep, kept_plans, outcomes_of, width_of
from elenchus.service.lab.cogbench import KEPT, CogBenchOptions, planned, run_of, seat_of, started_of
from elenchus.service.lab.default_models import seated

if TYPE_CHECKING:
    from elenchus.service.app import App


@dataclass(frozen=True)
class Sources:
    """Where a run's material comes from, and where its results go: as they were typed."""

    tasks: Path | None
    profiles: Path | None
    feedback: Path | None
    into: Path | None


def material_of(tasks: Path | None, profiles: Path | None) -> Material:
    """The small set, a folder like it, or files of the release. Raises UsageError, UnreadableDocument."""
    if tasks is not None and tasks.is_file():
        return released(tasks, profiles)
    found = own_set() if tasks is None else own_set(tasks)
    return found.model_copy(update={"profiles": profiles_in(profiles)}) if profiles else found


# ── run ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def start(wanted: CogBenchOptions, model: str, sources: Sources, how: Options) -> int:
    """Check, then plan or play; the exit code. Raises UsageError, UnreadableDocument, MissingKey."""
    settings, out = context.settings(), how.out
    material = await asyncio.to_thread(material_of, sources.tasks, sources.profiles)
    spec, unnamed = await seated(settings, "", lambda unnamed: model.strip() or unnamed.debater("persona"))
    feedback = await asyncio.to_thread(_feedback, wanted, material, sources.feedback)
    async with checked_models(settings, [_seat(spec)], dry_run=how.dry_run) as registry:
        run = run_of(wanted, spec, material, registry, feedback)
        refuse_unpriced(registry, [seat_of(run)], how.run, out, dry_run=how.dry_run)
        await asyncio.to_thread(_there, sources.into, run)
        estimate = await planned(run, settings, registry, wanted.at_once)
        if how.dry_run:
            _tell_estimate(estimate, unnamed.document(), out)
            return failures.OK
    prepare(None, settings)
    tell_before(out, [seat_of(run)], unnamed)
    async with context.opened(settings) as app:
        kept = KeptPlan(run, estimate.need)
        await keep(app.store, KEPT, run.id, kept)
        if how.detach:
            return await detached(app, run.id, out, study="cogbench")
        return await _play(app, kept, estimate.side_by_side, sources.into, out)


def _seat(spec: str) -> Any:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.cognition.methods import PERSONA

    return Seat(name=PERSONA, spec=spec)


def _feedback(wanted: CogBenchOptions, material: Material, file: Path | None) -> Any:
    """What people said of this method's answers in an earlier file."""
    if file is None:
        return None
    from elenchus.detectors.evaluation.cogbench.runs import CALLED

    chosen = material.only(wanted.topics, wanted.profiles)
    return feedback_of(read_results(file).answers(wanted.called or CALLED[wanted.method]), chosen)


def _there(into: Path | None, run: CogBenchRun) -> None:
    """Raises UsageError where the results could not be written. A file that is there takes them in."""
    if into is None:
        return
    for path in (into, control_file(into)):
        check_folder(path.parent)
        if path.exists() and run.called in read_results(path).methods:
            raise UsageError(f"{path} has answers of {run.called} already: give this run another --name.")


def control_file(into: Path) -> Path:
    """Where the results of the control go."""
    return into.with_name(f"{into.stem}-control{into.suffix}")


async def resume(beginning: str, at_once: int | None, into: Path | None, how: Options) -> int:
    """Go on with a run; limits that are given replace the old ones. Raises UsageError where there is none."""
    async with context.opened() as app:
        kept = await kept_plans(app.store, KEPT, CogBenchRun)
        if not any(name.startswith(beginning) for name in kept):
            there = ", ".join(f"{name} ({one.run.called}, {one.run.model})" for name, one in list(kept.items())[-5:])
            raise UsageError(f"No run has an id that begins with {beginning!r}; there is {there or 'none yet'}.")
        before = kept[matching(list(kept), beginning)]
        run = before.run.model_copy(update={name: value for name, value in how.run if value})
        app.registry.assumed = run.price  # also in sessions that began without it
        refuse_unpriced(app.registry, [seat_of(run)], how.run, how.out)
        await asyncio.to_thread(_there, into, run)
        now = KeptPlan(run, await _need(app, run, before.need))
        await keep(app.store, KEPT, run.id, now)
        if how.detach:
            return await detached(app, run.id, how.out, study="cogbench")
        width = width_of([run.model], len(run.runs), app.settings, app.registry, at_once)
        return await _play(app, now, width, into, how.out)


async def _need(app: App, run: CogBenchRun, before: RunLimit) -> RunLimit:
    """What one session may use, reckoned anew where dollars are limited and no price was known before."""
    if run.budget_usd is None or before.usd:
        return before
    return (await planned(run, app.settings, app.registry)).need


async def _play(app: App, kept: KeptPlan[CogBenchRun], at_once: int, into: Path | None, out: CommandOutput) -> int:
    """Play what is missing, write the results; on Ctrl-C say how to go on."""
    run = kept.run
    app.registry.expect([run.model])
    again = f"elenchus cogbench resume {run.id}{f' --out {into}' if into else ''}"
    out.tell(f"sessions {run.runs[0].session} to {run.runs[-1].session}; if it is broken off: {again}")

    def named(cell: CogBenchCell) -> str:
        what = f"{cell.profile}, {cell.topic}{' (control)' if cell.control else ''}"
        return f"session {cell.number} of {len(run.runs)} ({what})"

    on_run = lines(len(run.runs), named, out)
    runner = GridRunner(app.log, app.runner, run, kept.need, on_run, started_of, at_once)
    progress = await played(runner, again, out)
    some_read = await _finish(app, run, progress, again, into, out)
    code = ended(progress, again, out, "session")
    return code if some_read else code or failures.PROVIDER


# ── what came of it ──────────────────────────────────────────────────────────────────────────────────────────────────


async def _finish(
    app: App, run: CogBenchRun, progress: GridProgress[CogBenchCell], again: str, into: Path | None, out: CommandOutput
) -> bool:
    """Tell and write what there is so far; whether any of it could be read, else nothing is written."""
    outcomes = {cell.session: one async for cell, one in outcomes_of(app.log, run.runs, CognitionResult)}
    pushed, control = (records_of(run, outcomes, control=one) for one in (False, True))
    unread, asked = (sum(count(record, run.called) for record in pushed) for count in (_unread, _asked))
    some_read = unread < asked or not asked
    files = await asyncio.to_thread(_written, run, into, pushed, control) if progress.done and some_read else []
    document: dict[str, Any] = {
        "run": run.id, "method": run.called, "model": run.model, "sessions": len(run.runs), "ended": progress.ended,
        "answers": asked, "unread": unread,
        "files": [str(path) for path in files],
    }  # fmt: skip
    check = tell_dynamics(run.called, Results("the run", pushed), Results("the control", control), run.material)
    if progress.done and control and check is not None:
        document["dynamics"] = check.document
    out.document(document if progress.done else {**document, "next": again})
    if not some_read and into is not None and progress.done:
        out.tell(f"{into} is not written: none of the answers could be read")
    if out.json:
        return some_read
    out.line(f"{document['answers']} answers of {run.called} by {run.model}; {unread} could not be read")
    if run.method in CONTROLS:
        out.line(control_line(run.called, run.method))
    for path in files:
        out.tell(f"wrote {path}")
    if progress.done and into is None:
        out.tell(f"the answers are kept; to have them in a file: {again} --out FILE")
    if "dynamics" in document and check is not None:
        check.show(out)
    return some_read


def _asked(record: Json, _called: str) -> int:
    return len(record["questionnaire"])


def _unread(record: Json, called: str) -> int:
    return sum("why_unread" in question["answer"][called] for question in record["questionnaire"])


def _written(run: CogBenchRun, into: Path | None, pushed: list[Json], control: list[Json]) -> list[Path]:
    """Write both files, each joined to what is there. Raises UsageError, StorageError."""
    if into is None:
        return []
    found = []
    for path, records in ((into, pushed), (control_file(into), control)):
        if records:
            write_json(path, joined(read_results(path), run.called, records) if path.exists() else records)
            found.append(path)
    return found


def _tell_estimate(estimate: Estimate, defaults: Any, out: CommandOutput) -> None:
    document = estimate.document
    out.document({**document, "defaults": defaults})
    if out.json:
        return
    rows = [
        (f"{of['topic']}{' (control)' if of['control'] else ''}", str(of["sessions"]), f"{of['calls']:,}",
         f"{of['tokens']:,}", dollars(of["usd"]))
        for of in document["by_topic"]
    ]  # fmt: skip
    out.show(WordTable.of(("topic", "sessions", "calls a session", "tokens a session", "money"), rows, numbers=4))
    tell_total(document, f"{counted(document['sessions'], 'session')} of {document['method']}", out)
