"""What a play of a scene is called and announced by: its threads, its places, what hinders it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.strings import messages, msg


def versions(conditions: Sequence[str]) -> str:
    """Which versions are drawn from."""
    return msg("scenes-by-lot") if len(conditions) > 1 else "".join(conditions) or msg("scenes-only-one")


def places(n: int, named: int, role: str) -> str:
    """How many subjects, and how many of them are chosen already."""
    who = msg("scenes-all-open")
    if named:
        rest = n - named
        who = msg("scenes-named-and-open", named=named, rest=rest) if rest else msg("scenes-all-named")
    return msg("scenes-places", n=n, role=role, who=who)


def lasting(minutes: tuple[int, int] | None) -> str:
    """How many minutes a scene takes, from and to; what is usual where its file does not say."""
    if minutes is None:
        return msg("scenes-minutes-usual")
    first, last = minutes
    return f"{first}" if first == last else msg("scenes-minutes-range", first=first, last=last)


def control_thread(title: str) -> str:
    """Name of a control room."""
    return msg("scenes-control-thread-of", title=title) if title else msg("scenes-control-thread")


def seat_thread(role: str, number: int = 0, *, judge: bool = False) -> str:
    """Name of a seat's thread: it tells nothing of the scene. `number` tells several of one person apart."""
    name = msg("scenes-judge-thread") if judge else msg("scenes-seat-thread", role=role)
    return f"{name} · {number}" if number else name


def posting_failure(kind: str, title: str, server: str, reference: str) -> str:
    """What hinders posting, for whoever runs the scene. Raises KeyError for a kind that there is not."""
    return {
        "gone": msg("scenes-trouble-gone", title=title),
        "kicked": msg("scenes-trouble-kicked", title=title, server=server),
        "hidden": msg("scenes-trouble-hidden", title=title),
        "forbidden": msg("scenes-trouble-forbidden", title=title),
        "locked": msg("scenes-trouble-locked", title=title),
        "other": msg("scenes-trouble-other", title=title, reference=reference),
    }[kind]


def version(condition: str, *, of_several: bool) -> str:
    """Which version a subject's scene is; "" of several where the lot has not been drawn."""
    otherwise = condition or (msg("scenes-by-lot") if of_several else msg("scene-rooms-one-version"))
    return messages("scene-rooms-conditions").get(condition, otherwise)


def at_rule(rule: int, of: int) -> str:
    """How far a scene is; rule 0 before its beginning."""
    return msg("scene-rooms-at-rule", rule=rule, of=of) if rule else msg("scene-rooms-not-begun", of=of)
