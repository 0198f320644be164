"""What people are shown of a debate beside its speeches: what was scored, decided and agreed on, as it comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from elenchus.debate_engine.protocols.crit.schemas import Quality
from elenchus.debate_engine.protocols.crit.scoring import noise_after
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.protocols.socrasynth.schemas import Proposal
from elenchus.debate_engine.protocols.speech import Topic


@dataclass(frozen=True, slots=True)
class Heat:
    """A heat that was gone on with, and whether the moderator had set it."""

    value: float
    set_by_moderator: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the debate with its heat and what CRIT said after it.

    `n` is 0 for the opening, the round's number, or None for the closings. `quality` None: not scored (yet); a Γ that
    could not be read is a quality without a gamma. `noise` is how far Γ may have moved by chance since the round
    before, which `--stop noise` asks; None where that cannot be told. `before` is the last readable Γ before it.
    """

    n: int | None
    heat: float | None
    quality: Quality | None = None
    set_by_moderator: bool = False
    noise: float | None = None
    before: float | None = None

    @property
    def name(self) -> str:
        """Opening, round 2, closing."""
        return "closing" if self.n is None else f"round {self.n}" if self.n else "opening"

    @property
    def gamma(self) -> float | None:
        """Γ, the quality of the arguments, 1–10."""
        return self.quality.gamma if self.quality else None

    @property
    def standing(self) -> float | None:
        """How the claim stands, 1–10."""
        return self.quality.standing if self.quality else None

    @property
    def unreadable(self) -> bool:
        """Whether it was scored and Γ could not be read."""
        return self.quality is not None and self.quality.gamma is None


def stage_of(n: int, heat: Heat | None, qualities: Mapping[int, Quality]) -> Stage:
    """The opening (0) or a round, with its heat; `qualities` are what CRIT has said so far, by round."""
    before, now = qualities.get(n - 1), qualities.get(n)
    noise = noise_after(before, now) if now else None
    earlier = gamma_before(n, qualities)
    return Stage(n, heat.value if heat else None, now, bool(heat and heat.set_by_moderator), noise, earlier)


def gamma_before(n: int | None, qualities: Mapping[int, Quality]) -> float | None:
    """The last readable Γ before a round, or before the closings (None)."""
    earlier = [qualities[k].gamma for k in sorted(qualities, reverse=True) if n is None or k < n]
    return next((gamma for gamma in earlier if gamma is not None), None)


@dataclass(frozen=True, slots=True)
class Agenda:
    """The topics were agreed."""

    topics: tuple[Topic, ...]


@dataclass(frozen=True, slots=True)
class RoundsEnded:
    """The rounds are over."""

    why: str


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """The audience may vote from now on."""

    when: When


Result = Agenda | VoteOpened | RoundsEnded | Stage | Judgement | Proposal | Comparison
"""A stage is what CRIT said after it."""
