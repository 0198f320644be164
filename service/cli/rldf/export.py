"""`elenchus rldf export`: debates as training data, if their judge has passed the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import check_folder, write_new
from elenchus.detectors.alignment.export import UNGATED, Exported, files_of
from elenchus.detectors.alignment.gate.statements import SHIPPED, LabelledStatement, read_statements
from elenchus.detectors.alignment.pairs import Spoken, spoken_in
from elenchus.service.cli import context, failures
from elenchus.service.cli.checks import within
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.rldf import gate
from elenchus.service.cli.rldf.debate import found
from elenchus.service.lab.rldf import RldfRun, outcomes_of

if TYPE_CHECKING:
    from elenchus.detectors.alignment.verdicts import Verdict
    from elenchus.service.app import App


async def export(
    beginning: str, folder: Path, judge: str, seed: int, out: CommandOutput, *, ungated: bool, pairs: int | None = None,
    statements: Path | None = None,
) -> int:  # fmt: skip
    """Write the files; the exit code. `statements` are the gate's, if not those that come along.

    Raises UsageError, UnreadableDocument, StorageError.
    """
    within(seed, 0, 2**31, "--seed", "0")
    if judge and not judge.startswith(gate.LINEAR):
        raise UsageError(
            f"{judge!r} cannot score anew: give --judge linear:wordllama, or none for the debates' referee."
        )
    check_folder(folder)
    items = await asyncio.to_thread(read_statements, statements or SHIPPED)
    async with context.opened() as app:
        run = (await found(app, beginning)).run
        spoken = await _spoken(app, run)
        verdict = await gate.kept(app, judge or run.referee, "one" if judge else _marking(run), items)
    _refuse_ungated(verdict, judge or run.referee, run, statements, ungated=ungated)
    if not spoken:
        raise UsageError("No debate of these has a statement with a score yet: go on with them first.")
    if judge:
        spoken = await asyncio.to_thread(_scored_anew, spoken, judge, items)
    exported, files = files_of(spoken, verdict, _told(run, judge), seed, pairs)
    if not (paths := await asyncio.to_thread(write_new, folder, files)):
        raise UsageError(f"The folder {folder} holds such files already: choose another folder for --out.")
    _tell(exported, verdict, [str(path) for path in paths], out)
    there = exported.by_split["train"]["pairs"]
    if pairs is not None and there < pairs:
        out.warn(f"{pairs:,} pairs to train with were asked for, and there are fewer: {there:,}")
    return failures.OK


def _marking(run: RldfRun) -> Any:
    """How the referee was really asked: a small one is shown one statement a call in any case."""
    return "one" if "referee" in run.small else run.marking


async def _spoken(app: App, run: RldfRun) -> list[Spoken]:
    """What models said in the debates that have finished, and has a score."""
    return [
        one
        async for cell, debated in outcomes_of(app.log, run.runs)
        for one in spoken_in(
            debated,
            about=run.biases[cell.bias].about,
            who=[identity.who for identity in run.biases[cell.bias].identities[: run.roles]],
            session=cell.session,
            seed=cell.seed,
            referee=run.referee,
            speakers={seat.name: seat.spec for seat in run.seats},
            without=run.people,
        )
    ]


def _refuse_ungated(
    verdict: Verdict | None, judge: str, run: RldfRun, statements: Path | None, *, ungated: bool
) -> None:
    """Raises UsageError where the judge has not passed, unless that was agreed to."""
    if ungated or (verdict is not None and verdict.passed):
        return
    if verdict is None:
        marking = "" if judge.startswith(gate.LINEAR) or _marking(run) == "one" else " --marking all"
        own = f" --statements {statements}" if statements else ""
        raise UsageError(
            f"Nobody knows what the scores of {judge} are worth: try `elenchus rldf gate --judge {judge}{marking}"
            f"{own}` first, or say --ungated."
        )
    raise UsageError(
        f"{judge} has failed the gate ({'; '.join(verdict.failed)}): take another judge, such as --judge "
        "linear:wordllama, or say --ungated."
    )


def _scored_anew(spoken: list[Spoken], judge: str, items: Sequence[LabelledStatement]) -> list[Spoken]:
    scores = gate.scores_by(judge, [one.text for one in spoken], items)
    return [
        one.model_copy(update={"score": score, "referee": judge, "slot": 0})
        for one, score in zip(spoken, scores, strict=True)
    ]


def _told(run: RldfRun, judge: str) -> dict[str, Any]:
    """What the card tells of the debates."""
    return {
        "debates": run.id,
        "made": run.created.date().isoformat(),
        "version": run.version,
        "who debates and judges": run.mode,
        "seats": "; ".join(
            f"{seat.name}: {'a person' if seat.name in run.people else seat.spec}" for seat in run.seats
        ),
        "scored by": judge or run.referee,
        "referee's way": run.marking,
        "roles, rounds, repeats": f"{run.roles}, {run.rounds}, {run.repeats}",
    }


def _tell(exported: Exported, verdict: Verdict | None, paths: list[str], out: CommandOutput) -> None:
    gated = verdict is not None and verdict.passed
    balance = exported.balance
    out.document({
        **exported.model_dump(mode="json"), "gated": gated, "balanced": balance.balanced if balance else None,
        "files": paths,
    })  # fmt: skip
    if not exported.pairs:
        out.warn("there are no pairs: no topic has statements of low and of high bias; more --repeats may give some")
    if not gated:
        out.warn(f"the judge has not passed the gate: this is no training data, and every name begins with {UNGATED}")
    if out.json:
        return
    out.line(f"{exported.pairs} pairs and {exported.sft} statements of low bias over {exported.topics} topics")
    if balance:
        out.line(str(balance))
    for path in paths:
        out.tell(f"wrote {path}")
