"""Debates of roles by the thousand: planned, estimated, kept, and what came of them. A `GridRunner` plays them.

Each type of bias with each topic, as often as wanted, is a session of its own.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Self

from pydantic import AwareDatetime, Field, model_validator

from elenchus.config.bias_type_catalogue import MOST, BiasType
from elenchus.config.models import Price
from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, Debated, Marking, Mode, RldfConfig, role_seats
from elenchus.debate_engine.protocols.rulegen.study.grid import seed_of
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab import batches
from elenchus.service.lab.batches import Estimate, KeptPlan, need_of, rehearsed, run_options_of_one
from elenchus.service.lab.new_sessions import first_event
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.seats import seat_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog
    from elenchus.service.lab.default_models import DefaultModels

KEPT = "rldf-runs"
"""Where runs are kept."""
MOST_DEBATES = 20_000


class RldfOptions(RunOptions):
    """Debates on topics for types of bias. Who sits: `model` on every seat that nobody names (self-reflection);
    `teacher` on all seats, or with `teacher_judges` on the referee's alone; `seats` names single ones.
    """

    roles: int = Field(default=3, ge=2, le=MOST, examples=[3])
    rounds: int = Field(default=5, ge=1, le=10, examples=[5])
    repeats: int = Field(default=1, ge=1, le=50, examples=[2])
    marking: Marking = "one"
    words: int = Field(default=80, ge=20, le=300, examples=[80])
    language: str = Field(default="", max_length=60)
    model: str = ""
    teacher: str = ""
    teacher_judges: bool = False
    seats: Mapping[str, str] = Field(default_factory=dict)
    at_once: int | None = Field(default=None, ge=1, le=1_000, examples=[16])

    @model_validator(mode="after")
    def _seats_that_there_are(self) -> Self:
        there = (*role_seats(self.roles), REFEREE)
        if odd := [name for name in self.seats if name not in there]:
            raise ValueError(f"There is no seat {odd[0]!r}: the seats are {', '.join(there)}.")
        if self.teacher_judges and not self.teacher:
            raise ValueError("{teacher_judges} wants a teacher: name it with {teacher}.")
        return self

    @property
    def mode(self) -> Mode:
        """What the data card calls who sits where."""
        if self.seats:
            return "mixed"
        if self.teacher:
            return "teacher-judges" if self.teacher_judges else "teacher"
        return "self"


class RldfCell(FrozenModel):
    """One debate, a session of its own: number `number` (from 1) of the run."""

    session: str
    number: int
    bias: str
    topic: str
    sample: int
    model: str
    seed: int


class RldfRun(FrozenModel):
    """Debates as they are kept, so that they can be gone on with. A budget is for all of them together."""

    id: str
    biases: Mapping[str, BiasType]
    topics: Mapping[str, tuple[str, ...]]
    repeats: int
    roles: int
    rounds: int
    marking: Marking
    mode: Mode
    words: int
    language: str
    seats: tuple[Seat, ...]
    small: tuple[str, ...] = ()
    temperature: float | None = None
    seed: int | None = None
    chance: int
    budget_tokens: int | None = None
    budget_usd: float | None = None
    price: Price | None = None
    unpriced_ok: bool = False
    version: str
    created: AwareDatetime

    @cached_property
    def runs(self) -> tuple[RldfCell, ...]:
        """All debates: type after type, topic after topic, with all its repetitions."""
        wanted = [
            (bias, topic, sample)
            for bias in self.biases
            for topic in self.topics[bias]
            for sample in range(1, self.repeats + 1)
        ]
        return tuple(
            RldfCell(
                session=f"{self.id}-{number:05}", number=number, bias=bias, topic=topic, sample=sample,
                model=next((seat.spec for seat in self.seats if not is_human(seat.spec)), self.seats[0].spec),
                seed=seed_of(self.chance, number),
            )
            for number, (bias, topic, sample) in enumerate(wanted, 1)
        )  # fmt: skip

    def config(self, cell: RldfCell) -> RldfConfig:
        """The settings of a debate."""
        same = {
            name: getattr(self, name) for name in ("roles", "rounds", "marking", "mode", "words", "language", "small")
        }
        return RldfConfig(bias=self.biases[cell.bias], topic=cell.topic, sample=cell.sample, **same)

    @property
    def referee(self) -> str:
        """Who judges."""
        return next(seat.spec for seat in self.seats if seat.name == REFEREE)

    @property
    def people(self) -> frozenset[str]:
        """The seats on which people sit."""
        return frozenset(seat.name for seat in self.seats if is_human(seat.spec))


KeptRun = KeptPlan[RldfRun]


def seats_of(options: RldfOptions, unnamed: DefaultModels) -> list[Seat]:
    """Who sits where. Raises UsageError."""
    names = (*role_seats(options.roles), REFEREE)
    everybody = options.teacher if options.teacher and not options.teacher_judges else options.model

    def default(name: str) -> str:
        if name == REFEREE and options.teacher:
            return options.teacher
        return everybody.strip() or unnamed.debater(name)

    return [seat_of(name, options.seats.get(name, ""), default) for name in names]


def run_of(
    options: RldfOptions,
    biases: Sequence[BiasType],
    topics: Mapping[str, tuple[str, ...]],
    seats: Sequence[Seat],
    registry: Registry,
) -> RldfRun:
    """The plan. `topics` by the name of the type. Raises UsageError where it cannot be played."""
    named = {bias.name: bias for bias in biases}
    if few := [bias for bias in biases if len(bias.identities) < options.roles]:
        raise UsageError(f"{few[0].name} has {len(few[0].identities)} identities: take fewer roles, or add identities.")
    debates = sum(len(topics[name]) for name in named) * options.repeats
    if debates > MOST_DEBATES:
        raise UsageError(f"That are {debates:,} debates, of which {MOST_DEBATES:,} are allowed: take fewer topics.")
    same = {
        name: getattr(options, name) for name in ("roles", "rounds", "repeats", "marking", "mode", "words", "language")
    }
    run = RldfRun(
        id=new_id(), biases=named, topics={name: topics[name] for name in named}, seats=tuple(seats),
        small=tuple(registry.small_seats(seats)), version=version("elenchus"), created=events.now(),
        chance=secrets.randbelow(2**31) if options.seed is None else options.seed, **same,
        **{name: getattr(options, name) for name in RunOptions.model_fields},
    )  # fmt: skip
    if run.people and debates > 1:
        raise UsageError(f"A person sits in one debate at a time, and that are {debates}: name one --bias and --topic.")
    return run


def started_of(run: RldfRun, cell: RldfCell) -> SessionStarted:
    """The first event of a debate, without a budget."""
    return first_event("rldf", title_of(cell), run.config(cell), run.seats, run_options_of_one(run), cell.seed)


def title_of(cell: RldfCell) -> str:
    """What a debate is called in lists."""
    return f"{cell.topic} ({cell.bias}{f', once more: {cell.sample}' if cell.sample > 1 else ''})"


# ── the estimate ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def planned(run: RldfRun, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """What the run asks at the most: of each type of bias the debate with the longest topic is played dry."""
    firsts: dict[str, RldfCell] = {}
    for cell in run.runs:
        known = firsts.setdefault(cell.bias, cell)
        if len(cell.topic) > len(known.topic):
            firsts[cell.bias] = cell
    times = {name: len(run.topics[name]) * run.repeats for name in firsts}
    first = {name: (started_of(run, cell), times[name]) for name, cell in firsts.items()}
    width = width_of(run, settings, registry, at_once)
    whole, each = await rehearsed(first, settings, registry, run.price, width)
    rows = [
        {
            "bias": name, "debates": times[name], "calls": one["calls"],
            "tokens": one["input_tokens"] + one["output_tokens"], "usd": one["usd"],
        }
        for name, one in each.items()
    ]  # fmt: skip
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain", "of_people")},
        "mode": run.mode, "seats": {seat.name: seat.spec for seat in run.seats},
        "sessions": len(run.runs), "side_by_side": width, "by_bias": rows,
    }  # fmt: skip
    return Estimate(document, need_of(each.values()), width)


def width_of(run: RldfRun, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many debates go side by side (see `batches.width_of`)."""
    return batches.width_of([seat.spec for seat in run.seats], len(run.runs), settings, registry, at_once)


# ── kept, and what came of it ────────────────────────────────────────────────────────────────────────────────────────


async def keep(store: KeyValueStore, kept: KeptRun) -> None:
    """Put it where whoever goes on with it finds it. Raises StorageError."""
    await batches.keep(store, KEPT, kept.run.id, kept)


async def kept_runs(store: KeyValueStore) -> dict[str, KeptRun]:
    """All runs by id. Raises StorageError."""
    return await batches.kept_plans(store, KEPT, RldfRun)


def outcomes_of(log: EventLog, cells: Sequence[RldfCell]) -> AsyncIterator[tuple[RldfCell, Debated]]:
    """What came of the debates that have finished."""
    return batches.outcomes_of(log, cells, Debated)
