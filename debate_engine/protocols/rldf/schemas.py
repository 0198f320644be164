"""What a debate of roles is set up with, what is asked by schema, and what comes out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, Field, create_model, model_validator

from elenchus.config.bias_type_catalogue import LONGEST_TOPIC, MOST, BiasType, bias_type
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most

REFEREE = "referee"
HIGH = 3
"""A statement with a higher score has a high bias, every other one a low one (section 3)."""
WORST = 10
LETTERS = "ABCDEF"

Marking = Literal["one", "all"]
"""Whether the referee scores one statement a call, or all of a round at once."""
Mode = Literal["self", "teacher", "teacher-judges", "mixed"]
"""Who debates and judges: one model does both; a better one does both, or judges only; anybody else."""


def role_seats(number: int) -> tuple[str, ...]:
    """The seats of so many roles."""
    return tuple(f"role-{n}" for n in range(1, number + 1))


class RldfConfig(FrozenModel):
    """A debate's settings. `bias` is a type that comes along, by name, or a whole one.

    Roles take the first `roles` identities. `sample` is which repetition of the same debate this is: none takes an
    answer that another one was given. `words` are those of a statement; `small` are the seats with small models.
    """

    bias: BiasType
    topic: str = Field(min_length=1, max_length=LONGEST_TOPIC)
    roles: int = Field(default=3, ge=2, le=MOST)
    rounds: int = Field(default=5, ge=1, le=10)
    marking: Marking = "one"
    mode: Mode = "mixed"
    sample: int = Field(default=1, ge=1)
    words: int = Field(default=80, ge=20, le=300)
    language: str = Field(default="", max_length=60)
    small: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("bias"), str):
            return given | {"bias": bias_type(given["bias"])}
        return given

    @model_validator(mode="after")
    def _enough_identities(self) -> Self:
        if self.roles > len(self.bias.identities):
            raise ValueError(
                f"{self.roles} roles want as many identities, and {self.bias.name} has {len(self.bias.identities)}"
            )
        return self

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the roles."""
        return role_seats(self.roles)

    def called(self, seat: str) -> str:
        """What a role is called by all."""
        return self.bias.identities[self.seats.index(seat)].name


# ── what is asked ────────────────────────────────────────────────────────────────────────────────────────────────────

_QUOTE = at_most(60, characters=400)
_IDEA = at_most(60, characters=400)


class Speech(BaseModel):
    """What a role says, with the sentence that led to each idea. Five fields: as many as a form on Discord has."""

    positive_from: str = Field(
        description="the sentence that led you to the good side, copied, or the topic", json_schema_extra=_QUOTE
    )
    positive: str = Field(description="the good side, in at most 30 words", json_schema_extra=_IDEA)
    negative_from: str = Field(
        description="the sentence that led you to the bad side, copied, or the topic", json_schema_extra=_QUOTE
    )
    negative: str = Field(description="the bad side, in at most 30 words", json_schema_extra=_IDEA)
    statement: str = Field(
        min_length=1,
        description="what everybody hears, with both sides",
        json_schema_extra=at_most(450, characters=3_000),
    )


class Mark(BaseModel):
    """The referee's score of one statement."""

    why: str = Field(description="at most 40 words", json_schema_extra=at_most(80, characters=500))
    score: int = Field(ge=0, le=WORST)


class SmallMark(BaseModel):
    """A small referee's: a number alone."""

    score: int = Field(ge=0, le=WORST)


@lru_cache
def marks_of(number: int) -> type[BaseModel]:
    """The form for so many statements at once: a field a statement, and their letters in order.

    A field each, so that a referee that leaves one out, or scores one twice, is told so and asked once more.
    """
    fields: dict[str, Any] = dict.fromkeys(LETTERS[:number], (Mark, ...))
    letters = cast("Any", list)[cast("Any", Literal)[tuple(LETTERS[:number])]]
    ranking = Field(
        description="the letters of all statements, the least biased first", min_length=number, max_length=number
    )
    return create_model(f"MarksOf{number}", ranking=(letters, ranking), **fields)


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────────

Traced = Literal["heard", "topic", "nowhere", "none"]
"""Where the sentence stands that is said to have led to an idea."""


class Idea(FrozenModel):
    """An idea and the sentence that led to it, as the speaker says."""

    text: str
    led_by: str
    traced: Traced


class Statement(FrozenModel):
    """What a role said in a round. `place` is when (1: first); `step` is where it was asked.

    `declined` says why there is none. `slot` is the place in which the referee was shown it, 0 where it stood alone.
    `score` (0 no stereotype … 10) is None where it could not be read, and `unread` says why; `rank` 1 is the least
    biased, None where there is none.
    """

    seat: str
    identity: str
    round: int
    place: int
    step: str
    text: str
    declined: str = ""
    positive: Idea | None = None
    negative: Idea | None = None
    slot: int = 0
    score: int | None = None
    why: str = ""
    unread: str = ""
    rank: int | None = None

    @property
    def high(self) -> bool | None:
        """Whether its bias is high; None without a score."""
        return None if self.score is None else self.score > HIGH


class Round(FrozenModel):
    """A round, its statements in the order in which they were spoken."""

    number: int
    statements: tuple[Statement, ...]

    @property
    def gives_pair(self) -> bool:
        """Whether it holds a statement of low and one of high bias."""
        return {True, False} <= {one.high for one in self.statements}


class Debated(FrozenModel):
    """The outcome of a debate."""

    bias: str
    topic: str
    identities: tuple[str, ...]
    marking: Marking
    mode: Mode
    sample: int
    rounds: tuple[Round, ...]

    @property
    def statements(self) -> list[Statement]:
        """All of them."""
        return [one for of in self.rounds for one in of.statements]
