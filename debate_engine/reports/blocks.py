"""What a front end shows of a session, before it has a form: a terminal, plain lines and a channel each render these.

Texts are plain, also other people's: each renderer escapes or cleans them for its own place. A `tone` is for colour: a
seat's name ("pro", "con", "crit", "judge", "moderator"), or one of "good", "warn", "dim", "strong"; "" for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elenchus.debate_engine.events import ShownPicture


@dataclass(frozen=True, slots=True)
class Heading:
    """A title over what follows."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value under its name ("verdict", "score"): one line that can be found by the name.

    `stands_out`: where there is room it has a headline of its own.
    """

    name: str
    text: str
    tone: str = ""
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text; `markdown`: it is Markdown that is safe to render, and not to be escaped again."""

    text: str
    tone: str = ""
    markdown: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A table whose rows are each one `what` ("judge", "reason"); `head` names the columns."""

    what: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Speech:
    """What somebody said to all who may see this. `model` is "" for a person, or where it must not be known.

    The text says in words what is on the `picture` that is shown with it.
    """

    speaker: str
    about: str
    text: str
    heat: float | None = None
    model: str = ""
    picture: ShownPicture | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """One line that somebody should know."""

    text: str
    tone: str = ""


Block = Heading | Fact | Paragraph | Rows | Speech | Note
