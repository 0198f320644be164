"""What anybody may append to a session from any process: commands of the moderator, votes, answers of people.

Import these names from `debate_engine.events`, which has all kinds of events in one union.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events.owner_events import FrozenModel


class TurnAnswered(FrozenModel):
    """A person's answer to an open turn, or why there is none (`declined`). The first readable one counts.

    `as_prepared`: the person approved what a model had drafted, unchanged.
    """

    kind: Literal["turn_answered"] = "turn_answered"
    step: str
    seat: str
    by: str
    answer: Any = None
    declined: str | None = None
    as_prepared: bool = False


class SeatNamed(FrozenModel):
    """The person on this seat has agreed to sit there and is called `title`; the log has no name of theirs before."""

    kind: Literal["seat_named"] = "seat_named"
    by: str
    seat: str
    title: str


class TurnExtended(FrozenModel):
    """An open turn that ends is to end later, at `due`; an earlier time changes nothing."""

    kind: Literal["extend"] = "extend"
    by: str
    step: str
    due: AwareDatetime


class SeatLeft(FrozenModel):
    """The person on this seat leaves it for good: its stand-in answers from now on, or nobody."""

    kind: Literal["leave"] = "leave"
    by: str
    seat: str


class PauseAsked(FrozenModel):
    """The moderator wants a pause before the next step."""

    kind: Literal["pause"] = "pause"
    by: str
    reason: str = ""


class ResumeAsked(FrozenModel):
    """The moderator wants the session to go on."""

    kind: Literal["resume"] = "resume"
    by: str


class HeatSet(FrozenModel):
    """The moderator sets the contentiousness, 0–1."""

    kind: Literal["heat"] = "heat"
    by: str
    heat: float = Field(ge=0.0, le=1.0)


class Guidance(FrozenModel):
    """The moderator guides the named seats; they hear it before their next turn."""

    kind: Literal["guidance"] = "guidance"
    by: str
    to: tuple[str, ...]
    text: str


class Question(FrozenModel):
    """The moderator asks one seat a question; it is answered in that seat's next turn."""

    kind: Literal["question"] = "question"
    by: str
    to: str
    text: str


class DeepenAsked(FrozenModel):
    """The moderator asks one side to deepen its weakest reason in its next turn."""

    kind: Literal["deepen"] = "deepen"
    by: str
    to: str


class RoundAsked(FrozenModel):
    """The moderator wants one more round although the loop would stop."""

    kind: Literal["round"] = "round"
    by: str


class CloseAsked(FrozenModel):
    """The moderator wants the closings now."""

    kind: Literal["close"] = "close"
    by: str


class StopAsked(FrozenModel):
    """The moderator ends the session."""

    kind: Literal["stop"] = "stop"
    by: str
    reason: str


class BudgetRaised(FrozenModel):
    """The moderator sets new limits for the session's spending; None leaves a limit as it is.

    `unpriced_ok`: from now on calls whose price nobody knows are made although dollars are limited.
    """

    kind: Literal["budget"] = "budget"
    by: str
    tokens: int | None = None
    usd: float | None = None
    unpriced_ok: bool = False


class Voted(FrozenModel):
    """A member of the audience votes before or after the debate; the voter's last vote of each time counts."""

    kind: Literal["vote"] = "vote"
    by: str
    when: Literal["before", "after"]
    side: Literal["pro", "con", "undecided"]


class VoteClosed(FrozenModel):
    """The audience's vote before or after the debate is over: later votes do not count."""

    kind: Literal["vote_closed"] = "vote_closed"
    by: str
    when: Literal["before", "after"]


class Withdrawn(FrozenModel):
    """The person on this seat withdraws from a scene: the words are forgotten at once, and the scene ends kindly."""

    kind: Literal["withdraw"] = "withdraw"
    by: str
    seat: str


class UnforeseenQuestion(FrozenModel):
    """The person on this seat asks what no rule of the scene foresees; the question goes to the moderator's seat."""

    kind: Literal["unscripted"] = "unscripted"
    by: str
    seat: str
    text: str


class ForgetAsked(FrozenModel):
    """Somebody wants the words of the person on this seat forgotten (see `redaction` for what else `seat` may be).

    `name_only`: the person of this name took no part: the name goes, and nobody's words.
    """

    kind: Literal["forget"] = "forget"
    by: str
    seat: str
    name_only: bool = False


Command = (
    PauseAsked | ResumeAsked | HeatSet | Guidance | Question | DeepenAsked | RoundAsked | CloseAsked | StopAsked
    | BudgetRaised | Voted | VoteClosed | TurnExtended | SeatLeft | Withdrawn | UnforeseenQuestion | ForgetAsked
)  # fmt: skip
"""What a moderator, a person on a seat or the audience may append from any process at any moment."""
