"""`/session`: the debates of a server."""

from __future__ import annotations

from elenchus.bot.strings import messages


def line(session: str, state: str, title: str, thread: int, at: str) -> str:
    """One debate in the list."""
    return f"`{session}` {messages('sessions-states').get(state, state)} · <#{thread}> · {at} · {title}"
