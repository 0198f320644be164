"""`--dry-run`: what a session will ask of its models, before anything is spent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from service.cli.output import Out

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.llm.registry import Registry
    from debate_engine.rehearsal import Pace, Plan, PlannedCalls

ASSUMED = "at the most, without repeated attempts; tokens are estimated, people's time is not counted"


async def tell_plan(
    settings: Settings, registry: Registry, plan: Callable[[Callable[[str], Pace]], Plan], out: Out
) -> None:
    """Rehearse the session in a thread, and tell calls, tokens, money and minutes."""
    made = await asyncio.to_thread(plan, lambda spec: pace_of(settings, registry, spec))
    document = plan_document(made, lambda planned: price(registry, planned))
    out.document(document)
    if not out.json:
        _tell(out, document)


def pace_of(settings: Settings, registry: Registry, spec: str) -> Pace:
    """How fast a model is taken to be: assumptions on the safe side, shown with the plan."""
    from debate_engine.rehearsal import Pace

    provider = spec.partition(":")[0]
    if provider == "scripted":
        return Pace(latency=0.0, reads=1e9, writes=1e9, at_once=1_000)
    context = registry.model(spec).context_tokens
    if provider == "local":
        local = settings.local
        return Pace(
            latency=0.1, reads=400.0, writes=50.0, at_once=min(local.concurrency, local.parallel), context=context
        )
    return Pace(at_once=getattr(settings, provider).concurrency, context=context)


def price(registry: Registry, planned: PlannedCalls) -> float | None:
    """US dollars of planned calls, None where the model has no known price."""
    from debate_engine.llm.client import Usage

    return registry.model(planned.model).cost(Usage(planned.input_tokens, planned.output_tokens))


def plan_document(plan: Plan, price: Callable[[PlannedCalls], float | None]) -> dict[str, Any]:
    """The plan as JSON; money is null where a model's price is unknown."""
    rows = [
        {**calls.model_dump(), "usd": None if (usd := price(calls)) is None else round(usd, 6)} for calls in plan.calls
    ]
    known = [row["usd"] for row in rows]
    inputs, outputs = plan.tokens
    return {
        "dry_run": True,
        "calls": plan.count,
        "input_tokens": inputs,
        "output_tokens": outputs,
        "usd": None if None in known else round(sum(known), 6),
        "minutes": round(plan.seconds / 60, 2),
        "longest_chain": plan.chain,
        "assumed": ASSUMED,
        "by_seat": rows,
    }


def _tell(out: Out, document: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("seat", "model", "what"):
        table.add_column(column)
    for column in ("calls", "tokens in", "tokens out", "money"):
        table.add_column(column, justify="right")
    for row in document["by_seat"]:
        tokens = (f"{row['count']:,}", f"{row['input_tokens']:,}", f"{row['output_tokens']:,}")
        table.add_row(row["seat"], row["model"], row["what"].partition("/")[2], *tokens, dollars(row["usd"]))
    out.show(table)
    out.line(
        f"\n{document['calls']} calls, {document['input_tokens']:,} tokens in, {document['output_tokens']:,} out, "
        f"{dollars(document['usd'])}, about {max(1, round(document['minutes']))} min "
        f"({document['longest_chain']} calls wait for one another)"
    )
    out.line(document["assumed"])


def dollars(usd: float | None) -> str:
    """Money in words."""
    if usd is None:
        return "unknown price"
    return f"${usd:.2f}" if usd == 0 or usd >= 1 else f"${usd:.4f}"
