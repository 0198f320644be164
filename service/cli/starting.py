"""From the options of `elenchus debate` to a session: everything is checked before anything is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from elenchus.debate_engine.errors import MissingKey, ProviderError, UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.human import HUMAN, is_human
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    FEWEST_WORDS,
    MAX_TOPICS,
    MOST_WORDS,
    DebateConfig,
    StopRule,
)
from elenchus.debate_engine.reports.seats import EMBEDDED, OF_EMBEDDED, kind_of
from elenchus.service.cli import checks, context
from elenchus.service.cli.agenda_file import read_agenda
from elenchus.service.cli.failures import USAGE
from elenchus.service.cli.output import Out, clean
from elenchus.service.cli.text_file import text_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import BudgetRaised, Recorded
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App
    from elenchus.service.cli.launching import Limits
    from elenchus.service.lab.default_models import Unnamed

REMEDIES = "give it with --price IN,OUT or as `usd:` in models.yaml, or say --unpriced-ok"
REMEDIES_LATER = "give it as `usd:` in models.yaml, or say --unpriced-ok"
LARGEST_BRIEF = 60_000
"""Bytes of a brief."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of one `elenchus debate`, as they were typed."""

    motion: str
    open_question: bool
    brief: Path | None
    model: str
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
    price: str
    unpriced_ok: bool
    seed: int | None
    dry_run: bool
    export: Path | None
    json: bool


async def start_debate(wanted: Wanted) -> int:
    """Check, then plan or debate; the exit code."""
    from elenchus.debate_engine.protocols.socrasynth.plan import plan
    from elenchus.service.cli.launching import Launch, Options, launched, limits_of
    from elenchus.service.lab.default_models import seated

    settings = context.settings()
    limits = limits_of(wanted.budget_tokens, wanted.budget_usd, wanted.price, unpriced_ok=wanted.unpriced_ok)
    options = Options(Out(wanted.json), limits, wanted.seed, wanted.dry_run, wanted.export, wanted.temperature)
    options.check()
    seats, unnamed = await seated(settings, wanted.model, lambda unnamed: seats_of(wanted, unnamed))
    cfg = config_of(wanted, [seat.name for seat in seats if seat.name.startswith("judge-")])

    def made(registry: Registry) -> DebateConfig:
        return cfg.model_copy(update={"small": registry.small_seats(seats)})

    return await launched(Launch("socrasynth", cfg.motion, seats, unnamed, made, plan, drawn=True), settings, options)


def config_of(wanted: Wanted, judges: list[str]) -> DebateConfig:
    """The debate's settings. Raises UsageError."""
    checks.within(wanted.topics, 1, MAX_TOPICS, "--topics", "5")
    checks.within(wanted.words, FEWEST_WORDS, MOST_WORDS, "--words", "80")
    checks.within(wanted.heat, 0, 1, "--heat", "0.9")
    checks.within(wanted.floor, 0, 1, "--floor", "0.1")
    checks.rounds(wanted.max_rounds, wanted.decay)
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


def seats_of(wanted: Wanted, unnamed: Unnamed) -> list[Seat]:
    """Everyone's seat. Raises UsageError."""
    judges = checks.judges(unnamed.judges() if wanted.judge is None else wanted.judge)
    sides = [seat_of(name, text, unnamed.debater) for name, text in (("pro", wanted.pro), ("con", wanted.con))]
    bench = [seat_of(f"judge-{n}", text, unnamed.judge) for n, text in enumerate(judges, 1)]
    crit = wanted.crit.strip() or unnamed.by_option("crit") or unnamed.as_one_of("crit", [*bench, *sides])
    seats = [*sides, Seat(name="crit", spec=crit), *bench]
    if wanted.approve_agenda:
        seats.append(Seat(name="moderator", spec=HUMAN))
    if wanted.compare_qa:
        seats.append(Seat(name="answerer", spec=unnamed.as_one_of("answerer", [*sides, seats[2]])))
    return seats


def seat_of(name: str, text: str, default: Callable[[str], str]) -> Seat:
    """The seat of a persona, `engineer` or `engineer@provider:model`, or of a model or person. Raises UsageError.

    `default` gives the model for the seat of this name where none is named.
    """
    from elenchus.config.models import PROVIDERS
    from elenchus.config.persona_catalogue import parted

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
        return Seat(name=name, spec=spec or default(name))
    if is_human(spec):
        raise UsageError(f"{text!r} gives a person a persona: people speak for themselves.")
    return Seat(name=name, spec=spec or default(name), title=f"{persona.name} ({name})", manner=persona.manner)


def context_of(registry: Registry, seats: Sequence[Seat]) -> dict[str, int]:
    """`context_tokens`: what the model that reads least can read; nothing where only people sit."""
    tokens = [registry.model(seat.spec).context_tokens for seat in seats if not is_human(seat.spec)]
    return {"context_tokens": min(tokens)} if tokens else {}


@asynccontextmanager
async def checked_models(
    settings: Settings, seats: Sequence[Seat], *, rehearsal: bool = False
) -> AsyncIterator[Registry]:
    """The models, all of them to be had. Nothing is called or stored. A rehearsal only names the keys that are missing.

    Raises UsageError for an unknown provider or missing weights, MissingKey (exit code 2) for a key that is not set.
    """
    from elenchus.debate_engine.llm.registry import Registry

    registry = Registry(settings, rehearsal=rehearsal)
    try:
        specs = dict.fromkeys(seat.spec for seat in seats if not is_human(seat.spec))
        for spec in specs:
            registry.model(spec)
        if missing := sorted({key for spec in specs if (key := registry.missing_key(registry.spec_of(spec)))}):
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
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.cli.exporting import tell_what_is_there

    checks.room(settings.home)
    if export is not None:
        check_folder(export)
        checks.room(export)
        tell_what_is_there(export, "", Out())


def warnings(seats: Sequence[Seat]) -> Iterator[str]:
    """What a reader of the result should know beforehand."""
    from elenchus.debate_engine.protocols.judging.protocol import debating_judges

    if same := debating_judges(seats):
        judging = "judges" if len(same) == 1 else "judge"
        yield f"{', '.join(same)} {judging} with a model that debates too: models tend to favour their own words"
    small = [seat for seat in seats if seat.spec.startswith(EMBEDDED)]
    if small and (real := sorted({seat.spec for seat in seats if kind_of(seat.spec) in ("model", "local")})):
        names = ", ".join(dict.fromkeys(seat.name for seat in small))
        yield (
            f"{small[0].spec}, a toy, sits on {names} beside {', '.join(real)}: name other models there, or one for "
            "all seats that are not named, with --model or ELENCHUS_MODEL"
        )
    if small:
        yield OF_EMBEDDED
    if any(seat.spec.startswith("scripted:") for seat in seats):
        yield "a script speaks and scores where a model would: it shows how everything works, and nothing else"


def refuse_unpriced(
    registry: Registry,
    seats: Sequence[Seat],
    limits: Limits,
    out: Out,
    *,
    rehearsal: bool = False,
    remedies: str = REMEDIES,
) -> None:
    """Raises UsageError where a budget of dollars cannot hold back a model, as nobody knows its price.

    A rehearsal, and somebody who has agreed to it, is told instead.
    """
    from elenchus.debate_engine.estimate import unpriced

    if limits.usd is None or not (specs := unpriced(registry, seats)):
        return
    whose = f"{', '.join(specs)}, whose price is not known"
    if limits.unpriced_ok:
        out.warn(f"the budget of dollars does not count the calls of {whose}")
    elif rehearsal:
        out.warn(f"the budget of dollars cannot hold back {whose}; before it can be run, {remedies}")
    else:
        raise UsageError(f"A budget of dollars cannot hold back {whose}: {remedies}.")


def refuse_unpriced_in(app: App, recorded: list[Recorded], out: Out, further: BudgetRaised | None = None) -> None:
    """The same for a session that is there: when a `further` limit is set, and before it goes on."""
    from elenchus.debate_engine.events import BudgetRaised
    from elenchus.debate_engine.runner import started_of as first_of
    from elenchus.service.cli.launching import Limits

    started = first_of(recorded)
    raised = [r.event for r in recorded if isinstance(r.event, BudgetRaised)] + ([further] if further else [])
    usd = next((one.usd for one in reversed(raised) if one.usd is not None), started.budget_usd)
    agreed = started.unpriced_ok or any(one.unpriced_ok for one in raised)
    refuse_unpriced(app.registry, started.seats, Limits(usd=usd, unpriced_ok=agreed), out, remedies=REMEDIES_LATER)


def tell_before(out: Out, seats: Sequence[Seat], unnamed: Unnamed) -> None:
    """Tell which models take the seats that nobody named, and what a reader of the result should know."""
    for line in unnamed.told():
        out.tell(line)
    for warning in warnings(seats):
        out.warn(warning)


def first_event(seed: int, **fields: Any) -> SessionStarted:
    """The first event of any session."""
    from importlib.metadata import version

    return SessionStarted(seed=seed, version=version("elenchus"), **fields)
