"""What the bot says about posting into a thread, and what it tells the moderator when that fails."""

from __future__ import annotations

WEBHOOK_NAME = "Elenchus"


def spoken_by(name: str) -> str:
    """The first line of a speech that the bot posts itself, where there is no webhook."""
    return f"**{name}**"


def not_shown(reference: str, mark: str) -> str:
    """In place of a post that Discord refuses."""
    return f"Discord does not take this part; the report has it.\n-# reference {reference} · {mark}"


# ── told to the moderator: what happened, what to do ─────────────────────────────────────────────────────────────


def thread_deleted(title: str, session: str) -> str:
    """The thread was deleted."""
    return (
        f"The thread of “{title}” was deleted, so I paused the debate: "
        f"open a new thread for it with `/session resume {session}`, or end it with `/session delete {session}`."
    )


def channel_hidden(title: str, session: str) -> str:
    """The bot cannot see the channel or the thread."""
    return (
        f"I can no longer see the thread of “{title}”, so I paused the debate: give me View Channel and "
        f"Read Message History there, then press Resume (or `/session resume {session}`)."
    )


def cannot_post(title: str, session: str) -> str:
    """The bot may not post."""
    return (
        f"I may no longer post in the thread of “{title}”, so I paused the debate: give me Send Messages in Threads, "
        f"Read Message History, Embed Links and Attach Files there, then press Resume (or `/session resume {session}`)."
    )


def thread_locked(title: str, session: str) -> str:
    """The thread is archived and the bot may not open it."""
    return (
        f"The thread of “{title}” is archived or locked and I may not open it, so I paused the debate: "
        f"open the thread, then press Resume (or `/session resume {session}`)."
    )


def no_webhook(title: str) -> str:
    """Personas cannot have names and faces."""
    return (
        f"I may not make a webhook for “{title}”, so I post its speeches under my own name: "
        "give me Manage Webhooks in the channel to give every speaker a name and a face."
    )


def webhooks_full(title: str) -> str:
    """The channel holds 15 webhooks."""
    return (
        f"The channel of “{title}” has no room for one more webhook, so I post its speeches under my own name: "
        "delete one under Channel settings → Integrations to give every speaker a name and a face."
    )


MAY_NOT_PIN = (
    "I may not pin messages on this server, so the panels of its threads scroll away with what is said: "
    "give me Pin Messages to have them at hand."
)


def webhook_remade(title: str) -> str:
    """Our webhook was deleted."""
    return f"My webhook for “{title}” was deleted; I made a new one and the debate goes on, so there is nothing to do."


def kicked(title: str, server: str, session: str) -> str:
    """The bot was removed from the server."""
    return (
        f"I was removed from the server {server}, so I paused “{title}”: invite me again, "
        f"then go on with `/session resume {session}`."
    )


def posting_fails(title: str, reference: str) -> str:
    """Something else."""
    return (
        f"I could not post in the thread of “{title}” and keep trying: if nothing appears there, "
        f"give whoever runs me the reference {reference}."
    )


def broke_off(title: str, session: str, reference: str) -> str:
    """The run of a session ended with an error."""
    return (
        f"“{title}” broke off; what was said is kept: press Resume (or `/session resume {session}`), "
        f"and if it breaks off again give whoever runs me the reference {reference}."
    )


# ── why a debate waits, in its log ───────────────────────────────────────────────────────────────────────────────

PAUSED_THREAD_DELETED = "its thread was deleted"
PAUSED_CANNOT_POST = "the bot cannot post in its thread"
PAUSED_KICKED = "the bot was removed from the server"
