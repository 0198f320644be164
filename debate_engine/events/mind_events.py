"""What a persona with a mind is given: anybody may append it to the mind's log, where it waits to be carried out.

Import these names from `debate_engine.events`, which has all kinds of events in one union.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from elenchus.debate_engine.events.commands import Command
from elenchus.debate_engine.events.values import FrozenModel


class Fed(Command):
    """A mind is given texts to read, such as an article; `source` is where they are from: a file's name, an address."""

    kind: Literal["fed"] = "fed"
    texts: tuple[str, ...]
    title: str = ""
    source: str = ""


class Surveyed(Command):
    """A mind is asked to rate these opinions."""

    kind: Literal["surveyed"] = "surveyed"
    questions: tuple[str, ...]


class Talked(Command):
    """Somebody says something to a mind, which answers."""

    kind: Literal["talked"] = "talked"
    text: str


class OpinionRating(FrozenModel):
    """An opinion with a rating: 1 strongly disagree … 5 strongly agree."""

    opinion: str
    rating: Annotated[int, Field(ge=1, le=5)]


class OpinionsRated(Command):
    """A person rates opinions as they take the persona of a mind to, such as it is after this iteration.

    Of one opinion in one iteration a person's last rating counts.
    """

    kind: Literal["opinions_rated"] = "opinions_rated"
    iteration: int
    ratings: tuple[OpinionRating, ...]


class HeardLine(FrozenModel):
    """Words that reached a mind on a seat, its own among them (`own`).

    `speaker` is what they are called there. For a person's words `by` is the session's id and their seat (`x7/con`),
    and `person` their name, where it is known; both are "" for a model's.
    """

    speaker: str
    text: str
    own: bool = False
    by: str = ""
    person: str = ""


class Attended(Command):
    """A mind sat in a session, which is over: what reached it there. `title` is what the session was about."""

    kind: Literal["attended"] = "attended"
    session: str
    title: str
    lines: tuple[HeardLine, ...]


GivenToMind = Fed | Surveyed | Talked | Attended
"""What a mind lives on: what its session is about, and nothing that a moderator does to it."""
