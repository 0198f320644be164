"""What a subject is asked to state, as typed values: a number, a choice, a point on a scale, yes or no, words. Pure.

A measure says what is asked, which form the answer has (`form`, for people and models alike), and how it is stored: a
number as a float or an int, a scale as its point (an int), the others as they are.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, Field, create_model, model_validator

from elenchus.debate_engine.llm.schema import at_most
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


class Choice(_Measure):
    """One of the options, each of which says it all."""

    kind: Literal["choice"] = "choice"
    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=25)]

    @model_validator(mode="after")
    def _distinct(self) -> Choice:
        if len({option.casefold() for option in self.options}) < len(self.options) or "" in self.options:
            raise ValueError(f"{self.name}: two options are the same, or one is empty")
        return self


class Scale(_Measure):
    """Points from 1 up, each with its words: how far one agrees with a statement (Likert)."""

    kind: Literal["likert"] = "likert"
    points: Annotated[tuple[Line, ...], Field(min_length=3, max_length=11)] = AGREEMENT[7]


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


class YesNo(_Measure):
    """Yes or no."""

    kind: Literal["yes-no"] = "yes-no"


class FreeText(_Measure):
    """Words of one's own, at most `words`."""

    kind: Literal["text"] = "text"
    words: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 100


Measure = Annotated[Number | Choice | Scale | Rating | YesNo | FreeText, Field(discriminator="kind")]


@lru_cache
def form(measures: tuple[Measure, ...]) -> type[BaseModel]:
    """What is asked of a seat: an object with a field for each measure, under its name."""
    return create_model("Statements", **{one.name: _field(one) for one in measures})


def _field(measure: Measure) -> Any:
    kind, how, bounds = _asked(measure)
    how += f"; {measure.why}" if measure.why else ""
    about = f"{measure.ask} ({how})" if measure.ask else how
    if measure.optional:
        return kind | None, Field(None, description=f"{about}; you may leave it out", **bounds)
    return kind, Field(description=about, **bounds)


def _asked(measure: Measure) -> tuple[Any, str, dict[str, Any]]:
    match measure:
        case Number(unit=unit, low=low, high=high, whole=whole):
            about = f"one {'whole ' if whole else ''}number{f' in {unit}' if unit else ''}, and nothing else"
            return (int if whole else float), about, {"ge": low, "le": high}
        case Choice(options=known):
            return Literal[known], "one of these", {}
        case Scale(points=points):
            return Literal[points], "how far you agree", {}
        case Rating(low=low, high=high):
            return int, f"from {low} ({measure.low_means}) to {high} ({measure.high_means})", {"ge": low, "le": high}
        case YesNo():
            return bool, "yes or no", {}
    words = measure.words
    return str, f"in at most {words} words", {"json_schema_extra": at_most(words, characters=words * 12)}


def stated(measure: Measure, answer: Any) -> Stated:
    """The value that is stored, from what was answered in its field. Raises ValueError for what is none."""
    value = getattr(form((measure,)).model_validate({measure.name: answer}), measure.name)
    if value is None:
        raise ValueError(f"{measure.name} was left out")
    if isinstance(measure, Scale):
        return measure.points.index(value) + 1
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{measure.name} is no number")
    return cast("Stated", value)


def answer_told(measure: Measure, text: str) -> Any:
    """The answer in its field that is told as this text: `yes`, 3, an option. Raises ValueError where it is none."""
    match measure:
        case Number(whole=whole):
            return int(text) if whole else float(text)
        case Rating():
            return int(text)
        case Scale(points=points) if 1 <= int(text) <= len(points):
            return points[int(text) - 1]
        case YesNo():
            return {"yes": True, "no": False}.get(text)
    return text


def words_of(measure: Measure) -> str:
    """All that is read of a question: itself, and what may be answered in words."""
    match measure:
        case Choice(options=options):
            return " ".join((measure.ask, *options))
        case Scale(points=points):
            return " ".join((measure.ask, *points))
        case Rating(low_means=low, high_means=high):
            return f"{measure.ask} {low} {high}"
    return measure.ask


def number(value: Stated) -> str:
    """A number with all its digits, thousands apart: "1,000,000", "0.25"."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return f"{int(value):,}" if whole else f"{value:,.12g}" if isinstance(value, float) else f"{value:,}"


def in_words(measure: Measure, value: Stated) -> str:
    """A stored value as people read it: "240 euros", "yes", "agree (6 of 7)"."""
    match measure:
        case Number(unit=unit):
            return f"{number(value)} {unit}".rstrip()
        case Scale(points=points):
            return f"{points[int(value) - 1]} ({value} of {len(points)})"
        case Rating(low=low, high=high):
            return f"{value} of {high}" if low >= 0 else f"{value}"
        case YesNo():
            return "yes" if value else "no"
    return str(value)
