"""Everything that comes out of a session, as files in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.printable import json_text, printable
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Section
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.debate_engine.reports.html import html_of
from elenchus.debate_engine.reports.markdown import markdown_of
from elenchus.debate_engine.reports.methods import run_of
from elenchus.debate_engine.reports.pictures import pictures_of
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.tables import codebook_of, scores_csv
from elenchus.debate_engine.reports.view import DebateView

__all__ = ["More", "check_folder", "contents_of", "export"]


@dataclass(frozen=True, slots=True)
class More:
    """What a package outside the engine adds for its own protocol: sections of the report, files by name, pictures."""

    sections: tuple[Section, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()


Adds = Callable[[DebateView], More]
"""Gives what is to be added to the files of a session."""


def nothing_more(_view: DebateView) -> More:
    """Adds nothing."""
    return More()


async def export(session_id: str, events: Sequence[Recorded], folder: Path, adds: Adds = nothing_more) -> list[Path]:
    """Write all files of a session into `folder`, made where it is missing; returns their paths.

    Works off the event loop; files of the same name are replaced, each at once. Raises StorageError where they cannot
    be written.
    """
    return await asyncio.to_thread(_export, session_id, list(events), folder, adds)


def _export(session_id: str, events: list[Recorded], folder: Path, adds: Adds) -> list[Path]:
    return write_all(folder, contents_of(session_id, events, adds))


def contents_of(session_id: str, events: Sequence[Recorded], adds: Adds = nothing_more) -> dict[str, bytes]:
    """The files by name, whatever part of a log is given. Draws pictures: call it off the event loop.

    People in a scene stand under made-up names in all of them.
    """
    events = pseudonymous(events)
    view = DebateView.of(session_id, events)
    more = adds(view)
    report = report_of(view, more.sections)
    pictures = pictures_of(view) | {picture.name: picture for picture in more.pictures}
    texts = {
        "report.md": printable(markdown_of(report)),
        "report.html": printable(html_of(report, pictures)),
        "events.jsonl": jsonl(events),
        "scores.csv": scores_csv(view),
        "scores-codebook.md": codebook_of(view),
        "run.json": f"{json_text(run_of(view), indent=2)}\n",
        **more.files,
    }
    drawn = {f"{p.name}.{form}": data for p in pictures.values() for form, data in (("png", p.png), ("svg", p.svg))}
    return {name: text.encode() for name, text in texts.items()} | drawn
