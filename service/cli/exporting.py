"""Before files are exported: whose are there already."""

from __future__ import annotations

from pathlib import Path

from service.cli.output import Out


def tell_what_is_there(folder: Path, session_id: str, out: Out) -> None:
    """Warn where the folder holds another session's export: the same names are replaced, all else stays beside them."""
    from service.cli.importing import read_id

    before = read_id(folder.expanduser() / "run.json")
    if before and before != session_id:
        out.warn(
            f"{folder} holds files of session {before}: those of the same name are replaced, the others stay; "
            "another folder keeps the sessions apart"
        )
