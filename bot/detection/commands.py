"""`/detect`, the menu entry "Detect biases", and the button "Look for biases"; each acknowledges first and hands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate import choices as debate_choices
from elenchus.bot.debate.offers import Offers
from elenchus.bot.debate.start import member_of
from elenchus.bot.detection.offer import DetectionOffers
from elenchus.bot.detection.options import METHODS, MOST_RANKED, Completion
from elenchus.bot.detection.sources import Examined, Sources
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import built_in

Asked = discord.Interaction[Any]
LOOK = "biases"
"""The name of the click on "Look for biases"; the rest is the session."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """The options that say what is examined, as they were typed."""

    text: str = ""
    file: discord.Attachment | None = None
    session: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Handlers:
    """What the commands do. All raise UsageError, ProviderError, StorageError, discord.HTTPException."""

    sources: Sources
    offers: DetectionOffers

    async def command(
        self, interaction: Asked, source: SourceOptions, how: Mapping[str, Any], *, private: bool | None
    ) -> None:
        """`/detect`; `how` are options of `lab.detection.DetectOptions`, as they were typed."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.offers.check_may(interaction)
        examined = await self._examined(interaction, source)
        await self.offers.offer(interaction, examined, how, private=private)

    async def message(self, interaction: Asked, message: discord.Message) -> None:
        """The message that was right clicked."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.offers.check_may(interaction)
        examined = await self.sources.of_message(interaction, message)
        await self.offers.offer(interaction, examined, {}, private=None)

    async def pressed(self, interaction: Asked, session: str) -> None:
        """The button under the end of a session."""
        await self.command(interaction, SourceOptions(session=session), {}, private=None)

    async def _examined(self, interaction: Asked, source: SourceOptions) -> Examined:
        if not source.session.strip():
            if source.speaker.strip():
                raise UsageError(msg("detecting-speaker-alone"))
            return await self.sources.of_text(source.text, source.file, member_of(interaction).id)
        if source.text.strip() or source.file:
            raise UsageError(msg("detecting-too-much"))
        return await self.sources.of_session(interaction, source.session, source.speaker)


def add_to(
    tree: app_commands.CommandTree[Any], handlers: Handlers, completion: Completion, models: debate_choices.Choices
) -> None:
    """Put `/detect` and the message's menu entry into the tree."""

    @tree.command(name="detect", description=msg("detecting-description"))
    @app_commands.guild_only()
    @app_commands.describe(**messages("detecting-options"), file=msg("crit-file"))
    @app_commands.choices(
        method=[Choice(name=messages("detecting-methods")[method], value=method) for method in METHODS],
        weights=[Choice(name=name, value=name) for name in built_in()],
    )
    @app_commands.autocomplete(
        session=completion.session,
        speaker=completion.speaker,
        labels=completion.labels,
        bias=completion.bias,
        detector=models.seat,
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
        weights: str = "",
        top: Range[int, 1, MOST_RANKED] = 1,
        detector: str = "",
        private: bool | None = None,
    ) -> None:
        source = SourceOptions(text or "", file, session, speaker)
        named = {"labels": labels or "", "bias": bias or "", "weights": weights}
        how = {"method": method, "top": top, "detector": detector, **named}
        await handlers.command(interaction, source, how, private=private)

    @tree.context_menu(name=msg("detecting-menu"))
    @app_commands.guild_only()
    async def look(interaction: Asked, message: discord.Message) -> None:
        await handlers.message(interaction, message)


def register(
    tree: app_commands.CommandTree[Any],
    components: ComponentHandlers,
    services: BotServices,
    manager: SessionManager,
    offers: Offers,
    models: debate_choices.Choices,
) -> None:
    """Add `/detect` and "Detect biases" to the tree and "Look for biases" to the handlers of buttons.

    What is offered here is confirmed as debates are: whoever hears the button `start` looks into the same `offers`.
    """
    sources = Sources(services, manager)
    handlers = Handlers(sources, DetectionOffers(services, manager, offers))
    add_to(tree, handlers, Completion(sources), models)
    components.on(LOOK, handlers.pressed)
