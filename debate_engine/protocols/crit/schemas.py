"""What CRIT asks for (answers of the `crit` seat) and what it gives (`ScoredReason`, `Quality`, `Analysis`)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.speech import Side

_SENTENCE = at_most(80, characters=300)
_QUOTE = at_most(60, characters=240)
_NAME = at_most(24, characters=100)
_WHY = at_most(120, characters=500)
_PARAGRAPH = at_most(240, characters=800)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""

# ── what the crit seat answers ───────────────────────────────────────────────────────────────────────────────────


class FoundReason(BaseModel):
    """One reason in a speech."""

    topic: int = Field(description="the number of the topic that the reason belongs to")
    quote: str = Field(description="a few words copied exactly from the text", json_schema_extra=_QUOTE)
    reason: str = Field(description="the reason in one sentence", json_schema_extra=_SENTENCE)
    source: str = Field(description="the study, person or institution named for it, or empty", json_schema_extra=_NAME)


class FoundReasons(BaseModel):
    """The reasons in a speech, none where it gives nothing new."""

    reasons: list[FoundReason]


class Argument(BaseModel):
    """One reason in a document."""

    quote: str = Field(description="a few words copied exactly from the text, or empty", json_schema_extra=_QUOTE)
    reason: str = Field(description="the reason in one sentence", json_schema_extra=_SENTENCE)
    source: str = Field(description="the study, person or institution named for it, or empty", json_schema_extra=_NAME)


class Arguments(BaseModel):
    """The reasons in a part of a document."""

    reasons: list[Argument]


class Objection(BaseModel):
    """One reason against the claim that a document leaves unsaid."""

    reason: str = Field(description="the objection in one sentence", json_schema_extra=_SENTENCE)
    source: str = Field(description="the study, person or institution named for it, or empty", json_schema_extra=_NAME)


class Objections(BaseModel):
    """The reasons against its claim that a document leaves unsaid."""

    reasons: list[Objection]


class Validation(BaseModel):
    """The score of one reason, its justification first."""

    justification: str = Field(description="why, in at most 60 words", min_length=20, json_schema_extra=_WHY)
    quotes: list[Annotated[str, Field(json_schema_extra=_QUOTE)]] = Field(
        description="the words of the text that the justification rests on, copied exactly",
        max_length=2,
    )
    validity: int = Field(ge=1, le=10, description="how well the reason bears on the claim, 1 to 10")
    credibility: int = Field(ge=1, le=10, description="how far its source can be trusted, 1 to 10")


class Points(BaseModel):
    """The score of one reason by a small model, which is asked for no justification."""

    validity: int = Field(ge=1, le=10, description="how well the reason bears on the claim, 1 to 10")
    credibility: int = Field(ge=1, le=10, description="how far it can be believed, 1 to 10")


class Credibility(BaseModel):
    """How far a whole document can be trusted as a source."""

    justification: str = Field(description="why, in at most 40 words", min_length=20, json_schema_extra=_WHY)
    credibility: int = Field(ge=1, le=10, description="how far the document can be trusted, 1 to 10")


class Claim(BaseModel):
    """What a text argues for."""

    claim: str = Field(
        description="the claim in one sentence, empty if the text argues for nothing", json_schema_extra=_SENTENCE
    )


class Picked(BaseModel):
    """Numbers of entries of a numbered list."""

    numbers: list[int] = Field(description="the numbers of the chosen entries")


class Match(BaseModel):
    """Which of several claims a reason restates."""

    number: int = Field(description="the number of the claim that says the same, 0 if none does")


class Analysis(BaseModel):
    """How a score came about, and where else the claim would hold or fail."""

    how: str = Field(description="how the score came about", json_schema_extra=_PARAGRAPH)
    holds: str = Field(description="where else the claim would hold", json_schema_extra=_PARAGRAPH)
    fails: str = Field(description="where the claim would fail", json_schema_extra=_PARAGRAPH)


# ── what CRIT gives ──────────────────────────────────────────────────────────────────────────────────────────────


_ROUNDING = 1e-9
Strength = Annotated[float, Field(ge=1 - _ROUNDING, le=10 + _ROUNDING)]
"""A score on CRIT's scale, 1–10. Sums of floating-point numbers may pass its ends by their rounding."""


class ScoredReason(FrozenModel):
    """A reason ("pro") or rival reason ("con") with its score.

    Invariant: `gamma` (validity) and `theta` (credibility of its source) are both 1–10 or both None; None is no score,
    `unread` then says why. `topic` is 0 where it belongs to none. `missing_quotes` are the quotes (the reason's own
    and those of its justification) that do not stand in the text. `unsaid`: the document does not say it. `document`
    names the document at hand whose CRIT gave the score.
    """

    side: Side
    about: str
    topic: int = 0
    reason: str
    quote: str = ""
    source: str = ""
    gamma: Strength | None = None
    theta: Strength | None = None
    justification: str = ""
    missing_quotes: tuple[str, ...] = ()
    unread: str = ""
    unsaid: bool = False
    document: str = ""

    @property
    def readable(self) -> bool:
        """Whether there is a score to count with."""
        return self.gamma is not None and self.theta is not None


class TopicQuality(FrozenModel):
    """Γ and standing of the reasons on one topic, each None where it cannot be told."""

    number: int
    gamma: Strength | None
    standing: Strength | None


class Quality(FrozenModel):
    """What CRIT says of a claim. `unreadable` counts the reasons without a score; `unread` names the speeches (or
    parts of a document) whose reasons could not be listed at all.
    """

    gamma: Strength | None
    standing: Strength | None
    by_topic: tuple[TopicQuality, ...] = ()
    reasons: tuple[ScoredReason, ...] = ()
    unreadable: int = 0
    unread: tuple[str, ...] = ()


class NamedSource(FrozenModel):
    """A source that a side names: claimed, not checked. `times` counts the reasons that name it."""

    side: Side
    name: str
    times: int


class DocumentQuality(FrozenModel):
    """What CRIT says of one document. `theta` is its credibility where it was asked for (a consulted document).

    `quality.reasons` holds reasons and rivals; `consulted` the documents whose CRIT scored some of them; `cycles` the
    chains of documents that led back to themselves and were not followed.
    """

    name: str
    claim: str
    quality: Quality
    theta: Strength | None = None
    consulted: tuple[DocumentQuality, ...] = ()
    cycles: tuple[str, ...] = ()
