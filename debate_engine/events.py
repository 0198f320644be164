"""What can happen in a session: frozen event types and their one discriminated union, `Event`.

A session *is* its list of events. Everything that is shown anywhere is computed from them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

EVERYONE = "*"
"""The receiver of a broadcast."""


class Value(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Seat(Value):
    """A chair in the session: its `name` is its role ("pro", "judge-1"), `spec` says who sits on it.

    A person's turn ends `deadline` seconds after it was opened (None: never); then the model `stand_in` answers, or
    nobody.
    """

    name: str
    spec: str
    title: str = ""
    deadline: float | None = None
    stand_in: str = ""


class CallRecord(Value):
    """One call to a model as it was made. `cost_usd` is None where the model has no known price.

    `sent` holds the messages only when they differ from the step's recorded input (trimmed or repaired).
    """

    model: str
    reported_model: str = ""
    prompt_id: str = ""
    prompt_hash: str = ""
    sent: tuple[tuple[str, str], ...] | None = None
    reply: str = ""
    finish: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    temperature: float | None = None
    seed: int | None = None
    attempts: int = 1
    outcome: str = "ok"


# ── the course of the session, written by its owner ──────────────────────────────────────────────────────────────


class SessionStarted(Value):
    """The first event: what is to be run, by whom, with which settings. `config` is the protocol's own settings.

    `seed` governs our own chance; `seed_models` passes it on to models that take one.
    """

    kind: Literal["session_started"] = "session_started"
    protocol: str
    title: str
    config: dict[str, Any]
    seats: tuple[Seat, ...]
    seed: int
    seed_models: bool = False
    temperature: float | None = None
    budget_tokens: int | None = None
    budget_usd: float | None = None
    version: str


class OwnerStarted(Value):
    """A process has begun to run the session. Every append of an owner is conditional on its `epoch`."""

    kind: Literal["owner_started"] = "owner_started"
    epoch: int
    pid: int
    host: str


class StepDone(Value):
    """A named effect and its result. A rerun of the protocol's code finds the result here instead of repeating it."""

    kind: Literal["step_done"] = "step_done"
    step: str
    input_hash: str
    inputs: Any = None
    result: Any = None
    calls: tuple[CallRecord, ...] = ()


class Said(Value):
    """Words that reached somebody. `to` holds seat names or `EVERYONE`; `about` is a label such as "opening"."""

    kind: Literal["said"] = "said"
    step: str
    input_hash: str
    speaker: str
    to: tuple[str, ...]
    text: str
    about: str = ""


class TurnOpened(Value):
    """A person is asked. Any front end may answer, also after a restart. `answer_schema` None asks for free text.

    `asked` is the dumped `Ask`; `due` is when the deadline ends, None for no deadline.
    """

    kind: Literal["turn_opened"] = "turn_opened"
    step: str
    seat: str
    asked: dict[str, Any]
    answer_schema: dict[str, Any] | None = None
    due: AwareDatetime | None = None


class TurnReminded(Value):
    """The person was reminded of an open turn that ends at `due`; once for each end."""

    kind: Literal["turn_reminded"] = "turn_reminded"
    step: str
    seat: str
    due: AwareDatetime


class AnswerRejected(Value):
    """A person's answer was not of the asked form; the turn stays open. `answer_seq` is its place in the log."""

    kind: Literal["answer_rejected"] = "answer_rejected"
    step: str
    answer_seq: int
    reason: str


class PromptTrimmed(Value):
    """A prompt did not fit the model's context. `left_out` names the sections that were left out or shortened."""

    kind: Literal["prompt_trimmed"] = "prompt_trimmed"
    step: str
    model: str
    left_out: tuple[str, ...]
    tokens_before: int
    tokens_after: int


class CallFailed(Value):
    """An attempt to call a model failed. `retry_in` is seconds until the next attempt, None when there is none.

    `call` holds what was spent on a reply that could not be used.
    """

    kind: Literal["call_failed"] = "call_failed"
    step: str
    model: str
    attempt: int
    error: str
    message: str
    retry_in: float | None = None
    call: CallRecord | None = None


class SessionPaused(Value):
    """The session waits. `why` is `moderator`, `budget`, `provider` or `interrupt`."""

    kind: Literal["session_paused"] = "session_paused"
    why: Literal["moderator", "budget", "provider", "interrupt"]
    reason: str


class SessionResumed(Value):
    """The session goes on."""

    kind: Literal["session_resumed"] = "session_resumed"


class SessionFinished(Value):
    """The protocol came to its end. `outcome` is the protocol's own result."""

    kind: Literal["session_finished"] = "session_finished"
    outcome: dict[str, Any]


class SessionStopped(Value):
    """The moderator ended the session."""

    kind: Literal["session_stopped"] = "session_stopped"
    reason: str
    by: str = ""


class SessionFailed(Value):
    """The session ended because of an error that nobody can mend by waiting."""

    kind: Literal["session_failed"] = "session_failed"
    error: str
    message: str


class Redacted(Value):
    """A person's words were replaced everywhere in this log. `strings` counts the texts that were changed."""

    kind: Literal["redacted"] = "redacted"
    seat: str
    strings: int


# ── commands and answers, written by anybody ─────────────────────────────────────────────────────────────────────


class TurnAnswered(Value):
    """A person's answer to an open turn, or why there is none (`declined`). The first readable one counts."""

    kind: Literal["turn_answered"] = "turn_answered"
    step: str
    seat: str
    by: str
    answer: Any = None
    declined: str | None = None


class TurnExtended(Value):
    """An open turn that ends is to end later, at `due`; an earlier time changes nothing."""

    kind: Literal["extend"] = "extend"
    by: str
    step: str
    due: AwareDatetime


class SeatLeft(Value):
    """The person on this seat leaves it for good: its stand-in answers from now on, or nobody."""

    kind: Literal["leave"] = "leave"
    by: str
    seat: str


class PauseAsked(Value):
    """The moderator wants a pause before the next step."""

    kind: Literal["pause"] = "pause"
    by: str
    reason: str = ""


class ResumeAsked(Value):
    """The moderator wants the session to go on."""

    kind: Literal["resume"] = "resume"
    by: str


class HeatSet(Value):
    """The moderator sets the contentiousness, 0–1."""

    kind: Literal["heat"] = "heat"
    by: str
    heat: float = Field(ge=0.0, le=1.0)


class Guidance(Value):
    """The moderator guides the named seats; they hear it before their next turn."""

    kind: Literal["guidance"] = "guidance"
    by: str
    to: tuple[str, ...]
    text: str


class Question(Value):
    """The moderator asks one seat a question; it is answered in that seat's next turn."""

    kind: Literal["question"] = "question"
    by: str
    to: str
    text: str


class DeepenAsked(Value):
    """The moderator asks one side to deepen its weakest reason in its next turn."""

    kind: Literal["deepen"] = "deepen"
    by: str
    to: str


class RoundAsked(Value):
    """The moderator wants one more round although the loop would stop."""

    kind: Literal["round"] = "round"
    by: str


class CloseAsked(Value):
    """The moderator wants the closings now."""

    kind: Literal["close"] = "close"
    by: str


class StopAsked(Value):
    """The moderator ends the session."""

    kind: Literal["stop"] = "stop"
    by: str
    reason: str


class BudgetRaised(Value):
    """The moderator sets new limits for the session's spending; None leaves a limit as it is."""

    kind: Literal["budget"] = "budget"
    by: str
    tokens: int | None = None
    usd: float | None = None


class Voted(Value):
    """A member of the audience votes before or after the debate; the voter's last vote of each time counts."""

    kind: Literal["vote"] = "vote"
    by: str
    when: Literal["before", "after"]
    side: Literal["pro", "con", "undecided"]


class VoteClosed(Value):
    """The audience's vote before or after the debate is over: later votes do not count."""

    kind: Literal["vote_closed"] = "vote_closed"
    by: str
    when: Literal["before", "after"]


class ForgetAsked(Value):
    """Somebody wants the words of the person on this seat forgotten (see `redaction` for what else `seat` may be)."""

    kind: Literal["forget"] = "forget"
    by: str
    seat: str


Command = (
    PauseAsked | ResumeAsked | HeatSet | Guidance | Question | DeepenAsked | RoundAsked | CloseAsked | StopAsked
    | BudgetRaised | Voted | VoteClosed | TurnExtended | SeatLeft | ForgetAsked
)  # fmt: skip
"""What a moderator, a person on a seat or the audience may append from any process at any moment."""

Event = Annotated[
    SessionStarted | OwnerStarted | StepDone | Said | TurnOpened | TurnReminded | AnswerRejected | PromptTrimmed
    | CallFailed | SessionPaused | SessionResumed
    | SessionFinished | SessionStopped | SessionFailed | Redacted | TurnAnswered | Command,
    Field(discriminator="kind"),
]  # fmt: skip

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes one event of any kind."""


class Recorded(Value):
    """An event in its place in the log. `seq` starts at 1 and has no gaps; `at` is UTC."""

    seq: int
    at: datetime
    event: Event

    def line(self) -> dict[str, Any]:
        """The flat form of `events.jsonl`: `seq`, `at`, `kind` and the event's own fields."""
        return {"seq": self.seq, "at": self.at.isoformat(), **self.event.model_dump(mode="json")}

    @classmethod
    def from_line(cls, line: dict[str, Any]) -> Recorded:
        """The reverse of `line`. Raises pydantic.ValidationError."""
        fields = dict(line)
        return cls.model_validate({"seq": fields.pop("seq"), "at": fields.pop("at"), "event": fields})


def now() -> datetime:
    """The wall clock in UTC, for the `at` of events only; protocols take time from a step."""
    return datetime.now(UTC)
