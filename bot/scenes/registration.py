"""Puts scenes into the bot: the commands under `/scene`, the handlers, and what the client tells of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from elenchus.bot.command_tree import command_of, group_of
from elenchus.bot.offers import Offers
from elenchus.bot.people.forgetting_messages import Forgetter
from elenchus.bot.scenes import control_room_panel, delete_command, seat_thread
from elenchus.bot.scenes.add_command import SceneAddCommand
from elenchus.bot.scenes.class_members import ClassMembers
from elenchus.bot.scenes.delete_command import SceneDeleteCommand
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.member_names import MemberNames
from elenchus.bot.scenes.organisers import WORD, OrganiserHandlers
from elenchus.bot.scenes.participants import QUESTION, ParticipantHandlers
from elenchus.bot.scenes.place_opener import PlaceOpener
from elenchus.bot.scenes.play_opener import JOIN, PlayOpener
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.promises import PromiseHandlers
from elenchus.bot.scenes.register_command import SceneRegisterCommand
from elenchus.bot.scenes.results_command import ResultsCommand
from elenchus.bot.scenes.scene_sessions import SceneOrganiserRecords, SceneSessions
from elenchus.bot.scenes.scene_turns import SceneTurns
from elenchus.bot.scenes.start_command import SceneStartCommand
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.events import SeatLeft

if TYPE_CHECKING:
    from elenchus.bot.client import ElenchusBot


@dataclass(frozen=True, slots=True)
class Scenes:
    """What the client hands its events to."""

    sessions: SceneSessions
    promises: PromiseHandlers
    openers: tuple[PlaceOpener, PlayOpener]
    classes: ClassMembers

    async def control_rooms(self) -> list[tuple[int, int]]:
        """The threads of all control rooms, each with who runs it. Raises StorageError."""
        return [(play.control, play.moderator) for play in await self.sessions.plays.all()]

    async def member_left(self, guild: int, member: int) -> None:
        """Take somebody who left the server off every seat of scenes that go on. Raises StorageError."""
        await self.classes.member_left(guild, member)
        for session in [binding.session for binding in self.sessions.bindings.scenes if binding.guild == guild]:
            view = await self.sessions.view(session)
            for seat in view.seats_of(member) if not view.over else ():
                if seat not in view.left:
                    by = await self.sessions.names.name_of(member)
                    await self.sessions.services.log.send(session, SeatLeft(by=by, seat=seat))


def register(bot: ElenchusBot, offers: Offers, forgetter: Forgetter) -> Scenes:
    """Add `/scene` and `/class` to the bot's commands and their handlers to the clicks."""
    services, library, plays = bot.services, Library(bot.services.store), Plays(bot.services.store)
    bot.manager.scenes = sessions = SceneSessions(services, bot.manager, bot.opener, plays, MemberNames(services))
    forgetter.others.append(sessions.forget)
    forgetter.organised.append(SceneOrganiserRecords(sessions, plays, library))
    places = PlaceOpener(services, sessions, library)
    play_opener = PlayOpener(services, places)
    results = ResultsCommand(services, sessions, library)
    organisers = OrganiserHandlers(services, sessions, library, results, play_opener)
    participants = ParticipantHandlers(services, sessions, places)
    deleter = SceneDeleteCommand(services, organisers, forgetter)
    promises = PromiseHandlers(services, sessions, bot)
    SceneTurns(services, sessions, plays).register(bot.components)
    _register_buttons(bot, organisers, participants, deleter, promises)
    start = SceneStartCommand(services, sessions, library, play_opener, offers)
    seats = dict.fromkeys(("subject", "confederate", "moderator", "judge"), bot.completions.seat)
    seats |= {"model": bot.completions.seat_of_no_mind}
    options = messages("scenes-options")
    add, plan = SceneAddCommand(services, library).add, SceneRegisterCommand(services, library).register
    group = group_of(
        "scene",
        msg("scenes-group"),
        command_of("list", msg("scenes-list"), organisers.listed),
        command_of("add", msg("scenes-add"), add, options),
        command_of("start", msg("scenes-start"), start.offer, options, scene=organisers.names, **seats),
        command_of("join", msg("scenes-join"), participants.join, options),
        command_of("debrief", msg("scenes-debrief"), participants.debrief),
        command_of("withdraw", msg("scenes-withdraw"), promises.withdraw, options),
        command_of("status", msg("scenes-status"), organisers.status, options),
        command_of("stop", msg("scenes-stop"), organisers.stop, options),
        command_of("delete", msg("scenes-delete"), deleter.delete, options),
        command_of("results", msg("scenes-results"), results.of_play, options),
        command_of("register", msg("scenes-register"), plan, options, scene=organisers.names),
    )
    bot.tree.add_command(group)
    return Scenes(sessions, promises, (places, play_opener), _class_members(bot, sessions))


def _register_buttons(
    bot: ElenchusBot,
    organisers: OrganiserHandlers,
    participants: ParticipantHandlers,
    deleter: SceneDeleteCommand,
    promises: PromiseHandlers,
) -> None:
    bot.components.on(JOIN, participants.pressed)
    bot.components.on(delete_command.DELETE, deleter.confirmed)
    bot.components.on(seat_thread.PANEL, participants.button, answers=True)
    bot.components.on(QUESTION, participants.question)
    bot.components.on(control_room_panel.PANEL, organisers.button, answers=True)
    bot.components.on(WORD, organisers.word)
    bot.components.on(seat_thread.CODES, promises.codes, answers=True)


def _class_members(bot: ElenchusBot, sessions: SceneSessions) -> ClassMembers:
    classes = ClassMembers(sessions, bot)
    join = command_of("join", msg("classes-join"), classes.join, {"code": msg("classes-join-code")})
    bot.tree.add_command(group_of("class", msg("classes-group"), join))
    return classes
