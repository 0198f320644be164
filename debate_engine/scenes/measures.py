"""What a subject is asked to state, as typed values: a number, a choice, a point on a scale, yes or no, words. Pure.

A measure says what is asked, which form the answer has (`form`, for people and models alike), and how it is stored: a
number as a float or an int, a scale as its point (an int), the others as they are. Each kind is one class, which knows
all that is known of it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, Field, create_model, model_validator

from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.scenes.language import Language, as_written, phrase
from elenchus.debate_engine.scenes.values import Formula, Line, Text, Value

Stated = float | int | str | bool
"""The value of a measure."""

AGREEMENT = {
    5: ("strongly disagree", "disagree", "neither", "agree", "strongly agree"),
    7: (
        "strongly disagree", "disagree", "somewhat disagree", "neither", "somewhat agree", "agree", "strongly agree",
    ),
}  # fmt: skip
"""What the points of a Likert item are called, from 1 up, where the scene has no words of its own."""

LONGEST_TEXT = 400
"""Words of a free text at the most."""


Purpose = Literal["", "attention", "manipulation", "met-before", "suspicion", "demographic"]
"""What a measure is for; "" for the outcome and whatever else the scene is about."""


Type = Literal["number", "text", "yes-no"]
"""Of which type a stored value is."""

EXAMPLE = "An example of an answer."
"""What is said in words of one's own in a rehearsal."""

UNBOUNDED = 100
"""How far a number goes in a rehearsal where the measure says no greatest one."""


@dataclass(frozen=True)
class Answers:
    """What is known of the answers to a measure, by its kind.

    An *answer* is what stands in the form's field: of this type (`field`), within these `bounds`, given as `how` says.
    All answers lie between the `ends`; `middle` is one half way, where there is such a thing. `stored` is the type of
    the value that is kept, `values` are all of them (None: too many to name), `choices` what is chosen among, as it is
    told, `read` what is read beside the question. In trials what is right is written as `spelled` says; `of_text` is
    the answer that is told in these words (ValueError: none), `value` what is stored of one, `told` a value in words.
    """

    field: Any
    how: str
    ends: tuple[Any, ...]
    stored: Type
    spelled: str = ""
    bounds: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    middle: tuple[Any, ...] = ()
    values: tuple[Stated, ...] | None = None
    choices: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    of_text: Callable[[str], Any] = str
    value: Callable[[Any], Any] = lambda answer: answer
    told: Callable[[Any], str] = str


class _Measure(Value):
    """`name` is what rules, outcomes and tables call it; `ask` the question, in the scene's words.

    `right` is a rule, as an outcome is, that holds for who paid attention or noticed what was varied. An `optional` one
    may be skipped; `why` says what it is asked for. `example` is an answer for a rehearsal, which nobody is shown who
    plays.
    """

    name: Annotated[Line, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
    ask: Text = ""
    serves: Purpose = ""
    right: Formula = ""
    optional: bool = False
    why: Line = ""
    example: bool | int | float | Line | None = None

    @property
    def answers(self) -> Answers:
        """What may be answered, as programs and files say it."""
        return self.answers_in("en")

    def answers_in(self, language: Language) -> Answers:
        """What may be answered, as people read it in this language."""
        raise NotImplementedError

    @property
    def words_read(self) -> str:
        """All that is read of the question: itself, and what may be answered in words."""
        return " ".join((self.ask, *self.answers.read))


class Number(_Measure):
    """A number in `unit`, from `low` to `high` (None: no bound); `whole`: without decimals."""

    kind: Literal["number"] = "number"
    unit: Line = ""
    low: float | None = None
    high: float | None = None
    whole: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> Number:
        bounds = [bound for bound in (self.low, self.high) if bound is not None]
        if not all(map(math.isfinite, bounds)) or bounds != sorted(bounds) or len({*bounds}) != len(bounds):
            raise ValueError(f"{self.name}: a range goes from a number to a greater one")
        return self

    def answers_in(self, language: Language) -> Answers:
        """Any number within the bounds."""
        kind, low = int if self.whole else float, self.low or 0
        high = max(low, 0) + UNBOUNDED if self.high is None else self.high
        unit = phrase(language, "unit", unit=self.unit) if self.unit else ""
        return Answers(
            field=kind,
            how=phrase(language, "whole-number" if self.whole else "number", unit=unit),
            bounds={"ge": self.low, "le": self.high},
            ends=tuple(int(end) if self.whole else end for end in (low, high)),
            middle=(kind((low + high) / 2),),
            stored="number",
            spelled="write a number that the form accepts, as 2.5",
            of_text=kind,
            told=lambda value: f"{as_written(number(value), language)} {self.unit}".rstrip(),
        )


class Choice(_Measure):
    """One of the options, each of which says it all."""

    kind: Literal["choice"] = "choice"
    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=25)]

    @model_validator(mode="after")
    def _distinct(self) -> Choice:
        if len({option.casefold() for option in self.options}) < len(self.options) or "" in self.options:
            raise ValueError(f"{self.name}: two options are the same, or one is empty")
        return self

    def answers_in(self, language: Language) -> Answers:
        """The options."""
        options = self.options
        return Answers(
            field=Literal[options],
            how=phrase(language, "choice"),
            ends=options,
            stored="text",
            spelled="write one of its options",
            values=options,
            choices=options,
            read=options,
        )


class Scale(_Measure):
    """Points from 1 up, each with its words: how far one agrees with a statement (Likert)."""

    kind: Literal["likert"] = "likert"
    points: Annotated[tuple[Line, ...], Field(min_length=3, max_length=11)] = AGREEMENT[7]

    def answers_in(self, language: Language) -> Answers:
        """The words of the points; what is stored is their number."""
        points = self.points
        numbers = range(1, len(points) + 1)
        return Answers(
            field=Literal[points],
            how=phrase(language, "likert"),
            ends=(points[0], points[-1]),
            middle=(points[len(points) // 2],),
            stored="number",
            spelled="write the number of its point, from 1 up",
            values=tuple(numbers),
            read=points,
            of_text=lambda text: points[numbers.index(int(text))],
            value=lambda answer: points.index(answer) + 1,
            told=lambda value: f"{points[int(value) - 1]} ({phrase(language, 'of', value=value, most=len(points))})",
        )


class Rating(_Measure):
    """A whole number from `low` to `high`; what the two ends mean is in words."""

    kind: Literal["rating"] = "rating"
    low: int = 0
    high: int = 10
    low_means: Line = "not at all"
    high_means: Line = "fully"

    @model_validator(mode="after")
    def _in_order(self) -> Rating:
        if not 1 <= self.high - self.low <= 100:
            raise ValueError(f"{self.name}: a rating has from 2 to 101 points")
        return self

    def answers_in(self, language: Language) -> Answers:
        """The numbers from end to end."""
        ends = {"low": self.low, "low_means": self.low_means, "high": self.high, "high_means": self.high_means}
        return Answers(
            field=int,
            how=phrase(language, "rating", **ends),
            bounds={"ge": self.low, "le": self.high},
            ends=(self.low, self.high),
            middle=((self.low + self.high) // 2,),
            stored="number",
            spelled="write a number on its scale, as 3",
            values=tuple(range(self.low, self.high + 1)),
            read=(self.low_means, self.high_means),
            of_text=int,
            told=lambda value: phrase(language, "of", value=value, most=self.high) if self.low >= 0 else f"{value}",
        )


class YesNo(_Measure):
    """Yes or no."""

    kind: Literal["yes-no"] = "yes-no"

    def answers_in(self, language: Language) -> Answers:
        """Yes, then no; the other way round of having met it before, as most have not."""
        return Answers(
            field=bool,
            how=phrase(language, "yes-no"),
            ends=(False, True) if self.serves == "met-before" else (True, False),
            stored="yes-no",
            spelled="write yes or no",
            values=(True, False),
            choices=("yes", "no"),
            of_text={"yes": True, "no": False}.get,
            told=lambda value: phrase(language, "yes" if value else "no"),
        )


class FreeText(_Measure):
    """Words of one's own, at most `words`."""

    kind: Literal["text"] = "text"
    words: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 100

    def answers_in(self, language: Language) -> Answers:
        """Any words."""
        return Answers(
            field=str,
            how=phrase(language, "text", n=self.words),
            bounds={"json_schema_extra": at_most(self.words, characters=self.words * 12)},
            ends=(" ".join(EXAMPLE.split()[: self.words]),),
            stored="text",
        )


Measure = Annotated[Number | Choice | Scale | Rating | YesNo | FreeText, Field(discriminator="kind")]

KINDS = tuple(one.model_fields["kind"].default for one in (Number, Choice, Scale, Rating, YesNo, FreeText))


@lru_cache
def form(measures: tuple[Measure, ...], language: Language = "en") -> type[BaseModel]:
    """What is asked of a seat: an object with a field for each measure, under its name."""
    return create_model("Statements", **{one.name: _field(one, language) for one in measures})


def _field(measure: Measure, language: Language) -> Any:
    answers = measure.answers_in(language)
    kind, bounds = answers.field, answers.bounds
    how = f"{answers.how}; {measure.why}" if measure.why else answers.how
    about = f"{measure.ask} ({how})" if measure.ask else how
    if measure.optional:
        return kind | None, Field(None, description=f"{about}; {phrase(language, 'optional')}", **bounds)
    return kind, Field(description=about, **bounds)


def stated(measure: Measure, answer: Any) -> Stated:
    """The value that is stored, from what was answered in its field. Raises ValueError for what is none."""
    value = getattr(form((measure,)).model_validate({measure.name: answer}), measure.name)
    if value is None:
        raise ValueError(f"{measure.name} was left out")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{measure.name} is no number")
    return cast("Stated", measure.answers.value(value))


def number(value: Stated) -> str:
    """A number with all its digits, thousands apart: "1,000,000", "0.25"."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return f"{int(value):,}" if whole else f"{value:,.12g}" if isinstance(value, float) else f"{value:,}"


def in_words(measure: Measure, value: Stated, language: Language = "en") -> str:
    """A stored value as people read it."""
    return measure.answers_in(language).told(value)
