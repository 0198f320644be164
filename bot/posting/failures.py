"""What hinders posting into a thread, and what is to be done: told to the moderator, retried, given up. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import discord

from elenchus.bot.strings import msg

UNKNOWN_CHANNEL, UNKNOWN_GUILD, NO_ACCESS, NO_PERMISSION = 10003, 10004, 50001, 50013
CLOSED_THREAD = (50083, 160005)

Kind = Literal["gone", "kicked", "hidden", "forbidden", "locked", "other"]

FIRST_WAIT, LONGEST_WAIT, WAIT_FOR_PEOPLE = 1.0, 60.0, 120.0
"""Seconds before trying again: of itself, at the most, and where a person must do something first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """`why_paused`: "" where the debate goes on; `wait`: seconds until the next attempt, None: never."""

    kind: Kind
    why_paused: str
    wait: float | None


def failure_of(error: BaseException, *, in_guild: bool, attempt: int) -> Failure:
    """What to make of a failure to post. `in_guild`: the bot is a member of the server."""
    codes = {e.code for e in leaves(error) if isinstance(e, discord.HTTPException)}
    if not in_guild or UNKNOWN_GUILD in codes:
        return Failure("kicked", msg("posting-paused-kicked"), None)
    if UNKNOWN_CHANNEL in codes:
        return Failure("gone", msg("posting-paused-thread-deleted"), None)
    if codes.intersection(CLOSED_THREAD):
        return Failure("locked", msg("posting-paused-cannot-post"), WAIT_FOR_PEOPLE)
    if NO_ACCESS in codes:
        return Failure("hidden", msg("posting-paused-cannot-post"), WAIT_FOR_PEOPLE)
    if NO_PERMISSION in codes:
        return Failure("forbidden", msg("posting-paused-cannot-post"), WAIT_FOR_PEOPLE)
    return Failure("other", "", rest_before(attempt))


def rest_before(attempt: int) -> float:
    """Seconds to wait after so many attempts that failed, each twice as long as the one before."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 10))


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors inside groups."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def sentence(kind: Kind, title: str, session: str, server: str, reference: str) -> str:
    """The sentence for the moderator."""
    match kind:
        case "gone":
            return msg("posting-thread-deleted", title=title, session=session)
        case "kicked":
            return msg("posting-kicked", title=title, server=server, session=session)
        case "hidden":
            return msg("posting-channel-hidden", title=title, session=session)
        case "forbidden":
            return msg("posting-cannot-post", title=title, session=session)
        case "locked":
            return msg("posting-thread-locked", title=title, session=session)
    return msg("posting-posting-fails", title=title, reference=reference)
