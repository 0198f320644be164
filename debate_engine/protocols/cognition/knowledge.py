"""Distilling: a text becomes statements that can be understood alone and say something new; and forgetting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.llm.reply_parsing import LEFT_OUT
from elenchus.debate_engine.llm.schema import bounded
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.config import MindSettings
from elenchus.debate_engine.protocols.cognition.forms import Distilled, Knowledge
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.profile import Profile
from elenchus.debate_engine.protocols.cognition.repetition import repeats, sentence
from elenchus.debate_engine.protocols.cognition.schemas import Refused, Statement
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")

MOST_OF_SMALL = 4
"""Statements that a small model is asked for: more of them say the same in other words."""


@dataclass(frozen=True, slots=True)
class DistilledKnowledge:
    """What was distilled from a text, in its order; what was refused; `unread`: why there is nothing at all."""

    statements: tuple[Statement, ...] = ()
    refused: tuple[Refused, ...] = ()
    unread: str = ""


@dataclass(frozen=True, slots=True)
class PriorKnowledge:
    """What a mind has when it distils: its memories, how many statements there ever were, and which iteration it is."""

    memories: tuple[Statement, ...]
    learned: int
    iteration: int


async def distil(
    s: Session, cfg: MindSettings, recall: Recall, profile: Profile, known: PriorKnowledge, text: str
) -> DistilledKnowledge:
    """The statements in a text. Step keys: `distil`, `new`; with what was wrong `distil/again`, `new/again`."""
    first = await _asked(s, cfg, profile, text, "distil")
    if isinstance(first, Declined):
        return DistilledKnowledge(unread=first.reason)
    unreadable = _unreadable(s, "distil")
    sound, faulty = await parted(s, cfg, recall, known, first.knowledge, (), "new")
    if faulty:
        told = "\n".join(f"- “{fault.text}” {fault.why}" for fault in faulty)
        again = await _asked(s, cfg, profile, text, f"distil{AGAIN}", f"Give these alone again, mended:\n{told}")
        if not isinstance(again, Declined):
            mended, faulty = await parted(s, cfg, recall, known, again.knowledge, sound, f"new{AGAIN}")
            sound = (*sound, *mended)[: cfg.most_statements]
            unreadable += _unreadable(s, f"distil{AGAIN}")
    noted = {sentence(one).casefold() for one in sound}
    left_out = (one for one in faulty if one.text.casefold() not in noted)
    return DistilledKnowledge(numbered(sound, known), (*left_out, *unreadable))


def _unreadable(s: Session, key: str) -> tuple[Refused, ...]:
    """What an answer had besides, such as a statement whose score is a word: a score in doubt is none."""
    notes = [note for call in s.calls.get(s.prefix + key, ())[-1:] for note in call.adjusted]
    return tuple(Refused(text="", why=note.removesuffix(LEFT_OUT)) for note in notes if note.endswith(LEFT_OUT))


async def _asked(
    s: Session, cfg: MindSettings, profile: Profile, text: str, key: str, sent_back: str = ""
) -> Distilled | Declined:
    most = min(cfg.most_statements, MOST_OF_SMALL) if cfg.small else cfg.most_statements
    return await s.ask(
        key,
        PERSONA,
        prompts.distil,
        bounded(Distilled, most),
        sent_back=sent_back,
        profile=profile.text,
        text=text,
        most=most,
        language=cfg.language,
    )


def numbered(sound: Sequence[Knowledge], known: PriorKnowledge) -> tuple[Statement, ...]:
    """The statements with their ids, in order."""
    return tuple(
        Statement(id=f"k{known.learned + n}", iteration=known.iteration, **one.model_dump())
        for n, one in enumerate(sound, 1)
    )


# ── what can be understood alone, and is new ─────────────────────────────────────────────────────────────────────


async def parted(
    s: Session,
    cfg: MindSettings,
    recall: Recall,
    known: PriorKnowledge,
    given: Sequence[Knowledge],
    taken: Sequence[Knowledge],
    key: str,
) -> tuple[tuple[Knowledge, ...], tuple[Refused, ...]]:
    """Those that stand alone and are new, and the others with what is wrong. Which are new is recorded as a step."""
    clear = [one for one in given if not vague_in(one)]
    vague = [refused(one, f"says “{word}”: name who or what") for one in given if (word := vague_in(one))]

    async def found() -> Any:
        return await repeats(recall, clear, [*known.memories, *taken], cfg.alike)

    inputs = [[sentence(one) for one in clear], known.learned, len(taken), cfg.alike]
    same = await s.step(key, inputs, found) if clear else []
    new = tuple(one for one, like in zip(clear, same, strict=True) if not like)
    old = (refused(one, f"says what is known: “{like}”") for one, like in zip(clear, same, strict=True) if like)
    return new, (*vague, *old)


def refused(one: Knowledge, why: str) -> Refused:
    """A statement that is not taken in."""
    return Refused(text=sentence(one), why=why)


_POINTING = (
    "it its they them their theirs he him his she her hers this these those former latter we us our you your i my me"
)
_ALONE = frozenset({*_POINTING.split(), "that", "one", "some", "others", "who", "which", "there", "both"})
_FIRST = frozenset(_POINTING.split())


def vague_in(one: Knowledge) -> str:
    """The English word by which a statement points at something that it does not name, "" where there is none."""
    return _vague(one.subject) or _vague(one.object)


def _vague(term: str) -> str:
    words = re.findall(r"\w+", term.removeprefix("the ").removeprefix("The "))
    if not words or (len(words[0]) > 1 and words[0].isupper()):  # IT, US
        return ""
    word = words[0].casefold()
    return word if word in _FIRST or (len(words) == 1 and word in _ALONE) else ""


# ── forgetting ───────────────────────────────────────────────────────────────────────────────────────────────────


def forget(statements: Sequence[Statement], share: float) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """What stays and what is forgotten: so large a share with the lowest scores; of equal scores the older goes first.

    Both come in their order. As many stay as the released code keeps: `round(n · (1 − share))`.
    """
    stay = round(len(statements) * (1 - share))
    lowest = sorted(statements, key=lambda one: (one.score, age_of(one)))[: len(statements) - stay]
    gone = {one.id for one in lowest}
    return (
        tuple(one for one in statements if one.id not in gone),
        tuple(one for one in statements if one.id in gone),
    )


def age_of(statement: Statement) -> tuple[int, int]:
    """What orders statements from the oldest to the newest."""
    return statement.iteration, int(statement.id.removeprefix("k") or 0)
