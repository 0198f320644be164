"""Agreeing on the agenda: each side proposes, refines having seen the other's, one merges, the other agrees or amends.

Who merges is drawn from the session's seed, and the other side drafts the joint proposal (`conciliation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.events import EVERYONE
from elenchus.debate_engine.llm.schema import bounded
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.socrasynth.schemas import AgendaChoice, AgendaReview, DebateConfig, Proposals
from elenchus.debate_engine.protocols.socrasynth.small.agenda import concerns_of, paired
from elenchus.debate_engine.protocols.socrasynth.small.claims import Claims
from elenchus.debate_engine.protocols.socrasynth.turns import STANCES, language_of, listed, prompts
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic, bare, other, titles_of
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

PROPOSED = 5  # by each side, or K where more topics are wanted


class NoAgenda(ElenchusError):
    """Neither side gave a readable topic."""

    exit_code = 3


def merger_of(s: Session) -> Side:
    """The side that merges both lists, drawn from the session's seed."""
    return s.drawn("who merges", SIDES)


async def agree_agenda(s: Session, cfg: DebateConfig, claims: Claims) -> list[Topic]:
    """The debate's topics: the ones given by hand, or K that both sides agreed on; heard by everyone.

    Raises NoAgenda when neither side's proposals can be read.
    """
    topics = list(cfg.agenda) or await _asked_for(s, cfg, claims)
    if cfg.approve_agenda:
        topics = await _approved(s, cfg, topics)
    await s.record("agenda/agreed", [topic.model_dump() for topic in topics])
    await s.say("agenda/announced", "moderator", [EVERYONE], listed(topics), "agenda")
    return topics


async def _asked_for(s: Session, cfg: DebateConfig, claims: Claims) -> list[Topic]:
    """The sides' agenda; whoever resumed the session after it had failed for want of one has them asked once more."""
    tries = [s.under(f"again/{n}/agenda" if n else "agenda") for n in range(s.failures(NoAgenda) + 1)]
    for earlier in tries[:-1]:
        with suppress(NoAgenda):
            return await _from_both_sides(earlier, cfg, claims, merger_of(s))
    return await _from_both_sides(tries[-1], cfg, claims, merger_of(s))


async def _from_both_sides(s: Session, cfg: DebateConfig, claims: Claims, merger: Side) -> list[Topic]:
    if any(s.is_small(side) for side in SIDES):
        return await _from_concerns(s, cfg, claims)
    count = max(PROPOSED, cfg.topics)
    first, why = await _lists(s, "propose", cfg, count, {})
    lists = {
        side: {"own": listed(first[side]), "theirs": listed(first[other(side)])}
        for side in SIDES
        if first[side] and first[other(side)]
    }
    refined = (await _lists(s, "refine", cfg, count, lists))[0] if lists else first
    drafts = {side: refined[side] or first[side] for side in SIDES}
    if not any(drafts.values()):
        causes = "; ".join(f"{side}'s list of topics could not be read: {why[side]}" for side in SIDES if side in why)
        raise NoAgenda(f"neither side gave a readable list of topics ({causes})")
    both: dict[str, Any] = {f"{side}_list": listed(drafts[side]) for side in SIDES}
    merged = await _merge(s, cfg, merger, both)
    whole = unique([*merged, *interleaved(drafts[other(merger)], drafts[merger])])[: cfg.topics]
    return await _reviewed(s, cfg, other(merger), both, whole)


async def _from_concerns(s: Session, cfg: DebateConfig, claims: Claims) -> list[Topic]:
    """Where a small model debates: each side names its own concerns, and these are paired in their order.

    Topics that a person has written stand as they are: a small model has no judgement of them.
    """
    others = tuple(side for side in SIDES if not s.is_small(side))
    ideas = (await _lists(s, "propose", cfg, cfg.topics, {}, others))[0]
    written = [idea for side in others if not s.answered_by_model(f"propose/{side}") for idea in ideas[side]]
    if written:
        return unique(written)[: cfg.topics]

    async def of(side: Side) -> list[str]:
        if s.is_small(side):
            return await concerns_of(s, side, claims, 2 * cfg.topics)
        return [idea.pro_concern if side == "pro" else idea.con_concern for idea in ideas[side]]

    topics = paired(*(await together(*(of(side) for side in SIDES))))[: cfg.topics]
    if not topics:
        raise NoAgenda("neither side named a readable concern")
    return topics


async def _lists(
    s: Session,
    stage: str,
    cfg: DebateConfig,
    count: int,
    known: dict[Side, dict[str, str]],
    sides: Sequence[Side] = SIDES,
) -> tuple[dict[Side, list[Topic]], dict[Side, str]]:
    """Each side's topics, and why a side has none."""
    why: dict[Side, str] = {}
    prompt = prompts.refine_topics if known else prompts.propose_topics

    async def of(side: Side) -> list[Topic]:
        variables: dict[str, Any] = known[side] if known else {"brief": cfg.brief}
        answer = await ask_in_public(
            s, f"{stage}/{side}", side, prompt, bounded(Proposals, count),
            motion=cfg.motion, stance=STANCES[side], count=count, language=language_of(cfg), max_tokens=_room(count),
            **variables,
        )  # fmt: skip
        if isinstance(answer, Declined):
            why[side] = answer.reason
            return []
        return unique([idea.topic for idea in answer.topics])[:count]

    return dict(zip(sides, await together(*(of(side) for side in sides)), strict=True)), why


async def _merge(s: Session, cfg: DebateConfig, side: Side, both: dict[str, Any]) -> list[Topic]:
    answer = await ask_in_public(
        s, "merge", side, prompts.merge_topics, bounded(Proposals, cfg.topics),
        motion=cfg.motion, count=cfg.topics, language=language_of(cfg), max_tokens=_room(cfg.topics), **both,
    )  # fmt: skip
    return [] if isinstance(answer, Declined) else [idea.topic for idea in answer.topics]


async def _reviewed(
    s: Session, cfg: DebateConfig, side: Side, both: dict[str, Any], merged: list[Topic]
) -> list[Topic]:
    review = await ask_in_public(
        s, "review", side, prompts.review_agenda, bounded(AgendaReview, len(merged)),
        motion=cfg.motion, stance=STANCES[side], agenda=listed(merged), language=language_of(cfg),
        max_tokens=_room(len(merged)), by_number=titles_of(merged), **both,
    )  # fmt: skip
    if isinstance(review, Declined):
        return merged
    topics = list(merged)
    for item in review.topics:
        worded = item.pro_concern.strip() and item.con_concern.strip()
        if item.verdict == "amend" and worded and 1 <= item.number <= len(topics):
            topics[item.number - 1] = Topic(
                pro_concern=item.pro_concern.strip(),
                con_concern=item.con_concern.strip(),
                scope=item.scope.strip() or topics[item.number - 1].scope,
            )
    return unique(topics)


async def _approved(s: Session, cfg: DebateConfig, topics: list[Topic]) -> list[Topic]:
    choice = await s.ask(
        "agenda/approve", "moderator", prompts.approve_agenda, AgendaChoice,
        motion=cfg.motion, agenda=listed(topics), by_number=titles_of(topics),
    )  # fmt: skip
    if isinstance(choice, Declined):
        return topics
    kept = [topics[n - 1] for n in dict.fromkeys(choice.keep) if 1 <= n <= len(topics)]
    return kept or topics


def _room(topics: int) -> int:
    """The reply limit, in tokens, of a list of so many topics."""
    return 100 + 220 * topics


def unique(topics: Sequence[Topic]) -> list[Topic]:
    """The topics without those whose concerns came before."""
    first = {(bare(topic.pro_concern), bare(topic.con_concern)): topic for topic in reversed(topics)}
    return list(first.values())[::-1]


def interleaved(one: Sequence[Topic], two: Sequence[Topic]) -> list[Topic]:
    """Topics of both lists in turn: the fair merge when none could be read, or too few."""
    return [topic for topic in chain.from_iterable(zip_longest(one, two)) if topic is not None]
