"""What the persona is asked for: its profile after reading, what it knows now, a rating. Bounds are wider than prompts.

Of a list too long the first entries stay, and an entry that cannot be read is left out (`llm.reply_parsing`): so a
statement whose score is 0, 6, “four” or “a lot” is no statement, and its place and fault are noted. A rating outside
1–5 is no rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.cognition.profile import (
    ATTRIBUTES,
    LISTS,
    LONGEST_TEXT,
    MOST_VALUES,
    Attribute,
    Profile,
)

_THOUGHT = at_most(60, characters=400)
_REASON = at_most(160, characters=1_200)
_SENTENCE = at_most(80, characters=500)
_TERM = at_most(40, characters=240)
_VALUE = at_most(20, characters=120)
_SHORT = at_most(40, characters=240)
_SHORT_VALUE = at_most(6, characters=40)
_SOURCE = at_most(8, characters=60)


class Reason(BaseModel):
    """Why one attribute changes."""

    attribute: Attribute
    reason: str = Field(description="why, in the first person", json_schema_extra=_THOUGHT)
    sentences: list[Annotated[str, Field(json_schema_extra=_SENTENCE)]] = Field(
        description="the sentences of the text that brought it about, copied exactly", min_length=1, max_length=3
    )


class Refining(BaseModel):
    """What reading has done to the persona; `updated_profile` has the structure of the profile before."""

    assessment: str = Field(description="in the first person, at most 80 words", json_schema_extra=_REASON)
    changes: list[Reason] = Field(description="one entry for each attribute that changes, none if nothing does")
    updated_profile: Any


class SmallChange(BaseModel):
    """One attribute as it is from now on, for small models, which write no whole profile without mistakes."""

    attribute: Attribute
    values: list[Annotated[str, Field(json_schema_extra=_SHORT_VALUE)]] = Field(
        description="all values of the attribute from now on", min_length=1, max_length=6
    )
    reason: str = Field(description="why, in the first person", json_schema_extra=_SHORT)
    sentence: str = Field(description="a sentence of the text, copied exactly", json_schema_extra=_SENTENCE)


class SmallRefining(BaseModel):
    """What reading has done to the persona: what changes, and nothing else."""

    assessment: str = Field(description="in the first person, at most 30 words", json_schema_extra=_SHORT)
    changes: list[SmallChange] = Field(description="the attributes that change, mostly none", max_length=3)


class Knowledge(BaseModel):
    """One statement out of a text."""

    subject: str = Field(description="who or what, by name", min_length=1, json_schema_extra=_TERM)
    predicate: str = Field(description="does or is", min_length=1, json_schema_extra=_TERM)
    object: str = Field(description="what, by name", json_schema_extra=_TERM)
    thought: str = Field(description="what I think of it, in the first person", json_schema_extra=_THOUGHT)
    score: int = Field(ge=1, le=5, description="how much it interests me, 1 to 5")


class Distilled(BaseModel):
    """The statements in a text."""

    knowledge: list[Knowledge]


class Rated(BaseModel):
    """How far the persona agrees with an opinion, its reason first."""

    reason: str = Field(
        description="why, in the first person, at most 100 words", min_length=1, json_schema_extra=_REASON
    )
    sources: list[Annotated[str, Field(json_schema_extra=_SOURCE)]] = Field(
        description="what the reason rests on: numbers of memories, such as k3, and names of attributes", max_length=8
    )
    rating: int = Field(ge=1, le=5, description="1 strongly disagree, 2 disagree, 3 neither, 4 agree, 5 strongly agree")


class RealPerson(BaseModel):
    """Whether somebody real is meant."""

    real_person: Literal["no", "dead", "living"] = Field(
        description="living: a real person who is alive, known by name or office; dead: one who has died; no: else"
    )
    who: str = Field(description="the real person's name, or empty", json_schema_extra=_TERM)


class RealPersonInProfile(RealPerson):
    """Whether a whole profile is of somebody real, and what in it tells."""

    words: str = Field(description="words of the profile, copied exactly, or empty", json_schema_extra=_TERM)


class CreatedProfile(RealPerson):
    """A profile made of a line; whether the line means a real person, first."""

    profile: Any


@lru_cache
def created_form() -> type[CreatedProfile]:
    """The form of a new profile: lists where there can be several values."""
    fields: dict[str, Any] = {field_of(name): _field(text=name not in LISTS, filled=True) for name in ATTRIBUTES}
    profile = create_model("NewProfile", __base__=BaseModel, **fields)
    return create_model(
        "CreatedProfile", __base__=CreatedProfile, __doc__=CreatedProfile.__doc__, profile=(profile, ...)
    )


def refining_form(profile: Profile) -> type[Refining]:
    """The form of a profile after reading: a text where this one has a text, a list where it has a list."""
    return _form(tuple((isinstance(profile[name], str), bool(profile[name])) for name in ATTRIBUTES))


@lru_cache(maxsize=64)
def _form(structure: tuple[tuple[bool, bool], ...]) -> type[Refining]:
    fields: dict[str, Any] = {
        field_of(name): _field(text=text, filled=filled)
        for name, (text, filled) in zip(ATTRIBUTES, structure, strict=True)
    }
    updated = create_model("UpdatedProfile", __base__=BaseModel, **fields)
    return create_model("Refining", __base__=Refining, __doc__=Refining.__doc__, updated_profile=(updated, ...))


def _field(*, text: bool, filled: bool) -> Any:
    """An attribute; what was not empty may not be left out, or it would be taken for empty."""
    least = 1 if filled else 0
    if text:
        extra = at_most(2 * LONGEST_TEXT // 6, characters=2 * LONGEST_TEXT)
        return (str, Field(min_length=least, json_schema_extra=extra))
    return (list[Annotated[str, Field(json_schema_extra=_VALUE)]], Field(min_length=least, max_length=2 * MOST_VALUES))


def field_of(name: Attribute) -> str:
    """An attribute's field in a form: vendors allow no blanks there."""
    return name.lower().replace(" ", "_")


def profile_in(answer: Mapping[str, Any]) -> Profile:
    """The profile that was answered in a form."""
    return Profile.model_validate({name: answer[field_of(name)] for name in ATTRIBUTES})
