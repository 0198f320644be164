"""From `/debate start` to an offer: who may, who sits, what it costs, what is left of today's budget."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.attachments import content_of
from elenchus.bot.bindings import Bindings
from elenchus.bot.debate.offers import Offer, Offers
from elenchus.bot.debate.options import members_in, options_in, seats_of
from elenchus.bot.debate.rules import check_begin
from elenchus.bot.debate.spending import Left, left_today, priced
from elenchus.bot.people.members import spec_of
from elenchus.bot.posting.requests import embed_of, view_of
from elenchus.bot.rendering import offers, safe
from elenchus.bot.rendering.amounts import dollars
from elenchus.bot.rendering.post import Button, Embed, EmbedField
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.config import documents
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.socrasynth.agenda_text import is_structured, topics_in
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.lab import start as lab
from elenchus.service.lab.options import LARGEST_AGENDA, LONGEST_BRIEF


@dataclass(frozen=True, slots=True)
class Starter:
    """Works debates out and offers them."""

    services: BotServices
    bindings: Bindings
    offers: Offers

    async def offer(
        self,
        interaction: discord.Interaction[Any],
        typed: dict[str, Any],
        files: Mapping[str, discord.Attachment | None],
        *,
        private: bool,
    ) -> None:
        """Answer with what the debate would be and cost; `typed` is by the names of `DebateOptions`, `files` replace
        what was typed. Raises UsageError, ProviderError, discord.HTTPException.
        """
        await interaction.response.defer(ephemeral=True, thinking=True)
        member, channel = member_of(interaction), channel_of(interaction)
        rules = await check_begin(self.services, member, channel.id)
        typed |= {name: text for name, text in (await read(files)).items() if text}
        await names_of(member.guild, members_in(typed))  # that they are members; who they are comes when they agree
        said = options_in(typed, rules.defaults)
        seed = secrets.randbelow(2**31)
        seats = seats_of(said, rules.defaults, seed, spec_of(member.id))
        unpriced = rules.check_models(models_of(seats))
        session = lab.debate(said, seats, rules.guild.vote_minutes * 60)
        started = session.started(self.services.registry, said, seed, unpriced_usd=unpriced)
        cost = priced(await estimated(self.services.settings, self.services.registry, started), unpriced)
        left = await left_today(self.services.log, self.bindings.paid, member.guild.id, rules.guild)
        check_left(cost["usd"], tokens_of(cost), left)
        usd, tokens = limits(said.budget_usd, left)
        started = started.model_copy(update={"budget_usd": usd, "budget_tokens": tokens})
        offer = Offer(started, member.id, member.guild.id, channel.id, private, cost["usd"], tokens_of(cost))
        key = self.offers.make(offer)
        embed = offered(started, cost, private, left)
        await interaction.followup.send(embed=embed_of(embed), view=view_of(buttons(key)), ephemeral=True)


async def read(files: Mapping[str, discord.Attachment | None]) -> dict[str, Any]:
    """What stands in the attached brief and agenda. Raises UsageError, discord.HTTPException."""
    brief, agenda = files.get("brief"), files.get("agenda")
    return {
        "brief": await text_in(brief, LONGEST_BRIEF) if brief else "",
        "agenda": await agenda_in(agenda) if agenda else (),
    }


async def text_in(file: discord.Attachment, longest: int) -> str:
    """The text of a file of at most so many characters. Raises UsageError, discord.HTTPException."""
    data = await content_of(file, 4 * longest)
    try:
        text = documents.text_in(data, "The file") if len(data) <= 4 * longest else ""
    except documents.UnreadableDocument as error:
        raise UsageError(msg("crit-unreadable")) from error
    if len(data) > 4 * longest or len(text) > longest:
        raise UsageError(msg("crit-too-long", most=longest))
    return text


def models_of(seats: Iterable[Seat]) -> list[str]:
    """Whatever may answer on these seats: also who stands in for a person."""
    return [spec for seat in seats for spec in (seat.spec, seat.stand_in) if spec]


async def agenda_in(file: discord.Attachment) -> tuple[Topic, ...]:
    """The topics in a file, by the rules of `--agenda`. Raises UsageError, discord.HTTPException."""
    if file.size > LARGEST_AGENDA:
        raise UsageError(msg("debate-agenda-too-large", most=LARGEST_AGENDA))
    try:
        data = await content_of(file, LARGEST_AGENDA)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(msg("debate-agenda-unreadable")) from error
    if len(data) > LARGEST_AGENDA:
        raise UsageError(msg("debate-agenda-too-large", most=LARGEST_AGENDA))
    name, structured = safe.inline(file.filename), is_structured(file.filename)
    return await asyncio.to_thread(topics_in, text, name, structured=structured)


def member_of(interaction: discord.Interaction[Any]) -> discord.Member:
    """The member of a server who asks. Raises UsageError elsewhere."""
    if not isinstance(interaction.user, discord.Member):
        raise UsageError(msg("debate-not-here"))
    return interaction.user


def channel_of(interaction: discord.Interaction[Any]) -> discord.TextChannel:
    """The text channel where a thread can be made: this one, or the one of this thread. Raises UsageError.

    Discord makes other threads in a channel for announcements, private ones not at all.
    """
    here = interaction.channel
    channel = here.parent if isinstance(here, discord.Thread) else here
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise UsageError(msg("debate-not-here"))
    return channel


async def names_of(guild: discord.Guild, members: Iterable[int]) -> dict[int, str]:
    """Display names of members. Raises UsageError for somebody who is none, or for a bot."""
    names: dict[int, str] = {}
    for member in members:
        try:
            found = await guild.fetch_member(member)
        except discord.NotFound as error:
            raise UsageError(msg("debate-not-a-member")) from error
        if found.bot:
            raise UsageError(msg("debate-a-bot"))
        names[member] = found.display_name
    return names


def tokens_of(cost: dict[str, Any]) -> int:
    """All tokens of an estimate."""
    return int(cost["input_tokens"] + cost["output_tokens"])


def check_left(usd: float | None, tokens: int, left: Left) -> None:
    """Raises UsageError where the day's budget does not suffice for what is needed at the most."""
    if left.usd is not None and usd is not None and usd > left.usd:
        raise UsageError(msg("debate-day-spent", left=dollars(left.usd), needed=dollars(usd)))
    if left.tokens is not None and tokens > left.tokens:
        raise UsageError(msg("debate-day-tokens-spent", left=left.tokens, needed=tokens))


def limits(budget_usd: float | None, left: Left) -> tuple[float | None, int | None]:
    """Dollars and tokens at which the debate pauses: as asked, within what the server has left today."""
    given = [usd for usd in (budget_usd, left.usd) if usd is not None]
    return min(given, default=None), left.tokens


def offered(started: SessionStarted, cost: dict[str, Any], private: bool, left: Left) -> Embed:
    """The offer as it is shown."""
    lines = [(seat.name, f"<@{who}>" if (who := _mention(seat)) else safe.inline(seat.spec)) for seat in started.seats]
    price = offers.cost(cost)
    return Embed(
        title=msg("debate-offer-title"),
        description="\n".join([f"**{safe.shortened(safe.inline(started.title), 1_500)}**", *_warnings(started.seats)]),
        fields=(
            EmbedField(msg("debate-cost"), price),
            EmbedField(msg("debate-seats"), safe.shortened("\n".join(f"{seat}: {who}" for seat, who in lines), 1_024)),
            EmbedField(msg("debate-thread"), offers.where(private), inline=True),
            EmbedField(msg("debate-budget"), offers.budget(started.budget_usd, left.usd), inline=True),
        ),
    )


def _mention(seat: Seat) -> str:
    return seat.spec.rpartition(":")[2] if is_human(seat.spec) else ""


def _warnings(seats: tuple[Seat, ...]) -> list[str]:
    """What a reader of the result should know beforehand."""
    found = [f"{safe.inline(warning)}." for warning in lab.warnings(seats, "/settings")]
    if any(is_human(seat.spec) for seat in seats):
        found.append(msg("debate-warn-people"))
    return [f"-# {line}" for line in found]


def buttons(key: str) -> tuple[Button, ...]:
    """Start, or not."""
    return Button(f"el:start:{key}:go", msg("debate-go"), "success"), Button(f"el:start:{key}:no", msg("debate-cancel"))
