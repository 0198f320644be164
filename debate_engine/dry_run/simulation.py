"""The dry run: a protocol played through with stub models, to know what a session will cost before anything is spent.

The real protocol code runs over a log in memory, in virtual time; nobody is asked. So the plan cannot drift from what
the protocol does. Stubs talk as long as they may and agree to nothing early: the plan is an upper bound, apart from
repeated attempts.
"""

from __future__ import annotations

import asyncio
import selectors
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan, PlannedCalls, PlannedTurns, side_by_side
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.errors import ProtocolBug
from elenchus.debate_engine.events import Command, Said, Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import manner_text, prompt_tokens
from elenchus.debate_engine.participant import Answer, Ask, Participant
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Protocol

MIND_TOKENS = 1_500
"""Tokens that who it is and what it remembers take of each prompt, at the most: 22 attributes and a few statements."""


def simulate(
    started: SessionStarted,
    protocol: Protocol,
    stub: Stub,
    pace_of: PaceOf,
    prepared: Collection[str] = (),
    given: Sequence[Command] = (),
) -> Plan:
    """Play the session through. Blocks for some tenths of a second; call it in a thread that runs no event loop.

    `prepared` names the forms that a model drafts for a person whose seat `prepares`: each draft is a call. `given` are
    commands that it finds, where it is a session that rests until it has some.

    Raises ProtocolBug when the protocol fails with the stubs' answers.
    """
    simulation = _Simulation(stub, pace_of, prepared)
    said, seconds = run_virtually(_played(started, protocol, simulation, given))
    _, chain = run_virtually(_played(started, protocol, _Simulation(stub, lambda _: _ONE_SECOND, prepared), given))
    seats = {seat.name: seat for seat in started.seats}
    return Plan(
        calls=tuple(
            PlannedCalls(
                seat=seat,
                what=what,
                model=_model_of(seats[seat]),
                count=count,
                input_tokens=read,
                output_tokens=written,
            )
            for (seat, what), (count, read, written) in simulation.calls.items()
        ),
        seconds=seconds,
        chain=round(chain),
        turns=tuple(
            PlannedTurns(seat=seat, who=seats[seat].spec, what=what, count=count)
            for (seat, what), count in simulation.turns.items()
        ),
        said=said,
    )


def plan_of(started: SessionStarted, pace_of: PaceOf = lambda _: Pace(), given: Sequence[Command] = ()) -> Plan:
    """What a session with this first event asks for, by the dry run of its protocol. Blocks as `simulate` does.

    Raises UnknownProtocol, ProtocolBug.
    """
    dry, config = spec_of(started.protocol).dry, _settings(started)
    if not dry.drawn:
        started = started.model_copy(update={"seed": 0})
    parts = [
        (started.model_copy(update={"config": part.model_dump(mode="json")}), times)
        for part, times in dry.parts(config)
    ]
    if not parts:
        return _plan_of_one(started, pace_of, given)
    return side_by_side([(_plan_of_one(part, pace_of), times) for part, times in parts], pace_of)


def _plan_of_one(started: SessionStarted, pace_of: PaceOf, given: Sequence[Command] = ()) -> Plan:
    spec = spec_of(started.protocol)
    run = partial(spec.runs, **{need: spec.dry.given[need] for need in spec.needs})
    return simulate(started, run, spec.dry.stub(_settings(started)), pace_of, spec.dry.prepared, given)


def _settings(started: SessionStarted) -> Any:
    """The protocol's settings, as a model where it has one for them."""
    return spec_of(started.protocol).config_of(started.config) or started.config


def _model_of(seat: Seat) -> str:
    """Which model is called for a seat."""
    return seat.stand_in if is_human(seat.spec) else seat.spec


_ONE_SECOND = Pace(latency=1.0, reads=1e12, writes=1e12, at_once=1_000_000)


async def _played(
    started: SessionStarted, protocol: Protocol, simulation: _Simulation, given: Sequence[Command]
) -> int:
    """Play it through, or until it rests; how often somebody said something."""
    log = MemoryLog()
    free = started.model_copy(update={"budget_tokens": None, "budget_usd": None})
    runner = Runner(log, {started.protocol: protocol}, simulation.seat)
    session = await runner.create(free, "dry-run")
    for command in given:
        await log.send(session, command)
    run = await runner.run(session)
    said = sum(isinstance(r.event, Said) for r in await log.read(run.session_id))
    await log.aclose()
    if run.exit_code:
        raise ProtocolBug(f"The dry run of {started.protocol} broke off: {run.reason}")
    return said


@dataclass
class _Simulation:
    """A stub on every seat. By seat and prompt `calls` counts calls, tokens in and out, `turns` the turns of people."""

    stub: Stub
    pace_of: PaceOf
    prepared: Collection[str] = ()
    calls: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    turns: Counter[tuple[str, str]] = field(default_factory=Counter)
    _queues: dict[str, asyncio.Semaphore] = field(default_factory=dict)

    def seat(self, seat: Seat, _context: RunContext) -> Participant:
        """A stub for whoever sits there."""
        drafted = self.prepared if seat.prepares and seat.stand_in else ()
        person = is_human(seat.spec)
        told = estimate_tokens(manner_text(seat.manner)) + (MIND_TOKENS if seat.mind else 0)
        return _StubSeat(self, _model_of(seat), told, person, drafted)

    def queue(self, spec: str) -> asyncio.Semaphore:
        """Where a provider's calls queue."""
        provider = spec.partition(":")[0]
        return self._queues.setdefault(provider, asyncio.Semaphore(self.pace_of(spec).at_once))


@dataclass(frozen=True)
class _StubSeat:
    """Answers as long as it may; takes the time that the model would take. `manner` is tokens, read with every ask.

    A `person` takes no time, but for the forms that the model has `drafted`.
    """

    simulation: _Simulation
    spec: str
    manner: int
    person: bool = False
    drafted: Collection[str] = ()

    async def answer(self, ask: Ask) -> Answer:
        """The stub's answer."""
        value = self.simulation.stub(ask)
        if self.person:
            self.simulation.turns[ask.seat, ask.prompt_id] += 1
        if not self.person or ask.schema_name in self.drafted:
            await self._call(ask, value)
        return Answer(value)

    async def _call(self, ask: Ask, value: Any) -> None:
        """Count a call to the model, and take its time."""
        pace = self.simulation.pace_of(self.spec)
        read = min(self.manner + prompt_tokens(ask), max(pace.context - ask.max_tokens, 1))
        written = min(estimate_tokens(str(value)), ask.max_tokens)
        counted = self.simulation.calls[ask.seat, ask.prompt_id]
        counted[:] = [counted[0] + 1, counted[1] + read, counted[2] + written]
        async with self.simulation.queue(self.spec):
            await asyncio.sleep(pace.latency + read / pace.reads + written / pace.writes)

    def most(self, ask: Ask) -> tuple[int, float]:
        """A dry run costs nothing."""
        return 0, 0.0


# ── virtual time ─────────────────────────────────────────────────────────────────────────────────────────────────────

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _Jumping(selectors.DefaultSelector):
    """Never waits for a time-out: it moves the clock on instead, unless `threads` are at work: for those it waits."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or (timeout > 0 and self.threads):
            return super().select()
        ready = super().select(0)
        if not ready:
            self.now += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer: hours of waiting take milliseconds. In seconds from 0.

    For what does nothing but compute and sleep. What is done in other threads takes no virtual time: the clock waits.
    """

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._jumping.now

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """As of any loop; the clock stands still until it is done."""
        done = super().run_in_executor(executor, func, *args)
        self._jumping.threads += 1
        done.add_done_callback(self._returned)
        return done

    def _returned(self, _: object) -> None:
        self._jumping.threads -= 1


def run_virtually(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """The result of `work`, and the virtual seconds it took. Call it in a thread that runs no event loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        result = runner.run(work)
        return result, runner.get_loop().time()
