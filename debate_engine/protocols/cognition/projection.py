"""A mind as its log tells it, one event at a time: profile versions, memories kept and forgotten, answers, talks.

`mind_protocol.py` writes these keys: person/checked, profile, feed/SEQ/closed, attended/SEQ/closed, survey/SEQ/closed,
talk/SEQ/closed, where SEQ is the number of the command. `as_of` gives the mind of a day, or after an iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import (
    Attended,
    Event,
    Fed,
    GivenToMind,
    OpinionsRated,
    Recorded,
    SessionStarted,
    StepDone,
    Surveyed,
    Talked,
)
from elenchus.debate_engine.protocols.cognition.config import MindConfig
from elenchus.debate_engine.protocols.cognition.people import PeoplesRating, peoples_ratings
from elenchus.debate_engine.protocols.cognition.profile import Profile
from elenchus.debate_engine.protocols.cognition.schemas import (
    InformationResult,
    InputResult,
    Iteration,
    Mind,
    PersonCheck,
    RatedOpinion,
    Statement,
)
from elenchus.debate_engine.protocols.presentation import Projection

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class Version:
    """The profile from an iteration on (0: the first), since when, and what was read that changed it."""

    iteration: int
    at: datetime
    profile: Profile
    taken: InformationResult | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read or heard, and what became of it; `why_silent`: why nothing did. `before`: in which iteration it had
    read the same, None where it was new.
    """

    seq: int
    at: datetime
    title: str
    source: str
    iteration: Iteration | None
    why_silent: str = ""
    before: int | None = None

    @property
    def taken(self) -> InformationResult:
        """What was taken in."""
        return (self.iteration.taken if self.iteration else None) or InformationResult(iteration=0)


@dataclass(frozen=True, slots=True)
class Survey:
    """Opinions rated, when, and after which iteration."""

    seq: int
    at: datetime
    iteration: int
    answers: tuple[RatedOpinion, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What somebody said, and what the persona answered; `why_silent`: why nothing."""

    seq: int
    at: datetime
    by: str
    text: str
    said: str
    why_silent: str


@dataclass(slots=True)
class MindProjection(Projection):
    """A mind so far. `mind` is None before it has its first profile.

    `checked` is whether its whole profile is of somebody real, None where nobody had to ask. `waiting` are the commands
    that are not carried out yet; `rated` is how people rated; `latest` is what the last event brought.
    """

    config: MindConfig | None = None
    checked: PersonCheck | None = None
    mind: Mind | None = None
    iteration: int = 0
    versions: list[Version] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    surveys: list[Survey] = field(default_factory=list)
    talks: list[Exchange] = field(default_factory=list)
    taken: list[InformationResult] = field(default_factory=list)
    rated: list[OpinionsRated] = field(default_factory=list)
    waiting: dict[int, Recorded] = field(default_factory=dict)
    latest: Profile | Reading | Survey | Exchange | None = None
    _read: dict[tuple[str, ...], int] = field(default_factory=dict)

    def apply(self, r: Recorded) -> None:
        """Take in one event. A record of unexpected form is left out."""
        self.latest = None
        with suppress(ValueError):  # pydantic's errors are some
            match r.event:
                case SessionStarted(config=config):
                    self.config = MindConfig.model_validate(config)
                case event if isinstance(event, GivenToMind):
                    self.waiting[r.seq] = r
                case OpinionsRated():
                    self.rated.append(r.event)
                case StepDone(step="person/checked", result=result):
                    self.checked = PersonCheck.model_validate(result)
                case StepDone(step="profile", result=result):
                    self.latest = first = Profile.model_validate(result)
                    self.mind = Mind(profile=first)
                    self.versions.append(Version(0, r.at, first))
                case StepDone(result=result) if (number := closed_by(r.event)) is not None:
                    self._closed(r, number, result)

    def _closed(self, r: Recorded, number: int, result: Any) -> None:
        command = self.waiting.pop(number, None)
        done = InputResult.model_validate(result)
        if command is None or self.mind is None:
            return
        self.iteration = done.iteration.iteration if done.iteration else self.iteration
        self.mind = self.mind.having_done(done, self.iteration)
        if done.iteration and (taken := done.iteration.taken):
            self.taken.append(taken)
            if taken.changes:
                title = getattr(command.event, "title", "")
                self.versions.append(Version(self.iteration, r.at, self.mind.profile, taken, title))
        match command.event:
            case Fed() | Attended() as read:
                source = read.source if isinstance(read, Fed) else read.session
                before = self.read_in(read.texts) if isinstance(read, Fed) else None
                self.latest = Reading(command.seq, r.at, read.title, source, done.iteration, done.why_silent, before)
                self.readings.append(self.latest)
                if isinstance(read, Fed) and done.iteration:
                    self._read.setdefault(read.texts, self.iteration)
            case Surveyed():
                self.latest = Survey(command.seq, r.at, self.iteration, done.answers)
                self.surveys.append(self.latest)
            case Talked(by=by, text=text):
                self.latest = Exchange(command.seq, r.at, by, text, done.said, done.why_silent)
                self.talks.append(self.latest)

    def read_in(self, texts: tuple[str, ...]) -> int | None:
        """In which iteration it has first read these texts, None where it has not."""
        return self._read.get(texts)

    def waits(self, given: GivenToMind) -> int | None:
        """The number of the same that waits already, None where nothing does: texts, or opinions as the last thing."""
        waiting = [(seq, r.event) for seq, r in self.waiting.items()]
        match given:
            case Fed(texts=texts):
                return next((seq for seq, one in waiting if isinstance(one, Fed) and one.texts == texts), None)
            case Surveyed(questions=asked):
                last = waiting[-1:]
                return next((n for n, one in last if isinstance(one, Surveyed) and one.questions == asked), None)
        return None

    @property
    def stage(self) -> str:
        """After which iteration it is; "" before there is a mind."""
        return f"iteration {self.iteration}" if self.versions else ""

    @property
    def forgotten(self) -> list[Statement]:
        """What was noted down and forgotten, in the order of learning."""
        return [one for taken in self.taken for one in taken.forgotten]

    @property
    def compared_by(self) -> tuple[str, ...]:
        """What statements were compared by, in the order in which it was first used."""
        return tuple(dict.fromkeys(one.compared_by for one in self.taken if one.compared_by))

    @property
    def opinions(self) -> tuple[str, ...]:
        """What it has rated so far, in the order in which it was first asked, and what it was made to be asked."""
        asked = (answer.question for survey in self.surveys for answer in survey.answers)
        return tuple(dict.fromkeys([*asked, *(self.config.opinions if self.config else ())]))

    @property
    def people(self) -> Mapping[str, tuple[PeoplesRating, ...]]:
        """People's majority by opinion, iteration after iteration."""
        return peoples_ratings(self.rated)

    def came_of(self, seq: int) -> Reading | Survey | Exchange | None:
        """What came of the command with this number, None where it has not been carried out."""
        done: Sequence[Reading | Survey | Exchange] = (*self.readings, *self.surveys, *self.talks)
        return next((one for one in done if one.seq == seq), None)


def closed_by(event: Event) -> int | None:
    """The number of the command that was carried out with this event, None where it is no such event."""
    match event:
        case StepDone(step=step) if (key := step.split("/"))[-1] == "closed" and len(key) == 3 and key[1].isdecimal():
            return int(key[1])
    return None


def mind_of(events: Iterable[Recorded]) -> MindProjection:
    """The mind of a whole log, or of any part of one."""
    found = MindProjection()
    for r in events:
        found.apply(r)
    return found


def as_of(events: Iterable[Recorded], day: date | None = None, iteration: int | None = None) -> MindProjection:
    """The mind at the end of a day (UTC), or as it was before the iteration after this one; both None: now.

    Before an iteration nothing has been given for it yet.
    """
    found = MindProjection()
    for r in events:
        if day is not None and r.at.date() > day:
            break
        if iteration is not None and _begins(r) > iteration:
            found.waiting.clear()
            break
        found.apply(r)
    return found


def _begins(r: Recorded) -> int:
    """The iteration that an event closes, 0 for none."""
    match r.event:
        case StepDone(step=step, result={"iteration": {"iteration": int(number)}}) if step.endswith("/closed"):
            return number
    return 0


def mind_in(view: SessionView) -> MindProjection:
    """The mind that a session is; an empty one where it is another session."""
    return view.projection if isinstance(view.projection, MindProjection) else MindProjection()
