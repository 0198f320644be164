"""Many sessions of one plan at this terminal: what they will ask, and, on Ctrl-C and at the end, how to go on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridProgress, GridRunner, Plan, PlannedRun
from elenchus.service.cli import failures
from elenchus.service.cli.preflight import costing, lasting, tell_assumed

if TYPE_CHECKING:
    from elenchus.service.cli.output import CommandOutput

P = TypeVar("P", bound=Plan)
R = TypeVar("R", bound=PlannedRun)


async def played(runner: GridRunner[P, R], again: str, out: CommandOutput) -> GridProgress[R]:
    """Play what is missing; `again` is the command that goes on with it, and is told where it breaks off."""
    try:
        return await runner.run()
    except (ElenchusError, asyncio.CancelledError, KeyboardInterrupt, BaseExceptionGroup):
        out.tell(f"what is done is kept; go on with: {again}")
        raise


def ended(progress: GridProgress[Any], again: str, out: CommandOutput, noun: str = "run") -> int:
    """What is still missing and why, in words; the exit code. One of them is called `noun`."""
    if progress.done:
        return failures.OK
    out.tell(f"{progress.ended} of {len(progress.runs)} {noun}s are over")
    if progress.out_of_budget:
        out.tell(f"the budget holds no further {noun}; raise it with: {again} --budget-tokens N (or --budget-usd X)")
        return failures.BUDGET
    for reason in list(dict.fromkeys(run.reason for _, run in progress.waiting))[:3]:
        out.tell(f"some could not go on: {reason}")
    out.tell(f"go on with: {again}")
    return max((run.exit_code for _, run in progress.waiting), default=failures.PROVIDER)


def tell_total(document: dict[str, Any], what: str, out: CommandOutput) -> None:
    """The last lines of an estimate: `what` ("12 runs") will ask so much."""
    out.line(
        f"\n{what}: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {costing(document)}, about {lasting(document['minutes'])} "
        f"({document['side_by_side']} side by side)"
    )
    tell_assumed(document, out)
