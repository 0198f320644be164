"""Sessions by id or by the beginning of one, and what state they are in."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.log import EventLog, SessionInfo


async def find(log: EventLog, beginning: str) -> SessionInfo:
    """The one session whose id begins so. Raises UnknownSession, or UsageError where several do."""
    sessions = await log.sessions()
    by_id = {info.id: info for info in sessions}
    return by_id[matching(list(by_id), beginning)]


def matching(ids: Sequence[str], beginning: str) -> str:
    """The one id that begins so; a whole id wins. Raises UnknownSession, or UsageError where several do."""
    found = [i for i in ids if i == beginning] or [i for i in ids if beginning and i.startswith(beginning)]
    if not found:
        raise UnknownSession(
            f"No session's id begins with {beginning!r}; `elenchus sessions list` shows those there are."
        )
    if len(found) > 1:
        shown = ", ".join(found[:5]) + (" …" if len(found) > 5 else "")
        raise UsageError(f"{len(found)} sessions begin with {beginning!r} ({shown}): give more of the id.")
    return found[0]


def state_of(info: SessionInfo) -> str:
    """The state as people see it: where the log says running and no living process runs it, `interrupted`, or, if no
    process ever has, `not begun`.
    """
    if info.state != "running" or info.owner is not None:
        return info.state
    return "interrupted" if info.begun else "not begun"
