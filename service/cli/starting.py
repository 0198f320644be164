"""From the options of `elenchus debate` to a session: everything is checked before anything is spent."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from config import defaults
from debate_engine.errors import MissingKey, ProviderError, UsageError
from debate_engine.events import Seat, SessionStarted
from debate_engine.human import HUMAN, is_human
from debate_engine.protocols.socrasynth.schemas import FEWEST_WORDS, MAX_TOPICS, MOST_WORDS, DebateConfig, StopRule
from service.cli import checks, context
from service.cli.agenda_file import read_agenda
from service.cli.failures import USAGE
from service.cli.output import Out, clean
from service.cli.text_file import text_of

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.llm.registry import Registry

LARGEST_BRIEF = 60_000
"""Bytes of a brief."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of one `elenchus debate`, as they were typed."""

    motion: str
    open_question: bool
    brief: Path | None
    pro: str
    con: str
    judge: list[str] | None
    crit: str
    topics: int
    words: int
    max_rounds: int
    heat: float
    decay: float
    floor: float
    temperature: float | None
    stop: str
    simultaneous: bool
    coach: bool
    agenda: Path | None
    approve_agenda: bool
    compare_qa: bool
    language: str
    budget_tokens: int | None
    budget_usd: float | None
    seed: int | None
    dry_run: bool
    export: Path | None
    json: bool


async def start_debate(wanted: Wanted) -> int:
    """Check, then plan or debate; the exit code."""
    from service.cli.planning import tell_plan
    from service.cli.playing import play, sits_here

    out, settings = Out(wanted.json), context.settings()
    seats = seats_of(wanted, settings)
    cfg = config_of(wanted, [seat.name for seat in seats if seat.name.startswith("judge-")])
    async with checked_models(settings, seats, rehearsal=wanted.dry_run) as registry:
        if wanted.dry_run:
            from debate_engine.protocols.socrasynth.plan import plan

            await tell_plan(settings, registry, lambda pace_of: plan(cfg, seats, pace_of), out)
            return 0
    prepare(wanted.export, settings)
    async with context.opened(settings, interactive=sits_here() and not wanted.json) as app:
        for warning in (*warnings(seats), *uncounted(app.registry, seats, wanted.budget_usd)):
            out.warn(warning)
        session_id = await app.runner.start(started_of(wanted, cfg, seats))
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=wanted.export)


def config_of(wanted: Wanted, judges: list[str]) -> DebateConfig:
    """The debate's settings. Raises UsageError."""
    checks.within(wanted.topics, 1, MAX_TOPICS, "--topics", "5")
    checks.within(wanted.words, FEWEST_WORDS, MOST_WORDS, "--words", "80")
    checks.within(wanted.heat, 0, 1, "--heat", "0.9")
    checks.within(wanted.decay, 1, float("inf"), "--decay", "1.2")
    checks.within(wanted.floor, 0, 1, "--floor", "0.1")
    checks.rounds(wanted.max_rounds, wanted.decay)
    checks.temperature(wanted.temperature)
    checks.budget(wanted.budget_tokens, wanted.budget_usd)
    if wanted.stop not in (rules := get_args(StopRule)):
        raise UsageError(f"There is no rule {clean(wanted.stop)!r}: give --stop {' or --stop '.join(rules)}.")
    if wanted.open_question and wanted.agenda:
        raise UsageError("An open question has no agenda, as both answers are its topic: leave out --agenda.")
    return DebateConfig(
        motion=checks.motion(clean(wanted.motion)),
        open_question=wanted.open_question,
        brief=text_of(wanted.brief, LARGEST_BRIEF, "brief").strip() if wanted.brief else "",
        topics=wanted.topics,
        words_per_topic=wanted.words,
        max_rounds=wanted.max_rounds,
        heat=wanted.heat,
        decay=wanted.decay,
        floor=wanted.floor,
        stop=cast("StopRule", wanted.stop),
        simultaneous=wanted.simultaneous,
        coach=wanted.coach,
        agenda=read_agenda(wanted.agenda) if wanted.agenda else (),
        approve_agenda=wanted.approve_agenda,
        compare_qa=wanted.compare_qa,
        language=clean(wanted.language).strip(),
        judges=tuple(judges),
    )


def seats_of(wanted: Wanted, settings: Settings) -> list[Seat]:
    """Everyone's seat. Raises UsageError."""
    default = defaults.debater(settings)
    judges = checks.judges(defaults.judges(settings) if wanted.judge is None else wanted.judge)
    sides = [seat_of(name, text, default) for name, text in (("pro", wanted.pro), ("con", wanted.con))]
    bench = [seat_of(f"judge-{n}", text, defaults.judges(settings)[0]) for n, text in enumerate(judges, 1)]
    models = [spec for spec in (*(seat.spec for seat in (*bench, *sides)), default) if not is_human(spec)]
    crit = wanted.crit.strip() or models[0]
    if is_human(crit):
        raise UsageError("CRIT asks hundreds of small questions, so it needs a model: give --crit provider:model.")
    seats = [*sides, Seat(name="crit", spec=crit), *bench]
    if wanted.approve_agenda:
        seats.append(Seat(name="moderator", spec=HUMAN))
    if wanted.compare_qa:
        seats.append(Seat(name="answerer", spec=next((s.spec for s in sides if not is_human(s.spec)), crit)))
    return seats


def seat_of(name: str, text: str, default: str) -> Seat:
    """The seat of a persona, `engineer` or `engineer@provider:model`, or of a model or person. Raises UsageError."""
    from config.persona_catalogue import parted
    from debate_engine.llm.registry import PROVIDERS

    try:
        persona, spec = parted(text)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if persona is None:
        if spec and ":" not in spec and spec not in PROVIDERS and not is_human(spec):
            raise UsageError(
                f"{spec!r} is no model, persona or person: write PROVIDER:MODEL, a persona's id (`elenchus personas "
                "list`), or human."
            )
        return Seat(name=name, spec=spec or default)
    if is_human(spec):
        raise UsageError(f"{text!r} gives a person a persona: people speak for themselves.")
    return Seat(name=name, spec=spec or default, title=f"{persona.name} ({name})", manner=persona.manner)


@asynccontextmanager
async def checked_models(
    settings: Settings, seats: Sequence[Seat], *, rehearsal: bool = False
) -> AsyncIterator[Registry]:
    """The models, all of them to be had. Nothing is called or stored. A rehearsal only names the keys that are missing.

    Raises UsageError for an unknown provider or missing weights, MissingKey (exit code 2) for a key that is not set.
    """
    from debate_engine.llm.registry import Registry, parse_spec

    registry = Registry(settings, rehearsal=rehearsal)
    try:
        specs = dict.fromkeys(seat.spec for seat in seats if not is_human(seat.spec))
        for spec in specs:
            registry.model(spec)
        if missing := sorted({key for spec in specs if (key := registry.missing_key(parse_spec(spec)))}):
            Out().warn(f"before it can be run, set {', '.join(missing)} in the environment or in a file .env")
        yield registry
    except MissingKey as error:
        error.exit_code = USAGE  # nothing was spent: what was asked for cannot be done as asked
        raise
    except ProviderError as error:
        raise UsageError(str(error)) from error
    finally:
        await registry.aclose()


def prepare(export: Path | None, settings: Settings) -> None:
    """Raises UsageError for an export folder that cannot be written, StorageError for a disk without room.

    An export folder that holds another session's files is warned of.
    """
    from debate_engine.reports.export import check_folder
    from service.cli.exporting import tell_what_is_there

    checks.room(settings.home)
    if export is not None:
        check_folder(export)
        checks.room(export)
        tell_what_is_there(export, "", Out())


def warnings(seats: list[Seat]) -> Iterator[str]:
    """What a reader of the result should know beforehand."""
    from debate_engine.protocols.judging.protocol import debating_judges

    if same := debating_judges(seats):
        judging = "judges" if len(same) == 1 else "judge"
        yield f"{', '.join(same)} {judging} with a model that debates too: models tend to favour their own words"
    if any(seat.spec.startswith("local:smollm2") for seat in seats):
        yield "smollm2-135m is a very small model: it shows how everything works, but it argues and judges badly"
    if any(seat.spec.startswith("scripted:") for seat in seats):
        yield "a script speaks and scores where a model would: it shows how everything works, and nothing else"


def uncounted(registry: Registry, seats: Sequence[Seat], budget_usd: float | None) -> Iterator[str]:
    """Where the budget is in dollars: the models that it cannot hold back, as their price is not known."""
    from debate_engine.llm.client import Usage

    specs = dict.fromkeys(seat.spec for seat in seats if budget_usd is not None and not is_human(seat.spec))
    if unpriced := [spec for spec in specs if registry.model(spec).cost(Usage()) is None]:
        yield f"--budget-usd does not count {', '.join(unpriced)}, whose price is not known: use --budget-tokens too"


def started_of(wanted: Wanted, cfg: DebateConfig, seats: list[Seat]) -> SessionStarted:
    """The debate's first event."""
    return first_event(
        wanted.seed,
        protocol="socrasynth",
        title=cfg.motion,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        temperature=wanted.temperature,
        budget_tokens=wanted.budget_tokens,
        budget_usd=wanted.budget_usd,
    )


def first_event(seed: int | None, **fields: Any) -> SessionStarted:
    """The first event of any session; without a seed one is drawn for our own chance, and models get none."""
    from importlib.metadata import version

    return SessionStarted(
        seed=secrets.randbelow(2**31) if seed is None else seed,
        seed_models=seed is not None,
        version=version("elenchus"),
        **fields,
    )
