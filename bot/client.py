"""The bot as Discord sees it: the real discord.py client, with everything that happens handed to whom it concerns."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Any

import discord

from elenchus.bot import discord_internals, invite
from elenchus.bot.audience import Audience
from elenchus.bot.bindings import Bindings
from elenchus.bot.command_tree import CommandTree
from elenchus.bot.completions import Completions
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.crit_command import CritCommand
from elenchus.bot.debate.start_command import StartCommand
from elenchus.bot.detection.commands import DetectionCommands
from elenchus.bot.errors import logged
from elenchus.bot.help_command import HelpCommand
from elenchus.bot.interactions import Interaction
from elenchus.bot.offers import ConfirmedOffer, Offers, report_unfinished, unfinished_offers
from elenchus.bot.panel.actions import Actions
from elenchus.bot.panel.handlers import PanelHandlers
from elenchus.bot.people.debate_turns import DebateTurns
from elenchus.bot.people.forgetting_messages import Forgetter
from elenchus.bot.people.privacy import Privacy
from elenchus.bot.people.removal import Removal
from elenchus.bot.people.typed_answers import TypedAnswers
from elenchus.bot.personas.commands import PersonaCommands
from elenchus.bot.personas.inputs import PersonaInputs
from elenchus.bot.posting import late_posts
from elenchus.bot.posting.persona_emojis import PersonaEmojis
from elenchus.bot.posting.poster import Transport, Webhooks
from elenchus.bot.posting.requests import trace
from elenchus.bot.preload import preload
from elenchus.bot.public_sessions import PublicSessions
from elenchus.bot.scenes import registration as scenes
from elenchus.bot.scenes.promises import EVERY
from elenchus.bot.services import BotServices
from elenchus.bot.session_commands import SessionCommands
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.settings_commands import SettingsCommands
from elenchus.bot.shards import IdentifyTurns
from elenchus.bot.thread_opener import ThreadOpener
from elenchus.config.settings import DiscordSettings
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.owned_tasks import OwnedTasks
from elenchus.service.lab.leases import Lease

_log = logging.getLogger(__name__)

STORE_AGAIN = 1.0
"""Seconds before a store that failed is asked again."""


def intents_of(settings: DiscordSettings) -> discord.Intents:
    """What the bot asks to be told: servers and their channels; more only where its application was granted it."""
    intents = discord.Intents.none()
    intents.guilds = True
    intents.members = settings.members
    intents.guild_messages = intents.message_content = settings.message_content
    return intents


class ElenchusBot(discord.Client):
    """The bot as one shard of it, `services.shard`: the only one, where there are no more.

    `panel_interval` is the seconds between two edits of one panel; `guild_ready_timeout` the seconds without news of a
    further server after which it takes itself to know all; `late` the seconds after which it looks for posts that came
    late; `lease` is this process's place at the gateway; `turns` is where it waits until it may identify, beside other
    shards.
    """

    def __init__(
        self,
        services: BotServices,
        *,
        panel_interval: float = 3.0,
        guild_ready_timeout: float = 2.0,
        late: float = late_posts.LATE,
        lease: Lease | None = None,
        turns: IdentifyTurns | None = None,
    ) -> None:
        self.services, self._turns, self._late, shard = services, turns, late, services.shard
        discord_internals.speaks_nowhere()
        super().__init__(
            intents=intents_of(services.settings.discord),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_timeout,
            http_trace=trace(),
            shard_id=shard.number if shard.count > 1 else None,
            shard_count=shard.count if shard.count > 1 else None,
        )
        self.tree = CommandTree(self)
        self.components = ComponentHandlers()
        self.bindings = Bindings(services.store, shard)
        is_ours = (lambda: lease.is_held) if lease else (lambda: True)
        previous_owner = lease.former if lease else None
        self._was_taken_over = previous_owner is not None
        self._transport = transport = Transport(self, self.bindings, Webhooks(self), PersonaEmojis(self), is_ours)
        self.manager = SessionManager(services, transport, panel_interval, previous_owner)
        self.opener = ThreadOpener(services, self.manager)
        self.completions = Completions(services)
        self._unfinished: list[ConfirmedOffer] = []
        self._keeping = OwnedTasks()
        self._typed_answers = TypedAnswers(services, self.manager)
        forgetter, offers = Forgetter(services, self.manager, transport), Offers(services, self.bindings)
        self.manager.public = self.public = PublicSessions(services, self.bindings, forgetter)
        offers.register(self.components)
        self._add_debates(offers)
        self._add_people(forgetter)
        self.scenes = scenes.register(self, offers, forgetter)

    def _add_debates(self, offers: Offers) -> None:
        """Commands and buttons for whoever starts and moderates: debates, scored texts, detections."""
        services, manager, opener = self.services, self.manager, self.opener
        panel = PanelHandlers(services, manager, Actions(services, manager))
        self.tree.add_command(panel.group(StartCommand(services, offers, opener).command(self.completions)))
        panel.register(self.components)
        sessions = SessionCommands(services, manager, opener)
        self.tree.add_command(sessions)
        sessions.register(self.components)
        CritCommand(services, manager, opener).add_to(self.tree, self.completions)
        detections = DetectionCommands(services, manager, offers, opener)
        detections.add_to(self.tree, self.completions)
        detections.register(self.components)
        self._inputs = PersonaInputs(services, offers)
        PersonaCommands(services, self._inputs).add_to(self.tree, self.completions)
        self.tree.add_command(SettingsCommands(services))
        self.tree.add_command(HelpCommand(services, manager).command())

    def _add_people(self, forgetter: Forgetter) -> None:
        """Commands and buttons for whoever takes part or looks on."""
        services, manager = self.services, self.manager
        self._removal = Removal(services, manager, forgetter)
        turns, privacy = DebateTurns(services, manager, forgetter), Privacy(services, self._removal, forgetter)
        turns.register(self.components)
        self._typed_answers.register(self.components)
        Audience(services, manager).register(self.components)
        privacy.register(self.components)
        self.tree.add_command(privacy)

    async def setup_hook(self) -> None:
        """After the login, before the gateway: know which thread shows what, and tell Discord the commands.

        What is slow to import is imported here, so that the first command finds it all.
        """
        if self.application_id is not None and self.services.shard.has(0):
            _log.info("to invite the bot to a server, open %s", invite.address(self.application_id))
        discord_internals.release_locks(self)
        await asyncio.to_thread(preload, self.completions)
        await self.bindings.load()
        self._transport.contested.update(late_posts.contested(self.bindings, taken_over=self._was_taken_over))
        self._unfinished = await unfinished_offers(self.services.store, self.services.shard)
        for opener in (self.opener, *self.scenes.openers):
            await opener.load()
        if self.services.shard.has(0):  # one of them tells it for all
            await self.tree.sync()
        if self._turns is not None:  # not in the hook below: discord.py gives a connection a minute to identify
            await self.manager.open(early=True)  # debates need not wait for the turn, as presses and commands must
            await self._turns.wait(self.services.shard.number)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the turn to identify anew; for the first time it has been waited for."""
        if self._turns is None:
            await super().before_identify_hook(shard_id, initial=initial)
        elif not initial:
            with suppress(StorageError):  # then out of turn: Discord tells a client to try again, and nothing ends
                await self._turns.wait(self.services.shard.number)

    async def close(self) -> None:
        """Pause what runs, then leave."""
        await self._keeping.aclose()
        await self.scenes.classes.aclose()
        await self._inputs.aclose()
        await self.manager.aclose()
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Hear of something, but for a client that was closed meanwhile: it may just have been getting ready."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    # ── what happens ─────────────────────────────────────────────────────────────────────────────────────────────

    async def on_ready(self) -> None:
        """Connected, for the first time or again: go on with what was in hand, as soon as the store can be used."""
        _log.info("connected as %s in %d servers", self.user, len(self.guilds))
        while not (self.is_closed() or await self._goes_on()):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(STORE_AGAIN)

    async def _goes_on(self) -> bool:
        try:
            await self._go_on()
        except StorageError as error:
            logged(error, "what was in hand waits for the store")
            return False
        return True

    async def _go_on(self) -> None:
        for opener in (self.opener, *self.scenes.openers):
            await opener.finish(self)
        await self.manager.open()
        await self.scenes.classes.open_all()
        if not list(self._keeping):
            self._keeping.begin(self.scenes.promises.retention.keep(EVERY), "retention")
            self._keeping.begin(self._removal.keep(), "removals")
            self._keeping.begin(late_posts.sweep(self._transport, self._late), "late posts")
        if self.services.settings.discord.message_content:
            await self._typed_answers.catch_up(self)
        threads = [(binding.thread, binding.moderator) for binding in self.bindings.public]
        threads += await self.scenes.control_rooms()
        left, self._unfinished = self._unfinished, []
        await report_unfinished(self, self.services.store, left, threads)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """One of the handlers below failed."""
        if (error := sys.exc_info()[1]) is not None:
            logged(error, event_method)

    async def on_interaction(self, interaction: Interaction) -> None:
        """A button was pressed or a form sent."""
        await self.components.take(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote something."""
        await self._typed_answers.written(message)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Somebody left a server, or was removed from it."""
        await self.public.member_left(self, payload.guild_id, payload.user.id)
        await self.scenes.member_left(payload.guild_id, payload.user.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, for the bot at least."""
        await self.manager.unpostable.channel_removed(payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, for the bot at least."""
        await self.manager.unpostable.channel_removed(channel.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server."""
        await self.manager.unpostable.guild_left(guild.id, guild.name)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        self.manager.guild_joined(guild.id)
