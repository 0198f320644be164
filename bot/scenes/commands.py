"""The commands under `/scene`: each reads its options and hands on."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.debate.choices import MOST, PATIENCE, Choices, matches
from elenchus.bot.debate.start import member_of
from elenchus.bot.guild import may_start, settings_of
from elenchus.bot.scenes.adding import SceneAdder
from elenchus.bot.scenes.casting import WantedScene
from elenchus.bot.scenes.deleting import SceneDeleter
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.organiser_commands import OrganiserCommands
from elenchus.bot.scenes.results import Results
from elenchus.bot.scenes.start import MOST_SUBJECTS, SceneStarter
from elenchus.bot.scenes.subject_commands import SubjectCommands
from elenchus.bot.strings import messages, msg

MOST_NUMBER = 1_000
"""Of a subject: places that are given again make more of them than places."""

SEATS = ("subject", "confederate", "moderator", "judge", "model")
NAMED = ("scene", *SEATS, "subjects", "conditions", "minutes", "budget")
"""The options of `/scene start`."""

Asked = discord.Interaction[Any]
Number = Range[int, 1, MOST_NUMBER]


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class SceneCommands(app_commands.Group, name="scene", description=msg("scenes-group")):
    """The commands."""

    def __init__(
        self,
        library: Library,
        adder: SceneAdder,
        starter: SceneStarter,
        joiner: SubjectCommands,
        director: OrganiserCommands,
        results: Results,
        deleter: SceneDeleter,
        choices: Choices,
    ) -> None:
        super().__init__()
        self.library, self.choices = library, choices
        self.adder, self.starter, self.joiner = adder, starter, joiner
        self.director, self.shown, self.deleter = director, results, deleter

    # ── what is offered while somebody types ─────────────────────────────────────────────────────────────────────

    async def scenes(self, interaction: Asked, current: str) -> list[Choice[str]]:
        """Scenes by name, while somebody types who may start one; none where the storage takes too long to tell."""
        try:
            return await asyncio.wait_for(self._named(member_of(interaction), current), PATIENCE)
        except TimeoutError:
            return []

    async def _named(self, member: discord.Member, current: str) -> list[Choice[str]]:
        """Nothing for others: the names tell what they are about."""
        if not may_start(await settings_of(self.library.store, member.guild.id), member):
            return []
        known = await self.library.all(member.guild.id)
        return [Choice(name=name, value=name) for name in known if matches(current, name)][:MOST]

    async def seats(self, interaction: Asked, current: str) -> list[Choice[str]]:
        """Who may sit somewhere."""
        return await self.choices.seat(interaction, current)

    # ── the commands ─────────────────────────────────────────────────────────────────────────────────────────────

    @app_commands.command(name="list", description=msg("scenes-list"))
    async def listed(self, interaction: Asked) -> None:
        """What there is."""
        await self.director.listed(interaction)

    @app_commands.command(name="add", description=msg("scenes-add"))
    @app_commands.describe(script=messages("scenes-options")["script"], bias=messages("scenes-options")["bias"])
    async def add(self, interaction: Asked, script: discord.Attachment, bias: Range[str, 1, 80] | None = None) -> None:
        """Read and keep a script."""
        await self.adder.add(interaction, script, bias or "")

    @app_commands.command(name="start", description=msg("scenes-start"))
    @app_commands.describe(**{name: messages("scenes-options")[name] for name in NAMED})
    @app_commands.autocomplete(scene=scenes, **dict.fromkeys(SEATS, seats))
    async def start(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
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
        """Offer a scene."""
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
        await self.starter.offer(interaction, wanted)

    @app_commands.command(name="join", description=msg("scenes-join"))
    @app_commands.describe(play=messages("scenes-options")["play"])
    async def join(self, interaction: Asked, play: str = "") -> None:
        """Take a place."""
        await self.joiner.join(interaction, member_of(interaction), play.strip())

    @app_commands.command(name="debrief", description=msg("scenes-debrief"))
    async def debrief(self, interaction: Asked) -> None:
        """Read once more what it was about."""
        await self.joiner.debrief(interaction)

    @app_commands.command(name="status", description=msg("scenes-status"))
    @app_commands.describe(play=messages("scenes-options")["play"])
    async def status(self, interaction: Asked, play: str = "") -> None:
        """How the scenes stand."""
        await self.director.status(interaction, play.strip())

    @app_commands.command(name="stop", description=msg("scenes-stop"))
    @app_commands.describe(play=messages("scenes-options")["play"], number=messages("scenes-options")["number"])
    async def stop(self, interaction: Asked, play: str = "", number: Number | None = None) -> None:
        """End them kindly."""
        await self.director.stop(interaction, play.strip(), number)

    @app_commands.command(name="delete", description=msg("scenes-delete"))
    @app_commands.describe(play=messages("scenes-options")["play"], number=messages("scenes-options")["number"])
    async def delete(self, interaction: Asked, play: str = "", number: Number | None = None) -> None:
        """Remove their records."""
        await self.deleter.asked(interaction, play.strip(), number)

    @app_commands.command(name="results", description=msg("scenes-results"))
    @app_commands.describe(play=messages("scenes-options")["play"])
    async def results(self, interaction: Asked, play: str = "") -> None:
        """How often the bias was seen."""
        await self.shown.of_play(interaction, play.strip())
