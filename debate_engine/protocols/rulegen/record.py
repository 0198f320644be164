"""The record of a scene in MindScope's form (figure 11), computed from what was said. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from elenchus.debate_engine.events import EVERYONE, Said
from elenchus.debate_engine.protocols.rulegen.played import Entry
from elenchus.debate_engine.scenes.scene import MODES, Mode

DEVIATION = "deviation"
"""What the system agent's notes to the moderator are about: no part of the scene."""


def entry_of(said: Said) -> Entry:
    """One delivery as an entry. What the moderator put in from outside goes by its number of receivers."""
    by_number: Mode = "unicast" if len(said.to) == 1 else "multicast"
    mode = next((mode for mode in MODES if mode == said.about), by_number)
    return Entry(origin=said.speaker, target=said.to, trans_way=mode, content=said.text)


def record_of(said: Iterable[Said]) -> tuple[Entry, ...]:
    """All that reached somebody in the scene, in order."""
    return tuple(entry_of(one) for one in said if one.about != DEVIATION)


def line_of(entry: Entry) -> str:
    """An entry as the record reads it out; further lines of what was said are set in."""
    names = "all" if EVERYONE in entry.target else ",".join(entry.target)
    if entry.trans_way == "self-receiving":
        return f"{names} receive system information: {set_in(entry.content)}"
    return f"{entry.origin} to {names} said: {set_in(entry.content)}"


def set_in(text: str) -> str:
    """A text whose further lines are set in, so that none of them passes for somebody else's words."""
    return text.replace("\n", "\n    ")


def read_out(record: Iterable[Entry]) -> str:
    """The whole record as text."""
    return "\n".join(line_of(entry) for entry in record)
