"""Everything that comes out of a session, as files in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.printable import json_text, printable
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.debate_engine.reports.html import html_of
from elenchus.debate_engine.reports.methods import run_of
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.scores_csv import score_files
from elenchus.debate_engine.reports.view import SessionView

__all__ = ["WrittenExport", "check_folder", "contents_of", "export", "file_alone", "tried"]


LOG, SCORES = "events.jsonl", ("scores.csv", "scores-codebook.md")


class WrittenExport(NamedTuple):
    """The files that were written, and what the protocol failed at meanwhile."""

    files: list[Path]
    faults: list[str]


async def export(
    session_id: str, events: Sequence[Recorded], folder: Path, pictures: PictureStore | None = None
) -> WrittenExport:
    """Write all files of a session into `folder`, made where it is missing, with the `pictures` that it has shown.

    Works off the event loop; files of the same name are replaced, each at once. Raises StorageError where they cannot
    be written.
    """
    return await asyncio.to_thread(_export, session_id, list(events), folder, pictures)


def _export(
    session_id: str, events: list[Recorded], folder: Path, pictures: PictureStore | None = None
) -> WrittenExport:
    view, contents = _made(session_id, events)
    contents |= pictures.files_of(events) if pictures else {}
    return WrittenExport(write_all(folder, contents), view.faults)


def contents_of(session_id: str, events: Sequence[Recorded]) -> dict[str, bytes]:
    """The files by name, whatever part of a log is given. Draws pictures: call it off the event loop.

    People in a scene stand under made-up names in all of them. A protocol without scores has no table of them; what a
    protocol fails at is missing, and report and run.json say so.
    """
    return _made(session_id, events)[1]


def _made(session_id: str, events: Sequence[Recorded]) -> tuple[SessionView, dict[str, bytes]]:
    events = pseudonymous(events)
    view = _shown(session_id, events)
    pictures = {picture.name: picture for picture in view.spec.present.pictures(view)}
    scores, run = score_files(view), run_of(view)
    report = report_of(view)
    texts = {
        "report.md": printable(markdown_of(report)),
        "report.html": printable(html_of(report, pictures)),
        LOG: jsonl(events),
        "run.json": f"{json_text(run | ({'faults': view.faults} if view.faults else {}), indent=2)}\n",
        **scores,
    }
    drawn = {f"{p.name}.{form}": data for p in pictures.values() for form, data in (("png", p.png), ("svg", p.svg))}
    return view, {name: text.encode() for name, text in texts.items()} | drawn


def file_alone(session_id: str, events: Sequence[Recorded], name: str) -> bytes | None:
    """One of these files, where it costs no report and no picture: the log, the scores. None for any other name.

    Call it off the event loop.
    """
    if name == LOG:
        return jsonl(pseudonymous(events)).encode()
    if name in SCORES:
        text = score_files(_shown(session_id, pseudonymous(events))).get(name)
        return None if text is None else text.encode()
    return None


def tried(session_id: str, events: Sequence[Recorded]) -> SessionView:
    """The view after these events; its `faults` are all that the protocol fails at, but for pictures, which are not
    drawn.
    """
    view = _shown(session_id, events)
    score_files(view), run_of(view), report_of(view)
    return view


def _shown(session_id: str, events: Sequence[Recorded]) -> SessionView:
    """The view once all that a front end shows of it was made."""
    view = SessionView(session_id)
    for r in events:
        view.apply(r)
        view.spec.present.shown(r, view, ())
    if view.outcome is not None:
        view.spec.present.ended(view, ())
    view.spec.present.as_json(view)
    return view
