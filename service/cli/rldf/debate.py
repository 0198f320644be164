"""`elenchus rldf debate` and `resume`: plans debates, or plays those that are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.bias_type_catalogue import BiasType, bias_type, distinct, everyday_topics, read_topics, types
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rldf.presentation import counted
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridProgress, GridRunner
from elenchus.service.cli import context, failures
from elenchus.service.cli.batch import ended, played, tell_total
from elenchus.service.cli.launch import Launch, Options, detached, launch
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.preflight import checked_models, dollars, prepare, refuse_unpriced, tell_before
from elenchus.service.cli.progress import lines
from elenchus.service.cli.session_lookup import matching
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab.batches import Estimate
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.rldf import (
    KeptRun,
    RldfCell,
    RldfOptions,
    RldfRun,
    keep,
    kept_runs,
    outcomes_of,
    planned,
    run_of,
    seats_of,
    started_of,
    title_of,
    width_of,
)

if TYPE_CHECKING:
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import DefaultModels


def biases_named(names: Sequence[str]) -> list[BiasType]:
    """Types of bias by name or file; all that come along for "all". Raises UnreadableDocument, UsageError."""
    if [name.casefold() for name in names] == ["all"]:
        names = types()
    found = [bias_type(name) for name in names]
    if len({bias.name for bias in found}) < len(found):
        raise UsageError("--bias names the same type twice: give each once, and --repeats for more debates.")
    return found


def topics_of(
    biases: Sequence[BiasType], named: Sequence[str], file: Path | None, limit: int | None
) -> Mapping[str, tuple[str, ...]]:
    """The topics of each type: those named and in the file, else the type's own, else the everyday ones."""
    given = distinct([*named, *(read_topics(file) if file else ())])
    if named and not given:
        raise UsageError("--topic is empty: give what is to be debated, such as --topic gardening.")
    return {bias.name: (given or distinct(bias.topics) or everyday_topics())[:limit] for bias in biases}


async def start(
    wanted: RldfOptions, biases: Sequence[BiasType], topics: Mapping[str, tuple[str, ...]], how: Options
) -> int:
    """Check, then plan or play; the exit code. Raises UsageError, MissingKey."""
    settings, out = context.settings(), how.out
    seats, unnamed = await seated(settings, "", lambda unnamed: seats_of(wanted, unnamed))
    async with checked_models(settings, seats, dry_run=how.dry_run) as registry:
        run = run_of(wanted, biases, topics, seats, registry)
        if run.people:
            return await _with_a_person(run, unnamed, how)
        if how.export is not None:
            raise UsageError(
                "--export writes the one debate of a person: for others elenchus rldf export ID --out DIR has all of "
                "them as data, and elenchus export one of them."
            )
        refuse_unpriced(registry, seats, how.run, out, dry_run=how.dry_run)
        estimate = await planned(run, settings, registry, wanted.at_once)
        if how.dry_run:
            _tell_estimate(estimate, unnamed, out)
            return failures.OK
    prepare(None, settings)
    tell_before(out, seats, unnamed)
    async with context.opened(settings) as app:
        kept = KeptRun(run, estimate.need)
        await keep(app.store, kept)
        if how.detach:
            return await detached(app, run.id, out, study="rldf")
        return await _play(app, kept, estimate.side_by_side, out)


async def _with_a_person(run: RldfRun, unnamed: DefaultModels, how: Options) -> int:
    """One debate at this terminal. It is not kept among the runs: what people say is no training data."""
    (cell,) = run.runs
    session = NewSession("rldf", title_of(cell), run.seats, lambda _: run.config(cell))
    return (await launch(Launch(session, unnamed, long=True), context.settings(), how))[0]


async def resume(beginning: str, at_once: int | None, how: Options) -> int:
    """Go on with debates; limits that are given replace the old ones. Raises UsageError where there are none."""
    async with context.opened() as app:
        before = await found(app, beginning)
        run = before.run.model_copy(update={name: value for name, value in how.run if value})
        app.registry.assumed = run.price  # also in sessions that began without it
        refuse_unpriced(app.registry, run.seats, how.run, how.out)
        need = before.need
        if run.budget_usd is not None and not need.usd:  # no price was known before
            need = (await planned(run, app.settings, app.registry)).need
        now = KeptRun(run, need)
        await keep(app.store, now)
        if how.detach:
            return await detached(app, run.id, how.out, study="rldf")
        return await _play(app, now, width_of(run, app.settings, app.registry, at_once), how.out)


async def found(app: App, beginning: str) -> KeptRun:
    """The debates whose id begins so. Raises UsageError."""
    kept = await kept_runs(app.store)
    if not any(name.startswith(beginning) for name in kept):
        raise UsageError(f"No debates have an id that begins with {beginning!r}; `elenchus rldf debate` gives one.")
    return kept[matching(list(kept), beginning)]


async def _play(app: App, kept: KeptRun, at_once: int, out: CommandOutput) -> int:
    """Play what is missing; on Ctrl-C say how to go on."""
    run = kept.run
    app.registry.expect(seat.spec for seat in run.seats)
    again = f"elenchus rldf resume {run.id}"
    out.tell(f"debates {run.runs[0].session} to {run.runs[-1].session}; if it is broken off: {again}")

    def named(cell: RldfCell) -> str:
        return f"debate {cell.number} of {len(run.runs)}, {title_of(cell)},"

    on_run = lines(len(run.runs), named, out)
    runner = GridRunner(app.log, app.runner, run, kept.need, on_run, started_of, at_once)
    progress = await played(runner, again, out)
    await _finish(app, run, progress, again, out)
    return ended(progress, again, out, "debate")


async def _finish(app: App, run: RldfRun, progress: GridProgress[RldfCell], again: str, out: CommandOutput) -> None:
    """Tell what there is so far."""
    debated = [outcome async for _, outcome in outcomes_of(app.log, run.runs)]
    told = counted(debated)
    document = {
        "run": run.id, "mode": run.mode, "marking": run.marking, "referee": run.referee, "sessions": len(run.runs),
        "ended": progress.ended, **told,
    }  # fmt: skip
    out.document(document if progress.done else {**document, "next": again})
    if out.json:
        return
    out.line(
        f"{told['statements']:,} statements: {told['high']:,} of high bias (over 3 of 10), {told['low']:,} of low "
        f"bias, {told['unread']:,} without a score; {told['rounds_with_pair']:,} of {told['rounds']:,} rounds hold both"
    )
    if progress.done:
        out.line(f"as data: elenchus rldf export {run.id} --out DIR")


def _tell_estimate(estimate: Estimate, unnamed: DefaultModels, out: CommandOutput) -> None:
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return
    rows = [
        (of["bias"], f"{of['debates']:,}", f"{of['calls']:,}", f"{of['tokens']:,}", dollars(of["usd"]))
        for of in document["by_bias"]
    ]
    out.show(WordTable.of(("bias", "debates", "calls a debate", "tokens a debate", "money"), rows, numbers=4))
    tell_total(document, f"{document['sessions']:,} debates", out)
