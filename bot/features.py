"""Puts what is not `/debate` itself into the bot: people on seats, the audience, and the smaller commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot import crit, help_command, sessions
from elenchus.bot.audience import Audience
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.crit import Scorer
from elenchus.bot.debate.choices import Choices
from elenchus.bot.debates import DebateSessions
from elenchus.bot.guild_settings import Settings
from elenchus.bot.help_command import HelpCommand
from elenchus.bot.people import debate_turns, privacy
from elenchus.bot.people.debate_turns import DebateTurns
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.people.privacy import Privacy
from elenchus.bot.people.typed_answers import PLAIN, TypedAnswers, TypedMessages
from elenchus.bot.posting.poster import Transport
from elenchus.bot.rendering.audience import VOTE
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.sessions import Sessions
from elenchus.bot.thread_opener import Opener


@dataclass(frozen=True, slots=True)
class Features:
    """What the client hands its events to."""

    services: BotServices
    debates: DebateSessions
    plain: TypedMessages
    forgetter: Forgetter

    async def ready(self, client: discord.Client) -> None:
        """The bot is connected, for the first time or again."""
        if self.services.settings.discord.message_content:
            await self.plain.catch_up(client)

    async def written(self, message: discord.Message) -> None:
        """Somebody wrote a message."""
        await self.plain.written(message)

    async def member_left(self, client: discord.Client, guild: int, member: int) -> None:
        """Somebody is no member of a server any more."""
        await self.debates.member_left(client, guild, member)


def register(
    tree: app_commands.CommandTree[Any],
    components: ComponentHandlers,
    services: BotServices,
    manager: SessionManager,
    transport: Transport,
    opener: Opener,
    choices: Choices,
) -> Features:
    """Add the commands to the tree and the handlers to the clicks."""
    forgetter = Forgetter(services, manager, transport)
    manager.debates = debates = DebateSessions(services, manager.bindings, forgetter)
    own_turns, own_privacy = DebateTurns(services, manager, forgetter), Privacy(services, manager, forgetter)
    own_sessions = Sessions(services, manager, opener)
    components.on(own_turns.button_name, own_turns.button, answers=True)
    components.on(own_turns.form_name, own_turns.form)
    components.on(PLAIN, TypedAnswers(services).pressed)
    components.on(debate_turns.CONSENT, own_turns.consent, answers=True)
    components.on(VOTE, Audience(services, manager).pressed)
    components.on(sessions.DELETE, own_sessions.confirmed)
    components.on(privacy.FORGET, own_privacy.confirmed)
    for group in (own_sessions, own_privacy, Settings(services)):
        tree.add_command(group)
    help_command.add_to(tree, HelpCommand(services, manager))
    crit.add_to(tree, Scorer(services, manager, opener), choices)
    return Features(services, debates, TypedMessages(services, manager), forgetter)
