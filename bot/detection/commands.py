"""`/detect`, the menu entry "Detect biases", and the button "Look for biases"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.command_tree import command_of, menu_of
from elenchus.bot.completions import Completions
from elenchus.bot.detection.offer import DetectionOffers
from elenchus.bot.detection.options import METHODS, MOST_RANKED, DetectionCompletions
from elenchus.bot.detection.sources import Examined, Sources
from elenchus.bot.interactions import Interaction, requester_of
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import built_in

LOOK = "biases"
"""The name of the click on "Look for biases"; the rest is the session."""


@dataclass(frozen=True, slots=True)
class DetectionCommands:
    """The commands. All raise UsageError, ProviderError, StorageError, discord.HTTPException."""

    sources: Sources
    offers: DetectionOffers

    def add_to(self, tree: app_commands.CommandTree[Any], completions: Completions) -> None:
        """Put `/detect` and the message's menu entry into the tree; `completions` completes who detects."""
        options = {**messages("detecting-options"), "file": messages("crit-options")["file"]}
        known = DetectionCompletions(self.sources)
        completed = {name: getattr(known, name) for name in ("session", "speaker", "labels", "bias")}
        detect = command_of(
            "detect", msg("detecting-description"), self.detect, options, **completed, detector=completions.seat
        )
        app_commands.choices(
            method=[Choice(name=messages("detecting-methods")[method], value=method) for method in METHODS],
            weights=[Choice(name=name, value=name) for name in built_in()],
        )(detect)
        tree.add_command(detect)
        tree.add_command(menu_of(msg("detecting-menu"), self.message))

    async def detect(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
        interaction: Interaction,
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
        """`/detect`."""
        await self.offers.check_may(interaction)
        examined = await self._examined(interaction, text or "", file, session, speaker)
        named = {"labels": labels or "", "bias": bias or "", "weights": weights}
        how = {"method": method, "top": top, "detector": detector, **named}
        await self.offers.offer(interaction, examined, how, private=private)

    async def message(self, interaction: Interaction, message: discord.Message) -> None:
        """The message that was right clicked."""
        await self.offers.check_may(interaction)
        examined = await self.sources.of_message(interaction, message)
        await self.offers.offer(interaction, examined, {}, private=None)

    async def pressed(self, interaction: Interaction, session: str) -> None:
        """The button under the end of a session."""
        await self.detect(interaction, session=session)

    async def _examined(
        self, interaction: Interaction, text: str, file: discord.Attachment | None, session: str, speaker: str
    ) -> Examined:
        if not session.strip():
            if speaker.strip():
                raise UsageError(msg("detecting-speaker-alone"))
            return await self.sources.of_text(text, file, requester_of(interaction).id)
        if text.strip() or file:
            raise UsageError(msg("detecting-too-much"))
        return await self.sources.of_session(interaction, session, speaker)
