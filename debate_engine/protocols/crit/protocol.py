"""CRIT in a debate (SocraSynth, table 3): the claim is the motion as pro holds it, its reasons pro's, its rivals con's.

Reasons accumulate: each round adds those of the new speeches. The model sits on the seat `crit`; what it says is never
heard by a debater. NOTES.md maps this to the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import NamedTuple

from elenchus.debate_engine.llm.schema import bounded
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.crit.quotes import normalised, stands_in
from elenchus.debate_engine.protocols.crit.reasons import SEAT, new_only, prompts, reply_tokens, validate
from elenchus.debate_engine.protocols.crit.schemas import FoundReason, FoundReasons, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import quality_of
from elenchus.debate_engine.protocols.speech import SIDES, Speech, Topic, written_in
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

PER_TOPIC = 2
"""Reasons taken from one speech on one topic, at the most."""

_LONGEST = 400
"""Characters of a passage that stands for a reason."""


class ReadingTask(NamedTuple):
    """What is asked of every speech: its reasons for or against the claim, at most `per_topic` on a topic."""

    claim: str
    topics: Sequence[Topic]
    per_topic: int
    language: str


class SideReading(NamedTuple):
    """What was read of one side's new speeches; `unread` names those whose reasons could not be listed."""

    reasons: tuple[ScoredReason, ...] = ()
    unread: tuple[str, ...] = ()


Listed = Mapping[str, "list[ScoredReason] | None"]
"""Reasons without scores by the key of their speech; None where they could not be listed."""

NOT_AHEAD: Listed = {}


async def reasons_ahead(
    s: Session,
    motion: str,
    topics: Sequence[Topic],
    speeches: Sequence[Speech],
    *,
    per_topic: int = PER_TOPIC,
    language: str = "",
) -> Listed:
    """The reasons in each side's first speech, for a `crit` that begins (with the same `s`) when more has been said."""
    spoken = [speech for speech in speeches if speech.text.strip()]
    found = await together(
        *(_reasons_in(s, ReadingTask(motion, topics, per_topic, language), speech, ()) for speech in spoken)
    )
    return {_key(speech): reasons for speech, reasons in zip(spoken, found, strict=True)}


async def crit(
    s: Session,
    motion: str,
    topics: Sequence[Topic],
    new: Sequence[Speech],
    known: Sequence[ScoredReason],
    *,
    per_topic: int = PER_TOPIC,
    ahead: Listed = NOT_AHEAD,
    language: str = "",
) -> Quality:
    """The quality of the debate so far: `known` reasons and those of the `new` speeches, recorded as step `quality`.

    `ahead` holds what `reasons_ahead` has found in some of the new speeches.
    A score that cannot be read is None and left out of sums. When nothing new could be read, no speech
    or none of its reasons' scores, Γ is None.
    """
    asked = ReadingTask(motion, topics, per_topic, language)
    spoken = [[speech for speech in new if speech.side == side and speech.text.strip()] for side in SIDES]
    sides = await together(
        *(
            _read(s, asked, speeches, [r for r in known if r.side == side], ahead)
            for side, speeches in zip(SIDES, spoken, strict=True)
        )
    )
    fresh = [reason for read in sides for reason in read.reasons]
    unread = [about for read in sides for about in read.unread]
    all_unread = bool(unread) and len(unread) == sum(map(len, spoken))
    nothing_read = all_unread or (bool(fresh) and not any(reason.readable for reason in fresh))
    quality = quality_of([*known, *fresh], len(topics), unread, nothing_read=nothing_read)
    numbers = quality.model_dump(mode="json", exclude={"reasons"})
    await s.record("quality", {**numbers, "new": [reason.model_dump(mode="json") for reason in fresh]})
    return quality


async def _read(
    s: Session, asked: ReadingTask, speeches: Sequence[Speech], known: Sequence[ScoredReason], ahead: Listed
) -> SideReading:
    """Steps 2–5 for one side's speeches, in order (each leaves out what stands before it); scored side by side."""
    if not speeches:
        return SideReading()
    speech, *later = speeches
    key = _key(speech)
    found = ahead[key] if key in ahead else await _reasons_in(s, asked, speech, known)
    rest = _read(s, asked, later, [*known, *(found or [])], ahead)
    if found is None:
        after = await rest
        return SideReading(after.reasons, (f"{speech.side}, {speech.about}", *after.unread))
    scored, after = await together(_scored(s, asked, speech, found), rest)
    return SideReading((*scored.reasons, *after.reasons), after.unread)


async def _reasons_in(
    s: Session, asked: ReadingTask, speech: Speech, known: Sequence[ScoredReason]
) -> list[ScoredReason] | None:
    """The speech's reasons that are not known yet, without scores; None when they could not be listed."""
    topics = asked.topics
    if s.is_small(SEAT):
        return _at_most(new_only(as_reasons(speech), asked.claim, known), asked.per_topic)
    limit = asked.per_topic * max(1, len(topics))
    answer = await s.ask(
        f"reasons/{_key(speech)}",
        SEAT,
        prompts.reasons,
        bounded(FoundReasons, limit),
        max_tokens=reply_tokens(limit),
        optional=True,
        claim=asked.claim,
        against=speech.side == "con",
        topics=[topic.title for topic in topics],
        speech=speech.text,
        known=[r.reason for r in known],
        limit=asked.per_topic,
        language=written_in(asked.language),
    )
    if isinstance(answer, Declined):
        return None
    reasons = [
        ScoredReason(
            side=speech.side,
            about=speech.about,
            topic=_topic_of(found, speech, len(topics)),
            reason=found.reason.strip(),
            quote=found.quote.strip(),
            source=found.source.strip(),
        )
        for found in answer.reasons
    ]
    return _at_most(new_only(reasons, asked.claim, known), asked.per_topic)


async def _scored(s: Session, asked: ReadingTask, speech: Speech, found: Sequence[ScoredReason]) -> SideReading:
    """Every reason with its score, each by a call of its own, side by side."""
    normal = normalised(speech.text)
    checks = (
        validate(
            s.under(f"validate/{_key(speech)}/{n}"), asked.claim, r, _passage(speech, r.topic), normal, asked.language
        )
        for n, r in enumerate(found, 1)
    )
    return SideReading(await together(*checks))


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_reasons(speech: Speech) -> list[ScoredReason]:
    """What a speech says on each topic as one reason, in its own words: a small model cannot list them."""
    return [
        ScoredReason(
            side=speech.side,
            about=speech.about,
            topic=n,
            reason=shorten(section, _LONGEST, placeholder=" …"),
        )
        for n, section in enumerate(speech.sections, 1)
    ]


def _at_most(reasons: Iterable[ScoredReason], per_topic: int) -> list[ScoredReason]:
    taken: dict[int, int] = {}
    kept: list[ScoredReason] = []
    for reason in reasons:
        taken[reason.topic] = taken.get(reason.topic, 0) + 1
        if taken[reason.topic] <= per_topic:
            kept.append(reason)
    return kept


def _topic_of(found: FoundReason, speech: Speech, count: int) -> int:
    """The model's number; where there is no such topic, that of the one section in which the quote stands; else 0."""
    if 1 <= found.topic <= count:
        return found.topic
    sections = [normalised(section) for section in speech.sections] if found.quote.strip() else []
    holding = [n for n, section in enumerate(sections, 1) if stands_in(found.quote, section)]
    return holding[0] if len(holding) == 1 else 0


def _passage(speech: Speech, topic: int) -> str:
    part = speech.sections[topic - 1] if 1 <= topic <= len(speech.sections) else ""
    return part or speech.text


def _key(speech: Speech) -> str:
    return f"{speech.side}/{'-'.join(speech.about.split())}"
