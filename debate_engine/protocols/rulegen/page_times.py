"""How long people took for what they were asked, and at which front end: read from the log. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import AwareDatetime

from elenchus.debate_engine.events import FrozenModel, Recorded, Redacted, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.privacy.person_words import REDACTED


class PageTime(FrozenModel):
    """One thing that a person was asked at step `step`, and when the log had the answer (None: never).

    The time holds the way to the person and back: as short as the front end is near, and no reaction time.
    """

    step: str
    seat: str
    opened: AwareDatetime
    answered: AwareDatetime | None = None
    via: str = ""

    @property
    def seconds(self) -> float | None:
        """From being asked to the answer, to a thousandth."""
        return None if self.answered is None else round((self.answered - self.opened).total_seconds(), 3)


def page_times(recorded: Iterable[Recorded]) -> list[PageTime]:
    """Each turn of a person, in the order in which they were opened; the answer that counted is the last before its
    step was done. Of a person who is forgotten there are none.
    """
    found: dict[str, PageTime] = {}
    done: set[str] = set()
    forgotten: set[str] = set()
    for r in recorded:
        match r.event:
            case TurnOpened(step=step, seat=seat) if step not in found:
                found[step] = PageTime(step=step, seat=seat, opened=r.at)
            case TurnAnswered(step=step, by=by) if by == REDACTED and step in found:
                forgotten.add(found[step].seat)
            case TurnAnswered(step=step, via=via, declined=None) if step in found and step not in done:
                found[step] = found[step].model_copy(update={"answered": r.at, "via": via})
            case StepDone(step=step):
                done.add(step)
            case Redacted(seat=seat, name_only=False):
                forgotten.add(seat)
    return [time for time in found.values() if time.seat not in forgotten]
