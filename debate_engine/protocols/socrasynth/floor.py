"""The debating floor: what each side knows when it speaks, and how a turn is taken.

A side knows its stance, the agenda, its own earlier speeches, its opponent's, the heat and what the moderator addressed
to it; never scores, judges' remarks or guidance to the other side. All of it comes from `Session.heard_by`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from debate_engine.events import EVERYONE, Said
from debate_engine.participant import Declined
from debate_engine.prompts import Prompt, prompts_of
from debate_engine.protocols.socrasynth import heat as heats
from debate_engine.protocols.socrasynth.schemas import DebateConfig
from debate_engine.protocols.socrasynth.small.claims import Claims
from debate_engine.protocols.socrasynth.small.speaking import speak, told_of
from debate_engine.protocols.speech import SIDES, Side, Speech, Topic, other
from debate_engine.session import Session
from debate_engine.tasks import together

prompts = prompts_of("debate_engine.protocols.socrasynth")

STANCES: Mapping[Side, str] = {
    "pro": "You are the proponent: you argue for the motion.",
    "con": "You are the opponent: you argue against the motion.",
}
MODERATOR = "moderator"
DECLINED = "(gave no speech)"


@dataclass(frozen=True)
class Floor:
    """The settings that every turn needs. `claims` are known where a small model debates."""

    cfg: DebateConfig
    agenda: Sequence[Topic]
    stances: Mapping[Side, str]
    claims: Claims = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The sentence on the language of speeches: the one that was set, or the motion's."""
        return language_of(self.cfg)

    def known_to(self, s: Session, side: Side) -> dict[str, Any]:
        """What a side knows of the debate so far."""
        heard = s.heard_by(side)
        own = [f"{said.about}:\n{said.text}" for said in heard if said.speaker == side]
        theirs = [f"{said.about}:\n{said.text}" for said in heard if said.speaker == other(side)]
        return {
            "motion": self.cfg.motion,
            "stance": self.stances[side],
            "brief": self.cfg.brief,
            "agenda": listed(self.agenda),
            "own": "\n\n".join(own),
            "theirs": "\n\n".join(theirs[:-1]),
            "last": theirs[-1] if theirs else "",
            "words": "\n".join(words_for(side, heard)),
            "language": self.language,
        }

    def said_by_both(self, s: Session, side: Side) -> dict[str, Any]:
        """The same for prompts that take the opponent's speeches in one piece."""
        known = self.known_to(s, side)
        return known | {"theirs": "\n\n".join(part for part in (known["theirs"], known["last"]) if part)}

    async def turn(self, s: Session, key: str, side: Side, prompt: Prompt, heat: float, about: str) -> Speech:
        """One side speaks; nobody has heard it yet (see `deliver`)."""
        await s.words_to(key, side)
        if s.is_small(side):
            told = told_of(self.cfg.brief, " ".join(words_for(side, s.heard_by(side))))
            return await speak(s, key, side, about, self.agenda, self.claims, told)
        variables = self.known_to(s, side) | {
            "heat": heats.describe(heat),
            "words_per_topic": self.cfg.words_per_topic,
        }
        limit = speech_tokens(self.cfg.words_per_topic, len(self.agenda))
        text = await s.ask(f"{key}/{side}", side, prompt, max_tokens=limit, **only(prompt, variables))
        if isinstance(text, Declined):
            return Speech.none(side, about, text.reason, self.agenda)
        return Speech.of(side, about, text, self.agenda)

    async def deliver(self, s: Session, key: str, speech: Speech) -> None:
        """Everyone hears a speech."""
        text = speech.text or f"{DECLINED} {speech.declined}"
        await s.say(f"{key}/{speech.side}/said", speech.side, [EVERYONE], text, speech.about)

    async def side_by_side(self, s: Session, key: str, prompt: Prompt, heat: float, about: str) -> Sequence[Speech]:
        """Both sides speak without having heard each other's speech of this turn."""
        speeches = await together(*(self.turn(s, key, side, prompt, heat, about) for side in SIDES))
        for speech in speeches:
            await self.deliver(s, key, speech)
        return speeches

    async def in_turn(self, s: Session, key: str, prompt: Prompt, heat: float, about: str) -> Sequence[Speech]:
        """Pro speaks first, con answers having heard it."""
        speeches = []
        for side in SIDES:
            speeches.append(await self.turn(s, key, side, prompt, heat, about))
            await self.deliver(s, key, speeches[-1])
        return speeches


def speech_tokens(words_per_topic: int, topics: int) -> int:
    """The reply limit, in tokens, of a speech: two a word (English needs 1.4, other languages more), and headings."""
    return 2 * words_per_topic * topics + 80


def words_for(side: Side, heard: Sequence[Said]) -> list[str]:
    """What the moderator has addressed to a side since it last spoke."""
    last = max((i for i, said in enumerate(heard) if said.speaker == side), default=-1)
    return [said.text for said in heard[last + 1 :] if said.speaker == MODERATOR and said.to == (side,)]


def language_of(cfg: DebateConfig) -> str:
    """The sentence on the language of speeches."""
    return f"Write in {cfg.language}." if cfg.language else "Write in the language of the motion."


def listed(topics: Sequence[Topic]) -> str:
    """Topics as a numbered list with their scope."""
    return "\n".join(f"{i}. {topic.title} - {topic.scope}" for i, topic in enumerate(topics, 1))


def only(prompt: Prompt, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the variables that the prompt declares."""
    return {name: value for name, value in variables.items() if name in prompt.variables}
