"""Puts scenes into the bot: the commands, the handlers, and what the client tells of threads, members and servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate.choices import Choices
from elenchus.bot.desk import Desk
from elenchus.bot.openings import Opener as ThreadOpener
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.scenes import beginning, deleting, panels, room_presses, seat_presses, start
from elenchus.bot.scenes.adding import Adder
from elenchus.bot.scenes.beginning import Beginner
from elenchus.bot.scenes.commands import SceneCommands
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
from elenchus.bot.scenes.seat_presses import SeatPresses
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.start import SceneStarter
from elenchus.bot.scenes.turns import SceneTurns
from elenchus.bot.session_manager import SessionManager
from elenchus.debate_engine.events import SeatLeft


@dataclass(frozen=True, slots=True)
class Scenes:
    """What the client hands its events to."""

    desk: Desk
    sessions: SceneSessions
    beginner: Beginner

    async def prepare(self) -> None:
        """After the login: know what was left unfinished. Raises StorageError."""
        await self.beginner.load()

    async def finish(self, client: discord.Client) -> None:
        """Finish what was left, once. Raises nothing of Discord's."""
        await self.beginner.finish(client)

    async def control_rooms(self) -> list[tuple[int, int]]:
        """The threads of all control rooms, each with who runs it. Raises StorageError."""
        return [(play.control, play.moderator) for play in await self.beginner.opener.plays.all()]

    async def member_left(self, guild: int, member: int) -> None:
        """Take somebody who left the server off every seat of scenes that go on. Raises StorageError."""
        for session in [binding.session for binding in self.sessions.bindings.scenes if binding.guild == guild]:
            view = await self.sessions.view(session)
            for seat in view.seats_of(member) if not view.over else ():
                if seat not in view.left:
                    by = await self.sessions.people.name_of(member)
                    await self.desk.log.send(session, SeatLeft(by=by, seat=seat))


def furnish(
    tree: app_commands.CommandTree[Any],
    components: ComponentHandlers,
    desk: Desk,
    manager: SessionManager,
    threads: ThreadOpener,
    choices: Choices,
    forgetter: Forgetter,
) -> Scenes:
    """Add `/scene` to the tree and its handlers to the clicks."""
    library, plays = Library(desk.shelf), Plays(desk.shelf)
    sessions = SceneSessions(desk, manager, threads, plays, People(desk))
    manager.scenes = sessions
    forgetter.others.append(sessions.forget)
    results = Results(desk, sessions, plays, library)
    forgetter.organised.append(OrganisedScenes(sessions, plays, library))
    opener = Opener(desk, sessions, plays, library)
    beginner = Beginner(desk, opener)
    starter, joiner = SceneStarter(desk, sessions, library, beginner), Joiner(sessions, opener)
    presses, seats = RoomPresses(desk, sessions, results, beginner), SeatPresses(desk, sessions)
    own_turns = SceneTurns(desk, sessions, plays)
    director = Director(desk, sessions, plays, library, presses)
    deleter = Deleter(desk, director, forgetter)
    adder = Adder(desk, library)
    tree.add_command(SceneCommands(library, adder, starter, joiner, director, results, deleter, choices))
    components.on(start.START, starter.pressed)
    components.on(beginning.JOIN, joiner.pressed)
    components.on(deleting.DELETE, deleter.confirmed)
    components.on(own_turns.button_name, own_turns.button)
    components.on(own_turns.form_name, own_turns.form)
    components.on(panels.SEAT, seats.button)
    components.on(seat_presses.QUESTION, seats.question)
    components.on(panels.ROOM, presses.button)
    components.on(room_presses.WORD, presses.word)
    return Scenes(desk, sessions, beginner)
