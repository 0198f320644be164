"""`/debate start`: from what was typed to an offer of a debate, and from its confirmation to a session in a thread."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.attachments import LONGEST_TYPED, from_files
from elenchus.bot.command_tree import command_of
from elenchus.bot.completions import Completions
from elenchus.bot.debate.seats import Defaults, members_in, members_of, seats_of, specs_in, under_its_name
from elenchus.bot.debate.spending import RemainingBudget
from elenchus.bot.interactions import Interaction, channel_of, names_of, requester_of
from elenchus.bot.offers import Offers, models_of
from elenchus.bot.people.members import member_spec
from elenchus.bot.rendering import costs, safe
from elenchus.bot.rendering.post import Embed, EmbedField
from elenchus.bot.rules import Rules, check_may_start_now
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.bot.thread_opener import ThreadOpener
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.protocols.socrasynth.agenda_text import topics_in
from elenchus.debate_engine.protocols.socrasynth.schemas import FEWEST_WORDS, MAX_TOPICS, MOST_WORDS, StopRule
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports.seats import model_in_words
from elenchus.service.lab import new_sessions
from elenchus.service.lab.mind_seats import names_of_minds, with_minds
from elenchus.service.lab.options import LONGEST_MOTION, DebateOptions, options_of, out_of_range

DEFAULT = DebateOptions(motion="?")
"""What is not said."""

MOST_ROUNDS = 20
"""A channel takes about 30 posts a minute: a debate without an end would hold up whatever else is posted there."""

_NAMED = {"max_rounds": "rounds", "budget_usd": "budget"}
"""Options of `lab` that have another name here."""


@dataclass(frozen=True, slots=True)
class StartCommand:
    """The command."""

    services: BotServices
    offers: Offers
    opener: ThreadOpener

    def command(self, completions: Completions) -> app_commands.Command[Any, ..., Any]:
        """The command; `completions` completes who sits."""
        seats = dict.fromkeys(("pro", "con", "crit"), completions.seat)
        options = messages("debate-options")
        return command_of("start", msg("debate-start"), self.offer, options, **seats, judges=completions.judges)

    async def offer(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
        interaction: Interaction,
        motion: Range[str, 1, LONGEST_MOTION],
        open_question: bool = DEFAULT.open_question,
        brief: Range[str, 1, LONGEST_TYPED] | None = None,
        pro: str = DEFAULT.pro,
        con: str = DEFAULT.con,
        judges: str = "",
        topics: Range[int, 1, MAX_TOPICS] = DEFAULT.topics,
        rounds: Range[int, 1, MOST_ROUNDS] = DEFAULT.max_rounds,
        heat: Range[float, 0, 1] = DEFAULT.heat,
        language: Range[str, 1, 60] | None = None,
        private: bool = False,
        budget: Range[float, 0, None] | None = DEFAULT.budget_usd,
        words: Range[int, FEWEST_WORDS, MOST_WORDS] = DEFAULT.words,
        agenda: Range[str, 1, LONGEST_TYPED] | None = None,
        agenda_file: discord.Attachment | None = None,
        brief_file: discord.Attachment | None = None,
        crit: str = DEFAULT.crit,
        coach: bool = DEFAULT.coach,
        simultaneous: bool = DEFAULT.simultaneous,
        compare_qa: bool = DEFAULT.compare_qa,
        approve_agenda: bool = DEFAULT.approve_agenda,
        decay: Range[float, 1, 100] = DEFAULT.decay,
        floor: Range[float, 0, 1] = DEFAULT.floor,
        stop: StopRule = DEFAULT.stop,
        temperature: Range[float, 0, 2] | None = DEFAULT.temperature,
    ) -> None:
        """Offer the debate; a file replaces what was typed. Raises UsageError, ProviderError, discord.HTTPException."""
        typed = {name: value for name, value in locals().items() if name in DebateOptions.model_fields}
        typed |= {"brief": brief or "", "language": language or "", "agenda": topics_of(agenda or "")}
        typed |= {"max_rounds": rounds, "budget_usd": budget}
        rules = await check_may_start_now(self.services, requester_of(interaction), channel_of(interaction).id)
        typed |= await from_files(brief_file, agenda_file)
        await self._offer(interaction, rules, typed, private=private)

    async def _offer(self, interaction: Interaction, rules: Rules, typed: Mapping[str, Any], *, private: bool) -> None:
        """Answer with what the debate would be and cost; `typed` is by the names of `DebateOptions`."""
        member, channel = requester_of(interaction), channel_of(interaction)
        await names_of(member.guild, members_in(typed))  # that they are members; who they are comes when they agree
        options = await with_minds(options_in(typed, rules.defaults), self.services.minds, str(member.guild.id))
        seed = secrets.randbelow(2**31)
        seats = await self._seats(options, rules, seed, member)
        models = models_of(seats)
        unpriced = rules.check_models(models)
        session = new_sessions.debate(options, seats, rules.guild.vote_minutes * 60)
        started = session.first_event(self.services.registry, options, seed, unpriced_usd=unpriced)
        estimate = await estimated(self.services.settings, self.services.registry, started)
        cost, left = await self.offers.price(member.guild.id, rules, estimate, unpriced)
        usd, tokens = limits(options.budget_usd, left)
        started = started.model_copy(update={"budget_usd": usd, "budget_tokens": tokens})
        people = members_of([seat.spec for seat in seats])

        async def on_confirmed(click: Interaction) -> str:
            opened = await self.opener.start_in_discord_thread(
                click, started, channel.id, private=private, people=people
            )
            return msg("debate-started", kind=spec_or_default(started.protocol).noun, thread=opened.thread)

        await self.offers.show(interaction, offered(started, cost, private, left), cost, models, people, on_confirmed)

    async def _seats(self, options: DebateOptions, rules: Rules, seed: int, member: discord.Member) -> tuple[Seat, ...]:
        """Everyone's seat; a mind sits there under its own name."""
        seats = seats_of(options, rules.defaults, seed, member_spec(member.id))
        minds = await names_of_minds((seat.spec for seat in seats), self.services.minds, str(member.guild.id))
        return tuple(under_its_name(seat, minds.get(seat.spec, "")) for seat in seats)


def options_in(typed: Mapping[str, Any], defaults: Defaults) -> DebateOptions:
    """The options of `/debate start`, by the names that `lab` has for them. Raises UsageError."""
    specs, rounds = specs_in(typed, defaults), typed.get("max_rounds", 1)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise UsageError(out_of_range(rounds, 1, MOST_ROUNDS, named("max_rounds"), 5))
    return options_of(DebateOptions, {**typed, **specs}, named)


def named(field: str) -> str:
    """What an option of `lab` is called on Discord."""
    return f"`{_NAMED.get(field, field)}`"


def topics_of(typed: str) -> tuple[Topic, ...]:
    """An agenda as it is typed into an option of one line: topics with semicolons between. Raises UsageError."""
    lines = "\n".join(f"- {part.strip().removeprefix('- ')}" for part in re.split(r"[;\n]", typed) if part.strip())
    return topics_in(lines, msg("debate-agenda-option")) if lines else ()


def limits(budget_usd: float | None, left: RemainingBudget) -> tuple[float | None, int | None]:
    """Dollars and tokens at which the debate pauses: as asked, within what the server has left today."""
    given = [usd for usd in (budget_usd, left.usd) if usd is not None]
    return min(given, default=None), left.tokens


def offered(started: SessionStarted, cost: dict[str, Any], private: bool, left: RemainingBudget) -> Embed:
    """The offer as it is shown."""
    lines = [(seat.name, _player(seat)) for seat in started.seats]
    price = costs.cost(cost)
    return Embed(
        title=msg("debate-offer-title"),
        description="\n".join([f"**{safe.shortened(safe.inline(started.title), 1_500)}**", *_warnings(started.seats)]),
        fields=(
            EmbedField(msg("debate-cost"), price),
            EmbedField(msg("debate-seats"), safe.shortened("\n".join(f"{seat}: {who}" for seat, who in lines), 1_024)),
            EmbedField(msg("debate-thread"), costs.where(private), inline=True),
            EmbedField(msg("debate-budget"), costs.budget(started.budget_usd, left.usd), inline=True),
        ),
    )


def _player(seat: Seat) -> str:
    """Who sits there: a member, a model, or a mind under its name with its model."""
    if is_human(seat.spec):
        return f"<@{seat.spec.rpartition(':')[2]}>"
    named = f"{seat.title}: {model_in_words(seat.spec)}" if seat.mind else seat.spec
    return safe.inline(named)


def _warnings(seats: tuple[Seat, ...]) -> list[str]:
    """What a reader of the result should know beforehand."""
    found = [f"{safe.inline(warning)}." for warning in new_sessions.warnings(seats, "/settings")]
    if any(is_human(seat.spec) for seat in seats):
        found.append(msg("debate-warn-people"))
    return [f"-# {line}" for line in found]
