"""What the commands of the bench have in common: everything is checked, then planned or run as one session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from service.cli import checks, context
from service.cli.output import Out

if TYPE_CHECKING:
    from debate_engine.events import Value
    from debate_engine.llm.registry import Registry

T = TypeVar("T")

NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask everything anew, also what was answered before.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="Take no more than N.")]


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that every run of the bench has."""

    seed: int | None
    dry_run: bool
    budget_tokens: int | None
    budget_usd: float | None
    export: Path | None
    out: Out
    temperature: float | None = None

    def check(self) -> None:
        """Raises UsageError for what cannot be meant."""
        checks.budget(self.budget_tokens, self.budget_usd)
        checks.seed(self.seed)
        if self.temperature is not None:
            checks.within(self.temperature, 0, 2, "--temperature", "0.7")


async def measure(
    protocol: str, title: str, seats: Mapping[str, str], made: Callable[[Registry], Value], asked: Asked
) -> tuple[int, str]:
    """Plan the run, or do it; the exit code and the session's id ("" for a plan).

    `made` gives the settings once the models are known to be there. Raises UsageError, MissingKey.
    """
    from debate_engine.events import Seat
    from service.cli.examining import refuse_a_person
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, prepare, warnings

    settings, out = context.settings(), asked.out
    for spec in seats.values():
        refuse_a_person(spec)
    sitting = [Seat(name=name, spec=spec) for name, spec in seats.items()]
    async with checked_models(settings, sitting, rehearsal=asked.dry_run) as registry:
        cfg = made(registry)
        if asked.dry_run:
            from detectors.evaluation.plan import plan
            from service.cli.planning import tell_plan

            await tell_plan(settings, registry, lambda pace_of: plan(protocol, cfg, seats, pace_of), out)
            return 0, ""
    prepare(asked.export, settings)
    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        for warning in warnings(sitting):
            out.warn(warning)
        session_id = await app.runner.start(_started(protocol, title, cfg, sitting, asked))
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=asked.export), session_id


def _started(protocol: str, title: str, cfg: Value, seats: list[Any], asked: Asked) -> Any:
    import secrets
    from importlib.metadata import version

    from debate_engine.events import SessionStarted

    return SessionStarted(
        protocol=protocol,
        title=title,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=secrets.randbelow(2**31) if asked.seed is None else asked.seed,
        seed_models=asked.seed is not None,
        temperature=asked.temperature,
        budget_tokens=asked.budget_tokens,
        budget_usd=asked.budget_usd,
        version=version("elenchus"),
    )


def in_words(work: Callable[[], T]) -> T:
    """What a reader of files gives, its ValueError as a UsageError."""
    from debate_engine.errors import UsageError

    try:
        return work()
    except ValueError as error:
        raise UsageError(f"{error}.") from error


def smallest_context(registry: Registry, specs: Mapping[str, str]) -> int:
    """Tokens of the model that reads least."""
    return min(registry.model(spec).context_tokens for spec in specs.values())


def bias_ids(names: list[str] | None) -> list[str]:
    """The ids of biases by any of their names. Raises UsageError."""
    from service.cli.examining import bias_named

    return [bias_named(name) for name in names or ()]
