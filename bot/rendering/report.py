"""The files of a post: the plot, or the report in all its forms. Made off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from elenchus.bot.people.consent import without
from elenchus.bot.rendering.embeds import BLUE
from elenchus.bot.rendering.post import Embed, File, Post
from elenchus.bot.rendering.safe import shortened
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Recorded, Voted
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView

ROOM = 10 * 1024 * 1024 - 64 * 1024
"""Bytes of all files of a message (Discord takes 10 MiB a file); some are kept for what surrounds them."""

ALT = 1_024
"""Units of a file's description."""

MOST_FILES = 10
ATTACHED = ("report.html", "report.md", "scores.csv", "events.jsonl", "scores-codebook.md", "run.json")
"""In the order of their worth, and pictures behind them: where not all fit, the last stay away."""


async def filled(post: Post, session_id: str, events: Sequence[Recorded], invitees: Sequence[int] = ()) -> Post:
    """The post with its files, made from the events up to its mark; as it is where it needs none.

    The `invitees` have not agreed to sit: the files do not know them.
    """
    if not post.pending_file:
        return post
    upto = [r for r in events if r.seq <= post.mark.seq]
    return await asyncio.to_thread(_filled, post, session_id, upto, invitees)


def _filled(post: Post, session_id: str, events: Sequence[Recorded], invitees: Sequence[int]) -> Post:
    if post.pending_file == "report":
        return replace(post, files=fitting(handed_out(session_id, events, invitees)))
    picture = plot(SessionView.of(session_id, events))
    if picture is None:
        return post
    shown = Embed(title=msg("thread-plot"), image=picture.name, colour=BLUE)
    return replace(post, files=(picture,), embeds=(*post.embeds, shown))


def handed_out(session_id: str, events: Sequence[Recorded], invitees: Sequence[int]) -> dict[str, bytes]:
    """All files of a session as they may be passed on, by name. It takes long: not for the event loop."""
    return contents_of(session_id, secret_ballots(without(events, invitees)))


def secret_ballots(events: Sequence[Recorded]) -> list[Recorded]:
    """The events as they may be passed on: voters are numbered, in the order of their first vote, not named."""
    numbers: dict[str, str] = {}

    def shown(r: Recorded) -> Recorded:
        if not isinstance(r.event, Voted):
            return r
        by = numbers.setdefault(r.event.by, f"voter-{len(numbers) + 1}")
        return r.model_copy(update={"event": r.event.model_copy(update={"by": by})})

    return [shown(r) for r in events]


def fitting(contents: Mapping[str, bytes], room: int = ROOM) -> tuple[File, ...]:
    """Those files that are attached, as far as they fit into one message; of pictures the first was posted before."""
    files: list[File] = []
    pictures = [name for name in contents if name.endswith(".png")]
    for name in (*ATTACHED, *reversed(pictures)):
        content = contents.get(name)
        if content is not None and len(content) <= room and len(files) < MOST_FILES:
            files.append(File(name, content))
            room -= len(content)
    return tuple(files)


def plot(view: SessionView) -> File | None:
    """The first picture with its words; None where the log has nothing to draw. Imports matplotlib and blocks."""
    picture = next(iter(view.spec.present.pictures(view)), None)
    return File(f"{picture.name}.png", picture.png, shortened(picture.alt, ALT)) if picture else None
