"""How a mind came to be what it is: day by day, and what lies between two of its moments with the reasons. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.people import PeoplesRating
from elenchus.debate_engine.protocols.cognition.presentation import (
    answers_block,
    change_in_words,
    read_before,
    why_kept_in_words,
)
from elenchus.debate_engine.protocols.cognition.profile import Change, Profile, Trait, diff, in_words
from elenchus.debate_engine.protocols.cognition.projection import Exchange, Reading, Survey
from elenchus.debate_engine.protocols.cognition.report import curves
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Rows

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection, Version

MOST_SHOWN = 20
"""Memories that are shown where nobody asks for all."""


class Reason(FrozenModel):
    """Why an attribute changed at one time: after which iteration, by what was read, and its sentences."""

    iteration: int
    day: date
    title: str
    reason: str
    quotes: tuple[str, ...] = ()


class Difference(FrozenModel):
    """An attribute at two moments, and every step in between that touched it."""

    change: Change
    reasons: tuple[Reason, ...] = ()


def differences(mind: MindProjection, since: int, until: int) -> tuple[Difference, ...]:
    """What two versions of the profile differ in, after these iterations, in the paper's order.

    An attribute that changed and changed back is no difference.
    """
    steps = [one for one in mind.versions if since < one.iteration <= until]
    changed = diff(profile_after(mind, since), profile_after(mind, until))
    return tuple(Difference(change=one, reasons=tuple(_reasons(one, steps))) for one in changed)


def profile_after(mind: MindProjection, iteration: int) -> Profile:
    """The profile as it was after an iteration."""
    return [one.profile for one in mind.versions if one.iteration <= iteration][-1]


def iteration_on(mind: MindProjection, day: date) -> int:
    """The last iteration that was over at the end of a day (UTC), 0 before the first."""
    done = [one.iteration.iteration for one in mind.readings if one.iteration and one.at.date() <= day]
    return max([*done, *(one.iteration for one in mind.versions if one.at.date() <= day)], default=0)


def _reasons(change: Change, steps: Sequence[Version]) -> Iterator[Reason]:
    for step in steps:
        for one in step.taken.changes if step.taken else ():
            if one.attribute == change.attribute:
                yield Reason(
                    iteration=step.iteration, day=step.at.date(), title=step.title, reason=one.reason, quotes=one.quotes
                )


# ── as blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────


def mind_blocks(mind: MindProjection) -> Iterator[Block]:
    """Who it is now, with what has changed, and what it remembers."""
    assert mind.mind is not None
    first, now = mind.versions[0].profile, mind.mind.profile
    yield Heading(f"{now.name}, after {_times(mind.iteration, 'iteration')}", "strong")
    rows = [(name, in_words(trait) + _before(first[name], trait)) for name, trait in now.traits.items()]
    yield Rows("attribute", ("attribute", ""), rows)
    if mind.checked and mind.checked.why_not:
        yield Note(f"whether it is of a real person who lives nobody could tell: {mind.checked.why_not}", "dim")
    yield from memory_blocks(mind)
    if mind.mind.short_term:
        yield Note(
            f"in short-term memory: {_times(len(mind.mind.short_term), 'piece')} of text, not taken in yet", "dim"
        )
    yield from _waiting(mind)


def _waiting(mind: MindProjection) -> Iterator[Block]:
    if mind.waiting:
        wait = "waits: it is" if len(mind.waiting) == 1 else "wait: they are"
        yield Note(f"{_times(len(mind.waiting), 'thing')} it was given {wait} taken in with the next one", "warn")


def _before(then: Trait, now: Trait) -> str:
    return "" if then == now else f" (at the beginning: {in_words(then)})"


def memory_blocks(mind: MindProjection, most: int = MOST_SHOWN) -> Iterator[Block]:
    """The latest memories, and how many there are."""
    assert mind.mind is not None
    kept, gone = mind.mind.memories, mind.forgotten
    yield Heading(f"remembers {_times(len(kept), 'statement')}, forgot {len(gone)}")
    if kept:
        rows = [(one.id, str(one.score), one.text, one.thought) for one in kept[-most:]]
        yield Rows("memory", ("", "interest", "statement", "thought"), rows)
    if len(kept) > most:
        yield Note(f"{len(kept) - most} older ones are not shown here", "dim")


def history_blocks(mind: MindProjection) -> Iterator[Block]:
    """Day by day what it read, how that changed it and why, how it rated, what was said; then the ratings in rows."""
    day = None
    done: list[Reading | Survey | Exchange] = [*mind.readings, *mind.surveys, *mind.talks]
    for one in sorted(done, key=lambda one: one.seq):
        if one.at.date() != day:
            day = one.at.date()
            yield Heading(f"{day}", "strong")
        yield from _entry(one)
    yield from _waiting(mind)
    if found := curves(mind.surveys):
        yield Heading("ratings, from 1 (strongly disagree) to 5 (strongly agree)", "strong")
        yield Rows("opinion", ("opinion", "rated"), [(curve.opinion, curve.in_words) for curve in found])
    if mind.people:
        yield Heading("people's majority", "strong")
        rated = [(opinion, people_in_words(of)) for opinion, of in mind.people.items()]
        yield Rows("opinion", ("opinion", "rated"), rated)


def people_in_words(of: Sequence[PeoplesRating]) -> str:
    """What most people said, iteration after iteration, and how many there were."""
    return ", ".join(
        f"{one.rating} after {one.iteration} ({one.people} {'people' if one.people > 1 else 'person'}"
        f"{', tied' if one.tied else ''})"
        for one in of
    )


def _entry(one: Reading | Survey | Exchange) -> Iterator[Block]:
    match one:
        case Reading(iteration=None):
            yield Fact(one.title or one.source or "a text", f"not read: {one.why_silent}", "warn")
        case Reading():
            taken = one.taken
            left_out = f", left out {len(taken.refused)}" if taken.refused else ""
            counted = f"noted {len(taken.kept) + len(taken.forgotten)}, forgot {len(taken.forgotten)} of them{left_out}"
            assert one.iteration is not None
            yield Fact(f"{one.iteration.iteration}. {one.title or one.source or 'a text'}", counted)
            if one.before is not None:
                yield Note(read_before(one.before), "dim")
            yield from (Note(f"{change.attribute}: {change_in_words(change)}", "good") for change in taken.changes)
            if taken.why_kept:
                yield Note(f"the profile stayed as it was: {why_kept_in_words(taken)}", "dim")
            yield from (Note(f"nothing was learned: {why}", "warn") for why in taken.unread)
            yield from (
                Note(f"gives an order, and was read like any other: “{order}”", "warn") for order in taken.orders
            )
        case Survey():
            yield Heading(f"rated after {_times(one.iteration, 'iteration')}")
            yield answers_block(one.answers)
        case Exchange():
            yield Fact(one.by or "somebody", one.text)
            yield Fact("answer", one.said or f"none: {one.why_silent}", "" if one.said else "warn")


def difference_blocks(found: Sequence[Difference], since: str, until: str) -> Iterator[Block]:
    """What changed from one moment to another, and why."""
    yield Heading(f"from {since} to {until}", "strong")
    if not found:
        yield Note("the profile is the same", "dim")
    for one in found:
        change = one.change
        yield Fact(change.attribute, f"{in_words(change.before)} → {in_words(change.after)}", "good")
        for reason in one.reasons:
            quotes = "".join(f" “{quote}”" for quote in reason.quotes)
            yield Note(f"{reason.day}, after {reason.title or 'a text'}: {reason.reason}{quotes}")


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
