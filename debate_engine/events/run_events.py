"""What the process that runs a session appends: steps, words, turns of people, failures, beginning and end.

Import these names from `debate_engine.events`, which has all kinds of events in one union.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events.values import CallRecord, FrozenModel, Seat

_PICTURE = "[picture: "


class SessionStarted(FrozenModel):
    """The first event: what is to be run, by whom, with which settings. `config` is the protocol's own settings.

    `seed` governs our own chance; `seed_models` passes it on to models that take one. `source` is the session whose
    words this one examines, where there is one: who is forgotten there is forgotten here too. `unpriced_usd` is what a
    million tokens of a model without a known price count for in the budget; `unpriced_ok`: calls whose price nobody
    knows are made although dollars are limited. `version` is that of Elenchus, `protocol_version` that of the package
    which brings the protocol, "" for ours, and where it states none.
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
    unpriced_usd: float | None = None
    unpriced_ok: bool = False
    source: str = ""
    version: str
    protocol_version: str = ""


class OwnerStarted(FrozenModel):
    """A process has begun to run the session. Every append of an owner is conditional on its `epoch`."""

    kind: Literal["owner_started"] = "owner_started"
    epoch: int
    pid: int
    host: str


class EventLost(FrozenModel):
    """What stood here could not be saved from a damaged log. A session with such a gap is never run again."""

    kind: Literal["event_lost"] = "event_lost"


class StepDone(FrozenModel):
    """A named effect and its result. A rerun of the protocol's code finds the result here instead of repeating it."""

    kind: Literal["step_done"] = "step_done"
    step: str
    input_hash: str
    inputs: Any = None
    result: Any = None
    calls: tuple[CallRecord, ...] = ()


class ShownPicture(FrozenModel):
    """A picture that is shown with words: where its bytes are (their SHA-256, in hexadecimal), and what they are.

    The first `lines` lines of the words say what is on it.
    """

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    media_type: str
    lines: int = 1


class Said(FrozenModel):
    """Words that reached somebody. `to` holds seat names or `EVERYONE`; `about` is a label such as "opening".

    Where there is a `picture`, the text first says what is on it (`with_alt`).
    """

    kind: Literal["said"] = "said"
    step: str
    input_hash: str
    speaker: str
    to: tuple[str, ...]
    text: str
    about: str = ""
    picture: ShownPicture | None = Field(None, exclude_if=lambda picture: picture is None)

    @property
    def alt(self) -> str:
        """What is on the picture, in words; "" without one."""
        told = self.text.split("\n")[: self.picture.lines] if self.picture else []
        return "\n".join(told).removeprefix(_PICTURE).removesuffix("]").rstrip("\n")

    @property
    def below_picture(self) -> str:
        """The text for whoever sees the picture itself."""
        return "\n".join(self.text.split("\n")[self.picture.lines :]) if self.picture else self.text


def with_alt(alt: str, text: str) -> str:
    """The text of words with which a picture is shown, for whoever sees none; its bracket lengthens no drawn line."""
    told = f"{_PICTURE}{alt}\n]" if "\n" in alt else f"{_PICTURE}{alt}]"
    return f"{told}\n{text}" if text else told


class TurnOpened(FrozenModel):
    """A person is asked. Any front end may answer, also after a restart. `answer_schema` None asks for free text.

    `asked` is the dumped `Ask`; `due` is when the deadline ends, None for no deadline. `prepared` is an answer that a
    model has drafted for the person, None for none, and `calls` are what it took.
    """

    kind: Literal["turn_opened"] = "turn_opened"
    step: str
    seat: str
    asked: dict[str, Any]
    answer_schema: dict[str, Any] | None = None
    due: AwareDatetime | None = None
    prepared: Any = None
    calls: tuple[CallRecord, ...] = ()


class TurnReminded(FrozenModel):
    """The person was reminded of an open turn that ends at `due`; once for each end."""

    kind: Literal["turn_reminded"] = "turn_reminded"
    step: str
    seat: str
    due: AwareDatetime


class AnswerRejected(FrozenModel):
    """A person's answer was not of the asked form; the turn stays open. `answer_seq` is its place in the log."""

    kind: Literal["answer_rejected"] = "answer_rejected"
    step: str
    answer_seq: int
    reason: str


class PromptTrimmed(FrozenModel):
    """A prompt did not fit the model's context. `left_out` names the sections that were left out or shortened."""

    kind: Literal["prompt_trimmed"] = "prompt_trimmed"
    step: str
    model: str
    left_out: tuple[str, ...]
    tokens_before: int
    tokens_after: int


class CallFailed(FrozenModel):
    """An attempt to call a model failed. `retry_in` is seconds until the next attempt, None when there is none.

    `call` holds what was spent on a reply that could not be used. `trace` says where in the code a malformed reply or a
    mistake of ours was met, innermost first; no value stands in it.
    """

    kind: Literal["call_failed"] = "call_failed"
    step: str
    model: str
    attempt: int
    error: str
    message: str
    retry_in: float | None = None
    call: CallRecord | None = None
    trace: str = ""


class SessionPaused(FrozenModel):
    """The session waits. `why` is `moderator`, `budget`, `provider` or `interrupt`, or `rest`: all that was asked of it
    is done, and somebody may ask for more.
    """

    kind: Literal["session_paused"] = "session_paused"
    why: Literal["moderator", "budget", "provider", "interrupt", "rest"]
    reason: str


class SessionResumed(FrozenModel):
    """The session goes on."""

    kind: Literal["session_resumed"] = "session_resumed"


class SessionFinished(FrozenModel):
    """The protocol came to its end. `outcome` is the protocol's own result."""

    kind: Literal["session_finished"] = "session_finished"
    outcome: dict[str, Any]


class SessionStopped(FrozenModel):
    """The moderator ended the session."""

    kind: Literal["session_stopped"] = "session_stopped"
    reason: str
    by: str = ""


class SessionFailed(FrozenModel):
    """The session ended because of an error that nobody can mend by waiting."""

    kind: Literal["session_failed"] = "session_failed"
    error: str
    message: str


class Redacted(FrozenModel):
    """A person's words were replaced everywhere in this log. `strings` counts the texts that were changed.

    `name_only`: it was somebody who had been given a seat and took no part; nothing but the name was there.
    """

    kind: Literal["redacted"] = "redacted"
    seat: str
    strings: int
    name_only: bool = False
