"""What a person may say of a debate, a score or a sweep: every option with its default, its limits and its rules.

A front end reads what was typed with `options_of`, which names the options in its sentences as that front end does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, field_validator, model_validator

from elenchus.config.models import Price
from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events.values import MIND, FrozenModel
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.socrasynth.schemas import FEWEST_WORDS, MAX_TOPICS, MOST_WORDS, StopRule
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.protocols.sweep.schemas import HEATS
from elenchus.service.lab.texts_given import is_unicode, texts_in

LONGEST_MOTION, LONGEST_BRIEF, LONGEST_DOCUMENT = 2_000, 60_000, 400_000
"""Characters of a text; of a file, bytes."""

LARGEST_AGENDA = 100_000
"""Bytes of an agenda's file."""

MOST_ROUNDS, MOST_REASONS, MOST_SAMPLES = 1_000, 50, 50

Named = Callable[[str], str]
"""What a front end calls an option: `--max-rounds` for `max_rounds`."""


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _motion(text: str) -> str:
    text = _in_one_line(text)
    if is_blank(text):
        raise ValueError('The motion is empty: give the sentence to debate, such as "Homework should end".')
    if len(text) > LONGEST_MOTION:
        raise ValueError(
            f"The motion has {len(text):,} characters, of which {LONGEST_MOTION:,} are allowed: shorten it, and give "
            "facts for both sides with {brief}."
        )
    return text


def _price(given: Any) -> Any:
    """A price, written `IN,OUT` as well."""
    if not isinstance(given, str):
        return given
    if not given.strip():
        return None
    try:
        read, written = (float(part) for part in given.split(","))
    except ValueError:
        read = written = math.nan
    if not (0 <= read < math.inf and 0 <= written < math.inf):
        raise ValueError(
            f"{_safe(repr(given))} is no price: give the US dollars for a million tokens read and written, as in "
            "{price} 0.10,0.40."
        )
    return Price(input=read, output=written)


Motion = Annotated[str, AfterValidator(_motion)]
Line = Annotated[str, AfterValidator(_in_one_line)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, examples=[0.5])]


_FORGED = re.compile(rf"\s*\S+:\S*{MIND}\S*\s*")


class RunOptions(FrozenModel):
    """What every session may be told, whatever it is about.

    It pauses before more than `budget_tokens` or `budget_usd` are used. `price` counts for models without a known one;
    `unpriced_ok`: go on although nobody knows a model's price. `seed` is for our own chance, and for the models.
    """

    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False, examples=[0.7])
    seed: int | None = Field(default=None, ge=-(2**63), le=2**63 - 1, examples=[7])
    budget_tokens: int | None = Field(default=None, le=10**12, examples=[100_000])
    budget_usd: float | None = Field(default=None, le=1e9, examples=[5])
    price: Annotated[Price | None, BeforeValidator(_price)] = None
    unpriced_ok: bool = False

    @model_validator(mode="before")
    @classmethod
    def _of_text(cls, given: Any) -> Any:
        """Bytes are no text, and half of a surrogate pair can be neither stored nor sent."""
        for name, value in given.items() if isinstance(given, Mapping) else ():
            if isinstance(value, bytes | bytearray):
                raise ValueError(f"{{{name}}} must be a str, not {type(value).__name__}.")  # noqa: TRY004 - of pydantic
            if not all(map(is_unicode, texts_in([value]))):
                raise ValueError(f"{{{name}}} holds half of a character (a lone surrogate): give it whole.")
        return given

    @model_validator(mode="before")
    @classmethod
    def _no_mind_by_its_id(cls, given: Any) -> Any:
        """A mind takes a seat by its name, which is looked up in its place: an id would lead to any other place's."""
        if isinstance(given, Mapping) and any(_FORGED.fullmatch(one) for one in texts_in(given.values())):
            raise ValueError("A mind takes a seat by its name: write mind:NAME.")
        return given

    @field_validator("budget_tokens", "budget_usd")
    @classmethod
    def _pays_for_something(cls, value: float | None, info: Any) -> float | None:
        if value is not None and not 0 < value < math.inf:
            what = ("tokens", "number") if info.field_name == "budget_tokens" else ("dollars", "amount")
            option = f"{{{info.field_name}}}"
            raise ValueError(f"A budget of {value:g} {what[0]} pays for nothing: give {option} a larger {what[1]}.")
        return value


class DebateOptions(RunOptions):
    """A debate. Who sits: a model (`provider:model`), a persona (`engineer`, `engineer@provider:model`) or a person.

    A seat that nobody names ("", None for the judges) goes to a default model. The audience's votes before and after
    are open for `vote_seconds` each, for which the debate waits; None: it waits for none. A person's speech has up to
    `speech_words`; None: as many as they like.
    """

    motion: Motion
    open_question: bool = False
    brief: str = Field(default="", max_length=LONGEST_BRIEF)
    pro: str = ""
    con: str = ""
    judges: tuple[str, ...] | None = None
    crit: str = ""
    topics: int = Field(default=5, ge=1, le=MAX_TOPICS)
    words: int = Field(default=80, ge=FEWEST_WORDS, le=MOST_WORDS)
    max_rounds: int = Field(default=5, ge=0, le=MOST_ROUNDS)
    heat: float = Field(default=0.9, ge=0, le=1, allow_inf_nan=False)
    decay: float = Field(default=1.2, ge=1, le=100, allow_inf_nan=False)
    floor: float = Field(default=0.1, ge=0, le=1, allow_inf_nan=False)
    stop: StopRule = "noise"
    simultaneous: bool = False
    coach: bool = False
    agenda: tuple[Topic, ...] = Field(default=(), max_length=MAX_TOPICS)
    approve_agenda: bool = False
    compare_qa: bool = False
    vote_seconds: float | None = Field(default=None, ge=1, le=86_400, allow_inf_nan=False, examples=[120])
    speech_words: int | None = Field(default=None, ge=FEWEST_WORDS, le=10_000, examples=[400])
    language: Line = Field(default="", max_length=60)

    @field_validator("judges")
    @classmethod
    def _somebody_judges(cls, specs: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if specs is None:
            return None
        given = tuple(spec.strip() for spec in specs)
        if not given or any(spec.casefold() in ("", "0", "none") for spec in given):
            raise ValueError(
                "A debate needs at least one judge: give {judges} SPEC, or leave {judges} out for the default."
            )
        return given

    @model_validator(mode="after")
    def _can_be_held(self) -> Self:
        if self.max_rounds == 0 and self.decay == 1:
            raise ValueError(
                "With {decay} 1 the debate never cools and without {max_rounds} it never ends: set one of them."
            )
        if self.open_question and self.agenda:
            raise ValueError("An open question has no agenda, as both answers are its topic: leave out {agenda}.")
        return self


class Source(FrozenModel):
    """A document that a text may rest on."""

    name: str
    text: str = Field(max_length=LONGEST_DOCUMENT)


class CritOptions(RunOptions):
    """A text whose claim is scored by its reasons. `model` reads and scores; a person may."""

    document: str = Field(max_length=LONGEST_DOCUMENT)
    title: str = "the document"
    sources: tuple[Source, ...] = ()
    model: str = ""
    max_reasons: int = Field(default=5, ge=1, le=MOST_REASONS)
    language: Line = Field(default="", max_length=60)

    @model_validator(mode="after")
    def _there_is_something_to_read(self) -> Self:
        for name, text in ((self.title, self.document), *((source.name, source.text) for source in self.sources)):
            if is_blank(text):
                called = "" if name == "the document" else f" {_safe(name)}"
                raise ValueError(f"The document{called} is empty: give a text that argues for something.")
        return self


class SweepOptions(RunOptions):
    """A motion argued at several heats. `crit` reads the speeches without knowing their heat."""

    motion: Motion
    pro: str = ""
    con: str = ""
    crit: str = ""
    heats: tuple[Share, ...] = Field(default=HEATS, min_length=1, max_length=21)
    topics: int = Field(default=2, ge=1, le=MAX_TOPICS)
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES)
    agenda: tuple[Topic, ...] = Field(default=(), max_length=MAX_TOPICS)
    language: Line = Field(default="", max_length=60)


# ── what is refused, in a sentence ───────────────────────────────────────────────────────────────────────────────

OptionsT = TypeVar("OptionsT", bound=FrozenModel)


def options_of(model: type[OptionsT], given: Mapping[str, Any], named: Named = str) -> OptionsT:
    """What was typed, checked. Raises UsageError for the first thing that cannot be meant."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise UsageError(_sentence(model, error, named)) from None


def out_of_range(value: object, low: float, high: float, option: str, example: object) -> str:
    """The sentence about a number; `option` is what to type before it, or the name of an argument."""
    text = str(value).removesuffix(".0")
    shown = f"{text[:20]}…" if len(text) > 20 else text
    example = f"{option} {example}" if option.startswith("-") else example
    return f"{option} must be between {low:g} and {high:g}, not {shown}: give {example}."


_RANGE = {"greater_than_equal", "less_than_equal", "finite_number"}


def _sentence(model: type[FrozenModel], error: ValidationError, named: Named) -> str:
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    given = first.get("input")
    match first["type"]:
        case "value_error":
            said = str(first["ctx"]["error"])
            return re.sub(r"\{(\w+)\}", lambda found: named(found[1]), said)
        case kind if kind in _RANGE:
            return out_of_range(given, *bounds(model, field), named(field), _example(model, field))
        case "literal_error":
            choices = (f"{named(field)} {choice}" for choice in get_args(model.model_fields[field].annotation))
            return f"{named(field)} cannot be {_safe(str(given)[:40])!r}: give {' or '.join(choices)}."
        case "extra_forbidden":
            return _no_such_option(model, field, named)
        case "string_type":
            return f"{named(field)} must be a str, not {_safe(repr(given)[:60])}."
        case "string_too_long":
            most = first["ctx"]["max_length"]
            return f"{named(field)} has {len(str(given)):,} characters, of which {most:,} are allowed: shorten it."
    return f"{named(field)}: {_safe(fault_told(first))}."


def _no_such_option(model: type[FrozenModel], field: str, named: Named) -> str:
    if near := get_close_matches(field, model.model_fields, n=3):
        return f"There is no option {_safe(field)!r}; near it: {', '.join(map(named, near))}."
    return f"There is no option {_safe(field)!r}; there are: {', '.join(map(named, model.model_fields))}."


def _safe(text: str) -> str:
    """Text that stands in a sentence, without braces: they would be taken for an option's name."""
    return text.replace("{", "(").replace("}", ")")


def bounds(model: type[FrozenModel], field: str) -> tuple[float, float]:
    """The least and the greatest number that an option takes, or each of its numbers."""
    schema = model.model_json_schema()["properties"][field]
    of = [schema, *schema.get("anyOf", ()), schema.get("items", {})]
    least = 0 if any(one.get("type") == "number" for one in of) else 1
    low = next((one["minimum"] for one in of if "minimum" in one), least)
    return low, next(one["maximum"] for one in of if "maximum" in one)


def _example(model: type[FrozenModel], field: str) -> object:
    """A number that could be meant."""
    schema = model.model_json_schema()["properties"][field]
    examples = [*schema.get("examples", ()), *schema.get("items", {}).get("examples", ()), schema.get("default")]
    return f"{examples[0]:g}" if isinstance(examples[0], float) else examples[0]
