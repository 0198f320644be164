"""From a session to be to one at this terminal: checked, then planned or played. Every command starts so."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.service.cli import checks, context
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.config.models import Price
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.dry_run.plan import PaceOf, Plan
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import Unnamed
    from elenchus.service.lab.options import RunOptions
    from elenchus.service.lab.start import SessionSpec
    from elenchus.storage.vector_store import Progress


@dataclass(frozen=True, slots=True)
class Limits:
    """What a session may spend, as it was typed. `price` counts for models without a known one."""

    tokens: int | None = None
    usd: float | None = None
    price: Price | None = None
    unpriced_ok: bool = False

    @property
    def fields(self) -> dict[str, Any]:
        """As fields of a session's first event."""
        return {"budget_tokens": self.tokens, "budget_usd": self.usd, "unpriced_ok": self.unpriced_ok}


def limits_of(tokens: int | None, usd: float | None, price: str = "", *, unpriced_ok: bool = False) -> Limits:
    """The limits that were typed. Raises UsageError for what cannot be meant."""
    return limits_in(checks.run_options(budget_tokens=tokens, budget_usd=usd, price=price, unpriced_ok=unpriced_ok))


def limits_in(run: RunOptions) -> Limits:
    """The limits among these options."""
    return Limits(run.budget_tokens, run.budget_usd, run.price, run.unpriced_ok)


@dataclass(frozen=True, slots=True)
class Options:
    """What every command that starts a session is told, besides what it is about."""

    out: Out
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    dry_run: bool = False
    export: Path | None = None
    temperature: float | None = None
    _drawn: int = field(default_factory=partial(secrets.randbelow, 2**31))

    @property
    def chance(self) -> int:
        """The seed of the session's own chance: the typed one, which models get too, else a drawn one."""
        return self._drawn if self.seed is None else self.seed

    def check(self) -> RunOptions:
        """The same for `lab`. Raises UsageError for what cannot be meant."""
        limits = {**self.limits.fields, "price": self.limits.price}
        return checks.run_options(temperature=self.temperature, seed=self.seed, **limits)


@dataclass(frozen=True)
class Launch:
    """A session to be, and which of its seats were left to the default models."""

    session: SessionSpec
    unnamed: Unnamed
    ready: Callable[[App], Awaitable[object]] | None = None
    """Awaited with the application before the session is made."""
    long: bool = False
    """Whether people are told how long it will still take."""


async def launched(wanted: Launch, settings: Settings, options: Options, building: Progress | None = None) -> int:
    """Plan it, or play it; the exit code. Raises UsageError, MissingKey."""
    return (await launch(wanted, settings, options, building))[0]


async def launch(
    wanted: Launch, settings: Settings, options: Options, building: Progress | None = None
) -> tuple[int, str]:
    """The same, with the session's id ("" for a plan)."""
    from elenchus.service.cli.planning import tell_plan
    from elenchus.service.cli.run_session import play, sits_here
    from elenchus.service.cli.starting import checked_models, prepare, refuse_unpriced, tell_before

    out, limits = options.out, options.limits
    seats = priced(wanted.session.seats, limits.price)
    async with checked_models(settings, seats, rehearsal=options.dry_run) as registry:
        prepared = wanted.session.prepared(registry, options.check(), options.chance)
        refuse_unpriced(registry, seats, limits, out, rehearsal=options.dry_run)
        if options.dry_run:
            seed = {"seed": options.chance} if wanted.session.drawn else {}
            await tell_plan(settings, registry, prepared.plan, out, limits.price, wanted.unnamed, seed)
            return 0, ""
        calls = await planned_calls(settings, registry, prepared.plan) if wanted.long else None
    prepare(options.export, settings)
    interactive = sits_here() and not out.json
    async with context.opened(settings, interactive=interactive, building=building) as app:
        if wanted.ready is not None:
            await wanted.ready(app)
        tell_before(out, seats, wanted.unnamed)
        session_id = await app.runner.start(prepared.started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=options.export, calls=calls), session_id


async def planned_calls(settings: Settings, registry: Registry, plan: Callable[[PaceOf], Plan]) -> int:
    """The calls of a session at the most; it is rehearsed in a thread."""
    from elenchus.debate_engine.dry_run.estimate import pace_of

    made = await asyncio.to_thread(plan, lambda spec: pace_of(settings, registry, spec))
    return made.count


def priced(seats: Sequence[Seat], price: Price | None) -> list[Seat]:
    """The seats, with what their models cost where no price is known."""
    return [seat.model_copy(update={"price": price}) for seat in seats]
