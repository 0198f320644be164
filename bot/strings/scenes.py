"""`/scene`: what its commands say, the offer before a scene starts, the invitation, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

# ── which there are ──────────────────────────────────────────────────────────────────────────────────────────────


def listed(name: str, title: str, roles: str, *, own: bool) -> str:
    """A scene in the list."""
    return f"`{name}` {title} · {roles}{' · of this server' if own else ''}"


def open_place(play: str, channel: int, free: int) -> str:
    """A play that can be joined."""
    return f"<#{channel}> · {free} {'place' if free == 1 else 'places'} · `/scene join play:{play}`"


# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────


def places(n: int, named: int, role: str) -> str:
    """How many subjects."""
    rest = n - named
    who = f"{named} named, {rest} open" if named and rest else "all named" if named else "open to members"
    return f"{n} as {role} ({who})"


def drawn(conditions: Sequence[str]) -> str:
    """Which versions are drawn from."""
    return "by lot: treatment or its neutral twin" if len(conditions) > 1 else "".join(conditions) or "only one"


def started(control: int, free: int) -> str:
    """It has a control room."""
    more = " Members can take part by the button in the channel." if free else ""
    return f"The control room is <#{control}>: nobody who takes part may see it.{more}"


# ── threads ──────────────────────────────────────────────────────────────────────────────────────────────────────


def control_thread(title: str) -> str:
    """Name of a control room."""
    return f"Control room: {title}" if title else "Control room"


def seat_thread(role: str, number: int = 0, *, judge: bool = False) -> str:
    """Name of a seat's thread: it tells nothing of the scene. `number` tells several of one person apart."""
    return ("You judge a scene" if judge else f"You are {role}") + (f" · {number}" if number else "")


def control_intro(places: int, conditions: Sequence[str]) -> str:
    """The first message in a control room."""
    return (
        f"**Control room** for {places} {'subject' if places == 1 else 'subjects'} · {drawn(conditions)}\n"
        "Here stands everything: who said what to whom, for what purpose, what was sent back, the supervisor's notes. "
        "Each subject has a panel here. `/scene status` · `/scene stop` · `/scene results`"
    )


def invitation(free: int) -> str:
    """Looks for subjects; says nothing of what it is about."""
    return (
        f"**A short scene looks for {free} {'person' if free == 1 else 'people'} to take part.** You play somebody in "
        "a private thread of your own and write what you say, for about ten minutes. You are told first what is "
        "recorded, may stop at any time, and are told afterwards what it was about."
    )


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────


TROUBLES: Final[Mapping[str, str]] = {
    "gone": "A thread of “{title}” was deleted, so I paused the scene: `/scene status` → Resume opens a new one.",
    "kicked": "I was removed from the server {server}, so I paused “{title}”: invite me again, then `/scene status` → "
    "Resume.",
    "hidden": "I can no longer see a thread of “{title}”, so I paused the scene: give me View Channel and Read Message "
    "History there, then `/scene status` → Resume.",
    "forbidden": "I may no longer post in a thread of “{title}”, so I paused the scene: give me Send Messages in "
    "Threads, Read Message History and Embed Links there, then `/scene status` → Resume.",
    "locked": "A thread of “{title}” is archived or locked and I may not open it, so I paused the scene: open it, then "
    "`/scene status` → Resume.",
    "other": "I could not post in a thread of “{title}” and keep trying: if nothing appears there, give whoever runs "
    "me the reference {reference}.",
}


def trouble(kind: str, title: str, server: str, reference: str) -> str:
    """Told to whoever runs the scene."""
    return TROUBLES[kind].format(title=title, server=server, reference=reference)


# ── how they stand ───────────────────────────────────────────────────────────────────────────────────────────────


def sure_to_delete(title: str, number: int) -> str:
    """Before a deletion; number 0 for all subjects."""
    whose = f"of subject {number} of" if number else "of all subjects of"
    return (
        f"Delete the record {whose} “{title}”? It counts in no result any more; what people wrote goes from the "
        "threads as well, and they are told. This cannot be undone."
    )


def standing(play: str, title: str, control: int, free: int) -> str:
    """One play."""
    more = f" · {free} free" if free else ""
    return f"**{title}** · <#{control}> · `{play}`{more}"
