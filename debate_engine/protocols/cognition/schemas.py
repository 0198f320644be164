"""What a mind is given, what it holds and what it answers. The models of what a seat is asked for are in `forms.py`,
how a mind works is in `config.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.profile import Change, Profile

MethodName = Literal["coggpt", "cot", "react", "reflexion", "no_information", "everything_in_prompt"]

LONGEST_FLOW = 200_000
"""Characters of one text that is read; a longer one is refused before anything is spent."""
MOST_QUESTIONS = 100

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
LONGEST_OPINION = 600
Opinion = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_OPINION)]
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
    """What people said of one answer: how they would have rated, and how rational the reason is; None: not rated.

    `rating` and `reason` are that answer, where it is one of an earlier run; without a reason it is the run's own.
    """

    human_rating: Rating | None = None
    rationality: Annotated[float, Field(ge=1, le=5)] | None = None
    rating: Rating | None = None
    reason: str = ""


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
    """A statement that was not taken in, and why: it says “it”, or what is known already, or could not be read (then
    there is no `text`).
    """

    text: str
    why: str

    @property
    def in_words(self) -> str:
        """The statement and why it was left out."""
        return f"“{self.text}” {self.why}" if self.text else f"a statement that cannot be read: {self.why}"


class PersonCheck(FrozenModel):
    """Whether a whole profile is of somebody real, as its model finds; `why_not` says why nobody could tell."""

    real_person: Literal["no", "dead", "living"] = "no"
    who: str = ""
    why_not: str = ""


class InformationResult(FrozenModel):
    """What became of the information of one iteration.

    `why_kept`: why the profile stayed as it was although it was to be refined. `unread`: what could not be read at all.
    `orders`: parts of the text that order the reader about. `compared_by`: what statements were compared by, "" where
    that was not recorded.
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
    compared_by: str = ""

    def then(self, later: InformationResult) -> InformationResult:
        """Both of one iteration, one after the other."""
        both = {name: (*getattr(self, name), *getattr(later, name)) for name in _PARTS}
        assessment = f"{self.assessment}\n{later.assessment}".strip()
        return self.model_copy(
            update=both | {"assessment": assessment, "compared_by": later.compared_by or self.compared_by}
        )


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
