"""What went wrong and what to do about it, for the person who asked."""

from __future__ import annotations

from collections.abc import Mapping

REFUSED: Mapping[int, str] = {
    10003: "That channel or thread is gone: use the command in another one.",
    10007: "That person is not in this server (any more): name somebody who is.",
    10008: "That message is gone: use the command again.",
    10013: "That person cannot be found: choose the name from Discord's list.",
    30007: "The channel has 15 webhooks, the most there can be: delete one under Channel settings → Integrations.",
    50001: "I cannot see that channel: give me View Channel there.",
    50007: "That person takes no direct messages from me.",
    50013: "I lack a permission there: give me View Channel, Send Messages in Threads, Create Public Threads, Create "
    "Private Threads, Manage Webhooks, Embed Links, Attach Files and Read Message History.",
    50083: "The thread is archived: open it, then try again.",
    160004: "That message has a thread already: use another channel or message.",
    160005: "The thread is locked: unlock it, then try again.",
    160006: "The server has as many active threads as it can have: archive some, then try again.",
}
"""By Discord's error codes."""


def refused(status: int) -> str:
    """Discord said no, without a code that is known here."""
    if status == 429 or status >= 500:
        return "Discord is busy: try again in a moment."
    return "Discord refused that: try again, and if it stays, report it."
