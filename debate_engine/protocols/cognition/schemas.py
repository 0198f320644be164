"""What a mind is given, what it holds and what it answers. The models of what a seat is asked for are in `forms.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.profile import Change, Profile

MethodName = Literal["coggpt", "cot", "react", "reflexion", "no_information", "everything_in_prompt"]
Order = Literal["side by side", "refine first", "distil first"]
Policy = Literal["relevance", "park"]

LONGEST_FLOW = 200_000
"""Characters of one text that is read; a longer one is refused before anything is spent."""
MOST_QUESTIONS = 100

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Opinion = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
Rating = Annotated[int, Field(ge=1, le=5)]


class Flow(FrozenModel):
    """What one iteration brings: one text or several (an article; ten short videos as text). `source` is where from."""

    texts: tuple[Annotated[Text, Field(max_length=LONGEST_FLOW)], ...] = Field(min_length=1)
    title: str = ""
    source: str = ""


class RatedOpinion(FrozenModel):
    """How an opinion was rated. Invariant: `rating` None is no rating, and `why_unread` then says why.

    1 strongly disagree … 5 strongly agree. `sources` are what the reason rests on: memories by id (`k12`), attributes
    by name. `recalled` are the ids of the memories that were put before the persona.
    """

    question: str
    rating: Rating | None = None
    reason: str = ""
    sources: tuple[str, ...] = ()
    why_unread: str = ""
    recalled: tuple[str, ...] = ()


class Feedback(FrozenModel):
    """What people said of one answer: how they would have rated, and how rational the reason is; None: not rated."""

    human_rating: Rating | None = None
    rationality: Annotated[float, Field(ge=1, le=5)] | None = None


class Statement(FrozenModel):
    """A piece of knowledge: who or what, does or is, what; what the persona thinks of it; how much it interests, 1–5.

    `id` is `k` and a number, in the order of learning over the whole life of the mind; `iteration` is when.
    """

    id: str
    iteration: int
    subject: str
    predicate: str
    object: str
    thought: str = ""
    score: Rating

    @cached_property
    def text(self) -> str:
        """The statement as a sentence."""
        return " ".join(f"{self.subject} {self.predicate} {self.object}".split()).rstrip(".") + "."


class Refused(FrozenModel):
    """A statement that was not taken in, and why: it says “it”, or what is known already."""

    text: str
    why: str


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
    of a living person no other has a mind made. `opinions` are what it is asked about where nobody says what. `place`
    is where its name is one: a server on Discord, "" for what belongs to no other place.
    """

    profile: Profile | None = None
    character: Character = Character()
    person: Literal["invented", "myself", "dead"] = "invented"
    opinions: tuple[Opinion, ...] = Field((), max_length=MOST_QUESTIONS)
    place: str = ""

    @model_validator(mode="after")
    def _is_somebody(self) -> MindConfig:
        if (self.profile is None) is (not self.character.text):
            raise ValueError("a mind needs either a profile or a line that says who it is to be")
        return self


class InformationResult(FrozenModel):
    """What became of the information of one iteration.

    `why_kept`: why the profile stayed as it was although it was to be refined. `unread`: what could not be read at all.
    `orders`: parts of the text that order the reader about.
    """

    iteration: int
    changes: tuple[Change, ...] = ()
    why_kept: tuple[str, ...] = ()
    assessment: str = ""
    kept: tuple[Statement, ...] = ()
    forgotten: tuple[Statement, ...] = ()
    refused: tuple[Refused, ...] = ()
    unread: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()

    def then(self, later: InformationResult) -> InformationResult:
        """Both of one iteration, one after the other."""
        both = {name: (*getattr(self, name), *getattr(later, name)) for name in _PARTS}
        return self.model_copy(update=both | {"assessment": f"{self.assessment}\n{later.assessment}".strip()})


_PARTS = ("changes", "why_kept", "kept", "forgotten", "refused", "unread", "orders")


class Iteration(FrozenModel):
    """One iteration of a run: the profile at its end, the answers, what became of the information, what still waits
    in short-term memory.
    """

    iteration: int
    profile: Profile
    answers: tuple[RatedOpinion, ...] = ()
    taken: InformationResult | None = None
    short_term: tuple[str, ...] = ()


class Mind(FrozenModel):
    """A mind at one moment: all that a method goes on from. Frozen; the next moment is another one.

    `short_term` are texts that are not taken in yet; `memories` is long-term memory, oldest first; `learned` counts all
    statements there ever were, forgotten ones too; `used` says in which iteration a memory was last recalled, `recalls`
    in how many it was; `answers` and `feedback` are those of the last iteration; `read` are all texts so far, for the
    method that has everything in its prompt; `taken` is what the last iteration did.
    """

    profile: Profile
    short_term: tuple[str, ...] = ()
    memories: tuple[Statement, ...] = ()
    learned: int = 0
    used: Mapping[str, int] = Field(default_factory=dict)
    recalls: Mapping[str, int] = Field(default_factory=dict)
    read: tuple[str, ...] = ()
    answers: tuple[RatedOpinion, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    taken: InformationResult | None = None

    def having(self, profile: Profile, taken: InformationResult) -> Mind:
        """This mind when it has taken something in, within the iteration."""
        return self.model_copy(
            update={
                "profile": profile,
                "memories": (*self.memories, *taken.kept),
                "learned": self.learned + len(taken.kept) + len(taken.forgotten),
                "taken": self.taken.then(taken) if self.taken else taken,
            }
        )

    def after(self, done: Iteration, flow: Flow | None = None, feedback: tuple[Feedback, ...] = ()) -> Mind:
        """This mind after a whole iteration: a mind is what its closed iterations make of the first profile."""
        then = self.model_copy(update={"taken": None}).having(
            done.profile, done.taken or InformationResult(iteration=done.iteration)
        )
        return then.model_copy(
            update={
                "short_term": done.short_term,
                **self.recalling((one for answer in done.answers for one in answer.recalled), done.iteration),
                "read": (*self.read, *(flow.texts if flow else ())),
                "answers": done.answers,
                "feedback": feedback,
                "taken": done.taken,
            }
        )

    def having_done(self, done: InputResult, now: int) -> Mind:
        """This mind after one thing that it was given or asked, in the iteration `now`."""
        mind = self.after(done.iteration) if done.iteration else self
        used = [*done.recalled, *(one for answer in done.answers for one in answer.recalled)]
        return mind.model_copy(
            update={
                **mind.recalling(used, now),
                "short_term": mind.short_term if done.short_term is None else done.short_term,
            }
        )

    def recalling(self, memories: Iterable[str], now: int) -> dict[str, dict[str, int]]:
        """`used` and `recalls` when these memories were recalled in an iteration; several times in one are one."""
        new = {one for one in memories if self.used.get(one) != now}
        more = {one: self.recalls.get(one, 0) + 1 for one in new}
        return {"used": {**self.used, **dict.fromkeys(new, now)}, "recalls": {**self.recalls, **more}}


class InputResult(FrozenModel):
    """What came of one thing that a mind was given or asked: an iteration, answers, or words and what then is in
    short-term memory.
    """

    iteration: Iteration | None = None
    answers: tuple[RatedOpinion, ...] = ()
    said: str = ""
    why_silent: str = ""
    recalled: tuple[str, ...] = ()
    short_term: tuple[str, ...] | None = None


class CognitionResult(FrozenModel):
    """The outcome of a run: every iteration from 0 on, in order."""

    method: MethodName
    topic: str = ""
    iterations: tuple[Iteration, ...]
