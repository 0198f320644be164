"""A mind as sections of a report: its profile by version, what it read, remembers and forgot, its ratings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES, Change, in_words
from elenchus.debate_engine.reports.document import Figure, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection, Reading, Survey

ATTITUDES = "attitudes"
_SHOWN = 400
"""Characters of what somebody said in a talk; the log has it whole."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How one opinion was rated, survey after survey: after which iteration, and the rating (None: unread)."""

    opinion: str
    points: tuple[tuple[int, int | None], ...]

    @property
    def in_words(self) -> str:
        """The ratings in a row."""
        return ", ".join(f"{rating or 'unread'} after {iteration}" for iteration, rating in self.points)


def curves(surveys: Iterable[Survey]) -> list[Curve]:
    """A curve an opinion, in the order in which the opinions were first asked."""
    points: dict[str, list[tuple[int, int | None]]] = {}
    for survey in surveys:
        for answer in survey.answers:
            points.setdefault(answer.question, []).append((survey.iteration, answer.rating))
    return [Curve(opinion, tuple(found)) for opinion, found in points.items()]


MOST_MARKS = 6


def marks(last: int) -> Sequence[int]:
    """Iterations to be named below a chart that goes to `last`: evenly apart, by 1, 2, 5, ten times that and so on."""
    steps = (digit * 10**power for power in range(len(str(last)) + 1) for digit in (1, 2, 5))
    return range(0, last + 1, next(step for step in steps if last < step * MOST_MARKS))


def change_line(change: Change) -> str:
    """A change as an item of a list: what, why, from which sentence."""
    what = f"**{change.attribute}** {inline(in_words(change.before))} → {inline(in_words(change.after))}"
    why = f": {inline(change.reason)}" if change.reason else ""
    return what + why + "".join(f" “{inline(quote)}”" for quote in change.quotes)


def sections(mind: MindProjection, *, simulated: bool) -> list[Section]:
    """The whole report, of what there is."""
    if mind.mind is None:
        return []
    found = [
        Section("profile", "Who it is", _profile(mind)),
        Section("read", "What it read", tuple(text for reading in mind.readings for text in _reading(reading))),
        Section("ratings", "How it rated", _ratings(mind, simulated=simulated)),
        Section("memories", "What it remembers and forgot", _memories(mind)),
        Section("talks", "What was said with it", _talks(mind)),
    ]
    return [section for section in found if section.blocks]


def _profile(mind: MindProjection) -> tuple[str, ...]:
    """Every attribute at the beginning and now."""
    first, now = mind.versions[0].profile, mind.versions[-1].profile
    rows = [
        [name, inline(in_words(first[name])), "" if first[name] == now[name] else f"**{inline(in_words(now[name]))}**"]
        for name in ATTRIBUTES
    ]
    since = f"after iteration {mind.versions[-1].iteration}" if len(mind.versions) > 1 else "unchanged"
    return (table(["attribute", "at the beginning", since], rows),)


def _reading(reading: Reading) -> tuple[str, ...]:
    number = reading.iteration.iteration if reading.iteration else "–"
    title = inline(reading.title or reading.source or "a text")
    head = f"### {number}. {title}, {reading.at:%Y-%m-%d %H:%M} UTC"
    if reading.iteration is None:
        return (head, f"Not read: {inline(reading.why_silent)}.")
    taken = reading.taken
    told = [f"It had read the same before, in iteration {reading.before}."] if reading.before is not None else []
    told += [inline(taken.assessment)] if taken.assessment else []
    kept = f"The profile stayed as it was: {inline('; '.join(taken.why_kept))}." if taken.why_kept else ""
    changes = [bullets(map(change_line, taken.changes))] if taken.changes else [kept or "The profile stayed as it was."]
    orders = [f"The text gives an order, and was read like any other: “{inline(order)}”." for order in taken.orders]
    counted = f"Noted {len(taken.kept) + len(taken.forgotten)}, forgot {len(taken.forgotten)} of these at once."
    refused = [f"Left out {len(taken.refused)}:", bullets(inline(one.in_words) for one in taken.refused)]
    unread = [f"Nothing was learned: {inline(why)}." for why in taken.unread]
    return (head, *told, *changes, counted, *unread, *(refused if taken.refused else ()), *orders)


def _ratings(mind: MindProjection, *, simulated: bool) -> tuple[str | Figure, ...]:
    if not (found := curves(mind.surveys)):
        return _people(mind)
    from elenchus.debate_engine.protocols.cognition.plot import alt_text

    rows = [
        [f"{survey.iteration}", inline(a.question), f"{a.rating or '–'}", inline(a.reason or a.why_unread),
         ", ".join(a.sources)]
        for survey in mind.surveys for a in survey.answers
    ]  # fmt: skip
    people = {opinion: [(one.iteration, one.rating) for one in of] for opinion, of in mind.people.items()}
    picture = Figure(ATTITUDES, alt_text(found, people, simulated=simulated))
    return (picture, table(["after", "opinion", "1–5", "reason", "rests on"], rows), *_people(mind))


def _people(mind: MindProjection) -> tuple[str, ...]:
    """What people said of the same opinions, where they have rated any."""
    rows = [
        [f"{one.iteration}", inline(opinion), f"{one.rating}{' (tied, by the median)' * one.tied}", f"{one.people}"]
        for opinion, of in mind.people.items()
        for one in of
    ]
    return (table(["after", "opinion", "people's majority", "people"], rows),) if rows else ()


def _memories(mind: MindProjection) -> tuple[str, ...]:
    assert mind.mind is not None
    kept = [(one, "") for one in mind.mind.memories]
    rows = [
        [one.id, f"{one.iteration}", f"{one.score}", inline(one.text), inline(one.thought), how]
        for one, how in sorted(
            [*kept, *((one, "forgotten") for one in mind.forgotten)], key=lambda row: int(row[0].id[1:])
        )
    ]
    return (table(["", "iteration", "interest", "statement", "thought", ""], rows),) if rows else ()


def _talks(mind: MindProjection) -> tuple[str, ...]:
    said: Sequence[tuple[str, str]] = [(one.text, one.said or f"(no answer: {one.why_silent})") for one in mind.talks]
    lines = [(f"*{inline(text[:_SHOWN])}*", inline(answer[:_SHOWN])) for text, answer in said]
    return (bullets(f"{text} — {answer}" for text, answer in lines),) if lines else ()
