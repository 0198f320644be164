"""`/session`: the debates of a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GROUP: Final = "The debates of this server"
LIST: Final = "List the debates of this server, newest first"
SHOW: Final = "Show how a debate stands"
RESUME: Final = "Go on with a debate; where its thread is gone, in a new one"
DELETE: Final = "Delete a debate's record for good"
LEAVE: Final = "Leave your seat in this thread's debate"
ID: Final = "The debate's id or the beginning of it (default: this thread's)"

NONE: Final = "There is no debate here yet: `/debate start` begins one. For scenes use `/scene status`."
TITLE: Final = "Debates of this server"
SCENES_ARE: Final = "Scenes have commands of their own: /scene status shows them, /scene delete removes their records."
STATES: Final[Mapping[str, str]] = {
    "running": "▶ running", "paused": "⏸ paused", "finished": "✔ finished", "stopped": "⏹ stopped",
    "failed": "✖ failed",
}  # fmt: skip
NO_DEBATES_THREAD: Final = (
    "This is no debate's thread: use the command in the thread of a debate. For scenes there are `/scene status` and "
    "`/scene delete`."
)
NO_THREADS_THERE: Final = "Threads cannot be made there: use the command in an ordinary text channel."
SEES_NOT: Final = (
    "A member who is to be in this private thread may not see its channel: give them View Channel, use another "
    "channel, or leave out `private`."
)
SURE: Final = "Delete it for good"
DELETED: Final = "Deleted. The thread stays; delete it in Discord if nobody needs it."
STILL_RUNS: Final = "This debate is still running: stop it first with `/debate stop`, then delete it."
LEFT: Final = "You have left your seat."
RESUMED: Final = "It goes on."
IS_OVER: Final = "This debate is over, and everything of it stands in its thread."


def line(session: str, state: str, title: str, thread: int, at: str) -> str:
    """One debate in the list."""
    return f"`{session}` {STATES.get(state, state)} · <#{thread}> · {at} · {title}"


def more(n: int) -> str:
    """What is not in the list."""
    return f"… and {n} older ones"


def not_shown_here(session: str) -> str:
    """No thread shows this session."""
    return f"No thread here shows a session {session!r}: `/session list` shows what there is."


def unknown(beginning: str) -> str:
    """No debate has this id."""
    return (
        f"No debate here has an id that begins with {beginning}: `/session list` shows what there is, and "
        "`/scene status` the scenes."
    )


def several(beginning: str) -> str:
    """More than one has."""
    return f"Several debates have an id that begins with {beginning}: write more of it."


def sure(title: str) -> str:
    """Before a deletion."""
    return f"Delete the whole record of “{title}”: speeches, scores and votes? This cannot be undone."


def new_thread(thread: int) -> str:
    """It goes on in a new thread."""
    return f"It goes on in a new thread: <#{thread}>."


def not_opened(title: str, why: str) -> str:
    """The bot died while it opened a thread, and cannot do so now."""
    return f"“{title}” could not be given a thread and was not started. {why}"


def thread_reason(session: str) -> str:
    """For the server's audit log."""
    return f"Elenchus session {session}"
