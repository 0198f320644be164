"""What a session has used, by model and by prompt: a projection, one event at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from elenchus.debate_engine.events import CallFailed, CallRecord, Recorded, StepDone, TurnOpened
from elenchus.debate_engine.llm.budget import Budget
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.log import calls_of
from elenchus.debate_engine.reports import words


@dataclass(slots=True)
class CallUsage:
    """Calls that were answered, their tokens, seconds and money. `priced` counts the calls whose price is known."""

    calls: int = 0
    tokens: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    known_usd: float = 0.0
    priced: int = 0
    unpriced_tokens: int = 0

    @property
    def usd(self) -> float | None:
        """US dollars of the calls with a known price; None where no call has one."""
        return self.known_usd if self.priced else None

    @property
    def unpriced(self) -> int:
        """Calls whose price is not known: they add nothing to `usd`."""
        return self.calls - self.priced

    def share_of(self, usd: float, unpriced_usd: float | None) -> str:
        """How much of a budget of dollars is used, as "3%" or "at least 3%", "" where nothing is known of it.

        Calls without a known price count by their ceiling `unpriced_usd` (dollars a million tokens), if there is one.
        """
        counted = self.known_usd + Budget(unpriced_usd=unpriced_usd).dollars(self.unpriced_tokens, None)
        if self.unpriced and unpriced_usd is None:
            return f"at least {counted / usd:.0%}" if counted else ""
        return f"{counted / usd:.0%}"

    def add(self, call: CallRecord) -> None:
        """Count one call."""
        self.calls += 1
        self.tokens += Usage(call.input_tokens, call.output_tokens, call.cached_tokens)
        self.seconds += call.seconds
        if call.cost_usd is not None:
            self.known_usd += call.cost_usd
            self.priced += 1
        else:
            self.unpriced_tokens += call.input_tokens + call.output_tokens

    def __str__(self) -> str:
        """In words: `81 calls, 15,709 tokens in, 3,958 out, $0.00`."""
        read, written = f"{self.tokens.input_tokens:,} tokens in", f"{self.tokens.output_tokens:,} out"
        told = f"{words.count(self.calls, 'call')}, {read}, {written}, {words.dollars(self.usd if self.calls else 0.0)}"
        some = f" ({words.count(self.unpriced, 'call')} without a known price: not in the sum)"
        return told + (some if self.priced and self.unpriced else "")


def used_in(logs: Iterable[Iterable[Recorded]]) -> CallUsage:
    """What sessions have used together."""
    use = CallUsage()
    for recorded in logs:
        for call in calls_of(recorded):
            use.add(call)
    return use


@dataclass(slots=True)
class ModelUse(CallUsage):
    """The use of one model as it was asked for, with the names that its vendor reported and the seats it sat on."""

    reported: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    temperatures: Counter[float | None] = field(default_factory=Counter)
    seeded: int = 0


@dataclass(slots=True)
class PromptUse:
    """How often a prompt file, of this hash, was sent, and at which temperatures."""

    calls: int = 0
    temperatures: Counter[float | None] = field(default_factory=Counter)


@dataclass(slots=True)
class Spending:
    """All calls that a provider answered, useful or not. `outcomes` counts ok, cut and unreadable replies."""

    total: CallUsage = field(default_factory=CallUsage)
    models: dict[str, ModelUse] = field(default_factory=dict)
    prompts: dict[tuple[str, str], PromptUse] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)

    def apply(self, r: Recorded) -> None:
        """Take in one event."""
        match r.event:
            case StepDone(inputs=inputs, calls=calls):
                seat = str(inputs.get("seat", "")) if isinstance(inputs, dict) else ""
                for call in calls:
                    self._count(call, seat)
            case TurnOpened(seat=seat, calls=calls):
                for call in calls:
                    self._count(call, seat)
            case CallFailed(call=CallRecord() as call):
                self._count(call, "")

    def _count(self, call: CallRecord, seat: str) -> None:
        self.total.add(call)
        self.outcomes[call.outcome.partition(":")[0]] += 1
        model = self.models.setdefault(call.model, ModelUse())
        model.add(call)
        model.temperatures[call.temperature] += 1
        model.seeded += call.seed is not None
        if call.reported_model:
            model.reported[call.reported_model] += 1
        if seat:
            model.seats[seat] += 1
        if call.prompt_id:
            prompt = self.prompts.setdefault((call.prompt_id, call.prompt_hash), PromptUse())
            prompt.calls += 1
            prompt.temperatures[call.temperature] += 1
