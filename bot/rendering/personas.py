"""A persona with a mind as it is told in embeds: who it is, what it read, how it rates, what it says. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from elenchus.bot.people.members import member_of
from elenchus.bot.rendering import blocks, costs, safe
from elenchus.bot.rendering.embeds import embeds, packed
from elenchus.bot.rendering.post import Embed, EmbedField
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.protocols.cognition.history import history_blocks, mind_blocks
from elenchus.debate_engine.protocols.cognition.presentation import reading_blocks
from elenchus.debate_engine.reports.blocks import Block, Fact

if TYPE_CHECKING:
    from elenchus.bot.debate.spending import RemainingBudget
    from elenchus.debate_engine.events import Fed
    from elenchus.debate_engine.protocols.cognition.projection import Exchange, MindProjection, Reading, Survey
    from elenchus.service.lab.mind_options import MindOptions

MOST_MESSAGES = 3
"""Of one answer: what is longer stands in the report."""
SHOWN = 500
"""Units of a text in an offer."""


def called(name: str) -> str:
    """What a persona is called, on one line."""
    return f"**{safe.shortened(safe.inline(name), 200)}**"


def mind(name: str, known: MindProjection) -> list[tuple[Embed, ...]]:
    """Who it is and what it remembers, the beginning of what is long."""
    made = packed(blocks.as_embeds(mind_blocks(known)))
    return [*made[:MOST_MESSAGES], *_more(made, name)]


def history(name: str, known: MindProjection) -> list[tuple[Embed, ...]]:
    """How it came to be so, the end of what is long."""
    made = packed(blocks.as_embeds(map(_by_a_member, history_blocks(known)))) or [
        tuple(embeds("", msg("persona-nothing-yet")))
    ]
    return [*_more(made, name), *made[-MOST_MESSAGES:]]


def _by_a_member(block: Block) -> Block:
    """What a member said, without who it was."""
    if isinstance(block, Fact) and member_of(block.name) is not None:
        return replace(block, name=msg("persona-a-member"))
    return block


def _more(made: Sequence[tuple[Embed, ...]], name: str) -> list[tuple[Embed, ...]]:
    told = msg("persona-more", name=called(name))
    return [(Embed(description=told),)] if len(made) > MOST_MESSAGES else []


def reading(name: str, read: Reading) -> list[tuple[Embed, ...]]:
    """What became of what it read."""
    made = packed(blocks.as_embeds(reading_blocks(read)))
    return [*made[:MOST_MESSAGES], *_more(made, name)]


def survey(name: str, rated: Survey) -> list[tuple[Embed, ...]]:
    """How it rates."""
    title = msg("persona-rated", name=safe.plain(name), n=rated.iteration)
    lines = [
        msg(
            "persona-rating", rating=a.rating or "–", opinion=safe.inline(a.question),
            reason=safe.inline(a.reason or a.why_unread), sources=safe.inline(", ".join(a.sources) or "–"),
        )
        for a in rated.answers
    ]  # fmt: skip
    return packed(embeds(title, "\n".join(lines)))[:MOST_MESSAGES]


def talk(persona: str, said: Exchange) -> list[tuple[Embed, ...]]:
    """What was said, and what it says to that."""
    words = safe.speech(said.said) if said.said else msg("persona-silent", why=safe.inline(said.why_silent))
    asked = msg("persona-asked", text=safe.inline(safe.shortened(said.text, SHOWN)))
    return packed(embeds(safe.plain(persona), f"{asked}\n{words}"))


# ── offers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def offer(what: Embed, cost: Mapping[str, Any], left: RemainingBudget) -> Embed:
    """What would be done, with its price."""
    day = costs.budget_of_day(left.usd, left.tokens)
    fields = (EmbedField(msg("debate-cost"), costs.cost(cost)), EmbedField(msg("debate-budget"), day))
    return Embed(title=what.title, description=what.description, fields=fields)


def offered_new(options: MindOptions) -> Embed:
    """A persona that would be made."""
    lines = [
        called(options.name),
        safe.inline(safe.shortened(options.character, SHOWN)) or msg("persona-whole-profile"),
        messages("persona-persons")[options.person],
        *(f"- {safe.inline(safe.shortened(one, 200))}" for one in options.opinions[:10]),
        f"-# {safe.inline(options.model)}",
    ]
    return Embed(title=msg("persona-offer-new"), description=safe.shortened("\n".join(lines), 4_000))


def offered_flow(name: str, given: Fed) -> Embed:
    """Something that it would read."""
    begins = safe.inline(safe.shortened(given.texts[0], SHOWN))
    words = sum(len(text.split()) for text in given.texts)
    about = f"**{safe.shortened(safe.inline(given.title), 300)}**\n" if given.title else ""
    told = f"{about}{begins}\n-# {msg('persona-words', n=words)}"
    return Embed(title=msg("persona-offer-read", name=safe.shortened(safe.plain(name), 100)), description=told)


def offered_survey(name: str, asked: Sequence[str]) -> Embed:
    """Opinions that it would rate."""
    lines = "\n".join(f"- {safe.inline(safe.shortened(one, 200))}" for one in asked[:15])
    more = f"\n{msg('persona-more-opinions', n=len(asked) - 15)}" if len(asked) > 15 else ""
    return Embed(title=msg("persona-offer-rate", name=safe.shortened(safe.plain(name), 100)), description=lines + more)
