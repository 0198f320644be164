"""What a session will cost by its dry run, in calls, tokens, money and minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from elenchus.config.models import Price
from elenchus.config.settings import Settings
from elenchus.debate_engine.dry_run.plan import Pace, Plan, PlannedCalls, side_by_side
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.events import Command, Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.registry import Registry

ASSUMED = "at the most, without repeated attempts; tokens are estimated, people's time is not counted"
EXPECTED_SHARE = 0.5
"""What a session is expected to use of its most: an assumption, on one look. The run in `docs/debate.md` read 34,655 of
69,715 planned tokens (50 %) and wrote 6,656 of 15,449 (43 %), by a small model; others were not measured."""


async def estimated(
    settings: Settings, registry: Registry, started: SessionStarted, times: int = 1, given: Sequence[Command] = ()
) -> dict[str, Any]:
    """The document (see `plan_document`) of so many sessions like this side by side. One is played dry, in a thread,
    and is `given` these commands.
    """

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    made = await asyncio.to_thread(plan_of, started, paced, given)
    price = next((seat.price for seat in started.seats if seat.price), None)
    return plan_document(made if times == 1 else side_by_side([(made, times)], paced), registry, price)


def pace_of(settings: Settings, registry: Registry, spec: str) -> Pace:
    """How fast a model is taken to be: assumptions on the safe side, shown with the plan."""
    provider = spec.partition(":")[0]
    at_once = at_once_of(settings, provider)
    if provider == "scripted":
        return Pace(latency=0.0, reads=1e9, writes=1e9, at_once=at_once)
    context = registry.model(spec).context_tokens
    if provider == "local":
        return Pace(latency=0.1, reads=240.0, writes=20.0, at_once=at_once, context=context)  # see docs/benchmarks.md
    return Pace(at_once=at_once, context=context)


def at_once_of(settings: Settings, provider: str) -> int:
    """How many calls a provider, or a server by its name, takes at once."""
    if provider == "local":
        return min(settings.local.concurrency, settings.local.parallel)
    return settings.provider(provider).concurrency


def places(settings: Settings, registry: Registry, specs: Iterable[str]) -> int:
    """How many calls these models' providers take at once, all together."""
    return sum(at_once_of(settings, provider) for provider in {registry.model_spec(spec).provider for spec in specs})


def plan_document(plan: Plan, registry: Registry, price: Price | None = None) -> dict[str, Any]:
    """The plan as JSON; money is null where a model's price is unknown. `price` counts where none is known.

    `usd` is the most, `expected_usd` the share of it that is expected (`EXPECTED_SHARE`). `reasoning_tokens` and
    `reasoning_usd` are what the models' hidden reasoning may take at the most (`thinking` in models.yaml), on top of
    the rest; how much of it they use is up to them. The minutes are without it.
    """
    rows = [_row(calls, registry.model(calls.model, price)) for calls in plan.calls]
    inputs, outputs = plan.tokens
    usd = summed(row["usd"] for row in rows)
    return {
        "dry_run": True,
        "calls": plan.count,
        "input_tokens": inputs,
        "output_tokens": outputs,
        "usd": usd,
        "expected_usd": None if usd is None else round(usd * EXPECTED_SHARE, 6),
        "reasoning_tokens": sum(row["reasoning_tokens"] for row in rows),
        "reasoning_usd": summed(row["reasoning_usd"] for row in rows),
        "minutes": round(plan.seconds / 60, 2),
        "longest_chain": plan.chain,
        "said": plan.said,
        "assumed": ASSUMED,
        "by_seat": rows,
        "of_people": [turns.model_dump() for turns in plan.turns],
    }


def _row(calls: PlannedCalls, model: Model) -> dict[str, Any]:
    """Calls with their price, and with the hidden reasoning that is allowed."""
    reasoning = calls.count * model.info.thinking
    prices = {
        "usd": model.most(calls.input_tokens, calls.output_tokens),
        "reasoning_usd": model.most(0, reasoning) if reasoning else 0.0,
    }
    rounded = {name: None if usd is None else round(usd, 6) for name, usd in prices.items()}
    return {**calls.model_dump(), "reasoning_tokens": reasoning, **rounded}


def summed(prices: Iterable[float | None]) -> float | None:
    """The sum of prices, None where one of them is unknown."""
    known = list(prices)
    return None if None in known else round(sum(price or 0.0 for price in known), 6)


def unpriced(registry: Registry, seats: Iterable[Seat]) -> list[str]:
    """The models of these seats and their stand-ins whose price nobody knows: no budget of dollars can hold them back.

    Raises UsageError for a catalogue that cannot be read.
    """
    specs = [(spec, seat.price) for seat in seats for spec in (seat.spec, seat.stand_in) if spec and not is_human(spec)]
    return list(dict.fromkeys(spec for spec, price in specs if not (price or registry.price(spec))))
