"""A log as it may leave the machine where its protocol says so: no account, no login, no name of a person. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.events import BudgetRaised, Recorded, SessionPaused, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from elenchus.debate_engine.protocols.registry import spec_or_default


def pseudonymous(recorded: Sequence[Recorded]) -> list[Recorded]:
    """The events of a session, every name of a person in them replaced by `person-1`, `person-2` and so on.

    What is a pseudonym already stays. Events of a protocol without subjects stay as they are.
    """
    events = list(recorded)
    started = events[0].event if events else None
    if not isinstance(started, SessionStarted) or not spec_or_default(started.protocol).has_subjects:
        return events
    names = {name: f"person-{n}" for n, name in enumerate(_names(events), 1)}
    return [_renamed(r, names) for r in events] if names else events


def _names(events: Sequence[Recorded]) -> list[str]:
    """Every name of a person that is no pseudonym, in order."""
    found = dict[str, None]()
    for r in events:
        if isinstance(r.event, SessionStarted):
            people = [seat for seat in r.event.seats if is_human(seat.spec)]
            found.update(dict.fromkeys(seat.spec.removeprefix(HUMAN).removeprefix(":") for seat in people))
            found.update(dict.fromkeys(seat.title for seat in people))
        elif not isinstance(r.event, BudgetRaised):  # a grid raises its runs' budgets itself
            found[str(getattr(r.event, "by", ""))] = None
    return [name for name in found if name and not is_pseudonym(name) and REDACTED not in name]


def _renamed(r: Recorded, names: dict[str, str]) -> Recorded:
    line = r.line()
    if line.get("by") in names:
        line["by"] = names[line["by"]]
    if isinstance(r.event, SessionStarted):
        line["seats"] = [_seat(seat, names) for seat in line["seats"]]
    if isinstance(r.event, SessionPaused):
        line["reason"] = _everywhere(line["reason"], names)
    accounts = {name: new for name, new in names.items() if ":" in name}  # no word of a text looks like these
    return Recorded.from_line(_everywhere(line, accounts))


def _seat(seat: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    if not is_human(seat["spec"]):
        return seat
    name = seat["spec"].removeprefix(HUMAN).removeprefix(":")
    return {
        **seat,
        "spec": f"{HUMAN}:{names.get(name, name)}" if name else HUMAN,
        "title": names.get(seat["title"], seat["title"]),
    }


def _everywhere(value: Any, names: dict[str, str]) -> Any:
    match value:
        case str():
            for name, new in names.items():
                value = value.replace(name, new)
            return value
        case list() | tuple():
            return [_everywhere(item, names) for item in value]
        case dict():
            return {key: _everywhere(item, names) for key, item in value.items()}
    return value
