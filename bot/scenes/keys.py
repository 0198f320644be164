"""Which view of which session a thread shows: `SESSION@3` what seat 3 sees, `SESSION@c2` all of subject 2's scene."""

from __future__ import annotations

CONTROL = "c"


def seat_key(session: str, place: int) -> str:
    """The view of a seat, by its place among the session's seats."""
    return f"{session}@{place}"


def control_key(session: str, number: int) -> str:
    """The control room's view of the scene of the subject with this number, from 1."""
    return f"{session}@{CONTROL}{number}"


def session_of(key: str) -> str:
    """The session of a key, or of a session's id itself."""
    return key.partition("@")[0]


def seat_in(key: str) -> int | None:
    """The place of the seat whose view this is, None where it is the control room's."""
    view = key.partition("@")[2]
    return None if view.startswith(CONTROL) else int(view)


def number_in(key: str) -> int:
    """The subject's number in the key of a control room's view. Raises ValueError for another."""
    return int(key.partition("@")[2].removeprefix(CONTROL))
