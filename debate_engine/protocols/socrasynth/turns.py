"""The turns of a debate: what each side knows when it speaks, and how a turn is taken.

A side knows its stance, the agenda, all speeches so far, the heat and what the moderator addressed to it; never scores,
judges' remarks or guidance to the other side. All of it comes from `Session.heard_by`. What stays the same from turn to
turn stands first in a prompt and what has been said follows in its order, so that each prompt of a side begins with the
material of the one before it and vendors read that from their cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import EVERYONE, Said
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, Section, fenced, line, prompts_of
from elenchus.debate_engine.protocols.socrasynth import heat as heats
from elenchus.debate_engine.protocols.socrasynth.half_time import given_by_half
from elenchus.debate_engine.protocols.socrasynth.halves import GIVEN
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, OpenOutcome
from elenchus.debate_engine.protocols.socrasynth.small.claims import Claims
from elenchus.debate_engine.protocols.socrasynth.small.speaking import speak, told_of
from elenchus.debate_engine.protocols.speech import SIDES, Side, Speech, Topic, written_in
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.socrasynth")

STANCES: Mapping[Side, str] = {
    "pro": "You are the proponent: you argue for the motion.",
    "con": "You are the opponent: you argue against the motion.",
}
CLAIM_STANCES: Mapping[Side, str] = {
    "pro": "You are the proponent: you argue for the claim that stands for this question in the debate.",
    "con": "You are the opponent: you argue against the claim that stands for this question in the debate.",
}
"""The stances where the motion is put as a question."""
MODERATOR = "moderator"
DECLINED = "(gave no speech)"
OF_HALF = (
    "People of your side give you these arguments, those first that most of them find good. Take up in your own words "
    "what is sound, and put its number in brackets where you do, such as [17]. Leave out the rest:"
)
DEEPEN = "Deepen this reason of yours with better evidence or a clearer argument:"


@dataclass(frozen=True)
class DebateSetup:
    """The settings that every turn needs. `merger` is the side drawn to merge the agenda; the other drafts at the end.
    `claim` is what a motion put as a question was made into; `claims` are both sides', where a small model debates.

    On an open question `held` is the answer that each side holds now, with its reasons, and `outcome` what came of it.
    """

    cfg: DebateConfig
    agenda: Sequence[Topic]
    stances: Mapping[Side, str]
    merger: Side = "pro"
    claim: str = ""
    claims: Claims = field(default_factory=dict)
    held: Mapping[Side, str] = field(default_factory=dict)
    outcome: OpenOutcome = ""

    @property
    def language(self) -> str:
        """The sentence on the language of speeches: the one that was set, or the motion's."""
        return language_of(self.cfg)

    def describe(self, heat: float) -> str:
        """What a speaker is told of the heat."""
        return heats.describe(heat, heats.OF_ANSWERS if self.cfg.open_question else heats.OWN_SIDE)

    def known_to(self, s: Session, side: Side) -> dict[str, Any]:
        """What a side knows of the debate so far."""
        heard = s.heard_by(side)
        return {
            "question": self.cfg.open_question,
            "motion": self.cfg.motion,
            "stance": self.stances[side],
            "brief": self.cfg.brief,
            "claim": self.claim,
            "agenda": listed(self.agenda),
            "said": spoken(side, heard),
            "held": self.held.get(side, ""),
            "words": words_for(side, heard),
            "language": self.language,
        }

    async def turn(self, s: Session, key: str, side: Side, prompt: Prompt, heat: float, about: str) -> Speech:
        """One side speaks; nobody has heard it yet (see `deliver`)."""
        await given_by_half(s, key, side, self.cfg)
        await s.words_to(key, side)
        if s.is_small(side):
            words = (plain(said) for said in addressed_to(side, s.heard_by(side)))
            told = told_of(self.cfg.brief, " ".join(words))
            return await speak(s, key, side, about, self.agenda, self.claims, told)
        variables = self.known_to(s, side) | {
            "heat": self.describe(heat),
            "words_per_topic": self.cfg.words_per_topic,
        }
        limit = speech_tokens(self.cfg.words_per_topic, len(self.agenda))
        text = await ask_in_public(s, f"{key}/{side}", side, prompt, max_tokens=limit, **only(prompt, variables))
        if isinstance(text, Declined):
            return Speech.none(side, about, text.reason, self.agenda)
        return Speech.of(side, about, text, self.agenda)

    async def deliver(self, s: Session, key: str, speech: Speech) -> None:
        """Everyone hears a speech."""
        text = speech.text or f"{DECLINED} {speech.declined}"
        await s.say(f"{key}/{speech.side}/said", speech.side, [EVERYONE], text, speech.about)

    async def simultaneously(self, s: Session, key: str, prompt: Prompt, heat: float, about: str) -> Sequence[Speech]:
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


def spoken(side: Side, heard: Sequence[Said]) -> tuple[Section, ...]:
    """All speeches so far in their order, each a section of its own; the opponent's last one is shortened last."""
    speeches = [said for said in heard if said.speaker in SIDES]
    last = max((i for i, said in enumerate(speeches) if said.speaker != side), default=-1)
    return tuple(
        Section(
            title=f"{'You' if said.speaker == side else 'Your opponent'}, {said.about}",
            text=fenced(said.text),
            policy="keep" if i == last else "digest",
            repeated=True,
        )
        for i, said in enumerate(speeches)
    )


def words_for(side: Side, heard: Sequence[Said]) -> str:
    """What was addressed to a side since it last spoke; what is not the moderator's own word stands in a fence."""
    new = addressed_to(side, heard)
    given = "\n".join(f"[{_number(said)}] {line(said.text)}" for said in new if said.about == GIVEN)
    own = (_passed_on(said) for said in new if said.about != GIVEN)
    return "\n".join([*own, *([f"{OF_HALF}\n{fenced(given)}"] if given else [])])


def addressed_to(side: Side, heard: Sequence[Said]) -> list[Said]:
    """The moderator's words to this side alone since it last spoke, and the arguments that its half has given it."""
    last = max((i for i, said in enumerate(heard) if said.speaker == side), default=-1)
    return [said for said in heard[last + 1 :] if _is_for(side, said)]


def _is_for(side: Side, said: Said) -> bool:
    return (said.speaker == MODERATOR or said.about == GIVEN) and said.to == (side,)


def plain(said: Said) -> str:
    """The words without what is put before a reason that is to be deepened; an argument as somebody else's."""
    if said.about == GIVEN:
        return f'Somebody argues: "{line(said.text)}"'
    return said.text.removeprefix(DEEPEN).strip() if said.about == "deepen" else said.text


def _number(said: Said) -> str:
    """The number by which an argument is known."""
    return said.step.rsplit("/", 1)[-1]


def _passed_on(said: Said) -> str:
    match said.about:
        case "question":
            return f"Answer this question, which was put to you:\n{fenced(said.text)}"
        case "deepen":
            return f"{DEEPEN}\n{fenced(plain(said))}"
    return said.text


def language_of(cfg: DebateConfig) -> str:
    """The sentence on the language of speeches."""
    return written_in(cfg.language) or f"Write in the language of the {'question' if cfg.open_question else 'motion'}."


def listed(topics: Sequence[Topic]) -> str:
    """Topics as a numbered list with their scope, one line each."""
    return "\n".join(f"{i}. {line(topic.title)} - {line(topic.scope)}" for i, topic in enumerate(topics, 1))


def only(prompt: Prompt, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the variables that the prompt declares."""
    return {name: value for name, value in variables.items() if name in prompt.variables}
