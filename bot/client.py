"""The bot as Discord sees it: the real discord.py client, with everything that happens handed to whom it concerns."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any

import discord

from elenchus.bot import discord_internals, invite
from elenchus.bot.bindings import Bindings
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate import commands
from elenchus.bot.debate.choices import Choices
from elenchus.bot.debate.commands import Parts
from elenchus.bot.debate.confirm import Confirmer
from elenchus.bot.debate.offers import Offers
from elenchus.bot.debate.start import Starter
from elenchus.bot.debate.start_progress import Starting, tell_what_came, unfinished
from elenchus.bot.detection import commands as detecting
from elenchus.bot.errors import Tree, logged
from elenchus.bot.features import Features, register
from elenchus.bot.panel.actions import Actions
from elenchus.bot.panel.handlers import PanelHandlers
from elenchus.bot.posting import single_delivery
from elenchus.bot.posting.persona_emojis import PersonaEmojis
from elenchus.bot.posting.poster import Transport
from elenchus.bot.posting.webhooks import Webhooks
from elenchus.bot.preload import preload
from elenchus.bot.scenes import feature as scenes
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.thread_opener import Opener
from elenchus.config.settings import DiscordSettings

_log = logging.getLogger(__name__)


def intents_of(settings: DiscordSettings) -> discord.Intents:
    """What the bot asks to be told: servers and their channels; more only where its application was granted it."""
    intents = discord.Intents.none()
    intents.guilds = True
    intents.members = settings.members
    intents.guild_messages = intents.message_content = settings.message_content
    return intents


class ElenchusBot(discord.Client):
    """One bot in one process.

    `panel_pause` is the seconds between two edits of one panel; `guild_ready_timeout` the seconds without news of a
    further server after which it takes itself to know all.
    """

    def __init__(self, services: BotServices, *, panel_pause: float = 3.0, guild_ready_timeout: float = 2.0) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it never speaks: nothing is missing
        super().__init__(
            intents=intents_of(services.settings.discord),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_timeout,
            http_trace=single_delivery.trace(),
        )
        self.services = services
        self.tree = Tree(self)
        self.components = ComponentHandlers()
        self.bindings = Bindings(services.store)
        transport = Transport(self, self.bindings, Webhooks(self), PersonaEmojis(self))
        self.manager = SessionManager(services, transport, panel_pause)
        self.opener = Opener(services, self.manager)
        self._unfinished: list[Starting] = []
        self._choices = Choices(services)
        self.features: Features = register(
            self.tree, self.components, services, self.manager, transport, self.opener, self._choices
        )
        offers = Offers()
        self._add_debates(offers)
        self.scenes = scenes.register(
            self.tree, self.components, services, self.manager, self.opener, self._choices, self.features.forgetter
        )
        detecting.register(self.tree, self.components, services, self.manager, offers, self._choices)

    def _add_debates(self, offers: Offers) -> None:
        """`/debate`, its offers, and the panel."""
        actions = Actions(self.services, self.manager)
        starter = Starter(self.services, self.bindings, offers)
        presses = PanelHandlers(self.services, self.manager, actions)
        parts = Parts(self.services, self.manager, starter, actions, self._choices)
        commands.add_to(self.tree, parts)
        self.components.on("start", Confirmer(self.services, self.manager, offers, self.opener).pressed, answers=True)
        self.components.on("panel", presses.button, answers=True)
        self.components.on("form", presses.form)

    async def setup_hook(self) -> None:
        """After the login, before the gateway: know which thread shows what, and tell Discord the commands.

        What is slow to import is imported here, so that the first command finds it all.
        """
        if self.application_id is not None:
            _log.info("to invite the bot to a server, open %s", invite.address(self.application_id))
        discord_internals.release_locks(self)
        await asyncio.to_thread(preload, self._choices)
        await self.bindings.load()
        self._unfinished = await unfinished(self.services.store)
        await self.opener.load()
        await self.scenes.prepare()
        await self.tree.sync()

    async def close(self) -> None:
        """Pause what runs, then leave."""
        await self.manager.aclose()
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Hear of something, but for a client that was closed meanwhile: it may just have been getting ready."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    # ── what happens ─────────────────────────────────────────────────────────────────────────────────────────────

    async def on_ready(self) -> None:
        """Connected, for the first time or again."""
        _log.info("connected as %s in %d servers", self.user, len(self.guilds))
        await self.opener.finish(self)
        await self.scenes.finish(self)
        await self.manager.open()
        await self.features.ready(self)
        left, self._unfinished = self._unfinished, []
        threads = [(binding.thread, binding.moderator) for binding in self.bindings.public]
        await tell_what_came(self, self.services.store, left, [*threads, *await self.scenes.control_rooms()])

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """One of the handlers below failed."""
        if (error := sys.exc_info()[1]) is not None:
            logged(error, event_method)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """A button was pressed or a form sent."""
        await self.components.take(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote something."""
        await self.features.written(message)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Somebody left a server, or was removed from it."""
        await self.features.member_left(self, payload.guild_id, payload.user.id)
        await self.scenes.member_left(payload.guild_id, payload.user.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, for the bot at least."""
        await self.manager.lost_sight(payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, for the bot at least."""
        await self.manager.lost_sight(channel.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server."""
        await self.manager.lost_guild(guild.id, guild.name)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        self.manager.back_in_guild(guild.id)
