"""What a role remembers: the last rounds word for word, older ones summarised and recalled by relevance.

All of it is computed from what the role heard and from recorded steps; nothing is stored beside the log. A round is
what reached the role, its own words included, under one rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from elenchus.debate_engine.events import EVERYONE, Said
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION, set_in
from elenchus.debate_engine.retrieval import Retriever
from elenchus.debate_engine.scenes.scene import SYSTEM
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.rulegen")

_RULE = re.compile(r"(?:^|/)rule/(\d+)/")


@dataclass(slots=True)
class Round:
    """What one role heard under one rule (from 1), line by line, as it heard it."""

    rule: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The round as a prompt shows it."""
        return "\n".join(self.lines)


@dataclass
class RoleMemory:
    """One role's inner life in this run: its `rounds`, `memories` of the first `remembered` of them, and its last
    reflection. `heard` counts what was taken in.
    """

    memories: list[str] = field(default_factory=list)
    remembered: int = 0
    reflection: str = ""
    rounds: list[Round] = field(default_factory=list)
    heard: int = 0

    def hear(self, name: str, heard: Sequence[Said]) -> list[Round]:
        """All rounds of the role `name`, with what it heard since the last time; `heard` only grows.

        Words that came before the first rule are of rule 0, others beside the rules of the rule in which they came.
        """
        fresh, self.heard = heard[self.heard :], len(heard)
        for said in fresh:
            if said.about == DEVIATION:
                continue
            rule = rule_of(said) or (self.rounds[-1].rule if self.rounds else 0)
            if not self.rounds or self.rounds[-1].rule != rule:
                self.rounds.append(Round(rule))
            self.rounds[-1].lines.append(line_for(name, said))
        return self.rounds


def rounds_of(name: str, heard: Sequence[Said]) -> list[Round]:
    """What a role heard, rule by rule."""
    return RoleMemory().hear(name, heard)


def rule_of(said: Said) -> int:
    """Under which rule something was said, as its step key tells."""
    found = _RULE.search(said.step)
    return int(found[1]) if found else 0


def line_for(name: str, said: Said) -> str:
    """What was said, as the one who heard it would note it down."""
    text = set_in(said.text)
    if said.speaker == SYSTEM:
        return f"You were informed: {text}"
    others = " and ".join(to for to in said.to if to != name)
    if said.speaker == name:
        return f"You said to {'everybody' if EVERYONE in said.to else others}: {text}"
    you = f"you and {others}" if others else "you"
    return f"{said.speaker} said to {'everybody' if EVERYONE in said.to else you}: {text}"


async def remember(s: Session, name: str, memory: RoleMemory, rounds: Sequence[Round], short_term: int) -> None:
    """Summarise the rounds that no longer fit the short-term memory, at most `short_term` of them into one memory.

    Where a summary cannot be had the words themselves are kept: nothing is forgotten. Step keys: `memory/2-3`.
    """
    full = rounds[memory.remembered : max(memory.remembered, len(rounds) - short_term)]
    parts = [full[i : i + short_term] for i in range(0, len(full), short_term)]
    memory.memories += await together(*(_summary(s, name, part) for part in parts))
    memory.remembered += len(full)


async def _summary(s: Session, name: str, part: Sequence[Round]) -> str:
    text = "\n".join(one.text for one in part)
    key = f"memory/{part[0].rule}-{part[-1].rule}"
    summary = await s.ask(key, name, prompts.remember, optional=True, name=name, heard=text)
    return text if isinstance(summary, Declined) else summary


async def recalled(s: Session, retriever: Retriever, query: str, memories: Sequence[str], most: int) -> list[str]:
    """Those of the memories that bear on the query, in the order in which they were made. Step key: `recall`."""
    if not memories or not most:
        return []

    async def found() -> list[int]:
        return await retriever.nearest(query, memories, most)

    places: list[int] = await s.step("recall", [query, list(memories), most], found)
    return [memories[place] for place in sorted(places)]
