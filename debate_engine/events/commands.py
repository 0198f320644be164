"""What anybody may append to a session from any process: commands of the moderator, votes, answers of people.

Import these names from `debate_engine.events`, which has all kinds of events in one union.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events.values import FrozenModel


class Command(FrozenModel):
    """`by` says who sent it."""

    kind: str
    by: str


class _OfSeat(Command):
    """It is about the person on this seat."""

    seat: str


class TurnAnswered(FrozenModel):
    """A person's answer to an open turn, or why there is none (`declined`). The first readable one counts.

    `as_prepared`: the person approved what a model had drafted, unchanged. `via` is the front end that took it, such
    as `terminal`; "" where it does not say.
    """

    kind: Literal["turn_answered"] = "turn_answered"
    step: str
    seat: str
    by: str
    answer: Any = None
    declined: str | None = None
    as_prepared: bool = False
    via: str = ""


class SeatNamed(_OfSeat):
    """The person on this seat has agreed to sit there and is called `title`; the log has no name of theirs before."""

    kind: Literal["seat_named"] = "seat_named"
    title: str


class TurnExtended(Command):
    """An open turn that ends is to end later, at `due`; an earlier time changes nothing."""

    kind: Literal["extend"] = "extend"
    step: str
    due: AwareDatetime


class SeatLeft(_OfSeat):
    """The person on this seat leaves it for good: its stand-in answers from now on, or nobody."""

    kind: Literal["leave"] = "leave"


class PauseAsked(Command):
    """The moderator wants a pause before the next step."""

    kind: Literal["pause"] = "pause"
    reason: str = ""


class ResumeAsked(Command):
    """The moderator wants the session to go on."""

    kind: Literal["resume"] = "resume"


class HeatSet(Command):
    """The moderator sets the contentiousness, 0–1."""

    kind: Literal["heat"] = "heat"
    heat: float = Field(ge=0.0, le=1.0)


class Guidance(Command):
    """The moderator guides the named seats; they hear it before their next turn."""

    kind: Literal["guidance"] = "guidance"
    to: tuple[str, ...]
    text: str


class Question(Command):
    """The moderator asks one seat a question; it is answered in that seat's next turn."""

    kind: Literal["question"] = "question"
    to: str
    text: str


class DeepenAsked(Command):
    """The moderator asks one side to deepen its weakest reason in its next turn."""

    kind: Literal["deepen"] = "deepen"
    to: str


class RoundAsked(Command):
    """The moderator wants one more round although the loop would stop."""

    kind: Literal["round"] = "round"


class CloseAsked(Command):
    """The moderator wants the closings now."""

    kind: Literal["close"] = "close"


class DebriefAsked(Command):
    """Whoever waits for the debriefing of a scene is to be told it now (see `SceneConfig.debriefing`)."""

    kind: Literal["debrief"] = "debrief"


class StopAsked(Command):
    """The moderator ends the session."""

    kind: Literal["stop"] = "stop"
    reason: str


class BudgetRaised(Command):
    """The moderator sets new limits for the session's spending; None leaves a limit as it is.

    `unpriced_ok`: from now on calls whose price nobody knows are made although dollars are limited.
    """

    kind: Literal["budget"] = "budget"
    tokens: int | None = None
    usd: float | None = None
    unpriced_ok: bool = False


class Voted(Command):
    """A member of the audience votes before or after the debate; the voter's last vote of each time counts."""

    kind: Literal["vote"] = "vote"
    when: Literal["before", "after"]
    side: Literal["pro", "con", "undecided"]


class VoteClosed(Command):
    """The audience's vote before or after the debate is over: later votes do not count."""

    kind: Literal["vote_closed"] = "vote_closed"
    when: Literal["before", "after"]


class HalfTaken(Command):
    """Somebody of a class (`by`) belongs to this side's half from now on; only the first counts."""

    kind: Literal["half_taken"] = "half_taken"
    side: Literal["pro", "con"]


class HalfLeft(Command):
    """Somebody has left a half of a class: their place is open, what they gave stays."""

    kind: Literal["half_left"] = "half_left"


class Argued(Command):
    """Somebody gives their half's speaker an argument; it is known by its `seq` in the log."""

    kind: Literal["argued"] = "argued"
    text: str


class Upvoted(Command):
    """Somebody thinks an argument of their own half (by its `seq`) a good one, or takes that back (`up` False)."""

    kind: Literal["upvoted"] = "upvoted"
    argument: int
    up: bool = True


class ArgumentStruck(Command):
    """The moderator takes an argument away: nobody is shown it any more, and no speaker is given it."""

    kind: Literal["argument_struck"] = "argument_struck"
    argument: int


class HalfTimeEnded(Command):
    """The half whose arguments are awaited before this turn (`round/1/pro`) has no more time for it."""

    kind: Literal["half_time_ended"] = "half_time_ended"
    turn: str


class Withdrawn(_OfSeat):
    """The person on this seat withdraws from a scene: the words are forgotten at once, and the scene ends kindly."""

    kind: Literal["withdraw"] = "withdraw"


class UnforeseenQuestion(_OfSeat):
    """The person on this seat asks what no rule of the scene foresees; the question goes to the moderator's seat."""

    kind: Literal["unscripted"] = "unscripted"
    text: str


class ForgetAsked(_OfSeat):
    """Somebody wants the words of the person on this seat forgotten (see `redaction` for what else `seat` may be).

    `name_only`: the person of this name took no part: the name goes, and nobody's words.
    """

    kind: Literal["forget"] = "forget"
    name_only: bool = False


OfHalves = HalfTaken | HalfLeft | Argued | Upvoted | ArgumentStruck | HalfTimeEnded
"""What a class whose halves debate sends, and who leads it of that (see `socrasynth.halves`)."""
