"""`/scene register`: what a scene's study compares, and how, is kept before its first run and handed out."""

from __future__ import annotations

import io
from dataclasses import dataclass

import discord

from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.rendering import safe
from elenchus.bot.rules import check_may_start
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.results_command import place_of
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.protocols.rulegen.study.registration import files_of
from elenchus.service.lab import registration
from elenchus.service.lab.scene_results import PlayedScene


@dataclass(frozen=True, slots=True)
class SceneRegisterCommand:
    """Answers it, for those who may start scenes: the file tells what one is about. Raises UsageError, StorageError."""

    services: BotServices
    library: Library

    async def register(self, interaction: Interaction, scene: str) -> None:
        """Keep it for all later results of the scene on this server, and give both files to the member alone."""
        member = requester_of(interaction)
        guild, name = member.guild.id, scene.casefold()
        await check_may_start(self.services, member)
        found = await self.library.find(guild, name)
        played = PlayedScene(name, found, await self.library.versions(guild, found))
        made = await registration.register(self.services.store, played, place_of(guild))
        files = [discord.File(io.BytesIO(content), called) for called, content in files_of(made).items()]
        told = msg("scenes-registered", title=safe.inline(found.title or name), digest=made.sha256[:12])
        await tell(interaction, told, files=files)
