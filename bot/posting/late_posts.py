"""Posts that another process had sent and that come late: of two with one mark the second is deleted.

Discord dates each message by its id, so that it is known without a note where something was posted a moment ago.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import OVER, Binding, ViewKey
from elenchus.bot.posting import backfill
from elenchus.bot.posting.poster import Transport
from elenchus.debate_engine.events import now

LATE = 60.0
"""Seconds after a start for what another process had sent to come to Discord at the latest, as a rule."""

RECENT = timedelta(minutes=10)
"""Who starts looks again at threads with a post of these last minutes: whoever took over before may have ended before
it had looked, and a debate may have ended meanwhile.
"""


def contested(bindings: Iterable[Binding], *, taken_over: bool) -> dict[ViewKey, int]:
    """The views in which something may stand twice, with the message behind which that is.

    These are those with a post of the last minutes and, where the place was taken over, all that are not over.
    """
    recent = discord.utils.time_snowflake(now() - RECENT)
    return {
        binding.key: min(recent, binding.last_message or binding.thread)
        for binding in bindings
        if (binding.last_message or 0) > recent or (taken_over and binding.closed != OVER)
    }


async def sweep(transport: Transport, after: float) -> None:
    """Look once more, after so many seconds (`LATE`), at all contested views, those of ended debates, too."""
    await asyncio.sleep(after)
    for key, since in list(transport.contested.items()):
        if (binding := transport.bindings.find(key)) is not None:
            with suppress(discord.HTTPException, *errors.DISCONNECTED):
                await backfill.delete_doubles(transport.client, transport.webhooks.of, binding, since)
        transport.contested.pop(key)
