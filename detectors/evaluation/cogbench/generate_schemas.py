"""What generating a benchmark is set up with, what its models answer, and what comes out."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.cognition.profile import Profile
from elenchus.debate_engine.protocols.cognition.schemas import Opinion

WRITER, CHECKER = "writer", "checker"
MOST_TOPICS, MOST_OPINIONS, MOST_PROFILES = 50, 20, 40

_SHORT, _SENTENCE = at_most(16, characters=100), at_most(60, characters=400)
YesNo = Literal["yes", "no"]


class GenerateConfig(FrozenModel):
    """`opinions` for each of `topics` (name and category); so many `profiles` of those who are likeliest to agree."""

    title: str = "topics and profiles"
    topics: tuple[tuple[str, str], ...] = Field(min_length=1, max_length=MOST_TOPICS)
    opinions: int = Field(10, ge=1, le=MOST_OPINIONS)
    profiles: int = Field(20, ge=0, le=MOST_PROFILES)
    language: str = Field("", max_length=60)
    model: str = ""


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────────────────────


class WrittenOpinion(BaseModel):
    """An opinion, and who holds it for which reasons."""

    opinion: str = Field(description="one short assertive sentence", min_length=1, json_schema_extra=_SENTENCE)
    perspective: str = Field(description="in a few words", json_schema_extra=_SHORT)
    supporters: list[Annotated[str, Field(json_schema_extra=_SHORT)]] = Field(min_length=1, max_length=6)
    reasons: list[Annotated[str, Field(json_schema_extra=_SENTENCE)]] = Field(min_length=1, max_length=4)


class WrittenOpinions(BaseModel):
    """Opinions on a topic."""

    opinions: list[WrittenOpinion] = Field(min_length=1, max_length=2 * MOST_OPINIONS)


class CheckedOpinion(BaseModel):
    """Whether an opinion can stand in a questionnaire."""

    why: str = Field(description="at most 60 words", json_schema_extra=at_most(100, characters=700))
    relevant: YesNo
    assertive: YesNo
    sometimes_true: YesNo
    sometimes_false: YesNo
    same_as: int = Field(ge=0, description="the number of a statement that says the same or the opposite, 0 for none")


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────────


class GeneratedOpinion(FrozenModel):
    """An opinion that passed the checks; `unchecked`: the checker gave no answer."""

    opinion: Opinion
    perspective: str = ""
    supporters: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    unchecked: str = ""


class RefusedOpinion(FrozenModel):
    """One that did not, and why."""

    opinion: str
    why: str


class GeneratedTopic(FrozenModel):
    """A topic with its questionnaire, and what was refused."""

    topic: str
    category: str = ""
    opinions: tuple[GeneratedOpinion, ...] = ()
    refused: tuple[RefusedOpinion, ...] = ()


class GeneratedProfile(FrozenModel):
    """A profile of a supporter who was named `times` times; None where none came of it, and `why_not` says why."""

    supporter: str
    times: int
    profile: Profile | None = None
    why_not: str = ""


class GenerateResult(FrozenModel):
    """The outcome. Nobody has reviewed it; `model` wrote it."""

    model: str = ""
    topics: tuple[GeneratedTopic, ...]
    profiles: tuple[GeneratedProfile, ...] = ()
