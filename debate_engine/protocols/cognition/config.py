"""How a mind works (what fills its memory, how much of it is forgotten, what is recalled), and who it is to be."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.profile import Profile
from elenchus.debate_engine.protocols.cognition.schemas import MOST_QUESTIONS, Feedback, Flow, MethodName, Opinion

Order = Literal["side by side", "refine first", "distil first"]
Policy = Literal["relevance", "park"]


class MindSettings(FrozenModel):
    """How a mind works.

    - `capacity_words`: of short-term memory. A longer text is taken in by parts.
    - `wait_until_full`: nothing is taken in before short-term memory is full; else at the end of each iteration.
    - `order`: whether refining and distilling run side by side (distilling sees the profile before), or one after the
      other, each seeing what the first has made of the profile.
    - `most_changes`: attributes that may change at once. `most_statements`: of one distillation.
    - `forget_share`: of the knowledge distilled in an iteration, that with the lowest scores; among equal scores the
      older goes first.
    - `recall`: memories for one question. `least_similar`: the mistake of the released code, for comparison.
    - `policy`: `relevance` alone, or `park`: importance, recency and relevance together (Park et al. 2023).
    - `decay`: of recency, an iteration (`park`). `spaced`: what several iterations recalled fades slower (`park`).
    - `alike`: cosine from which on two statements say the same.
    - `language`: of thoughts and reasons; "" for the language of the profile.
    - `small`: the model needs short plain questions (the session's profile of models).
    """

    capacity_words: int = Field(2_000, ge=20, le=20_000)
    wait_until_full: bool = False
    order: Order = "side by side"
    most_changes: int = Field(3, ge=0, le=22)
    most_statements: int = Field(12, ge=1, le=40)
    forget_share: float = Field(0.4, ge=0, lt=1)
    recall: int = Field(3, ge=0, le=20)
    least_similar: bool = False
    policy: Policy = "relevance"
    decay: float = Field(0.9, gt=0, le=1)
    spaced: bool = False
    alike: float = Field(0.9, gt=0, le=1)
    language: str = Field("", max_length=60)
    small: bool = False

    @model_validator(mode="after")
    def _spaced_recall_has_recency(self) -> MindSettings:
        if self.spaced and self.policy != "park":
            raise ValueError("spaced recall is of recency, which counts where policy is park")
        return self


class CognitionConfig(MindSettings):
    """A whole run that is known beforehand: the questionnaire before any information, and after each of the flows.

    `profile` is who the persona is at the beginning; `flows` are those of iterations 1, 2, …; `feedback` is what people
    said of the answers of iterations 0, 1, … by question, for the methods that are told (an iteration without any is an
    empty tuple).
    """

    profile: Profile
    method: MethodName = "coggpt"
    topic: str = ""
    questionnaire: tuple[Opinion, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)
    flows: tuple[Flow, ...] = ()
    feedback: tuple[tuple[Feedback, ...], ...] = ()

    @model_validator(mode="after")
    def _feedback_fits(self) -> CognitionConfig:
        for iteration, given in enumerate(self.feedback):
            if given and len(given) != len(self.questionnaire):
                raise ValueError(
                    f"the feedback on iteration {iteration} is on {len(given)} answers, and there are "
                    f"{len(self.questionnaire)} questions"
                )
        return self

    def feedback_on(self, iteration: int) -> tuple[Feedback, ...]:
        """What people said of the answers of an iteration, by question; () for nothing."""
        return self.feedback[iteration] if 0 <= iteration < len(self.feedback) else ()


class Character(FrozenModel):
    """Who a persona is to be, in a line ("" where there is a whole profile); `by` is who made it."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)] = ""
    by: str = ""


class MindConfig(MindSettings):
    """A mind that lives on: who it is to be, by a whole profile or by a line of which a profile is made.

    `person`: whoever made it has said that it is invented, that it is themselves, or that it is a person who has died;
    of a living person no other has a mind made. `called` is the name under which it speaks, where that
    is not only its profile's. `opinions` are what it is asked about where nobody says what. `place`
    is where its name is one: a server on Discord, "" for what belongs to no other place.
    """

    profile: Profile | None = None
    character: Character = Character()
    person: Literal["invented", "myself", "dead"] = "invented"
    called: str = ""
    opinions: tuple[Opinion, ...] = Field((), max_length=MOST_QUESTIONS)
    place: str = ""

    @model_validator(mode="after")
    def _is_somebody(self) -> MindConfig:
        if (self.profile is None) is (not self.character.text):
            raise ValueError("a mind needs either a profile or a line that says who it is to be")
        return self
