"""What a rehearsed session will cost, in calls, tokens, money and minutes (see `rehearsal`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from config.settings import Settings
from debate_engine.llm.client import Usage
from debate_engine.llm.registry import Registry
from debate_engine.rehearsal import Pace, PaceOf, Plan, PlannedCalls

ASSUMED = "at the most, without repeated attempts; tokens are estimated, people's time is not counted"


async def estimated(settings: Settings, registry: Registry, plan: Callable[[PaceOf], Plan]) -> dict[str, Any]:
    """The plan's document (see `plan_document`). The session is rehearsed in a thread."""
    made = await asyncio.to_thread(plan, lambda spec: pace_of(settings, registry, spec))
    return plan_document(made, lambda planned: price(registry, planned))


def pace_of(settings: Settings, registry: Registry, spec: str) -> Pace:
    """How fast a model is taken to be: assumptions on the safe side, shown with the plan."""
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
