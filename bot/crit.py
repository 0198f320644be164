"""`/crit`, and "Score this argument" on a message: CRIT on any text, as a session with a thread of its own.

It is run, shown, resumed after a crash and paid for from the day's budget like a debate.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.attachments import content_of
from elenchus.bot.debate.choices import Choices
from elenchus.bot.debate.options import members_of, seat_for, spec_of
from elenchus.bot.debate.rules import check_begin
from elenchus.bot.debate.spending import Left, left_today
from elenchus.bot.debate.start import channel_of, check_left, member_of, names_of
from elenchus.bot.desk import Desk
from elenchus.bot.errors import tell
from elenchus.bot.openings import Opener, Opening
from elenchus.bot.people.examination import check_wishes
from elenchus.bot.people.who import person
from elenchus.bot.quotas import one_start
from elenchus.bot.rendering.safe import plain, shortened
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import crit as words
from elenchus.config import documents
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.runner import new_id

LONGEST = 40_000
"""Characters of a text."""

LEAST_USD, LEAST_TOKENS = 0.001, 2_000
"""What must be left of the day's budget for a text to be begun; it pauses at the budget's end."""

Asked = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores texts."""

    desk: Desk
    manager: SessionManager
    opener: Opener

    async def command(
        self,
        interaction: Asked,
        text: str,
        file: discord.Attachment | None,
        scorer: str,
        language: str,
        *,
        private: bool,
    ) -> None:
        """`/crit` with a text or a file. Raises UsageError, ProviderError, StorageError, discord.HTTPException."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        document = await text_in(file) if file else text
        by, thread = person(interaction.user.id), words.THREAD_OF_TEXT
        await self._score(interaction, document, by, thread, language, scorer, private=private)

    async def message(self, interaction: Asked, message: discord.Message) -> None:
        """The message that was right clicked; embeds are read where it has no words of its own."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        shown = [embed.description for embed in message.embeds if embed.description]
        by = "" if message.author.bot or message.webhook_id else person(message.author.id)
        await check_wishes(self.desk, [by] if by else [], interaction.user.id)
        document = message.content or "\n\n".join(shown)
        await self._score(interaction, document, by, words.THREAD_OF_MESSAGE, "", private=False)

    async def _score(
        self, interaction: Asked, text: str, by: str, thread: str, language: str, scorer: str = "", *, private: bool
    ) -> None:
        """`by` is the person whose text it is, or "". `thread` is its thread's name, which outlives every forgetting in
        Discord's own notice of the thread: it holds no word of the text.
        """
        document = text.strip()
        if is_blank(document):
            raise UsageError(words.NO_TEXT)
        if len(document) > LONGEST:
            raise UsageError(words.too_long(LONGEST))
        member, channel = member_of(interaction), channel_of(interaction)
        rules = await check_begin(self.desk, member, channel.id)
        spec = parted(spec_of(scorer, rules.defaults.debater))[1]
        scorers = members_of([spec])
        await names_of(member.guild, scorers)
        seat = seat_for("crit", spec, rules.defaults.deadline, "CRIT")
        unpriced = rules.check_models([spec])
        async with one_start(self.desk, member.guild.id, member.id, rules.guild):
            left = await left_today(self.desk.log, self.manager.bindings.paid, member.guild.id, rules.guild)
            check_left(None if left.usd is None else LEAST_USD, LEAST_TOKENS, left)
            started = self._started(document, by, seat, language, left, unpriced)
            opening = Opening(
                session=new_id(), guild=member.guild.id, channel=channel.id, moderator=member.id, private=private,
                title=thread, click=interaction.id, members=(member.id, *scorers), started=started,
            )  # fmt: skip
            binding = await self.opener.open(interaction.client, opening)
        self.manager.begin(binding.session)
        await tell(interaction, words.started(binding.thread))

    def _started(
        self, document: str, by: str, seat: Seat, language: str, left: Left, unpriced: float | None
    ) -> SessionStarted:
        title = words.title(shortened(plain(document), 80))
        config: dict[str, Any] = {"title": title, "document": document, "by": by, "sources": []}
        config |= {"max_reasons": 5, "language": " ".join(language.split())}
        if not is_human(seat.spec):
            config["context_tokens"] = self.desk.registry.model(seat.spec).context_tokens
        return SessionStarted(
            protocol="crit",
            title=title,
            config=config,
            seats=(seat,),
            seed=secrets.randbelow(2**31),
            budget_usd=left.usd,
            budget_tokens=left.tokens,
            unpriced_usd=unpriced,
            version=version("elenchus"),
        )


async def text_in(file: discord.Attachment) -> str:
    """The text of a file. Raises UsageError, discord.HTTPException."""
    data = await content_of(file, 4 * LONGEST)
    if len(data) > 4 * LONGEST:
        raise UsageError(words.too_long(LONGEST))
    try:
        return documents.text_in(data, "The file")
    except documents.UnreadableDocument as error:
        raise UsageError(words.UNREADABLE) from error


def add_to(tree: app_commands.CommandTree[Any], scores: Scorer, choices: Choices) -> None:
    """Put `/crit` and the message's menu entry into the tree."""

    @tree.command(name="crit", description=words.DESCRIPTION)
    @app_commands.guild_only()
    @app_commands.describe(
        text=words.TEXT, file=words.FILE, language=words.LANGUAGE, scorer=words.SCORER, private=words.PRIVATE
    )
    @app_commands.autocomplete(scorer=choices.seat)
    async def crit(
        interaction: Asked,
        text: Range[str, 1, 6_000] | None = None,
        file: discord.Attachment | None = None,
        language: Range[str, 1, 60] | None = None,
        scorer: str = "",
        private: bool = False,
    ) -> None:
        await scores.command(interaction, text or "", file, scorer, language or "", private=private)

    @tree.context_menu(name=words.MENU)
    @app_commands.guild_only()
    async def score(interaction: Asked, message: discord.Message) -> None:
        await scores.message(interaction, message)
