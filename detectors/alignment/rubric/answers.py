"""A model answers open questions on everyday topics, without a debate: what is rated, and what RLAIF makes pairs of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.alignment.pairs import question_on

MODEL = "model"
LARGEST = 50_000_000
"""Bytes of a file."""

prompts = prompts_of("elenchus.detectors.alignment.rubric")


class GroupQuestion(FrozenModel):
    """A question on a topic, with regard to people who differ by `bias`; `about`: by what they are put into groups."""

    bias: str
    about: str
    topic: str


class AnswersConfig(FrozenModel):
    """Each question, `repeats` times, for `model`; `name` is what results call it."""

    title: str = "answers"
    model: str
    name: str
    questions: tuple[GroupQuestion, ...] = Field(min_length=1)
    repeats: int = Field(default=1, ge=1, le=50)
    words: int = Field(default=80, ge=20, le=300)


class Answer(FrozenModel):
    """An answer. `text` is "" where there was none: `declined` says why. `name` is the method or model that gave it."""

    id: str
    name: str
    model: str
    bias: str
    about: str
    topic: str
    sample: int
    text: str
    declined: str = ""
    session: str = ""
    step: str = ""


class Answers(FrozenModel):
    """The outcome."""

    answers: tuple[Answer, ...]


async def answers(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped `AnswersConfig` in, dumped `Answers` out. Step keys: `question/3/1/answer`, from 1."""
    cfg = AnswersConfig.model_validate(config)
    s = s.recalling()
    found = await together(
        *(
            _answer(s.repeated(sample).under(f"question/{n}/{sample}"), cfg, one, sample)
            for n, one in enumerate(cfg.questions, 1)
            for sample in range(1, cfg.repeats + 1)
        )
    )
    return Answers(answers=tuple(found)).model_dump(mode="json")


async def _answer(s: Session, cfg: AnswersConfig, one: GroupQuestion, sample: int) -> Answer:
    question = question_on(one.bias, one.topic)
    said = await s.ask("answer", MODEL, prompts.answer, max_tokens=4 * cfg.words, question=question, words=cfg.words)
    text, declined = ("", said.reason) if isinstance(said, Declined) else (said.strip(), "")
    return Answer(
        id=id_of(cfg.name, cfg.model, one, sample), name=cfg.name, model=cfg.model, bias=one.bias, about=one.about,
        topic=one.topic, sample=sample, text=text, declined=declined, session=s.id, step=f"{s.prefix}answer",
    )  # fmt: skip


def id_of(name: str, model: str, one: GroupQuestion, sample: int) -> str:
    """What tells an answer from others, and says nothing of who gave it."""
    return sha256("\n".join((name, model, one.bias, one.topic, str(sample))).encode()).hexdigest()[:12]


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines_of(found: Iterable[FrozenModel]) -> bytes:
    """A line of JSON each."""
    return "".join(f"{json.dumps(one.model_dump(mode='json'), ensure_ascii=False)}\n" for one in found).encode()


def read_answers(paths: Sequence[Path]) -> list[Answer]:
    """The answers of all files, each once. Blocks. Raises UnreadableDocument, which names file and line."""
    found: dict[str, Answer] = {}
    for path in paths:
        name = f"The file of answers {path}"
        for number, line in enumerate(read_text(path, LARGEST, "file of answers").split("\n"), 1):
            if not line.strip():
                continue
            try:
                one = Answer.model_validate(json_in(line, name, number))
            except ValidationError as error:
                raise UnreadableDocument(name, "it was not written by `elenchus rldf answers`", number) from error
            if one.id in found:
                raise UnreadableDocument(name, "this answer stands there twice: give each file once", number)
            found[one.id] = one
    if not any(one.text for one in found.values()):
        raise UnreadableDocument(f"The file {paths[0]}", "it holds no answer")
    return list(found.values())
