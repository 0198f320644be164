"""What the page of a persona shows of its mind: its profile with changes, what it read, keeps and forgot. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from elenchus.debate_engine.protocols.cognition.profile import KINDS, Trait, in_words, values_of
from elenchus.debate_engine.protocols.cognition.report import curves
from elenchus.service.web.drawings import attitudes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from elenchus.debate_engine.protocols.cognition.people import PeoplesRating
    from elenchus.debate_engine.protocols.cognition.profile import Attribute, Change, Profile
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection
    from elenchus.debate_engine.protocols.cognition.schemas import Statement
    from elenchus.service.web.drawings import AttitudePlot


class Moment(NamedTuple):
    """A moment at which a mind can be looked at: after an iteration (`value`), what was read then, and when."""

    value: str
    title: str
    at: datetime


class Value(NamedTuple):
    """A value of an attribute: "same", "new" since the beginning, or "gone"."""

    text: str
    how: str


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """An attribute with its values, and every step that changed it."""

    name: str
    values: Sequence[Value]
    steps: Sequence[Step]

    @property
    def changed(self) -> bool:
        """Whether it is another than at the beginning."""
        return any(value.how != "same" for value in self.values)


class Step(NamedTuple):
    """A change of an attribute: after which iteration, when, by what was read, why."""

    iteration: int
    at: datetime
    title: str
    change: Change


class Memory(NamedTuple):
    """A statement that is remembered, or is not: forgotten with what interested least, or never noted, for a reason."""

    id: str
    iteration: int
    score: int
    text: str
    thought: str


class Opinion(NamedTuple):
    """An opinion with its curve: the ratings in words, people's, and what the last reason was and rests on."""

    text: str
    plot: AttitudePlot
    own: Sequence[tuple[int, int | None]]
    people: Sequence[PeoplesRating]
    reason: str
    sources: Sequence[str]


def moments(mind: MindProjection) -> list[Moment]:
    """All moments of a mind, from the first on."""
    first = [Moment("0", "", mind.versions[0].at)] if mind.versions else []
    read = [Moment(str(one.iteration.iteration), one.title, one.at) for one in mind.readings if one.iteration]
    return [*first, *read]


def profile_rows(mind: MindProjection) -> Mapping[str, list[AttributeRow]]:
    """Every attribute by kind, with what has changed since the beginning marked."""
    first, now = mind.versions[0].profile, mind.versions[-1].profile
    return {kind: [_row(name, first, now, mind) for name in names] for kind, names in KINDS.items()}


def _row(name: Attribute, first: Profile, now: Profile, mind: MindProjection) -> AttributeRow:
    steps = [
        Step(version.iteration, version.at, version.title, change)
        for version in mind.versions
        for change in (version.taken.changes if version.taken else ())
        if change.attribute == name
    ]
    return AttributeRow(name, list(_values(first[name], now[name])), steps)


def _values(then: Trait, now: Trait) -> Iterator[Value]:
    if isinstance(then, str) or isinstance(now, str):
        if in_words(then) == in_words(now):
            yield Value(in_words(now), "same")
            return
        yield Value(in_words(then), "gone")
        yield Value(in_words(now), "new")
        return
    before = set(values_of(then))
    yield from (Value(one, "same" if one in before else "new") for one in now)
    yield from (Value(one, "gone") for one in then if one not in now)


def memories_of(statements: Sequence[Statement]) -> list[Memory]:
    """Statements as they are listed, the latest first."""
    return [Memory(one.id, one.iteration, one.score, one.text, one.thought) for one in reversed(statements)]


def opinions_of(mind: MindProjection, names: Mapping[str, str]) -> list[Opinion]:
    """Each opinion that was rated, with its curve against people's majority; `names`: of memories and attributes."""
    people = mind.people
    last = max([mind.iteration, *(one.iteration for of in people.values() for one in of)])
    said = {answer.question: answer for survey in mind.surveys for answer in survey.answers}
    found = []
    for curve in curves(mind.surveys):
        rated = people.get(curve.opinion, ())
        plot = attitudes(curve.points, [(one.iteration, one.rating) for one in rated], last)
        answer = said[curve.opinion]
        sources = [names.get(source, source) for source in answer.sources]
        found.append(Opinion(curve.opinion, plot, curve.points, rated, answer.reason or "", sources))
    return found
