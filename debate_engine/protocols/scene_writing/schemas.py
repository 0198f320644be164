"""What a scene is written from (`WritingConfig`), what the writer is asked for, and what comes out (`WrittenScene`).

In what is asked, fields stand in the order in which a scene is thought out: what happens before how it is observed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.scenes.scene import Kind, Mode

_NAME = at_most(12, characters=60)
_LINE = at_most(80, characters=320)
_PARAGRAPH = at_most(240, characters=900)
_LONG = at_most(500, characters=2_000)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""

Code = Literal["SDC", "JOK", "CON", "FTO", "FEL", "ADV", "PAS", "FUT", "DES", "SYS"]

MIN_ROLES, MAX_ROLES = 3, 8
MIN_RULES, MAX_RULES = 8, 14
"""A person plays a scene in 5 to 10 minutes: about a rule a minute."""


class WritingConfig(FrozenModel):
    """What is to be written. `bias` is the catalogue's id; the texts about it are the catalogue's.

    `about` is the situation that is wished for, "" where the writer may choose. `fixed`: everybody's words but the
    subject's are written too. `writer` is the spec of its model.
    """

    bias: str
    name: str
    definition: str
    elements: tuple[str, ...]
    recipe: str
    called: tuple[str, ...] = ()
    about: str = ""
    language: str = "English"
    roles: int = Field(3, ge=MIN_ROLES, le=MAX_ROLES)
    fixed: bool = False
    writer: str = ""
    context_tokens: int = Field(100_000, ge=1)


# ── what the writer answers ──────────────────────────────────────────────────────────────────────────────────────────


class Situation(BaseModel):
    """What the scene is for, where it plays, and how the bias is observed in it."""

    title: str = Field(description="a short title that does not tell what is studied", json_schema_extra=_NAME)
    purpose: str = Field(description="what is to be found out, in one or two sentences", json_schema_extra=_PARAGRAPH)
    background: str = Field(
        description="the situation, rich in detail: place, time, who is there and why, what counts; 80 to 150 words",
        json_schema_extra=_LONG,
    )
    observation: str = Field(
        description="how it is seen whether the subject shows the bias: a count, or a yes or no, and from which turns",
        json_schema_extra=_LONG,
    )


class Member(BaseModel):
    """A role."""

    name: str = Field(description="a proper name, unlike every other", json_schema_extra=_NAME)
    kind: Kind = Field(description="subject is measured, confederate elicits, moderator leads neutrally")
    background: str = Field(
        description="who it is, told to it as “You …”, two or three sentences", json_schema_extra=_PARAGRAPH
    )
    task: str = Field(description="what it is to do, told to it, one or two sentences", json_schema_extra=_PARAGRAPH)


class CastList(BaseModel):
    """All roles."""

    roles: list[Member] = Field(min_length=MIN_ROLES, max_length=MAX_ROLES)


class Move(BaseModel):
    """One rule. What a message says stands in `message`, what a role is to say is told in `content`."""

    mode: Mode = Field(
        description="unicast: to one; multicast: to several; broadcast: to all; self-receiving: from the system"
    )
    purpose: Code = Field(description="the spirit in which it is said; SYS exactly for self-receiving")
    initiator: str = Field(description="the one role that speaks; system for self-receiving", json_schema_extra=_NAME)
    receivers: list[Annotated[str, Field(json_schema_extra=_NAME)]] = Field(
        description="the names of those who hear it, without the one who speaks", min_length=1, max_length=MAX_ROLES
    )
    content: str = Field(
        description="what the speaker is to say, as a direction in one sentence", json_schema_extra=_LINE
    )
    message: str = Field(
        description="for self-receiving the very words that are received, complete, with all figures; else empty",
        json_schema_extra=_PARAGRAPH,
    )


class Course(BaseModel):
    """All rules in order."""

    rules: list[Move] = Field(min_length=MIN_RULES, max_length=MAX_RULES)


class Spoken(BaseModel):
    """What is said under a rule."""

    rule: int = Field(description="the rule's number")
    words: str = Field(description="the very words, as they are spoken", json_schema_extra=_PARAGRAPH)


class Lines(BaseModel):
    """What everybody but the subject says."""

    lines: list[Spoken] = Field(min_length=1, max_length=MAX_RULES)


class Ending(BaseModel):
    """What people are told at the end."""

    debrief: str = Field(
        description="what was studied, who was in the know and what for, what the judges looked at, what the bias is",
        json_schema_extra=_LONG,
    )


class RevisedScene(Ending, Course, CastList, Situation):
    """The whole scene once more; fields in the order of the bases, last first."""


class NewTask(BaseModel):
    """What a confederate does in the neutral scene."""

    name: str = Field(description="the role's name, exactly as in the scene", json_schema_extra=_NAME)
    task: str = Field(description="its neutral task, told to it, one or two sentences", json_schema_extra=_PARAGRAPH)


class NewRule(BaseModel):
    """What stands in the place of a rule's text in the neutral scene."""

    rule: int = Field(description="the rule's number")
    text: str = Field(description="the new direction to the one who speaks", json_schema_extra=_PARAGRAPH)


class Neutral(BaseModel):
    """All that differs in the neutral scene."""

    tasks: list[NewTask] = Field(min_length=1, max_length=MAX_ROLES)
    rules: list[NewRule] = Field(min_length=1, max_length=MAX_RULES)
    differs: str = Field(description="what elicits the bias, and what stands in its place, in one sentence",
                         json_schema_extra=_LINE)  # fmt: skip
    debrief: str = Field(description="what those are told who played the neutral scene", json_schema_extra=_LONG)


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────────


class Problem(FrozenModel):
    """What is still wrong with the scene: line, what, and what mends it; a `grave` one keeps it from being a scene."""

    line: int
    what: str
    remedy: str
    grave: bool


class WrittenScene(FrozenModel):
    """The scene in canonical form, marked as not reviewed; "" with the reason in `unwritten` where there is none.

    `mended` says whether the writer was shown faults and its second version taken. `twin` is the neutral scene, "" with
    the reason in `untwinned` where there is none; the two name each other by the files `BIAS.md`, `BIAS-neutral.md`.
    """

    title: str = ""
    bias: str = ""
    text: str = ""
    mended: bool = False
    problems: tuple[Problem, ...] = ()
    unwritten: str = ""
    twin: str = ""
    twin_problems: tuple[Problem, ...] = ()
    untwinned: str = ""
