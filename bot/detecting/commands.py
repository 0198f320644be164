"""`/detect`, the menu entry "Detect biases", and the button "Look for biases"; each acknowledges first and hands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.debate import choices as debate_choices
from elenchus.bot.debate.start import member_of
from elenchus.bot.detecting.choices import Choices
from elenchus.bot.detecting.examined import Examined, Material
from elenchus.bot.detecting.offer import Offerer
from elenchus.bot.detecting.options import METHODS, MOST_RANKED, Wanted, how_of
from elenchus.bot.strings import detecting as words
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import DEFAULT, built_in

Asked = discord.Interaction[Any]
LOOK = "biases"
"""The name of the click on "Look for biases"; the rest is the session."""


@dataclass(frozen=True, slots=True)
class Given:
    """The options that say what is examined, as they were typed."""

    text: str = ""
    file: discord.Attachment | None = None
    session: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Detecting:
    """What the commands do. All raise UsageError, ProviderError, StorageError, discord.HTTPException."""

    material: Material
    offerer: Offerer

    async def command(self, interaction: Asked, given: Given, wanted: Wanted, *, private: bool | None) -> None:
        """`/detect`."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.offerer.check_may(interaction)
        examined = await self._examined(interaction, given)
        await self.offerer.offer(interaction, examined, how_of(wanted), wanted.detector, private=private)

    async def message(self, interaction: Asked, message: discord.Message) -> None:
        """The message that was right clicked."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.offerer.check_may(interaction)
        examined = await self.material.of_message(interaction, message)
        await self.offerer.offer(interaction, examined, how_of(Wanted()), "", private=None)

    async def pressed(self, interaction: Asked, session: str) -> None:
        """The button under the end of a session."""
        await self.command(interaction, Given(session=session), Wanted(), private=None)

    async def _examined(self, interaction: Asked, given: Given) -> Examined:
        if not given.session.strip():
            if given.speaker.strip():
                raise UsageError(words.SPEAKER_ALONE)
            return await self.material.of_text(given.text, given.file, member_of(interaction).id)
        if given.text.strip() or given.file:
            raise UsageError(words.TOO_MUCH)
        return await self.material.of_session(interaction, given.session, given.speaker)


def add_to(
    tree: app_commands.CommandTree[Any], detecting: Detecting, choices: Choices, models: debate_choices.Choices
) -> None:
    """Put `/detect` and the message's menu entry into the tree."""

    @tree.command(name="detect", description=words.DESCRIPTION)
    @app_commands.guild_only()
    @app_commands.describe(**words.OPTIONS)
    @app_commands.choices(
        method=[Choice(name=words.METHODS[method], value=method) for method in METHODS],
        weights=[Choice(name=name, value=name) for name in built_in()],
    )
    @app_commands.autocomplete(
        session=choices.session, speaker=choices.speaker, labels=choices.labels, bias=choices.bias, detector=models.seat
    )
    async def detect(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        interaction: Asked,
        text: Range[str, 1, 6_000] | None = None,
        file: discord.Attachment | None = None,
        session: str = "",
        speaker: str = "",
        method: str = "full",
        labels: Range[str, 1, 1_000] | None = None,
        bias: Range[str, 1, 100] | None = None,
        weights: str = DEFAULT,
        top: Range[int, 1, MOST_RANKED] = 1,
        detector: str = "",
        private: bool | None = None,
    ) -> None:
        given = Given(text or "", file, session, speaker)
        wanted = Wanted(method, labels or "", bias or "", weights, top, detector)
        await detecting.command(interaction, given, wanted, private=private)

    @tree.context_menu(name=words.MENU)
    @app_commands.guild_only()
    async def look(interaction: Asked, message: discord.Message) -> None:
        await detecting.message(interaction, message)
