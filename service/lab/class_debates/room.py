"""What a class debate is made of: its options, and the debate's first event with the class in it."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pydantic import AwareDatetime, Field, model_validator

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.service.lab import new_sessions
from elenchus.service.lab.classes.classroom import MOST_PEOPLE
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.options import DebateOptions
from elenchus.service.lab.seats import debate_seats

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry


class ClassDebateOptions(DebateOptions):
    """A debate with a class of `people` in two halves. A side that is a person is spoken for by one of its half.

    Before each turn of its speaker a half has `argument_seconds`, and the speaker is given up to `arguments`, those
    first that are upvoted most. The votes before and after are open for `vote_seconds`. Whoever leads the class may end
    each of these earlier. A person who speaks has `speech_minutes` for a speech.
    """

    people: int = Field(default=30, ge=2, le=MOST_PEOPLE, examples=[30])
    argument_seconds: float = Field(default=90, ge=1, le=3_600, allow_inf_nan=False, examples=[90])
    arguments: int = Field(default=3, ge=1, le=10)
    vote_seconds: float = Field(default=120, ge=1, le=3_600, allow_inf_nan=False, examples=[120])
    speech_minutes: float = Field(default=5, ge=0.5, le=60, allow_inf_nan=False, examples=[5])

    @model_validator(mode="after")
    def _has_two_sides(self) -> Self:
        if self.open_question:
            raise ValueError("A class debates a motion, which one is for or against: leave out {open_question}.")
        return self


class DebateRoom(FrozenModel):
    """A class debate: `code` lets people join, `session` is the debate, in which everything else stands.

    `speakers` are the sides for which a person of the half speaks.
    """

    id: str
    code: str = ""
    session: str
    motion: str
    people: int = Field(ge=2, le=MOST_PEOPLE)
    speakers: tuple[Side, ...] = ()
    seed: int
    created: AwareDatetime

    def lot(self, number: int) -> Side:
        """To which half the `number`-th who comes belongs, where both are alike."""
        return Random(f"{self.seed}/{number}").choice(SIDES)

    def until(self, time: timedelta) -> datetime:
        """So long after it was made."""
        return self.created + time


class NewDebate(NamedTuple):
    """A class debate that can be held; `cautions` are what to know beforehand."""

    room: DebateRoom
    started: SessionStarted
    cautions: tuple[str, ...]


async def new_debate(
    options: ClassDebateOptions, settings: Settings, registry: Registry, *, class_id: str, session: str, now: datetime
) -> NewDebate:
    """The class debate, checked; nothing is kept yet. Raises UsageError, ProviderError."""
    seats, unnamed = await seated(settings, "", lambda unnamed: debate_seats(options, unnamed))
    seats = [_with_time(seat, options) for seat in seats]
    to_be = new_sessions.debate(options, seats, options.vote_seconds)
    new_sessions.refuse_uncounted(registry, seats, options)
    started = to_be.first_event(registry, options)
    of_class = {"half_seconds": options.argument_seconds, "half_arguments": options.arguments}
    config: dict[str, Any] = DebateConfig.model_validate(started.config | of_class).model_dump(mode="json")
    room = DebateRoom(
        id=class_id, session=session, motion=options.motion, people=options.people, seed=started.seed % 2**31,
        speakers=tuple(side for side in SIDES if any(seat.name == side and is_human(seat.spec) for seat in seats)),
        created=now,
    )  # fmt: skip
    cautions = (*new_sessions.warnings(seats), *unnamed.told())
    return NewDebate(room, started.model_copy(update={"config": config}), cautions)


def _with_time(seat: Seat, options: ClassDebateOptions) -> Seat:
    """A person of the half who speaks is not known yet, and has a time."""
    if seat.name not in SIDES or not is_human(seat.spec):
        return seat
    if seat.spec != HUMAN:
        raise UsageError(f"A person of the half speaks for a side: give {seat.name} as {HUMAN}, without a name.")
    return seat.model_copy(update={"deadline": 60.0 * options.speech_minutes})
