"""A role agent: it remembers, plans, answers, and looks back. It knows itself, what it heard, and its rule."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import Said
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.answers import Applies
from elenchus.debate_engine.protocols.rulegen.assignment import Allocation
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.memory import RoleMemory, Round, recalled, remember
from elenchus.debate_engine.protocols.rulegen.moves import Move
from elenchus.debate_engine.protocols.rulegen.played import Deviation, Statement
from elenchus.debate_engine.retrieval import Retriever
from elenchus.debate_engine.scenes.language import Language, phrase
from elenchus.debate_engine.scenes.measures import Stated
from elenchus.debate_engine.scenes.scene import SYSTEM, Role, Rule
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import as_word, count_words

WORDS = 100
"""The longest reply of a role agent, in words."""

prompts = prompts_of("elenchus.debate_engine.protocols.rulegen")


@dataclass
class SceneState:
    """Everybody in the scene, with what they remember in this run, all that was `said` (by step), and `stated`.

    `cfg` holds the version that is played from when it is drawn. `meanwhile` takes in what was said beside the rules,
    where there are people.
    """

    cfg: SceneConfig
    retriever: Retriever
    lots: Allocation
    memories: dict[str, RoleMemory] = field(default_factory=dict)
    said: dict[str, Said] = field(default_factory=dict)
    stated: list[Statement] = field(default_factory=list)
    meanwhile: Callable[[Session], Awaitable[None]] | None = None

    def role(self, name: str) -> Role:
        """A role by its name."""
        return next(role for role in self.cfg.scene.roles if role.name == name)

    def memory_of(self, name: str) -> RoleMemory:
        """What a role remembers."""
        return self.memories.setdefault(name, RoleMemory())

    @property
    def values(self) -> dict[str, Stated]:
        """The values that were stated so far, by measure."""
        return {one.measure: one.value for one in self.stated if one.value is not None}

    @property
    def names(self) -> dict[str, str]:
        """The roles by their names, as a fixed line calls them."""
        return {role.name: role.name for role in self.cfg.scene.roles}

    @property
    def same_words(self) -> bool:
        """Whether everybody but subjects has fixed words: then subjects keep what they heard word for word."""
        spoken = [rule for rule in self.cfg.scene.rules if rule.initiator != SYSTEM]
        others = [rule for rule in spoken if self.role(rule.initiator).kind != "subject"]
        return bool(others) and all(rule.says for rule in others)

    def is_person(self, name: str) -> bool:
        """Whether a person plays this role."""
        return name in self.cfg.people

    async def take_in(self, s: Session) -> None:
        """Take in what was said beside the rules by now."""
        if self.meanwhile is not None:
            await self.meanwhile(s)

    async def listen(self, s: Session, name: str) -> list[Round]:
        """What a role has heard by now, round by round, with what the moderator has addressed to it meanwhile."""
        await self.take_in(s)
        await s.words_to("listen", name)
        heard, memory = s.heard_by(name), self.memory_of(name)
        for said in heard[memory.heard :]:
            self.said.setdefault(said.step, said)
        return memory.hear(name, heard)


async def known_to(s: Session, state: SceneState, rule: Rule, move: Move) -> dict[str, Any]:
    """What the speaker's prompts hold: itself, what it heard and remembers, and the rule as far as it is its own.

    Where all others have fixed words nothing is summed up: a stimulus reaches a model as it stands. People have a
    memory of their own: what is older than the last rounds is not shown to them again here.
    """
    role, memory = state.role(move.speaker), state.memory_of(move.speaker)
    rounds = await state.listen(s, role.name)
    language = state.cfg.scene.language
    told = instruction(rule, move, language)
    memories: list[str] = []
    word_for_word = len(rounds) if state.same_words else state.cfg.short_term
    if not state.is_person(role.name):
        await remember(s, role.name, memory, rounds, word_for_word)
        query = "\n".join([told, *(one.text for one in rounds[-1:])])
        memories = await recalled(s, state.retriever, query, memory.memories, state.cfg.recalled)
    return {
        "name": role.name,
        "background": role.background,
        "task": role.task,
        "style": role.style,
        "memories": memories,
        "heard": "\n".join(one.text for one in rounds[-word_for_word:]),
        "to": phrase(language, "everybody") if move.mode == "broadcast" else phrase(language, "and").join(move.to),
        "purpose": phrase(language, rule.purpose) if rule.purpose and move.opens else "",
        "content": told,
    }


def asked_of_a_person(known: Mapping[str, Any]) -> dict[str, Any]:
    """What a subject who is a person is shown when it is asked: the question. All else stands before its eyes by then,
    and nobody stands in for it who would have to be told.
    """
    return {**known, "background": "", "task": "", "style": "", "heard": "", "memories": []}


def instruction(rule: Rule, move: Move, language: Language = "en") -> str:
    """What the speaker is told to speak about; who only answers in a two-way rule is not told what the opener is."""
    return rule.content if move.opens else phrase(language, "talked-over", name=rule.initiator)


async def applies(s: Session, known: dict[str, Any]) -> str:
    """Why a conditional rule does not apply, "" where it does (or where nobody can say). Step key: `applies`."""
    answer = await s.ask("applies", known["name"], prompts.applies, Applies, optional=True, **known)
    if isinstance(answer, Declined) or answer.applies:
        return ""
    return f"does not apply: {answer.reason.strip()}"


async def plan(s: Session, state: SceneState, known: dict[str, Any]) -> str:
    """What the role makes of what is asked of it, with its last reflection in mind. Step key: `plan`."""
    name = known["name"]
    reflection = state.memory_of(name).reflection
    thought = await s.ask("plan", name, prompts.plan, optional=True, **known, reflection=reflection)
    return "" if isinstance(thought, Declined) else thought


async def reflect(s: Session, state: SceneState, known: dict[str, Any], planned: str, reply: str) -> None:
    """What the role makes of what it has just said; it reaches its next plan. Step key: `reflect`."""
    name = known["name"]
    thought = await s.ask("reflect", name, prompts.reflect, optional=True, **known, plan=planned, reply=reply)
    if not isinstance(thought, Declined):
        state.memory_of(name).reflection = thought


# ── the form of a reply ──────────────────────────────────────────────────────────────────────────────────────────


def tidied(text: str, name: str) -> str:
    """A reply without the speaker's own name in front, and without quotation marks around the whole of it."""
    bare = re.sub(
        rf"^[\s*_\"“\[]*{re.escape(name)}[\s*_\]]*(?:\([^)]*\))?[*_]*\s*[:：—–-]\s*[*_]*\s*", "", text.strip()
    )
    quoted = re.fullmatch(r"[\"“]([^\"“”]+)[\"”]", bare.strip())
    return (quoted[1] if quoted else bare).strip() or text.strip()


def out_of_form(text: str, role: Role) -> Deviation | None:
    """What the program itself sees in a reply: too many words, or the decision style named."""
    words = count_words(text)
    if words > WORDS:
        return Deviation(
            level="micro",
            what=f"The reply has {words} words.",
            why=f"Nobody speaks more than {WORDS} words at a time.",
            steps=(f"Say the same in at most {WORDS} words.",),
            by="program",
        )
    if role.style and re.search(as_word(role.style.rstrip(" .")), text, re.IGNORECASE):
        return Deviation(
            level="micro",
            what="The reply names the way in which you decide.",
            why="How somebody decides shows in what they do; they do not announce it.",
            steps=("Leave the words out that name your way of deciding.",),
            by="program",
        )
    return None
