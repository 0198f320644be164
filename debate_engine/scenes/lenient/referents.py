"""Tells whom the words for people in a rule stand for, collective ones (`both participants`, `the others`) too."""

from __future__ import annotations

from collections.abc import Iterable

from debate_engine.scenes.lenient.mentions import Cast, Mention
from debate_engine.scenes.scene import Mode


def referents(cast: Cast, mentions: Iterable[Mention], mode: Mode, but: tuple[str, ...]) -> tuple[str, ...]:
    """The names that the mentions stand for, each once, without some."""
    names: list[str] = []
    for mention in mentions:
        meant = _meant(cast, mention, mode, (*but, *names))
        names += [name for name in meant if name not in (*names, *mention.without)]
    return tuple(name for name in names if name not in but)


def _meant(cast: Cast, mention: Mention, mode: Mode, but: tuple[str, ...]) -> tuple[str, ...]:
    if mention.names and (not mention.group or mode in ("unicast", "self-receiving")):
        return mention.names
    others = cast.but(*but)
    if mention.group == "two":
        taking_part = tuple(name for name in others if cast.kind(name) != "moderator")
        subjects = tuple(name for name in others if cast.kind(name) == "subject")
        return next((names for names in (taking_part, subjects) if len(names) == 2), others)
    if mention.group == "one":
        taking_part = tuple(name for name in others if cast.kind(name) != "moderator")
        return taking_part[:1] if len(taking_part) == 1 else others
    if mention.group == "several":
        taking_part = tuple(name for name in others if cast.kind(name) != "moderator")
        return taking_part if len(taking_part) > 1 or mode in ("unicast", "self-receiving") else others
    return others if mention.group else ()
