"""The one place where a failure becomes a sentence for the person who asked, with a reference that is in the log.

In this order: 1. our own errors say themselves what to do; 2. a check of the command tree; 3. a command that is no more
as Discord's client remembers it; 4. what Discord refused, by its code; 5. a connection that failed; 6. everything else
is a mistake of ours.
"""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress

import aiohttp
import discord
from discord import app_commands

from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.rendering import safe
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import ElenchusError, UsageError

_log = logging.getLogger(__name__)

GONE = (10062, 40060, 50027)
"""The interaction is void, was answered already, or its token is used up: nobody can be answered any more."""

LONGEST = 1_500
"""Units of a sentence: it may quote what was typed, and Discord takes 2,000 with its reference."""

DISCONNECTED = (OSError, aiohttp.ClientError)
"""A connection that could not be made, or broke: what aiohttp raises for one that broke is no OSError."""


def reference() -> str:
    """A short name for a failure, easy to read out: six letters and digits without look-alikes."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(6))


def first_of(error: BaseException) -> BaseException:
    """The error that counts inside groups and wrappers, ours before others."""
    while True:
        match error:
            case BaseExceptionGroup():
                error = (error.subgroup(ElenchusError) or error).exceptions[0]
            case app_commands.CommandInvokeError():
                error = error.original
            case _:
                return error


def sentence(error: BaseException) -> str:
    """What is wrong and what to do, in one sentence."""
    match error:
        case ElenchusError():
            return safe.unlinked(str(error))
        case app_commands.CheckFailure():
            return msg("errors-not-allowed")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return msg("errors-former-command")
        case discord.HTTPException():
            return messages("errors-refused").get(str(error.code)) or refused(error.status)
        case _ if isinstance(error, DISCONNECTED):
            return msg("errors-no-connection")
    return msg("errors-our-mistake")


def refused(status: int) -> str:
    """Discord said no, without a code that is known here."""
    return msg("errors-busy") if status == 429 or status >= 500 else msg("errors-refused-otherwise")


def logged(error: BaseException, what: str) -> str:
    """Put a failure into the log; its reference."""
    name = reference()
    if isinstance(error, UsageError | app_commands.CheckFailure):
        _log.info("[%s] %s: %s", name, what, error)
    else:
        _log.error("[%s] %s", name, what, exc_info=error)
    return name


async def answer_error(interaction: Interaction, error: BaseException) -> None:
    """Tell the person who asked, where that is still possible. Never raises but for cancellation."""
    error = first_of(error)
    name = logged(error, f"interaction {interaction.id} of {interaction.user.id}")
    if isinstance(error, discord.HTTPException) and error.code in GONE:
        return
    with suppress(discord.HTTPException, *DISCONNECTED):
        await tell(
            interaction, msg("errors-with-reference", sentence=safe.shortened(sentence(error), LONGEST), name=name)
        )
