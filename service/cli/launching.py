"""From seats and settings to a session at this terminal: checked, then planned or played. Every command starts so."""

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
    from elenchus.debate_engine.events import Seat, Value
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.rehearsal import PaceOf, Plan
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import Unnamed
    from elenchus.storage.vectors import Progress


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
    checks.budget(tokens, usd)
    return Limits(tokens, usd, checks.price(price), unpriced_ok)


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

    def check(self) -> None:
        """Raises UsageError for what cannot be meant."""
        checks.temperature(self.temperature)
        checks.seed(self.seed)


@dataclass(frozen=True)
class Launch:
    """A session to be: `made` gives its settings once the models are there, `plan` rehearses it with them."""

    protocol: str
    title: str
    seats: Sequence[Seat]
    unnamed: Unnamed
    made: Callable[[Registry], Value | dict[str, Any]]
    plan: Callable[..., Plan]
    """With the settings, the seats and `PaceOf`; where the session is `drawn` also with its `seed`."""
    source: str = ""
    ready: Callable[[App], Awaitable[object]] | None = None
    """Awaited with the application before the session is made."""
    long: bool = False
    """Whether people are told how long it will still take."""
    drawn: bool = False
    """Whether the session's seed draws who does what."""


async def launched(wanted: Launch, settings: Settings, options: Options, building: Progress | None = None) -> int:
    """Plan it, or play it; the exit code. Raises UsageError, MissingKey."""
    return (await launch(wanted, settings, options, building))[0]


async def launch(
    wanted: Launch, settings: Settings, options: Options, building: Progress | None = None
) -> tuple[int, str]:
    """The same, with the session's id ("" for a plan)."""
    from elenchus.service.cli.planning import tell_plan
    from elenchus.service.cli.playing import play, sits_here
    from elenchus.service.cli.starting import checked_models, first_event, prepare, refuse_unpriced, tell_before

    out, limits = options.out, options.limits
    seats = priced(wanted.seats, limits.price)
    async with checked_models(settings, seats, rehearsal=options.dry_run) as registry:
        cfg = wanted.made(registry)
        refuse_unpriced(registry, seats, limits, out, rehearsal=options.dry_run)
        seed = {"seed": options.chance} if wanted.drawn else {}
        plan = partial(wanted.plan, cfg, seats, **seed)
        if options.dry_run:
            await tell_plan(settings, registry, plan, out, limits.price, wanted.unnamed, seed)
            return 0, ""
        calls = await planned_calls(settings, registry, plan) if wanted.long else None
    prepare(options.export, settings)
    interactive = sits_here() and not out.json
    async with context.opened(settings, interactive=interactive, building=building) as app:
        if wanted.ready is not None:
            await wanted.ready(app)
        tell_before(out, seats, wanted.unnamed)
        config = cfg if isinstance(cfg, dict) else cfg.model_dump(mode="json")
        fields = {"protocol": wanted.protocol, "title": wanted.title, "config": config}
        started = first_event(
            options.chance, seed_models=options.seed is not None, **fields, seats=tuple(seats),
            temperature=options.temperature, source=wanted.source, **limits.fields,
        )  # fmt: skip
        session_id = await app.runner.start(started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=options.export, calls=calls), session_id


async def planned_calls(settings: Settings, registry: Registry, plan: Callable[[PaceOf], Plan]) -> int:
    """The calls of a session at the most; it is rehearsed in a thread."""
    from elenchus.debate_engine.estimate import pace_of

    made = await asyncio.to_thread(plan, lambda spec: pace_of(settings, registry, spec))
    return made.count


def priced(seats: Sequence[Seat], price: Price | None) -> list[Seat]:
    """The seats, with what their models cost where no price is known."""
    return [seat.model_copy(update={"price": price}) for seat in seats]
