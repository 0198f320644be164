"""Puts scenes into the bot: the commands, the clicks, and what the client tells of threads, members and servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.clicks import Clicks
from elenchus.bot.debate.choices import Choices
from elenchus.bot.desk import Desk
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.people.plain import PlainMessages
from elenchus.bot.posting.poster import Transport
from elenchus.bot.running import House
from elenchus.bot.scenes import beginning, commands, deleting, panels, room_presses, seat_presses, seen, start, turns
from elenchus.bot.scenes.adding import Adder
from elenchus.bot.scenes.beginning import Beginner
from elenchus.bot.scenes.commands import SceneParts
from elenchus.bot.scenes.deleting import Deleter
from elenchus.bot.scenes.directing import Director
from elenchus.bot.scenes.joining import Joiner
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.opening import Opener
from elenchus.bot.scenes.organised import OrganisedScenes
from elenchus.bot.scenes.people import People
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.results import Results
from elenchus.bot.scenes.room_presses import RoomPresses
from elenchus.bot.scenes.rooms import Rooms
from elenchus.bot.scenes.seat_presses import SeatPresses
from elenchus.bot.scenes.start import SceneStarter
from elenchus.bot.scenes.turns import SceneTurns
from elenchus.debate_engine.events import SeatLeft


@dataclass(frozen=True, slots=True)
class Scenes:
    """What the client hands its events to."""

    desk: Desk
    rooms: Rooms
    beginner: Beginner
    plain: PlainMessages

    async def prepare(self) -> None:
        """After the login: know which thread shows which view, and what was left unfinished. Raises StorageError."""
        await self.rooms.bindings.load()
        await self.beginner.load()

    async def ready(self, client: discord.Client) -> None:
        """The bot is connected, for the first time or again."""
        await self.beginner.finish(client)
        await self.rooms.open()
        if self.desk.settings.discord.message_content:
            await self.plain.catch_up(client)

    async def control_rooms(self) -> list[tuple[int, int]]:
        """The threads of all control rooms, each with who runs it. Raises StorageError."""
        return [(play.control, play.moderator) for play in await self.beginner.opener.plays.all()]

    async def member_left(self, guild: int, member: int) -> None:
        """Take somebody who left the server off every seat of scenes that go on. Raises StorageError."""
        sessions = {binding.session for binding in self.rooms.billed() if binding.guild == guild}
        for session in sessions:
            view = await self.rooms.view(session)
            for seat in view.seats_of(member) if not view.over else ():
                if seat not in view.left:
                    by = await self.rooms.people.name_of(member)
                    await self.desk.log.send(session, SeatLeft(by=by, seat=seat))


def furnish(
    tree: app_commands.CommandTree[Any],
    clicks: Clicks,
    desk: Desk,
    debates: House,
    transport: Transport,
    choices: Choices,
    forgetter: Forgetter,
    panel_pause: float,
) -> Scenes:
    """Add `/scene` to the tree and its handlers to the clicks."""
    rooms = Rooms(desk, transport, People(desk), panel_pause)
    forgetter.others.append(rooms.forget)
    debates.bindings.also_paid.append(rooms.billed)
    library, plays = Library(desk.shelf), Plays(desk.shelf)
    results = Results(desk, rooms, plays, library)
    rooms.moved.append(plays.moved)
    forgetter.organised.append(OrganisedScenes(rooms, plays, library))
    opener = Opener(desk, rooms, plays, library)
    beginner = Beginner(desk, opener)
    starter, joiner = SceneStarter(desk, debates, rooms, library, beginner), Joiner(rooms, opener)
    presses, seats = RoomPresses(desk, rooms, results, beginner), SeatPresses(desk, rooms)
    own_turns = SceneTurns(desk, rooms, plays)
    director = Director(desk, rooms, plays, library, presses)
    deleter = Deleter(desk, director, forgetter)
    parts = SceneParts(library, Adder(desk, library), starter, joiner, director, results, deleter, choices)
    commands.add_to(tree, parts)
    clicks.on(start.START, starter.pressed)
    clicks.on(beginning.JOIN, joiner.pressed)
    clicks.on(deleting.DELETE, deleter.confirmed)
    clicks.on(seen.TURN, own_turns.button)
    clicks.on(turns.ANSWER, own_turns.form)
    clicks.on(panels.SEAT, seats.button)
    clicks.on(seat_presses.QUESTION, seats.question)
    clicks.on(panels.ROOM, presses.button)
    clicks.on(room_presses.WORD, presses.word)
    return Scenes(desk, rooms, beginner, PlainMessages(desk, rooms, rooms))
