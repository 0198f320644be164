"""Around an export: before it, whose files are there already; after it, what was written and what to open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from elenchus.service.cli.output import Out


def tell_what_is_there(folder: Path, session_id: str, out: Out) -> None:
    """Warn where the folder holds another session's export: the same names are replaced, all else stays beside them."""
    from elenchus.service.lab.files import read_id

    before = read_id(folder.expanduser() / "run.json")
    if before and before != session_id:
        out.warn(
            f"{folder} holds files of session {before}: those of the same name are replaced, the others stay; "
            "another folder keeps the sessions apart"
        )


_PAGES = ("report.html", "report.md")


def written(files: Sequence[str | Path], folder: Path) -> str:
    """What is told after an export: how many files, and what a person opens first, where there is something to read."""
    names = {Path(file).name for file in files}
    page = next((page for page in _PAGES if page in names), None)
    return f"exported {len(files)} files to {folder}" + (f"; to read: {folder / page}" if page else "")
