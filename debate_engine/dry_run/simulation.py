"""A protocol played through with stand-ins, to know what a session will cost before anything is spent.

The real protocol code runs over a log in memory, in virtual time; nobody is asked. So the plan cannot drift from what
the protocol does. Stand-ins talk as long as they may and agree to nothing early: the plan is an upper bound, apart from
repeated attempts.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.errors import ProtocolBug
from elenchus.debate_engine.events import Said, Seat, SessionStarted, Value
from elenchus.debate_engine.human import is_human
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.memory_log import MemoryLog
from elenchus.debate_engine.participant import Answer, Ask, Participant, Room
from elenchus.debate_engine.persona import prompt_tokens, told
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Protocol
from elenchus.debate_engine.virtual_time import run_virtually

_LONGEST_WORD = 12
"""Characters of a word with its blank, on the safe side of what a text's bound allows."""

_AT_MOST = re.compile(r"at most (\d+) words|(\d+) to (\d+) words")


class PlannedCalls(Value):
    """So many calls to the model of one seat with one prompt; tokens are estimates for all of them together."""

    seat: str
    what: str
    model: str
    count: int
    input_tokens: int
    output_tokens: int


class PlannedTurns(Value):
    """So many questions with one prompt to the person `who` (a spec) on one seat."""

    seat: str
    who: str
    what: str
    count: int


class Plan(Value):
    """What a session will ask for, at the most: calls to models, and `turns` of people.

    `seconds` is the time it takes at the given paces, waiting for people not counted; `chain` the number of calls of
    which each needs the one before; `said` how often somebody says something (`Said`).
    """

    calls: tuple[PlannedCalls, ...]
    seconds: float
    chain: int
    turns: tuple[PlannedTurns, ...] = ()
    said: int = 0

    @property
    def count(self) -> int:
        """All calls."""
        return sum(c.count for c in self.calls)

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output tokens of all calls."""
        return sum(c.input_tokens for c in self.calls), sum(c.output_tokens for c in self.calls)


class Pace(Value):
    """How fast a model answers: seconds before the first word, tokens a second in and out, calls at once.

    `context` bounds what it reads at once (tokens).
    """

    latency: float = 1.0
    reads: float = 5_000.0
    writes: float = 60.0
    at_once: int = 8
    context: int = 100_000


def side_by_side(plans: Sequence[tuple[Plan, int]], pace_of: PaceOf, at_once: int | None = None) -> Plan:
    """All of these, each so many times; at most `at_once` of them at a time, None: all.

    The time is Graham's bound for jobs on places: the longest of them alone and, beside it, whichever takes longer: all
    calls on their providers' `at_once` places, or the other jobs on theirs. What is counted is summed, the chain is the
    longest.
    """
    kinds: dict[tuple[str, str, str], list[tuple[PlannedCalls, int]]] = defaultdict(list)
    for of, times in plans:
        for calls in of.calls:
            kinds[calls.seat, calls.what, calls.model].append((calls, times))
    totals = [_summed(kind) for kind in kinds.values()]
    longest = max(of.seconds for of, _ in plans)
    seconds = longest
    if sum(times for _, times in plans) > 1:
        others = sum(of.seconds * times for of, times in plans) - longest
        seconds += max(sum(_busy(totals, pace_of).values()), others / at_once if at_once else 0.0)
    return Plan(
        calls=tuple(totals),
        seconds=seconds,
        chain=max(of.chain for of, _ in plans),
        said=sum(of.said * times for of, times in plans),
        turns=tuple(
            turns.model_copy(update={"count": turns.count * times}) for of, times in plans for turns in of.turns
        ),
    )


def _busy(totals: Sequence[PlannedCalls], pace_of: PaceOf) -> dict[str, float]:
    """Seconds for which each provider's places are busy with all of these calls."""
    work: dict[str, float] = defaultdict(float)
    for calls in totals:
        pace = pace_of(calls.model)
        busy = calls.count * pace.latency + calls.input_tokens / pace.reads + calls.output_tokens / pace.writes
        work[calls.model.partition(":")[0]] += busy / pace.at_once
    return work


def _summed(kind: Sequence[tuple[PlannedCalls, int]]) -> PlannedCalls:
    """Calls of one seat's model with one prompt, each so many times."""
    first, _ = kind[0]
    counted = ("count", "input_tokens", "output_tokens")
    return first.model_copy(
        update={name: sum(times * getattr(calls, name) for calls, times in kind) for name in counted}
    )


PaceOf = Callable[[str], Pace]
"""The pace of a model by its spec."""

StandIn = Callable[[Ask], Any]
"""What a stand-in answers to an ask: a text, or a JSON value of the asked form."""


def rehearse(
    started: SessionStarted,
    protocol: Protocol,
    stand_in: StandIn,
    pace_of: PaceOf,
    prepared: Collection[str] = (),
) -> Plan:
    """Play the session through. Blocks for some tenths of a second; call it in a thread that runs no event loop.

    `prepared` names the forms that a model drafts for a person whose seat `prepares`: each draft is a call.

    Raises ProtocolBug when the protocol fails with the stand-ins' answers.
    """
    ledger: Counter[tuple[str, str]] = Counter()
    tokens: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    stage = _Stage(stand_in, pace_of, ledger, tokens, prepared)
    said, seconds = run_virtually(_played(started, protocol, stage))
    counting = _Stage(stand_in, lambda _: _ONE_SECOND, Counter(), defaultdict(lambda: [0, 0]), prepared)
    _, chain = run_virtually(_played(started, protocol, counting))
    models = {seat.name: _model_of(seat) for seat in started.seats}
    people = {seat.name: seat.spec for seat in started.seats}
    return Plan(
        calls=tuple(
            PlannedCalls(
                seat=seat,
                what=what,
                model=models[seat],
                count=count,
                input_tokens=tokens[seat, what][0],
                output_tokens=tokens[seat, what][1],
            )
            for (seat, what), count in ledger.items()
        ),
        seconds=seconds,
        chain=round(chain),
        turns=tuple(
            PlannedTurns(seat=seat, who=people[seat], what=what, count=count)
            for (seat, what), count in stage.turns.items()
        ),
        said=said,
    )


def _model_of(seat: Seat) -> str:
    """Which model is called for a seat."""
    return seat.stand_in if is_human(seat.spec) else seat.spec


_ONE_SECOND = Pace(latency=1.0, reads=1e12, writes=1e12, at_once=1_000_000)


async def _played(started: SessionStarted, protocol: Protocol, stage: _Stage) -> int:
    """Play it through; how often somebody said something."""
    log = MemoryLog()
    free = started.model_copy(update={"budget_tokens": None, "budget_usd": None})
    runner = Runner(log, {started.protocol: protocol}, stage.seat)
    run = await runner.run(await runner.start(free, "rehearsal"))
    said = sum(isinstance(r.event, Said) for r in await log.read(run.session_id))
    await log.aclose()
    if run.state != "finished":
        raise ProtocolBug(f"the rehearsal of {started.protocol} broke off: {run.reason}")
    return said


@dataclass
class _Stage:
    """Everyone's stand-ins, and what they were asked."""

    stand_in: StandIn
    pace_of: PaceOf
    ledger: Counter[tuple[str, str]]
    tokens: dict[tuple[str, str], list[int]]
    prepared: Collection[str] = ()
    turns: Counter[tuple[str, str]] = field(default_factory=Counter)
    _desks: dict[str, asyncio.Semaphore] = field(default_factory=dict)

    def seat(self, seat: Seat, _room: Room) -> Participant:
        """A stand-in for whoever sits there."""
        drafted = self.prepared if seat.prepares and seat.stand_in else ()
        person = is_human(seat.spec)
        return _StandInSeat(self, _model_of(seat), estimate_tokens(told(seat.manner)), person, drafted)

    def desk(self, spec: str) -> asyncio.Semaphore:
        """Where a provider's calls queue."""
        provider = spec.partition(":")[0]
        return self._desks.setdefault(provider, asyncio.Semaphore(self.pace_of(spec).at_once))


@dataclass(frozen=True)
class _StandInSeat:
    """Answers as long as it may; takes the time that the model would take. `manner` is tokens, read with every ask.

    A `person` takes no time, but for the forms that the model has `drafted`.
    """

    stage: _Stage
    spec: str
    manner: int
    person: bool = False
    drafted: Collection[str] = ()

    async def answer(self, ask: Ask) -> Answer:
        """The stand-in's answer."""
        value = self.stage.stand_in(ask)
        if self.person:
            self.stage.turns[ask.seat, ask.prompt_id] += 1
        if not self.person or ask.schema_name in self.drafted:
            await self._call(ask, value)
        return Answer(value)

    async def _call(self, ask: Ask, value: Any) -> None:
        """Count a call to the model, and take its time."""
        pace = self.stage.pace_of(self.spec)
        read = min(self.manner + prompt_tokens(ask), max(pace.context - ask.max_tokens, 1))
        written = min(estimate_tokens(str(value)), ask.max_tokens)
        key = (ask.seat, ask.prompt_id)
        self.stage.ledger[key] += 1
        self.stage.tokens[key][0] += read
        self.stage.tokens[key][1] += written
        async with self.stage.desk(self.spec):
            await asyncio.sleep(pace.latency + read / pace.reads + written / pace.writes)

    def most(self, ask: Ask) -> tuple[int, float]:
        """A rehearsal costs nothing."""
        return 0, 0.0


# ── what stand-ins say ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Filler:
    """Values that fill a JSON schema, no two texts alike: lists as long as allowed, numbers in the middle."""

    count: int = 0

    def words(self, number: int) -> str:
        """So many words that were not used before."""
        self.count += 1
        return " ".join([f"point-{self.count}", *["words"] * (number - 1)]) + "."

    def fill(self, schema: Mapping[str, Any], items: int = 2) -> Any:
        """A value of this schema; lists without a bound get `items` entries."""
        match schema:
            case {"const": value}:
                return value
            case {"enum": [first, *_]}:
                return first
            case {"anyOf": [first, *_]}:
                return self.fill(first, items)
            case {"type": "object", "properties": properties}:
                return {name: self.fill(sub, items) for name, sub in properties.items()}
            case {"type": "array"}:
                many = max(schema.get("maxItems", items), schema.get("minItems", 0))
                return [self.fill(schema.get("items", {"type": "string"}), items) for _ in range(many)]
            case {"type": "integer" | "number" as kind}:
                low, high = schema.get("minimum", 1), schema.get("maximum", schema.get("minimum", 1) + 9)
                return (low + high) // 2 if kind == "integer" else (low + high) / 2
            case {"type": "boolean"}:
                return True
            case {"type": "null"}:
                return None
        return self.words(typical_words(schema))


def typical_words(schema: Mapping[str, Any]) -> int:
    """How many words a model writes where the field's description says how many it may."""
    description = str(schema.get("description", ""))
    longest = max(1, int(schema.get("maxLength", 18 * _LONGEST_WORD)) // _LONGEST_WORD)
    if found := _AT_MOST.search(description):
        return max(1, min(longest, int(found[1] or found[3]) * 3 // 4))
    return min(longest, 6 if "few words" in description else 60)


def speech(headings: Sequence[str], words: int, filler: Filler) -> str:
    """A speech of so many words under each heading."""
    return "\n\n".join(f"## {n}. {heading}\n{filler.words(words)}" for n, heading in enumerate(headings, 1))
