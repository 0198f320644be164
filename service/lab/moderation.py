"""What a moderator may do to a session, checked once for all front ends, and the command that does it.

A command with words or numbers is made here of what was said and, for the heat, of how the session stands; `send`
appends it and tells who takes it up. Whatever makes one raises UsageError for what makes no sense.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.cognition.heard_in_session import tell_minds
from elenchus.debate_engine.protocols.presentation import NextTurn
from elenchus.service.lab.forms import TEXT, Field
from elenchus.service.lab.session_status import SessionStatus

T = TypeVar("T", int, float)

SIDES = ("pro", "con")
BOTH = "both"
LONGEST_WORDS, LONGEST_AMOUNT = 2_000, 20
"""Characters of what a moderator says, and of an amount."""

_WHOLE = re.compile(r"[0-9]{1,15}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4}")
_DOLLARS = re.compile(r"\$?\s*([0-9]{1,9}(\.[0-9]{1,6})?|\.[0-9]{1,6})")

_WORDS = Field(TEXT, "text", least=1, most=LONGEST_WORDS)
_SIDE = Field("side", "choice", choices=SIDES)
FORMS: Mapping[str, tuple[Field, ...]] = {
    "guide": (Field("side", "choice", choices=(*SIDES, BOTH)), _WORDS),
    "ask": (_SIDE, _WORDS),
    "deepen": (_SIDE,),
    "stop": (_WORDS,),
    "budget": tuple(Field(name, "text", optional=True, most=LONGEST_AMOUNT) for name in ("tokens", "usd")),
}
"""What a moderator is asked for, by what is to be done; the values go to the command's maker below, in this order."""


class SessionOver(UsageError):
    """The session is finished or stopped: nothing can be changed in it any more."""


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def heat(session: SessionStatus, by: str, value: float) -> ev.HeatSet:
    """Set the heat of the next turn, 0–1."""
    if not 0 <= value <= 1:  # also refuses what is no number
        raise UsageError("The heat is a number between 0 and 1, such as 0.5.")
    next_turn(session)
    return ev.HeatSet(by=by, heat=value)


def heat_changed(session: SessionStatus, by: str, step: float) -> ev.HeatSet:
    """Turn the heat up or down from what the next turn's will be."""
    coming = next_turn(session).heat
    wanted = round(min(1.0, max(0.0, coming + step)), 2)
    if wanted == round(coming, 2):
        raise UsageError(f"The next turn's heat is {wanted:.2f} already: the scale goes from 0 to 1.")
    return ev.HeatSet(by=by, heat=wanted)


def next_turn(session: SessionStatus) -> NextTurn:
    """The turn whose heat can be set."""
    if session.standing is None:
        raise UsageError("Only a debate has a heat.")
    if (coming := session.next_turn) is None:
        raise UsageError("The rounds are over: the heat of the closings is settled.")
    return coming


def guidance(by: str, to: str, text: str) -> ev.Guidance:
    """Words to one side or both, heard before their next turn."""
    if to not in (*SIDES, BOTH):
        raise UsageError(f"{to!r} is no side: say pro, con or both.")
    return ev.Guidance(by=by, to=SIDES if to == BOTH else (to,), text=_words(text))


def question(by: str, to: str, text: str) -> ev.Question:
    """A question to one side, answered in its next turn."""
    return ev.Question(by=by, to=_side(to), text=_words(text))


def deepen(by: str, to: str) -> ev.DeepenAsked:
    """Have one side deepen its weakest reason."""
    return ev.DeepenAsked(by=by, to=_side(to))


def stop(by: str, reason: str) -> ev.StopAsked:
    """End the session for good."""
    return ev.StopAsked(by=by, reason=_words(reason))


def budget(
    by: str, tokens: str | int | None = None, usd: str | float | None = None, *, unpriced_ok: bool = False
) -> ev.BudgetRaised:
    """New limits in all, as numbers or as people write them; "" and None leave a limit as it is."""
    limit, most_usd = _amount(tokens, tokens_in), _amount(usd, dollars_in)
    if limit is None and most_usd is None:
        raise UsageError(NO_BUDGET)
    return ev.BudgetRaised(by=by, tokens=limit, usd=most_usd, unpriced_ok=unpriced_ok)


NO_BUDGET = "A budget is a number above zero: tokens, such as 200000, or dollars, such as 1.50, or both."


def _side(name: str) -> str:
    if name not in SIDES:
        raise UsageError(f"{name!r} is no side: say pro or con.")
    return name


def _words(text: str) -> str:
    if is_blank(text):
        raise UsageError("The text is empty: write what you mean.")
    return text.strip()


def _amount(given: T | str | None, read: Callable[[str], T | None]) -> T | None:
    """A number above zero, given or written; None for nothing."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return None
    if (amount := read(given) if isinstance(given, str) else given) is None or not 0 < amount < math.inf:
        raise UsageError(NO_BUDGET)
    return amount


def tokens_in(text: str) -> int | None:
    """A whole number above zero, its thousands set apart by commas or not (200000, 200,000); None for anything else."""
    typed = text.strip()
    return int(typed.replace(",", "")) or None if _WHOLE.fullmatch(typed) else None


def dollars_in(text: str) -> float | None:
    """Dollars above zero with a decimal point (0.50, $1.50); None for anything else.

    A comma is the decimal sign of many people and sets the thousands apart for many others: it is never guessed at.
    """
    found = _DOLLARS.fullmatch(text.strip())
    return float(found[1]) or None if found else None


# ── sending ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command that was sent, and who runs the session and takes it up: "" where nobody does now."""

    recorded: ev.Recorded
    owner: str


async def open_session(log: EventLog, session_id: str) -> SessionStatus:
    """The session as it stands. Raises SessionOver, UnknownSession."""
    return still_open(session_id, await log.read(session_id))


def still_open(session_id: str, recorded: Sequence[ev.Recorded]) -> SessionStatus:
    """The session as it stands by its log. Raises SessionOver."""
    session = SessionStatus.of(session_id, recorded)
    if session.over:
        raise SessionOver(f"Session {session_id} is {session.state}: nothing can be changed in it any more.")
    return session


async def send(log: EventLog, session_id: str, command: ev.Command) -> SentCommand:
    """Append a command to a session that is not over. Raises StorageError."""
    recorded = await log.send(session_id, command)
    return SentCommand(recorded, (await log.info(session_id)).owner or "")


async def stop_unowned(log: EventLog, session_id: str, command: ev.StopAsked) -> None:
    """End a session that nobody runs. Raises StorageError where somebody does."""
    own = await log.claim(session_id)
    try:
        await tell_minds(log, session_id)
        await log.append(session_id, [ev.SessionStopped(reason=command.reason, by=command.by)], own.epoch)
    finally:
        await own.release()
