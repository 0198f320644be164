"""Everything that comes out of a session, as files in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.printable import json_text, printable
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.debate_engine.reports.html import html_of
from elenchus.debate_engine.reports.methods import run_of
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.scores import score_files
from elenchus.debate_engine.reports.view import SessionView

__all__ = ["check_folder", "contents_of", "export"]


async def export(session_id: str, events: Sequence[Recorded], folder: Path) -> list[Path]:
    """Write all files of a session into `folder`, made where it is missing; returns their paths.

    Works off the event loop; files of the same name are replaced, each at once. Raises StorageError where they cannot
    be written.
    """
    return await asyncio.to_thread(_export, session_id, list(events), folder)


def _export(session_id: str, events: list[Recorded], folder: Path) -> list[Path]:
    return write_all(folder, contents_of(session_id, events))


def contents_of(session_id: str, events: Sequence[Recorded]) -> dict[str, bytes]:
    """The files by name, whatever part of a log is given. Draws pictures: call it off the event loop.

    People in a scene stand under made-up names in all of them. A protocol without scores has no table of them; what a
    protocol fails at is missing, and report and run.json say so.
    """
    events = pseudonymous(events)
    view = SessionView.of(session_id, events)
    pictures = {picture.name: picture for picture in view.spec.present.pictures(view)}
    scores, run = score_files(view), run_of(view)
    report = report_of(view)
    texts = {
        "report.md": printable(markdown_of(report)),
        "report.html": printable(html_of(report, pictures)),
        "events.jsonl": jsonl(events),
        "run.json": f"{json_text(run | ({'faults': view.faults} if view.faults else {}), indent=2)}\n",
        **scores,
    }
    drawn = {f"{p.name}.{form}": data for p in pictures.values() for form, data in (("png", p.png), ("svg", p.svg))}
    return {name: text.encode() for name, text in texts.items()} | drawn
