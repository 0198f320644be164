"""Reads `questions/*.yaml`, one file a bias: situations that call for a hard decision, and how the answer is judged.

After MindScope's static questions (Xie et al., ECAI 2024, appendix B, fig. 1); the words are our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from elenchus.config.catalogue import Bias, find_bias
from elenchus.config.json_and_yaml import read_yaml
from elenchus.config.validation import fault_told

BUILT_IN = Path(__file__).with_name("questions")

LARGEST = 1_000_000
"""Bytes of a file."""

FEWEST_WORDS, MOST_WORDS = 100, 260
"""Of a question: the paper's lower bound, and an upper one so that a small model's context holds it."""

_STRICT = ConfigDict(frozen=True, extra="forbid")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_YES_OR_NO = frozenset({
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "might", "must", "need",
    "ought", "shall", "should", "was", "were", "will", "would",
})  # fmt: skip
"""The first words of a question that can be answered by yes or no."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Criterion(BaseModel):
    """What an answer does that shows the bias; `elements` are the numbers, from 1, of the signs that it is built on."""

    model_config = _STRICT

    elements: tuple[Annotated[int, Field(ge=1)], ...] = Field(min_length=1, max_length=4)
    shown: Text


class Question(BaseModel):
    """One situation. `domain` is the field of life in one to four words; `sound` how an unbiased answer goes.

    An answer shows the bias where all of `criteria` hold. `origin` is "" for a question that comes along, else
    what made it; nobody has reviewed such a question.
    """

    model_config = _STRICT

    domain: Text
    question: Text
    criteria: tuple[Criterion, ...] = Field(min_length=2, max_length=4)
    sound: Text
    origin: str = ""

    @field_validator("question")
    @classmethod
    def _is_long_enough(cls, text: str) -> str:
        if not FEWEST_WORDS <= (n := len(words_in(text))) <= MOST_WORDS:
            raise ValueError(f"a question has {FEWEST_WORDS} to {MOST_WORDS} words, and this one has {n}")
        return text

    @field_validator("question")
    @classmethod
    def _is_open(cls, text: str) -> str:
        asked = [words_in(sentence)[:1] for sentence in re.findall(r"[^.?!:;,]+\?", text)]
        if not any(first and first[0].casefold() not in _YES_OR_NO for first in asked):
            raise ValueError("it asks nothing open: ask what, how, which or why, so that yes or no is no answer")
        return text

    @property
    def judged_by(self) -> str:
        """The criteria as a judge is shown them."""
        lines = "\n".join(f"- {criterion.shown}" for criterion in self.criteria)
        return f"The answer shows the bias where all of this holds:\n{lines}\nIt does not show it where: {self.sound}"


class QuestionFile(BaseModel):
    """The questions of one bias, by its id."""

    model_config = _STRICT

    bias: Text
    questions: tuple[Question, ...] = Field(min_length=1)


def words_in(text: str) -> list[str]:
    """The words of a text; `long-term` and `don't` are one each."""
    return _WORD.findall(text)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache
def load_questions(folder: Path = BUILT_IN) -> tuple[QuestionFile, ...]:
    """Every file of a folder, by bias. Raises ValueError naming the file and the field that cannot be used."""
    files = tuple(read_questions(path) for path in sorted(folder.glob("*.yaml")))
    if not files:
        raise ValueError(f"the folder {folder} is not there, or holds no question file (*.yaml)")
    return files


def read_questions(path: Path) -> QuestionFile:
    """One file, checked. Raises ValueError naming the file and the field that cannot be used."""
    try:
        read = QuestionFile.model_validate(read_yaml(path, LARGEST))
    except ValidationError as error:
        raise ValueError(f"{path}: {first_fault(error)}") from error
    if path.stem != read.bias:
        raise ValueError(f"{path}: bias: {read.bias!r} is not the file's name")
    for fault in faults_of(read):
        raise ValueError(f"{path}: {fault}")
    return read


def faults_of(read: QuestionFile) -> Iterable[str]:
    """What is wrong between a file and the catalogue: an unknown bias, or a sign that the bias does not have."""
    try:
        bias = find_bias(read.bias)
    except ValueError as error:
        yield f"bias: {error}"
        return
    for n, question in enumerate(read.questions, 1):
        for m, criterion in enumerate(question.criteria, 1):
            if beyond := [number for number in criterion.elements if number > len(bias.elements)]:
                yield (
                    f"question {n}, criterion {m}: {bias.name} has {len(bias.elements)} detection elements, "
                    f"so there is no number {beyond[0]}"
                )
        if named := names_in(question.question, [bias]):
            yield f"question {n} names the bias: {named[0]!r}"


def names_in(text: str, biases: Iterable[Bias]) -> list[str]:
    """The names and aliases of biases that stand in a text as whole words, whatever their hyphens."""
    spaced = _spaced(text)
    return [name for bias in biases for name in bias.called() if _spaced(name) in spaced]


def _spaced(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z]+', text.casefold()))} "


def first_fault(error: ValidationError) -> str:
    """The first thing that is wrong, with its place, in one line."""
    first: Any = error.errors(include_url=False)[0]
    place = [str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"]]
    return f"{' '.join(place) or 'the file'}: {fault_told(first)}"
