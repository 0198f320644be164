"""What went wrong in a session, and where: a projection, one event at a time. Nothing here counts as a score."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.events import (
    AnswerRejected,
    CallFailed,
    EventLost,
    PromptTrimmed,
    Recorded,
    Redacted,
    SessionFailed,
    SessionPaused,
    SessionStarted,
    StepDone,
)
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.protocols.spec import ProtocolSpec


def is_refusal(spec: ProtocolSpec, step: str, reason: str) -> bool:
    """Whether no answer to this step means that a subject did not agree, or took their words back."""
    return spec.has_subjects and (spec.is_decision(step) or reason == REDACTED)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A seat gave no usable answer to a step."""

    at: datetime
    step: str
    seat: str
    reason: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A reply that was not quite of the asked form was read, and this was changed for it."""

    step: str
    model: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt to call a model failed; `retry_in` None: it was the last one."""

    at: datetime
    step: str
    model: str
    attempt: int
    error: str
    message: str
    retry_in: float | None


@dataclass(frozen=True, slots=True)
class Pause:
    """The session waited."""

    at: datetime
    why: str
    reason: str


@dataclass(slots=True)
class Failures:
    """Everything that a reader must know before trusting the rest. `unreadable` names steps whose record has an
    unexpected form (an older or a newer version's). Of a protocol with subjects nothing tells who declined or
    stopped.
    """

    failures: list[Failure] = field(default_factory=list)
    no_answers: list[NoAnswer] = field(default_factory=list)
    adjusted: list[Adjusted] = field(default_factory=list)
    trimmed: list[PromptTrimmed] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    rejected: list[AnswerRejected] = field(default_factory=list)
    redactions: list[Redacted] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    lost_events: int = 0
    failed: SessionFailed | None = None
    spec: ProtocolSpec | None = None

    @property
    def any(self) -> bool:
        """Whether anything went wrong; a pause that the moderator wanted, or a text cut at its end, is not wrong."""
        return bool(
            self.failures or self.no_answers or self.trimmed or self.rejected or self.unreadable
            or self.lost_events or self.failed or any(p.why in ("budget", "provider") for p in self.pauses)
        )  # fmt: skip

    def apply(self, r: Recorded) -> None:
        """Take in one event."""
        match r.event:
            case EventLost() | SessionStarted(protocol=""):
                self.lost_events += 1
            case CallFailed() as e:
                message = f"{e.message} {e.trace}" if e.trace else e.message
                self.failures.append(Failure(r.at, e.step, e.model, e.attempt, e.error, message, e.retry_in))
            case SessionStarted(protocol=protocol):
                self.spec = spec_or_default(protocol)
            case StepDone() as done:
                self._step(r.at, done)
            case PromptTrimmed() as trimmed:
                self.trimmed.append(trimmed)
            case SessionPaused(why=why, reason=reason) if why != "rest":
                self.pauses.append(Pause(r.at, why, reason))
            case AnswerRejected() as rejected:
                self.rejected.append(rejected)
            case Redacted() as redacted:
                self.redactions.append(redacted)
            case SessionFailed() as failed:
                self.failed = failed

    def _step(self, at: datetime, done: StepDone) -> None:
        self.adjusted += [Adjusted(done.step, c.model, c.adjusted) for c in done.calls if c.adjusted]
        match done.inputs, done.result:
            case {"seat": str(seat), "prompt_id": _}, {"declined": reason}:
                if not (self.spec and is_refusal(self.spec, done.step, str(reason))):
                    self.no_answers.append(NoAnswer(at, done.step, seat, str(reason)))
