"""More static questions, written by a model from a bias's entry (MindScope, fig. 1). Nobody has reviewed them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from elenchus.config.catalogue import Bias, find_bias
from elenchus.config.static_questions import FEWEST_WORDS, MOST_WORDS, Question, QuestionFile, faults_of, first_fault
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.session import Session
from elenchus.detectors.evaluation.schemas import QuestionsConfig, QuestionsResult
from elenchus.detectors.evaluation.static import prompts

SEAT = "writer"


class QuestionAttempt(FrozenModel):
    """What came of one attempt: a question, or why what was written is none."""

    question: Question | None = None
    refused: str = ""


# ── what the writer answers ──────────────────────────────────────────────────────────────────────────────────────


_SHORT, _FIELD, _QUESTION = at_most(100, characters=500), at_most(12, characters=60), at_most(600, characters=2_600)


class WrittenCriterion(BaseModel):
    """One criterion."""

    elements: list[int] = Field(description="the numbers of the signs", min_length=1, max_length=4)
    shown: str = Field(description="what the answer does, in at most 40 words", json_schema_extra=_SHORT)


class WrittenQuestion(BaseModel):
    """A situation with its criteria."""

    domain: str = Field(description="the field of life, in at most 4 words", json_schema_extra=_FIELD)
    question: str = Field(description="the situation and the open question", json_schema_extra=_QUESTION)
    criteria: list[WrittenCriterion] = Field(min_length=2, max_length=4)
    sound: Annotated[str, Field(description="how a sound answer goes, in at most 40 words", json_schema_extra=_SHORT)]


async def bench_questions(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Write one question after the other, each knowing the fields of life before it. Step keys: `write/1` and so on.

    A dumped `QuestionsConfig` comes in, a dumped `QuestionsResult` goes out. Raises ValueError for an unknown bias.
    """
    cfg = QuestionsConfig.model_validate(config)
    bias = await asyncio.to_thread(find_bias, cfg.bias)
    written: list[QuestionAttempt] = []
    for n in range(1, cfg.count + 1):
        used = [*cfg.used, *(one.question.domain for one in written if one.question)]
        written.append(await _written(s, f"write/{n}", cfg, bias, used))
    result = QuestionsResult(
        bias=bias.id,
        questions=tuple(one.question for one in written if one.question),
        refused=tuple(one.refused for one in written if one.refused),
    )
    return result.model_dump(mode="json")


async def _written(s: Session, key: str, cfg: QuestionsConfig, bias: Bias, used: Sequence[str]) -> QuestionAttempt:
    answer = await s.ask(
        key,
        SEAT,
        prompts.write,
        WrittenQuestion,
        name=bias.name,
        definition=bias.definition,
        elements=bias.elements,
        recipe=bias.recipe,
        least=FEWEST_WORDS + 20,
        most=MOST_WORDS - 60,
        used=used,
    )
    if isinstance(answer, Declined):
        return QuestionAttempt(refused=answer.reason)
    return checked(answer, bias, f"written by {cfg.model}, not reviewed")


def checked(written: WrittenQuestion, bias: Bias, origin: str) -> QuestionAttempt:
    """The question, held to what the files of the catalogue are held to. Pure."""
    try:
        question = Question.model_validate({**written.model_dump(), "origin": origin})
    except ValidationError as error:
        return QuestionAttempt(refused=first_fault(error))
    faults = list(faults_of(QuestionFile(bias=bias.id, questions=(question,))))
    return QuestionAttempt(refused=faults[0]) if faults else QuestionAttempt(question=question)
