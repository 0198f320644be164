"""Puts scenes into the bot: the commands, the handlers, and what the client tells of threads, members and servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate.choices import Choices
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.scenes import control_room_handlers, deleting, panels, play_opener, seat_handlers, start
from elenchus.bot.scenes.adding import SceneAdder
from elenchus.bot.scenes.commands import SceneCommands
from elenchus.bot.scenes.control_room_handlers import ControlRoomHandlers
from elenchus.bot.scenes.deleting import SceneDeleter
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.member_names import People
from elenchus.bot.scenes.organiser_commands import OrganiserCommands
from elenchus.bot.scenes.organiser_records import SceneOrganiserRecords
from elenchus.bot.scenes.play_opener import PlayOpener
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.results import Results
from elenchus.bot.scenes.seat_handlers import SeatHandlers
from elenchus.bot.scenes.session_opener import Opener
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.start import SceneStarter
from elenchus.bot.scenes.subject_commands import SubjectCommands
from elenchus.bot.scenes.turns import SceneTurns
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.thread_opener import Opener as ThreadOpener
from elenchus.debate_engine.events import SeatLeft


@dataclass(frozen=True, slots=True)
class Scenes:
    """What the client hands its events to."""

    services: BotServices
    sessions: SceneSessions
    beginner: PlayOpener

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
                    await self.services.log.send(session, SeatLeft(by=by, seat=seat))


def register(
    tree: app_commands.CommandTree[Any],
    components: ComponentHandlers,
    services: BotServices,
    manager: SessionManager,
    threads: ThreadOpener,
    choices: Choices,
    forgetter: Forgetter,
) -> Scenes:
    """Add `/scene` to the tree and its handlers to the clicks."""
    library, plays = Library(services.store), Plays(services.store)
    sessions = SceneSessions(services, manager, threads, plays, People(services))
    manager.scenes = sessions
    forgetter.others.append(sessions.forget)
    results = Results(services, sessions, plays, library)
    forgetter.organised.append(SceneOrganiserRecords(sessions, plays, library))
    opener = Opener(services, sessions, plays, library)
    beginner = PlayOpener(services, opener)
    starter, joiner = SceneStarter(services, sessions, library, beginner), SubjectCommands(sessions, opener)
    presses, seats = ControlRoomHandlers(services, sessions, results, beginner), SeatHandlers(services, sessions)
    own_turns = SceneTurns(services, sessions, plays)
    director = OrganiserCommands(services, sessions, plays, library, presses)
    deleter = SceneDeleter(services, director, forgetter)
    adder = SceneAdder(services, library)
    tree.add_command(SceneCommands(library, adder, starter, joiner, director, results, deleter, choices))
    components.on(start.START, starter.pressed, answers=True)
    components.on(play_opener.JOIN, joiner.pressed)
    components.on(deleting.DELETE, deleter.confirmed)
    components.on(own_turns.button_name, own_turns.button, answers=True)
    components.on(own_turns.form_name, own_turns.form)
    components.on(panels.SEAT, seats.button, answers=True)
    components.on(seat_handlers.QUESTION, seats.question)
    components.on(panels.ROOM, presses.button, answers=True)
    components.on(control_room_handlers.WORD, presses.word)
    return Scenes(services, sessions, beginner)
