"""What the agents of a detection are asked to answer: the schemas of their calls."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, create_model

from elenchus.debate_engine.llm.schema import at_most
from elenchus.detectors.schemas import MOST_SUSPECTED

NONE = "none"
"""The answer of an agent that sees no bias of the list."""

_QUOTE = at_most(60, characters=240)
_SHORT = at_most(140, characters=700)
_WHY = at_most(240, characters=1_400)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""

Quotes = Annotated[
    list[Annotated[str, Field(json_schema_extra=_QUOTE)]],
    Field(description="words of the text that it rests on, copied exactly", max_length=3),
]
YesNo = Literal["yes", "no"]


class SuspectedBiases(BaseModel):
    """The biases that a screener suspects."""

    biases: list[str]


class ChosenBias(BaseModel):
    """The one bias that an agent names, or none."""

    bias: str
    reason: str = Field(description="why, in at most 50 words", json_schema_extra=_SHORT)


class Reasoned(BaseModel):
    """The same, after thinking."""

    thinking: str = Field(description="the thinking, in at most 100 words", json_schema_extra=_WHY)
    bias: str


class Preferred(BaseModel):
    """Which of two biases the better debater claims."""

    reason: str = Field(description="why, in at most 60 words", json_schema_extra=_SHORT)
    bias: str


Naming = TypeVar("Naming", ChosenBias, Reasoned, Preferred)


class Check(BaseModel):
    """Whether a text shows a bias, and by which words."""

    quotes: Quotes
    reason: str = Field(description="why, in at most 100 words", json_schema_extra=_WHY)
    present: YesNo = Field(description="whether the text shows the bias")


class Label(BaseModel):
    """Whether a text shows a given bias, in short."""

    reason: str = Field(description="why, in at most 50 words", json_schema_extra=_SHORT)
    present: YesNo = Field(description="whether the bias is there")


_Score = Annotated[int, Field(ge=0, le=10)]


class Marks(BaseModel):
    """One referee's scores of one side, the remark first. The fields are `decision.weights.CRITERIA`."""

    remark: str = Field(description="what was strong and what was weak, in at most 40 words", json_schema_extra=_SHORT)
    support: _Score
    consistency: _Score
    refutation: _Score
    completeness: _Score
    persuasiveness: _Score
    reasonableness: _Score


class Critique(BaseModel):
    """Whether a group's talk has come to a name of the list, or to none, on good grounds."""

    remark: str = Field(description="what is missing or wrong, in at most 60 words", json_schema_extra=_SHORT)
    settled: YesNo = Field(description="whether the group can conclude")


@lru_cache
def suspected(names: tuple[str, ...]) -> type[SuspectedBiases]:
    """The screeners' answer with names of this list only, `MOST_SUSPECTED` at the most."""
    name: Any = _one_of(names)
    listed: Any = (list[name], Field(description="names, most likely first", max_length=MOST_SUSPECTED))
    return create_model("SuspectedBiases", __base__=SuspectedBiases, biases=listed)


@lru_cache
def naming(schema: type[Naming], names: tuple[str, ...]) -> type[Naming]:
    """An answer whose `bias` is one of these names."""
    named: Any = (_one_of(names), Field(description="the name as it stands in the list"))
    return create_model(schema.__name__, __base__=schema, bias=named)


def _one_of(names: tuple[str, ...]) -> Any:
    return Literal[names]
