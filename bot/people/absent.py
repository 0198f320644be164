"""A member who sits in a debate has left the server: the seat goes on without, and the moderator is told."""

from __future__ import annotations

import discord

from elenchus.bot.desk import Desk
from elenchus.bot.people.leaving import NOBODY, leave_all
from elenchus.bot.people.who import called, seats_of
from elenchus.bot.rendering.safe import inline
from elenchus.bot.running import House
from elenchus.bot.strings import people as words
from elenchus.bot.telling import tell_moderator


async def member_left(desk: Desk, house: House, client: discord.Client, guild: int, member: int) -> None:
    """Take the member off every seat of every debate of the server that goes on. Raises StorageError."""
    for binding in house.bindings:
        if binding.guild != guild:
            continue
        view = (await house.board(binding.session)).view
        if view.ended or not (left := await leave_all(desk, view, member, NOBODY)):
            continue
        stand_in = all(seat.stand_in for seat in seats_of(view.started, member) if seat.name in left)
        names = ", ".join(called(view, seat) for seat in left)
        await tell_moderator(client, binding, words.left_server(names, inline(view.title), stand_in=stand_in))
