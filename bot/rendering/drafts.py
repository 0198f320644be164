"""A post before it is split and marked, and what each kind of session makes of its events as such. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from elenchus.bot.rendering.post import Button, Embed, Making, PostPicture
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class Draft:
    """A post without its mark. `small` is its small print before the mark."""

    text: str = ""
    embeds: tuple[Embed, ...] = ()
    small: tuple[str, ...] = ()
    speaker: str | None = None
    name: str = ""
    buttons: tuple[Button, ...] = ()
    mention: int | None = None
    pending_file: Making = ""
    shows: PostPicture | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What a kind of session shows in its thread: at its beginning, of words and steps, at its end, of a vote's end.

    The view has taken the event. What is the same for all sessions stands around it (see `posts`).
    `protocol` is whose sessions it shows, by name; "" for any.
    """

    protocol: str
    opened: Callable[[SessionView], Sequence[Draft]]
    shown: Callable[[Recorded, SessionView], Sequence[Draft]]
    ended: Callable[[SessionView], Sequence[Draft]]
    voted: Callable[[When, SessionView], Sequence[Draft]] = lambda *_: ()
