"""Interpretation: an opinion is rated from profile and recalled memory alone, in the first person."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, prompts_of
from elenchus.debate_engine.protocols.cognition.config import MindSettings
from elenchus.debate_engine.protocols.cognition.forms import Rated
from elenchus.debate_engine.protocols.cognition.memory import recalled
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.model_shown import model_shown
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES
from elenchus.debate_engine.protocols.cognition.schemas import Mind, RatedOpinion, Statement
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")

SHOWS_A_MODEL = "the answer shows that a model speaks"
MEND = (
    "You spoke as a program, and your words were “{said}”. You are the person of the profile and nothing else: give "
    "that person's own answer."
)


async def interpret(
    s: Session, cfg: MindSettings, recall: Recall, mind: Mind, questionnaire: Sequence[str], iteration: int
) -> tuple[RatedOpinion, ...]:
    """An answer to each question, all side by side. Step keys: `recall`, `answer/1`, `answer/1/again` and so on."""
    memories = await recalled(s, cfg, recall, mind, questionnaire, iteration)
    known = {"profile": mind.profile.text, "language": cfg.language}
    return await together(
        *(
            rated(s, f"answer/{n}", prompts.interpret, question, {**known, "memories": as_lines(some)}, some)
            for n, (question, some) in enumerate(zip(questionnaire, memories, strict=True), 1)
        )
    )


def as_lines(memories: Sequence[Statement]) -> list[str]:
    """Memories as a prompt shows them: number, statement, what was thought of it."""
    return [f"{one.id}: {one.text}" + (f" ({one.thought})" if one.thought else "") for one in memories]


async def rated(
    s: Session, key: str, prompt: Prompt, question: str, known: Mapping[str, Any], memories: Sequence[Statement] = ()
) -> RatedOpinion:
    """An opinion rated; `known` are the prompt's other variables. A reply that shows a model is sent back; one that
    does so again is no rating.
    """
    ids = tuple(memory.id for memory in memories)
    first = await s.ask(key, PERSONA, prompt, Rated, question=question, **known)
    if isinstance(first, Declined) or not (said := model_shown(first.reason)):
        return judged_by(first, question, ids)
    mend = MEND.format(said=said)
    again = await s.ask(f"{key}{AGAIN}", PERSONA, prompt, Rated, sent_back=mend, question=question, **known)
    return judged_by(again, question, ids)


def judged_by(answer: Rated | Declined, question: str, recalled_ids: tuple[str, ...] = ()) -> RatedOpinion:
    """What comes of an answer. Words that show a model are nobody's reason: the log has them. Pure."""
    why = answer.reason if isinstance(answer, Declined) else SHOWS_A_MODEL if model_shown(answer.reason) else ""
    if why or isinstance(answer, Declined):
        return RatedOpinion(question=question, why_unread=why, recalled=recalled_ids)
    return RatedOpinion(
        question=question,
        rating=answer.rating,
        reason=answer.reason.strip(),
        sources=sources_in(answer.sources, recalled_ids),
        recalled=recalled_ids,
    )


def sources_in(named: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Those of the named sources that there are, each once: memories that were recalled, and attributes. Pure."""
    known = {one.casefold(): one for one in (*ids, *ATTRIBUTES)}
    plain = (re.sub(r"[\W_]+", " ", name).strip().casefold() for name in named)
    return tuple(dict.fromkeys(known[name] for name in plain if name in known))
