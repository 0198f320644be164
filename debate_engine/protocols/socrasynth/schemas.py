"""What a SocraSynth debate is set up with, what is asked of the sides by schema, and what comes out."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most, only_if
from elenchus.debate_engine.protocols.crit.schemas import Analysis, Quality, Strength
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.socrasynth.heat import Contentiousness
from elenchus.debate_engine.protocols.speech import LONGEST_MOTION, Side, Topic

MAX_TOPICS = 10
FEWEST_WORDS, MOST_WORDS = 20, 400
"""Of a speech on each topic."""
_CONCERN = at_most(16, characters=80)
_SENTENCE = at_most(80, characters=240)
_TEXT = at_most(160, characters=480)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""
_AMENDED = only_if(decision="amend")


StopRule = Literal["noise", "paper"]
"""When a falling Γ ends the rounds: beyond its noise or twice running, or (the paper's) at any fall."""

OpenOutcome = Literal["", "agreed", "conceded by pro", "conceded by con", "open"]


class DebateConfig(FrozenModel):
    """A debate's settings (defaults: SocraSynth, table 2 and section 4). `heat`, `floor` in [0, 1], `decay` ≥ 1.

    `vote_seconds` is how long the audience's votes before and after the debate are open; None: there is no audience.
    `half_seconds` is how long each half of a class has for arguments before each turn of its speaker, who is then given
    up to `half_arguments`; None: no class takes part. `small` are the seats whose model is asked in the small profile's
    way (`socrasynth.small`).
    """

    motion: str = Field(min_length=1, max_length=LONGEST_MOTION)
    open_question: bool = False
    brief: str = ""
    topics: int = Field(default=5, ge=1, le=MAX_TOPICS)
    max_rounds: int = Field(default=5, ge=0)
    heat: Contentiousness = 0.9
    decay: float = Field(default=1.2, ge=1)
    floor: Contentiousness = 0.1
    simultaneous: bool = False
    coach: bool = False
    agenda: tuple[Topic, ...] = ()
    approve_agenda: bool = False
    compare_qa: bool = False
    language: str = ""
    words_per_topic: int = Field(default=80, ge=FEWEST_WORDS, le=MOST_WORDS)
    reasons_per_topic: int = Field(default=2, ge=1, le=10)
    judges: tuple[str, ...] = ()
    vote_seconds: float | None = Field(default=None, gt=0)
    half_seconds: float | None = Field(default=None, gt=0)
    half_arguments: int = Field(default=3, ge=1)
    small: tuple[str, ...] = ()
    stop: StopRule = "noise"

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.max_rounds == 0 and self.decay == 1:
            raise ValueError("a decay of 1 never cools: set a limit of rounds, or a decay above 1")
        return self

    def weighed(self, claim: str, answer: OpenAnswer | None) -> str:
        """What CRIT weighs: pro's answer to an open question, the claim that stands for a motion put as one, or it."""
        return f"{self.motion} Answer: {answer.answer}" if answer else claim or self.motion


# ── asked by schema ──────────────────────────────────────────────────────────────────────────────────────────────


class TopicIdea(FrozenModel):
    """One subtopic: a few words for each side's concern, and a sentence that says what is in scope."""

    pro_concern: str = Field(
        min_length=1, json_schema_extra=_CONCERN, description="2 to 6 words: the proponents' concern"
    )
    con_concern: str = Field(
        min_length=1, json_schema_extra=_CONCERN, description="2 to 6 words: the opponents' concern"
    )
    scope: str = Field(
        json_schema_extra=_SENTENCE, description="one sentence naming both concerns and what is in scope"
    )

    @property
    def topic(self) -> Topic:
        """The idea as an agenda's topic."""
        return Topic(pro_concern=self.pro_concern, con_concern=self.con_concern, scope=self.scope)


class Proposals(FrozenModel):
    """A list of subtopics."""

    topics: list[TopicIdea] = Field(min_length=1)


class TopicReview(FrozenModel):
    """What the reviewing side says to one merged topic; the wording counts only where it amends."""

    number: int
    verdict: Literal["agree", "amend"]
    pro_concern: str = Field(
        default="",
        json_schema_extra=_CONCERN | only_if(verdict="amend"),
        description="2 to 6 words, empty when agreeing",
    )
    con_concern: str = Field(
        default="",
        json_schema_extra=_CONCERN | only_if(verdict="amend"),
        description="2 to 6 words, empty when agreeing",
    )
    scope: str = Field(
        default="",
        json_schema_extra=_SENTENCE | only_if(verdict="amend"),
        description="one sentence, empty when agreeing",
    )


class AgendaReview(FrozenModel):
    """The other side's answer to the merged agenda."""

    topics: list[TopicReview]


class AgendaChoice(FrozenModel):
    """The moderator's approval: numbers of the topics to keep, in the order to debate them."""

    keep: list[int] = Field(min_length=1)


class FurtherArguments(FrozenModel):
    """Whether a side has anything new to add."""

    more: bool
    what: str = Field(
        json_schema_extra=_SENTENCE | only_if(more=True), description="the new point in a few words, or empty"
    )


class ProposalItem(FrozenModel):
    """The joint proposal on one topic."""

    number: int
    proposal: str = Field(json_schema_extra=_TEXT, description="one or two sentences")


class ProposalDraft(FrozenModel):
    """A first joint proposal, topic by topic."""

    items: list[ProposalItem]


class ProposalReview(FrozenModel):
    """One side's answer to a proposed text."""

    number: int
    decision: Literal["sign", "amend"]
    proposal: str = Field(
        default="", json_schema_extra=_TEXT | _AMENDED, description="the amended text; empty when signing"
    )


class ProposalReviews(FrozenModel):
    """One side's answers, topic by topic."""

    items: list[ProposalReview]


class OpenAnswer(FrozenModel):
    """A typed answer to an open question (SocraSynth's symptom-checking case)."""

    answer: str = Field(min_length=1)
    reasons: list[str]
    questions: list[str] = Field(description="questions it would ask to be surer")
    tests: list[str] = Field(description="tests or checks that would raise confidence")
    confidence: int = Field(ge=0, le=100, description="percent")


class Position(FrozenModel):
    """Where a side stands after a round on an open question."""

    more: bool = Field(description="whether there is anything new to add")
    stance: Literal["hold", "same answer", "concede"]
    answer: str = Field(description="the answer it holds now, in a few words")


class DeclarativeClaim(FrozenModel):
    """A motion put as a question, as the claim that is debated instead."""

    claim: str = Field(min_length=1, description="one declarative sentence")


class Recommendations(FrozenModel):
    """What both sides recommend together on an open question."""

    answer: str
    next_questions: list[str]
    next_tests: list[str]
    reservations: str


class RecommendationReview(FrozenModel):
    """One side's answer to the joint recommendation; the wording counts only where it amends."""

    decision: Literal["sign", "amend"]
    answer: str = Field(default="", json_schema_extra=_AMENDED, description="empty when signing")
    next_questions: list[str] = Field(default_factory=list, json_schema_extra=_AMENDED, description="none when signing")
    next_tests: list[str] = Field(default_factory=list, json_schema_extra=_AMENDED, description="none when signing")
    reservations: str = Field(default="", json_schema_extra=_AMENDED, description="empty when signing")

    @property
    def amended(self) -> Recommendations:
        """The recommendation that this side would sign instead."""
        return Recommendations.model_validate(self.model_dump(exclude={"decision"}))


PREPARED = frozenset(
    form.__name__
    for form in (
        Proposals, AgendaReview, FurtherArguments, Position, ProposalDraft, ProposalReviews, Recommendations,
        RecommendationReview,
    )
)  # fmt: skip
"""The forms that a model may fill in beforehand for a person on a side; speeches and rulings are the person's alone."""


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────


class Round(FrozenModel):
    """One refutation round: its heat and the argument quality after it (None: could not be read).

    `noise` is how far Γ may have moved by chance since the round before; None where that cannot be told.
    """

    n: int
    heat: Contentiousness
    gamma: Strength | None = None
    standing: Strength | None = None
    noise: float | None = None


class Agreement(FrozenModel):
    """A topic of the joint proposal: the text, who signed it, and the texts on offer where not both did."""

    number: int
    title: str
    proposal: str
    signed_by: tuple[Side, ...]
    amendments: tuple[tuple[Side, str], ...] = ()


class Proposal(FrozenModel):
    """The joint proposal, or why there is none. On an open question it is one recommendation.

    `signed_by` and `amendments` (all texts on offer after the draft) are the recommendation's; a topic has its own.
    """

    heat: Contentiousness
    topics: tuple[Agreement, ...] = ()
    recommendations: Recommendations | None = None
    signed_by: tuple[Side, ...] = ()
    amendments: tuple[tuple[Side, Recommendations], ...] = ()
    drafted_by: Side | Literal[""] = ""
    missing: str = ""


class Debate(FrozenModel):
    """The outcome of a debate. `ended` says why the rounds ended, `merged_by` which side merged the agenda.

    `claim` is what a motion put as a question was made into.
    """

    motion: str
    claim: str = ""
    merged_by: Side | Literal[""] = ""
    agenda: tuple[Topic, ...]
    rounds: tuple[Round, ...]
    ended: str
    closing_heat: Contentiousness
    quality: Quality | None
    analysis: Analysis | None
    judgement: Judgement | None
    winner: str
    proposal: Proposal | None
    comparison: Comparison | None = None
    open_outcome: OpenOutcome = ""
    answers: dict[Side, OpenAnswer | None] = Field(default_factory=dict)
