"""What a scene's file says of its experiment before the first run: what is compared, who is left out, what is known.

All of it stands in the front matter. None of it is for those who play.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.language import Language, as_written, phrase
from elenchus.debate_engine.scenes.values import Formula, Line, Value

Deception = Literal["", "none", "omission", "active"]
"""What people are not told (omission), or told falsely (active), until the debrief; "" where the file does not say."""

Metric = Literal["d", "risk difference", "odds ratio", "mean difference", "other"]
"""In what a size is given. Hedges' g and Cohen's d are both `d`: they differ by less than the papers round."""


class Source(Value):
    """A published result. `same` says what it shares with this scene: its very task, its paradigm, or the name alone.

    `size` is in `metric`, `low` to `high` its 95 % interval, `n` its people. `doi` stands only where it was checked.
    """

    citation: Line
    doi: Line = ""
    arms: Line = ""
    metric: Metric = "other"
    size: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = Field(None, ge=1)
    replication: bool = False
    same: Literal["task", "paradigm", "name"] = "name"
    told: Line = ""

    def result_in(self, language: Language = "en") -> str:
        """The source and what it found, in one line."""
        size = "" if self.size is None else self._size(language)
        people = phrase(language, "people", n=as_written(f"{self.n:,}", language)) if self.n else ""
        return f"{self.citation}: " + "; ".join(part for part in (self.arms, self.told, size, people) if part)

    def _size(self, language: Language) -> str:
        size, low, high = (
            "" if one is None else as_written(f"{one:g}", language) for one in (self.size, self.low, self.high)
        )
        within = f" ({phrase(language, 'from-to', low=low, high=high)})" if low and high else ""
        return f"{'' if self.metric == 'other' else self.metric + ' '}{size}{within}"

    @property
    def comparable(self) -> bool:
        """Whether its size may be drawn beside one found here, in the same metric."""
        return self.same != "name" and self.metric != "other" and self.size is not None


def _contrast(value: Any) -> Any:
    return {"compare": value} if isinstance(value, str) else value


class Plan(Value):
    """`minutes` from and to, `age` the least in years, `n` the planned number of subjects, `stop` the stopping rule.

    `strata` are measures within whose answers the versions are balanced. `exclusions` are rules over measures, as an
    outcome is: whom one holds for does not count. `questions` that no rule foresees are answered by the scene's own
    `answers` alone, or by the moderator when these are used up.
    """

    deception: Deception = ""
    minutes: tuple[int, int] | None = None
    age: Annotated[int, Field(ge=0, le=120)] | None = None
    n: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    stop: Line = ""
    contrasts: tuple[Annotated[Contrast, BeforeValidator(_contrast)], ...] = ()
    strata: tuple[Line, ...] = ()
    exclusions: tuple[Formula, ...] = ()
    questions: Literal["fixed", "moderator"] = "moderator"
    literature: tuple[Source, ...] = ()

    @property
    def misleads(self) -> bool:
        """Whether people are not told something, or told it falsely, until the debriefing."""
        return self.deception in ("omission", "active")

    def least_age(self, approval: str) -> int | None:
        """Of who takes part: 18 with any deception that no ethics board allowed."""
        return max(self.age or 0, 18 if self.misleads and not approval else 0) or None
