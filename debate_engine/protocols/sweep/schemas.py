"""What a sweep is set up with, what is asked of the evaluator by schema, and what comes out."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.socrasynth.heat import Contentiousness
from elenchus.debate_engine.protocols.socrasynth.schemas import MAX_TOPICS, DebateConfig
from elenchus.debate_engine.protocols.speech import LONGEST_MOTION, SIDES, Side, Topic
from elenchus.debate_engine.protocols.sweep.measures import Measured, Measures

HEATS = (0.9, 0.7, 0.5, 0.3, 0.0)
"""The heats of the paper's table."""

MeasureName = Literal["support", "hedges", "boosters", "polarising", "risk_share", "words"]
MEASURES: tuple[MeasureName, ...] = ("support", "hedges", "boosters", "polarising", "risk_share", "words")
Who = Literal["pro", "con", "both"]
WHO: tuple[Who, ...] = ("pro", "con", "both")


class SweepConfig(FrozenModel):
    """A sweep's settings.

    `agenda` gives the topics by hand (`topics` is then without effect); without it both sides agree on `topics` of
    them once, and every speech keeps to these. `samples` are the speeches of each side at each heat.
    """

    motion: str = Field(min_length=1, max_length=LONGEST_MOTION)
    heats: tuple[Contentiousness, ...] = Field(default=HEATS, min_length=1, max_length=21)
    topics: int = Field(default=2, ge=1, le=MAX_TOPICS)
    agenda: tuple[Topic, ...] = Field(default=(), max_length=MAX_TOPICS)
    words_per_topic: int = Field(default=80, ge=20, le=400)
    samples: int = Field(default=1, ge=1, le=50)
    language: str = ""

    @field_validator("heats")
    @classmethod
    def _apart(cls, heats: tuple[float, ...]) -> tuple[float, ...]:
        if len({f"{heat:.2f}" for heat in heats}) < len(heats):
            raise ValueError("two heats are the same to two digits: give heats that differ by 0.01 at least")
        return tuple(sorted(heats, reverse=True))

    @property
    def debate(self) -> DebateConfig:
        """The same settings for the parts that are shared with a debate."""
        return DebateConfig(
            motion=self.motion,
            topics=self.topics,
            agenda=self.agenda,
            words_per_topic=self.words_per_topic,
            language=self.language,
        )


# ── what the evaluator answers ───────────────────────────────────────────────────────────────────────────────────

_PHRASE = at_most(20, characters=120)
_QUOTE = at_most(40, characters=160)
_SENTENCE = at_most(80, characters=300)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""


class Impression(FrozenModel):
    """One quality of a speech, with the words that show it."""

    quote: str = Field(description="a few words copied exactly from the speech", json_schema_extra=_QUOTE)
    words: str = Field(min_length=1, description="2 to 8 words of your own", json_schema_extra=_PHRASE)


class Impressions(FrozenModel):
    """How a speech sounds."""

    tone: Impression
    emphasis: Impression
    language: Impression


class Support(FrozenModel):
    """How far a speech supports the position in question."""

    reason: str = Field(description="why, in at most 30 words", json_schema_extra=_SENTENCE)
    support: int = Field(ge=1, le=10, description="1 rejects the position altogether, 10 supports it without reserve")


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────


Quoted = Literal["found", "missing", "none"]


class Phrase(FrozenModel):
    """A quality in the evaluator's words. `quoted` says whether its quote stands in the speech."""

    words: str
    quote: str
    quoted: Quoted


class Reading(FrozenModel):
    """The columns of the paper's table, for one speech."""

    tone: Phrase
    emphasis: Phrase
    language: Phrase


class Take(FrozenModel):
    """One speech at one heat. `sample` counts from 1; `declined` says why there is no speech.

    `withheld` are the parts of the text that repeat the instruction on the heat: they are neither shown to the
    evaluator nor measured. `echoed` are the instruction's example phrases that the speech uses. `reading` and
    `support` (1–10, of the *other* side's position) are None where they could not be read, with the reason.
    """

    heat: Contentiousness
    side: Side
    sample: int
    text: str
    declined: str = ""
    withheld: tuple[str, ...] = ()
    echoed: tuple[str, ...] = ()
    measures: Measures | None = None
    reading: Reading | None = None
    reading_unread: str = ""
    support: Annotated[int, Field(ge=1, le=10)] | None = None
    support_reason: str = ""
    support_unread: str = ""

    def value(self, measure: MeasureName) -> float | None:
        """A measured number; None where there is none. Hedges, boosters and polarising words are per 100 words."""
        if measure == "support":
            return self.support
        return getattr(self.measures, measure) if self.measures else None


class Spread(FrozenModel):
    """Mean and standard deviation (n − 1; None for fewer than two) of the `n` takes that have the number."""

    n: int
    mean: Measured | None = None
    sd: Measured | None = None


class Row(FrozenModel):
    """One side at one heat: every measure over its takes."""

    heat: Contentiousness
    side: Side
    takes: int
    spoken: int
    numbers: dict[MeasureName, Spread]


class Trend(FrozenModel):
    """A rank correlation over `n` pairs; `rho` and `p` are None where it cannot be told, with the reason.

    `method` says how p was found; `adjusted` is p after Holm's correction over the tests of its sweep.
    """

    n: int
    rho: float | None = None
    p: float | None = None
    method: str = ""
    reason: str = ""
    adjusted: float | None = None


class MeasureTrend(FrozenModel):
    """How a measure goes with the heat, for one side or both."""

    measure: MeasureName
    side: Who
    trend: Trend


class Sweep(FrozenModel):
    """The outcome of a sweep: every take, the table by heat and side, and the trends.

    A table that lacks a side at a heat, a measure or a trend (an imported one may) is refused: ValidationError.
    """

    motion: str
    agenda: tuple[Topic, ...]
    heats: tuple[Contentiousness, ...]
    samples: int
    takes: tuple[Take, ...]
    rows: tuple[Row, ...]
    trends: tuple[MeasureTrend, ...]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if {(row.heat, row.side) for row in self.rows} != set(product(self.heats, SIDES)):
            raise ValueError("the table is to have a row for each side at each heat")
        if any(set(row.numbers) != set(MEASURES) for row in self.rows):
            raise ValueError("a row of the table lacks a measure")
        if {(trend.measure, trend.side) for trend in self.trends} != set(product(MEASURES, WHO)):
            raise ValueError("a trend is missing")
        return self

    def take(self, heat: float, side: Side) -> list[Take]:
        """The takes of one side at one heat."""
        return [t for t in self.takes if t.heat == heat and t.side == side]

    def row(self, heat: float, side: Side) -> Row:
        """The numbers of one side at one heat."""
        return next(row for row in self.rows if row.heat == heat and row.side == side)

    def trend(self, measure: MeasureName, side: Who) -> Trend:
        """One trend."""
        return next(t.trend for t in self.trends if t.measure == measure and t.side == side)
