"""The commands under `/scene`: each reads its options and hands on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.debate.choices import MOST, PATIENCE, Choices, matches
from elenchus.bot.debate.start import member_of
from elenchus.bot.guild import may_start, settings_of
from elenchus.bot.scenes.adding import Adder
from elenchus.bot.scenes.casting import WantedScene
from elenchus.bot.scenes.deleting import Deleter
from elenchus.bot.scenes.directing import Director
from elenchus.bot.scenes.joining import Joiner
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.results import Results
from elenchus.bot.scenes.start import MOST_SUBJECTS, SceneStarter
from elenchus.bot.strings import scenes as words

MOST_NUMBER = 1_000
"""Of a subject: places that are given again make more of them than places."""

Asked = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class SceneParts:
    """What the commands hand on to."""

    library: Library
    adder: Adder
    starter: SceneStarter
    joiner: Joiner
    director: Director
    results: Results
    deleter: Deleter
    choices: Choices

    async def scenes(self, interaction: Asked, current: str) -> list[Choice[str]]:
        """Scenes by name, while somebody types who may start one; none where the storage takes too long to tell."""
        try:
            return await asyncio.wait_for(self._named(member_of(interaction), current), PATIENCE)
        except TimeoutError:
            return []

    async def _named(self, member: discord.Member, current: str) -> list[Choice[str]]:
        """Nothing for others: the names tell what they are about."""
        if not may_start(await settings_of(self.library.shelf, member.guild.id), member):
            return []
        known = await self.library.all(member.guild.id)
        return [Choice(name=name, value=name) for name in known if matches(current, name)][:MOST]


def add_to(tree: app_commands.CommandTree[Any], parts: SceneParts) -> None:
    """Put `/scene` into the tree."""
    contexts = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    group = app_commands.Group(name="scene", description=words.GROUP, allowed_contexts=contexts)
    _add_scenes(group, parts)
    _add_start(group, parts)
    _add_for_subjects(group, parts)
    _add_for_directors(group, parts)
    tree.add_command(group)


def _add_scenes(group: app_commands.Group, parts: SceneParts) -> None:
    @group.command(name="list", description=words.LIST)
    async def listed(interaction: Asked) -> None:
        await parts.director.listed(interaction)

    @group.command(name="add", description=words.ADD)
    @app_commands.describe(script=words.OPTIONS["script"], bias=words.OPTIONS["bias"])
    async def add(interaction: Asked, script: discord.Attachment, bias: Range[str, 1, 80] | None = None) -> None:
        await parts.adder.add(interaction, script, bias or "")


def _add_start(group: app_commands.Group, parts: SceneParts) -> None:
    seats = ("subject", "confederate", "moderator", "judge", "model")
    named = ("scene", *seats, "subjects", "conditions", "minutes", "budget")

    @group.command(name="start", description=words.START)
    @app_commands.describe(**{name: words.OPTIONS[name] for name in named})
    @app_commands.autocomplete(scene=parts.scenes, **dict.fromkeys(seats, parts.choices.seat))
    async def start(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        interaction: Asked,
        scene: Range[str, 1, 80],
        subject: str = "",
        confederate: str = "",
        moderator: str = "",
        judge: str = "",
        subjects: Range[int, 1, MOST_SUBJECTS] | None = None,
        conditions: Literal["both", "treatment", "control"] = "both",
        model: str = "",
        minutes: Range[int, 1, 10_080] | None = None,
        budget: Range[float, 0.01, None] | None = None,
    ) -> None:
        wanted = WantedScene(
            scene,
            subject,
            confederate,
            moderator,
            judge,
            subjects or 0,
            conditions,
            model.strip(),
            minutes or 0,
            budget,
        )
        await parts.starter.offer(interaction, wanted)


def _add_for_subjects(group: app_commands.Group, parts: SceneParts) -> None:
    @group.command(name="join", description=words.JOIN)
    @app_commands.describe(play=words.OPTIONS["play"])
    async def join(interaction: Asked, play: str = "") -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await parts.joiner.join(interaction, member_of(interaction), play.strip())

    @group.command(name="debrief", description=words.DEBRIEF)
    async def debrief(interaction: Asked) -> None:
        await parts.joiner.debrief(interaction)


def _add_for_directors(group: app_commands.Group, parts: SceneParts) -> None:
    @group.command(name="status", description=words.STATUS)
    @app_commands.describe(play=words.OPTIONS["play"])
    async def status(interaction: Asked, play: str = "") -> None:
        await parts.director.status(interaction, play.strip())

    @group.command(name="stop", description=words.STOP)
    @app_commands.describe(play=words.OPTIONS["play"], number=words.OPTIONS["number"])
    async def stop(interaction: Asked, play: str = "", number: Range[int, 1, MOST_NUMBER] | None = None) -> None:
        await parts.director.stop(interaction, play.strip(), number)

    @group.command(name="delete", description=words.DELETE)
    @app_commands.describe(play=words.OPTIONS["play"], number=words.OPTIONS["number"])
    async def delete(interaction: Asked, play: str = "", number: Range[int, 1, MOST_NUMBER] | None = None) -> None:
        await parts.deleter.asked(interaction, play.strip(), number)

    @group.command(name="results", description=words.RESULTS)
    @app_commands.describe(play=words.OPTIONS["play"])
    async def results(interaction: Asked, play: str = "") -> None:
        await parts.results.of_play(interaction, play.strip())
