"""What small models say, topic by topic: the best of some samples, each with a beginning that says side and topic.

A turn, and at the end a compromise that they can sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.events import FrozenModel, Said
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.socrasynth.small.claims import (
    ILLS,
    Claims,
    carried_by,
    effect_of,
    is_of_deed,
    is_plural,
    lowered,
    prompts,
    subject_of,
)
from elenchus.debate_engine.protocols.socrasynth.small.wording import best, leaning_of, sentences, stems, trimmed
from elenchus.debate_engine.protocols.speech import Side, Speech, Topic, other, sections_of
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

SAMPLES = 3
NOTHING = "none of its samples held a whole sentence on the topic"
_MOST_TOLD = 40
"""Words of the facts and of the moderator's guidance that a small model is told."""

_CLAIMED = (
    "{claim}, because {reason}",
    "No, I disagree about {theirs}. {claim}, because {reason}",
    "That speaks of {theirs}, but it does not settle the matter. {claim}, because {reason}",
    "I have heard what was said about {theirs}. Even so, {lowered}, because {reason}",
)
"""How an opening begins, then rebuttals by turns: they name the other side's concern and hold the stance."""
_CLOSING = "In the end, {lowered}, because {reason}"
_DEEDS = {
    "good": ("be good for", "help", "be a gain for", "protect"),
    "bad": ("be bad for", "harm", "be a loss for", "damage"),
}
"""What a deed would do, or a claim's subject does, to the side's own concern, by turns. The model goes on after it."""
_WITH_ILLS = {"good": "mean less", "bad": "mean more"}
"""The same where the concern is one that it is good to have less of."""
_LOOKS = ("when it comes to", "with regard to", "in matters of", "as for")
"""How a side turns to its own concern where the claim calls nothing good or bad. The model goes on from its verb."""


class Signature(FrozenModel):
    """Whether a side can sign a text; it offers no other."""

    sign: bool


async def speak(
    s: Session, key: str, side: Side, about: str, agenda: Sequence[Topic], claims: Claims, told: str
) -> Speech:
    """One side's turn. Step keys: `KEY/pro/topic/1/sample/1`. The paragraphs on the topics make the speech."""
    heard = s.heard_by(side)
    sections: list[str] = []
    for n, topic in enumerate(agenda, 1):
        further = any(sections)
        begin = beginning(side, about, topic, claims, further=further)
        prompt, before = prompts.speak, claims[side]
        if about.startswith("round") and (theirs := last_on(heard, side, agenda, n)):
            prompt, before = prompts.answer, f"{claims[other(side)]} {theirs}" if further else theirs
        words: dict[str, Any] = {"told": told, "before": before, "begin": begin}
        said = [*(h.text for h in heard), *sections]
        sections.append(await _best_of(s.under(f"{key}/{side}/topic/{n}"), side, prompt, words, topic, claims, said))
    text = "\n\n".join(part for part in sections if part)
    if not text:
        return Speech.none(side, about, NOTHING, agenda)
    return Speech(side=side, about=about, text=text, sections=tuple(sections))


async def _best_of(
    s: Session, side: Side, prompt: Prompt, words: dict[str, Any], topic: Topic, claims: Claims, said: Sequence[str]
) -> str:
    samples = await samples_of(s, "sample", side, prompt, SAMPLES, words)
    given = f"{claims['pro']} {topic.title}"
    leaning = leaning_of(claims[side], effect_of(claims[side]))
    return best([trimmed(words["begin"], text, given, said, leaning) for text in samples])


async def samples_of(s: Session, key: str, seat: str, prompt: Prompt, count: int, words: dict[str, Any]) -> list[str]:
    """What a seat answers when it is asked the same so many times. Step keys: `KEY/1`."""
    answers = await together(*(s.ask(f"{key}/{n}", seat, prompt, **words) for n in range(1, count + 1)))
    return [answer for answer in answers if not isinstance(answer, Declined)]


# ── the joint proposal ───────────────────────────────────────────────────────────────────────────────────────────


async def compromise(s: Session, side: Side, claims: Claims, topic: Topic, number: int) -> str:
    """A text on one topic, "" where nothing could be used. Step keys: `draft/topic/1/sample/1`."""
    words: dict[str, Any] = {"pro": claims["pro"], "con": claims["con"]}
    words |= {"ours": topic.pro_concern, "theirs": topic.con_concern}
    samples = await samples_of(s, f"draft/topic/{number}/sample", side, prompts.compromise, SAMPLES, words)
    begin = prompts.compromise.render(**words).prefill
    return best([trimmed(begin, text, f"{claims['pro']} {topic.title}", ()) for text in samples])


async def signs(s: Session, key: str, side: Side, claims: Claims, text: str) -> bool:
    """Whether a side signs a text; an answer that cannot be read is no signature."""
    answer = await s.ask(key, side, prompts.sign, Signature, claim=claims[side], proposal=text)
    return not isinstance(answer, Declined) and answer.sign


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def beginning(side: Side, about: str, topic: Topic, claims: Claims, *, further: bool = False) -> str:
    """The words with which a side begins on a topic in this turn; `further`: after a paragraph on another topic."""
    ours, theirs = (topic.pro_concern, topic.con_concern)[:: 1 if side == "pro" else -1]
    claim, turn = claims[side].rstrip("."), _turn(about)
    reason = reason_for(claim, ours, turn, further=further)
    if further and reason != ours:  # the claim stands above
        reply = f"I disagree about {theirs} as well. " if turn > 0 else ""
        return f"{reply}{reason[:1].upper()}{reason[1:]}"
    words = {"theirs": theirs, "claim": claim, "lowered": lowered(claim), "reason": reason}
    form = _CLOSING if turn < 0 else _CLAIMED[(turn - 1) % 3 + 1 if turn else 0]
    return form.format_map(words)


def reason_for(claim: str, ours: str, turn: int, *, further: bool = False) -> str:
    """How a side's reason begins: what the deed would do to its concern, or what the claim's subject is or does to it.

    Where the claim calls nothing good or bad, its subject and its verb ("robots cannot"); the concern alone where
    neither can be told.
    """
    also, subject = "also " if further else "", subject_of(claim)
    if not (effect := effect_of(claim)):
        return f"{_LOOKS[turn % len(_LOOKS)]} {ours}, {subject} {carried_by(claim)}".rstrip() if subject else ours
    verb, _, rest = (_WITH_ILLS[effect] if ILLS.search(ours) else _DEEDS[effect][turn % 4]).partition(" ")
    does = " ".join(part for part in (rest, ours) if part)
    if is_of_deed(claim):
        return f"that would {also}{verb} {does}: it would"
    several = is_plural(claim)
    if verb == "be":
        return f"{subject} {'are' if several else 'is'} {also}{does}: {'they' if several else 'it'}"
    return f"{subject} {also}{verb if several else f'{verb}s'} {does}: {'they' if several else 'it'}"


def _turn(about: str) -> int:
    """0 for the opening, -1 for the closing, else the round."""
    return int(about.split()[1]) if about.startswith("round") else -(about == "closing")


def last_on(heard: Sequence[Said], side: Side, agenda: Sequence[Topic], topic: int) -> str:
    """The first two sentences of what the opponent said last on a topic (from 1), "" where it has not spoken.

    A speech without headings has a paragraph for a topic: the one with the most of its words.
    """
    spoken = [said.text for said in heard if said.speaker == other(side)]
    if not spoken:
        return ""
    wanted = stems(agenda[topic - 1].title)
    part = sections_of(spoken[-1], agenda)[topic - 1]
    return " ".join(sentences(max(part.split("\n\n"), key=lambda text: len(stems(text) & wanted)))[:2])


def told_of(brief: str, guidance: str) -> str:
    """What is told before the question: the facts' and the moderator's first words."""
    parts = [" ".join(text.split()[:_MOST_TOLD]) for text in (brief, guidance) if text.strip()]
    return "".join(f"{part if part[-1:] in '.!?' else part + '.'} " for part in parts)
