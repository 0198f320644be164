"""The dry run: a protocol played through with stub models, to know what a session will cost before anything is spent.

The real protocol code runs over a log in memory, in virtual time; nobody is asked. So the plan cannot drift from what
the protocol does. Stubs talk as long as they may and agree to nothing early: the plan is an upper bound, apart from
repeated attempts.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan, PlannedCalls, PlannedTurns
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.dry_run.virtual_time import run_virtually
from elenchus.debate_engine.errors import ProtocolBug
from elenchus.debate_engine.events import FrozenModel, Said, Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import manner_text, prompt_tokens
from elenchus.debate_engine.participant import Answer, Ask, Participant
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Protocol


def simulate(
    started: SessionStarted,
    protocol: Protocol,
    stub: Stub,
    pace_of: PaceOf,
    prepared: Collection[str] = (),
) -> Plan:
    """Play the session through. Blocks for some tenths of a second; call it in a thread that runs no event loop.

    `prepared` names the forms that a model drafts for a person whose seat `prepares`: each draft is a call.

    Raises ProtocolBug when the protocol fails with the stubs' answers.
    """
    simulation = _Simulation(stub, pace_of, prepared)
    said, seconds = run_virtually(_played(started, protocol, simulation))
    _, chain = run_virtually(_played(started, protocol, _Simulation(stub, lambda _: _ONE_SECOND, prepared)))
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


def plan_of(
    protocol: str,
    run: Protocol,
    stub: Stub,
    config: FrozenModel | Mapping[str, Any],
    seats: Sequence[Seat],
    pace_of: PaceOf = lambda _: Pace(),
    *,
    seed: int = 0,
    prepared: Collection[str] = (),
) -> Plan:
    """The plan of a session of this protocol with these settings (see `simulate`). `seed` is the session's."""
    dumped = config.model_dump(mode="json") if isinstance(config, FrozenModel) else dict(config)
    started = SessionStarted(
        protocol=protocol, title="dry run", config=dumped, seats=tuple(seats), seed=seed, version=""
    )
    return simulate(started, run, stub, pace_of, prepared)


def _model_of(seat: Seat) -> str:
    """Which model is called for a seat."""
    return seat.stand_in if is_human(seat.spec) else seat.spec


_ONE_SECOND = Pace(latency=1.0, reads=1e12, writes=1e12, at_once=1_000_000)


async def _played(started: SessionStarted, protocol: Protocol, simulation: _Simulation) -> int:
    """Play it through; how often somebody said something."""
    log = MemoryLog()
    free = started.model_copy(update={"budget_tokens": None, "budget_usd": None})
    runner = Runner(log, {started.protocol: protocol}, simulation.seat)
    run = await runner.run(await runner.start(free, "dry-run"))
    said = sum(isinstance(r.event, Said) for r in await log.read(run.session_id))
    await log.aclose()
    if run.state != "finished":
        raise ProtocolBug(f"the dry run of {started.protocol} broke off: {run.reason}")
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
        return _StubSeat(self, _model_of(seat), estimate_tokens(manner_text(seat.manner)), person, drafted)

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
