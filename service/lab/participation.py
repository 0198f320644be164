"""What people who take part send to a session: an answer to an open turn, or none; a vote of the audience. Pure.

Whatever makes one raises UsageError for what cannot be answered or voted now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.events import TurnAnswered, VoteClosed, Voted
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.judging.votes import CHOICES, WHENS, When
from elenchus.debate_engine.protocols.presentation import Votes
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView


def open_turn(view: SessionView, seat: str = "") -> OpenTurn:
    """The turn that has waited longest, for this seat or any."""
    turns = [turn for turn in view.asked if not seat or turn.seat == seat]
    known = [one.name for one in view.started.seats] if view.started else []
    if seat and known and seat not in known:
        raise UsageError(f"There is no seat {seat!r} in session {view.session_id}: its seats are {', '.join(known)}.")
    if not turns:
        others = sorted({turn.seat for turn in view.asked})
        waiting = f"turns of {', '.join(others)} wait" if others else "no turn waits for a person now"
        raise UsageError(f"There is nothing to answer for {seat or 'anyone'} in session {view.session_id}: {waiting}.")
    return turns[0]


def answer(turn: OpenTurn, by: str, value: Any, via: str = "program") -> TurnAnswered:
    """The answer to a turn, of the asked form: a text, or a document where a form is asked; `via` which front end."""
    try:
        checked = read_answer(Ask.model_validate(turn.asked), value)
    except UnreadableReply as error:
        raise unusable(turn, str(error)) from error
    return TurnAnswered(step=turn.step, seat=turn.seat, by=by, answer=checked, via=via)


def no_answer(turn: OpenTurn, by: str, reason: str = "") -> TurnAnswered:
    """The turn is passed, for this reason."""
    return TurnAnswered(step=turn.step, seat=turn.seat, by=by, declined=reason or "passed")


def unusable(turn: OpenTurn, why: str) -> UsageError:
    """What is said of an answer that is not of the asked form."""
    return UsageError(f"This cannot be the answer to {turn.step}: {why}{_form_of(turn)}.")


_SHAPES = {"boolean": "true or false", "string": '"…"', "array": "[…]", "object": "{…}"}


def _form_of(turn: OpenTurn) -> str:
    """What to give where a form is asked, "" for plain text."""
    fields = (turn.answer_schema or {}).get("properties", {})
    shapes = (f'"{name}": {_shape(field)}' for name, field in fields.items())
    return f"; a form is asked, so give {{{', '.join(shapes)}}}" if fields else ""


def _shape(field: Mapping[str, Any]) -> str:
    choices = [f'"{choice}"' for choice in field.get("enum", ())]
    return " or ".join(choices) or _SHAPES.get(field.get("type", ""), "…")


# ── votes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def vote(view: SessionView, by: str, side: str, when: str = "") -> Voted:
    """A vote `before` or `after` the debate, or whichever is open."""
    if side not in CHOICES or when not in ("", *WHENS):
        raise UsageError("A vote is pro, con or undecided, before or after the debate.")
    if is_blank(by):
        raise UsageError("Say whose vote it is: a voter's last one counts.")
    return Voted(by=by, when=_open_vote(view, when), side=side)


def audience_votes(view: SessionView) -> Votes:
    """The audience's votes: none is open where a session has none."""
    return view.projected(lambda projection: projection.votes) or Votes(asked=False, open={})


def is_open(view: SessionView, when: When) -> bool:
    """Whether a vote that the debate asks for counts now: from its opening until its time is over or it is closed."""
    votes = audience_votes(view)
    return votes.asked and when in votes.open and not view.ended


def close_vote(view: SessionView, by: str, when: When) -> VoteClosed:
    """End a vote that the debate asks for."""
    if not is_open(view, when):
        raise UsageError(CLOSED)
    return VoteClosed(by=by, when=when)


CLOSED = "This vote is closed, or not open yet: the last vote that came while it was open counts."


def _open_vote(view: SessionView, wanted: str) -> When:
    votes = audience_votes(view)
    counting = [when for when in votes.open if not votes.asked or not view.ended]
    if fitting := [when for when in counting if wanted in ("", when)]:
        return fitting[0]
    if votes.asked:
        raise UsageError(CLOSED)
    if "after" in counting:
        raise UsageError("The debate has been held: a vote counts as one after it.")
    raise UsageError("No vote is open: a debate has one until its first round, and one after its closings.")
