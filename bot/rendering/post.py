"""`Post`: one message as it is to stand in the thread. A frozen value; whoever posts it adds nothing but the transport.

Every text in it is already safe to send (`rendering/safe.py`) and within Discord's limits (`rendering/split.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from elenchus.debate_engine.events import ShownPicture

ButtonStyle = Literal["primary", "secondary", "success", "danger"]
Making = Literal["", "plot", "report"]

_MARK = re.compile(r"(?:^|\n)-# (?:.* · )?#(\d+)\.(\d+)\s*\Z")


class Mark(NamedTuple):
    """Which event of the session a post shows (`seq`), and which of its posts it is (`part`, from 1).

    The same log gives the same marks: a post found in the thread with this mark is not made again. Marks of one thread
    rise in the order in which they are posted.
    """

    seq: int
    part: int

    def __str__(self) -> str:
        """`#128.1`, as it stands at the end of a post."""
        return f"#{self.seq}.{self.part}"


def mark_in(text: str) -> Mark | None:
    """The mark at the end of a message's text, None where it has none."""
    found = _MARK.search(text)
    return Mark(int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class EmbedField:
    """A field of an embed."""

    name: str
    value: str
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Embed:
    """An embed. `image` is the name of a file of the same post; `colour` is 0xRRGGBB."""

    title: str = ""
    description: str = ""
    fields: tuple[EmbedField, ...] = ()
    footer: str = ""
    colour: int | None = None
    image: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A file with what it shows in words (Discord's `description` of an attachment, at most 1,024 characters)."""

    name: str
    content: bytes = field(repr=False)
    alt: str = ""


@dataclass(frozen=True, slots=True)
class PostPicture:
    """A picture that a post is to show, in its place in the store, and what is on it in words."""

    picture: ShownPicture
    alt: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button; `components` finds who handles its `custom_id`, after a restart too."""

    custom_id: str
    label: str
    style: ButtonStyle = "secondary"


def buttons_of(prefix: str, actions: Iterable[tuple[str, str, ButtonStyle]]) -> tuple[Button, ...]:
    """A button for each action, by its label and style; its click is named PREFIX:ACTION (see `components`)."""
    return tuple(Button(f"el:{prefix}:{action}", label, style) for action, label, style in actions)


def turn_buttons(prefix: str, actions: Iterable[tuple[str, str, ButtonStyle]], *, ends: bool) -> tuple[Button, ...]:
    """The same under a person's turn: one that never ends cannot be put off (`longer`)."""
    return buttons_of(prefix, [one for one in actions if ends or one[0] != "longer"])


@dataclass(frozen=True, slots=True)
class Post:
    """One message.

    `speaker` is the seat whose persona says it, None for the bot itself; `name` is what the persona is called (a legal
    webhook username), "" for the bot. `text` ends in the small print with `mark`. `mention` is the one member whom the
    post may ping (already in the text as `<@id>`). `pending_file` names files that take long to make: whoever posts
    calls `rendering.report.filled` first, which returns the post with its `files`; `shows` names a picture that is
    read from the store then.
    """

    mark: Mark
    text: str
    speaker: str | None = None
    name: str = ""
    embeds: tuple[Embed, ...] = ()
    files: tuple[File, ...] = ()
    buttons: tuple[Button, ...] = ()
    mention: int | None = None
    pending_file: Making = ""
    shows: PostPicture | None = None
