"""A turn of a small model: topic by topic, with a beginning that says side and topic, the best of some samples."""

from __future__ import annotations

from collections.abc import Sequence

from debate_engine.events import Said
from debate_engine.participant import Declined
from debate_engine.prompts import prompts_of
from debate_engine.protocols.socrasynth.small.claims import DEMAND, Claims, lowered
from debate_engine.protocols.socrasynth.small.wording import best, sentences, speaking_against, stems, taken
from debate_engine.protocols.speech import Side, Speech, Topic, other, sections_of
from debate_engine.session import Session
from debate_engine.tasks import together

SAMPLES = 3
NOTHING = "none of its samples held a whole sentence on the topic"
_MOST_TOLD = 40
"""Words of the facts and of the moderator's guidance that a small model is told."""

prompts = prompts_of("debate_engine.protocols.socrasynth.small")

_REPLIES = (
    "No, I disagree about {theirs}. {claim}, because {ours}",
    "That speaks of {theirs}, but it does not settle the matter. {claim}, because {ours}",
    "I have heard what was said about {theirs}. Even so, {lowered}, because {ours}",
)
"""How rebuttals begin, by turns: they name the other side's concern, then hold the stance and go on to their own."""
_OPENING = "{claim}, because {ours}"
_CLOSING = "In the end, {lowered}, because {ours}"
_AT_STAKE = ("would suffer", "would be at risk", "")
"""What becomes of the opponents' concern, by turns, where the motion demands something: without it they drift."""


async def speak(
    s: Session, key: str, side: Side, about: str, agenda: Sequence[Topic], claims: Claims, told: str
) -> Speech:
    """One side's turn. Step keys: `KEY/pro/topic/1/sample/1`. The paragraphs on the topics make the speech."""
    heard = s.heard_by(side)
    sections: list[str] = []
    for n, topic in enumerate(agenda, 1):
        here = s.under(f"{key}/{side}/topic/{n}")
        said = [*(h.text for h in heard), *sections]
        theirs = last_on(heard, side, agenda, n)
        sections.append(await _on_topic(here, side, about, topic, claims, said, theirs, told))
    text = "\n\n".join(part for part in sections if part)
    if not text:
        return Speech.none(side, about, NOTHING, agenda)
    return Speech(side=side, about=about, text=text, sections=tuple(sections))


async def _on_topic(
    s: Session, side: Side, about: str, topic: Topic, claims: Claims, said: Sequence[str], theirs: str, told: str
) -> str:
    begin = beginning(side, about, topic, claims)
    if about.startswith("round") and theirs:
        prompt, more = prompts.answer, theirs
    else:
        prompt, more = prompts.speak, claims[side]
    samples = await together(
        *(s.ask(f"sample/{n}", side, prompt, told=told, before=more, begin=begin) for n in range(1, SAMPLES + 1))
    )
    given = f"{claims['pro']} {topic.title}"
    against = speaking_against(side, claims["pro"])
    return best([taken(begin, text, given, said, against) for text in samples if not isinstance(text, Declined)])


def beginning(side: Side, about: str, topic: Topic, claims: Claims) -> str:
    """The words with which a side begins on a topic in this turn."""
    ours, theirs = (topic.pro_concern, topic.con_concern)[:: 1 if side == "pro" else -1]
    claim = claims[side].rstrip(".")
    if side == "con" and DEMAND.search(claim):
        ours = f"{ours} {_AT_STAKE[_turn(about) % len(_AT_STAKE)]}".strip()
    words = {"ours": ours, "theirs": theirs, "claim": claim, "lowered": lowered(claim)}
    if turn := _turn(about):
        return _REPLIES[(turn - 1) % len(_REPLIES)].format_map(words)
    return (_CLOSING if about == "closing" else _OPENING).format_map(words)


def _turn(about: str) -> int:
    """0 for opening and closing, else the round."""
    return int(about.split()[1]) if about.startswith("round") else 0


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
