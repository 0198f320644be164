"""`elenchus rldf report`: one page of all that was measured, beside the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.files import check_folder, write_new
from elenchus.debate_engine.reports.html import html_of
from elenchus.detectors.alignment.report.page import PLUMBING as NOT_SHOWN, page
from elenchus.detectors.alignment.report.run_contents import found_in
from elenchus.service.cli.output import CommandOutput

__all__ = ["NOT_SHOWN", "write_report"]


def write_report(places: Sequence[Path], folder: Path, out: CommandOutput, *, together: bool = False) -> None:
    """Write the page, `together`: with the files' questions as one set. Blocks. Raises UsageError, StorageError."""
    check_folder(folder)
    found = found_in(places)
    report, pictures = page(found, f"Elenchus {version('elenchus')}, {events.now():%Y-%m-%d}", together=together)
    files = {"report.html": html_of(report, pictures).encode(), "report.md": markdown_of(report).encode()}
    for name, picture in pictures.items():
        files |= {f"{name}.png": picture.png, f"{name}.svg": picture.svg}
    if not (written := write_new(folder, files)):
        raise UsageError(f"The folder {folder} holds a report already: choose another folder for --out.")
    out.document({"files": [str(path) for path in written], "measured": len(found.measured)})
    if not out.json:
        for line in report.summary:
            out.line(line)
        out.tell(f"wrote {folder / 'report.html'} and report.md")
