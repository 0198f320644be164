"""`/crit`, and "Score this argument" on a message: CRIT on any text, as a session with a thread of its own.

It is run, shown, resumed after a crash and paid for from the day's budget like a debate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.attachments import LONGEST_TYPED, text_in
from elenchus.bot.command_tree import command_of, menu_of
from elenchus.bot.completions import Completions
from elenchus.bot.debate.seats import members_of, seat_for, seat_spec
from elenchus.bot.debate.spending import left_today
from elenchus.bot.interactions import Interaction, channel_of, names_of, requester_of, tell
from elenchus.bot.offers import check_left
from elenchus.bot.people.examination import check_wishes
from elenchus.bot.people.members import person
from elenchus.bot.quotas import one_start
from elenchus.bot.rendering.safe import plain, shortened
from elenchus.bot.rules import check_may_start_now
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.bot.thread_opener import ThreadOpener
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.printable import is_blank
from elenchus.service.lab import new_sessions
from elenchus.service.lab.options import LONGEST_DOCUMENT, MOST_REASONS, CritOptions, options_of

DEFAULT = CritOptions(document="?")
"""What is not said."""

LEAST_USD, LEAST_TOKENS = 0.001, 2_000
"""What must be left of the day's budget for a text to be begun; it pauses at the budget's end."""


@dataclass(frozen=True, slots=True)
class CritCommand:
    """The command and the menu entry."""

    services: BotServices
    manager: SessionManager
    opener: ThreadOpener

    def add_to(self, tree: app_commands.CommandTree[Any], completions: Completions) -> None:
        """Put `/crit` and the message's menu entry into the tree; `completions` completes who scores."""
        options = messages("crit-options")
        tree.add_command(
            command_of("crit", msg("crit-description"), self.crit, options, scorer=completions.seat_of_no_mind)
        )
        tree.add_command(menu_of(msg("crit-menu"), self.message))

    async def crit(
        self,
        interaction: Interaction,
        text: Range[str, 1, LONGEST_TYPED] | None = None,
        file: discord.Attachment | None = None,
        language: Range[str, 1, 60] | None = None,
        scorer: str = "",
        private: bool = False,
        max_reasons: Range[int, 1, MOST_REASONS] = DEFAULT.max_reasons,
        temperature: Range[float, 0, 2] | None = DEFAULT.temperature,
    ) -> None:
        """`/crit` with a text or a file. Raises UsageError, ProviderError, StorageError, discord.HTTPException."""
        how = {"language": language or "", "max_reasons": max_reasons, "temperature": temperature}
        document = await text_in(file, LONGEST_DOCUMENT) if file else text or ""
        by, thread = person(interaction.user.id), msg("crit-thread-of-text")
        await self._score(interaction, document, by, thread, how, scorer, private=private)

    async def message(self, interaction: Interaction, message: discord.Message) -> None:
        """The message that was right clicked; embeds are read where it has no words of its own."""
        shown = [embed.description for embed in message.embeds if embed.description]
        by = "" if message.author.bot or message.webhook_id else person(message.author.id)
        await check_wishes(self.services, [by] if by else [], interaction.user.id)
        document = message.content or "\n\n".join(shown)
        await self._score(interaction, document, by, msg("crit-thread-of-message"), {}, private=False)

    async def _score(
        self,
        interaction: Interaction,
        text: str,
        by: str,
        thread: str,
        how: Mapping[str, Any],
        scorer: str = "",
        *,
        private: bool,
    ) -> None:
        """`by` is the person whose text it is, or "". `thread` is its thread's name, which outlives every forgetting in
        Discord's own notice of the thread: it holds no word of the text.
        """
        document = text.strip()
        if is_blank(document):
            raise UsageError(msg("crit-no-text"))
        title = msg("crit-title", words=shortened(plain(document), 80))
        options = options_of(CritOptions, {**how, "document": document, "title": title}, _named)
        member, channel = requester_of(interaction), channel_of(interaction)
        rules = await check_may_start_now(self.services, member, channel.id)
        spec = parted(seat_spec(scorer, rules.defaults.debater))[1]
        scorers = members_of([spec])
        await names_of(member.guild, scorers)
        seat = seat_for("crit", spec, rules.defaults.deadline, "CRIT")
        unpriced = rules.check_models([spec])
        async with one_start(self.services, member.guild.id, member.id, rules.guild):
            left = await left_today(self.services.log, self.manager.bindings.paid, member.guild.id, rules.guild)
            check_left(None if left.usd is None else LEAST_USD, LEAST_TOKENS, left)
            started = new_sessions.crit(options, seat, by).first_event(
                self.services.registry, options, unpriced_usd=unpriced
            )
            started = started.model_copy(update={"budget_usd": left.usd, "budget_tokens": left.tokens})
            binding = await self.opener.start_in_discord_thread(
                interaction, started, channel.id, private=private, people=scorers, title=thread
            )
        await tell(interaction, msg("crit-started", thread=binding.thread))


def _named(field: str) -> str:
    """What an option of `lab` is called here."""
    return "The text" if field == "document" else f"`{field}`"
