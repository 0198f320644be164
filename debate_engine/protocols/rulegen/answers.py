"""What seats are asked for; fields stand in the order in which a model writes: reasons before verdicts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from elenchus.debate_engine.llm.schema import at_most

_SENTENCE = at_most(80, characters=300)
_QUOTE = at_most(60, characters=240)
_STEP = at_most(50, characters=160)
_PARAGRAPH = at_most(200, characters=900)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""


class Applies(BaseModel):
    """Whether a conditional rule's condition holds."""

    reason: str = Field(description="why, in one sentence", json_schema_extra=_SENTENCE)
    applies: bool = Field(description="true if it applies and you speak now, false if it does not apply")


class Supervision(BaseModel):
    """The system agent's view of a reply."""

    what: str = Field(
        description="what in the reply departs from the rule, in one sentence", json_schema_extra=_SENTENCE
    )
    why: str = Field(description="why that is a departure, in one sentence", json_schema_extra=_SENTENCE)
    deviation: Literal["none", "micro", "macro"] = Field(
        description="none if the reply is fine; micro: not this rule's purpose or content; macro: against the course"
    )
    steps: list[Annotated[str, Field(json_schema_extra=_STEP)]] = Field(
        description="how to mend it, step by step, each step one sentence; empty if the reply is fine", max_length=4
    )


class Finding(BaseModel):
    """A judge's answer on one subject."""

    reason: str = Field(description="the reason, in at most 100 words", json_schema_extra=_PARAGRAPH)
    quotes: list[Annotated[str, Field(json_schema_extra=_QUOTE)]] = Field(
        description="the subject's words that the reason rests on, copied exactly", max_length=3
    )
    present: Literal["yes", "no"] = Field(description="whether the bias is present in the subject")
