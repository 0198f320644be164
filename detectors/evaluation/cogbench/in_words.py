"""What stands in the files of the release, in words: a piece of a flow, all that was read, a profile. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def flow_text(piece: Any) -> str | None:
    """A piece of a flow as text: itself, or the fields of a video one below the other; None for anything else."""
    if isinstance(piece, str):
        return piece
    if not isinstance(piece, dict) or not all(isinstance(v, str | int | float | None) for v in piece.values()):
        return None
    return "\n".join(str(value) for value in piece.values() if value)


def profile_rows(profile: Any) -> list[str]:
    """A profile as a line an attribute: those of a mapping, or of a text that has them already."""
    if not isinstance(profile, dict):
        return str(profile or "").splitlines()
    return [f"{name}: {', '.join(map(str, of)) if isinstance(of, list) else of}" for name, of in profile.items()]


def what_was_read(record: Mapping[str, Any]) -> str | None:
    """The flow of a record of results as a text, "" for none; None where the file does not say."""
    if (flow := record.get("information_flow")) is None:
        return None
    pieces = [flow_text(piece) for piece in flow] if isinstance(flow, list) else [flow_text(flow)]
    return "\n\n".join(filter(None, pieces))
