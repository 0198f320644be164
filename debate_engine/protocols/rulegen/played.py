"""What a scene is played with (`SceneConfig`), what its seats are asked for, and what comes out (`Played`).

In what is asked, fields stand in the order in which a model writes: reasons before verdicts.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.yes_no import YesNo
from elenchus.debate_engine.scenes.measures import Stated, number
from elenchus.debate_engine.scenes.scene import Condition, Kind, Mode, Purpose, Scene
from elenchus.debate_engine.steps import hash_of

_SENTENCE = at_most(80, characters=300)
_QUOTE = at_most(60, characters=240)
_STEP = at_most(50, characters=160)
_PARAGRAPH = at_most(200, characters=900)
"""Bounds of texts, wider than what the prompts ask for (see `at_most`)."""


def _scene(value: Any) -> Any:
    """A dumped scene as a scene; JSON has lists where a scene has tuples."""
    return Scene.model_validate_json(json.dumps(value)) if isinstance(value, dict) else value


PlayedScene = Annotated[Scene, BeforeValidator(_scene)]
"""A scene inside another value: it comes back from JSON as it was."""


# ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Target(FrozenModel):
    """The bias that the scene elicits, as the judges are told of it. Nobody in the scene is."""

    name: str
    definition: str
    elements: tuple[str, ...] = ()


class Assignment(FrozenModel):
    """By which lot a subject gets its version: a place of `study`, which the session `holder` takes when it is drawn.

    Versions are balanced within each `stratum`.
    """

    study: str
    holder: str
    seed: int
    of: tuple[Condition, ...] = Field(min_length=1)
    stratum: str = ""

    @property
    def places(self) -> str:
        """What its places are kept under: each stratum has places of its own."""
        return f"{self.study}/{self.stratum}" if self.stratum else self.study


class Drawn(FrozenModel):
    """What was drawn: the place (from 1), and its version."""

    number: int = Field(ge=1)
    version: Condition


Use = Literal["", "demonstration", "study"]
"""What a scene with people is for, which says how long what they said is kept; "" where no promise was made."""


class Terms(FrozenModel):
    """A study's own consent: who asks, what for, and what is promised. Its `version` is recorded with each consent.

    `retention_days` after its end a session is removed; for `withdrawal_days` after it a person may still withdraw.
    """

    contact: str = Field(min_length=3)
    responsible: str = Field(min_length=3)
    purpose: str = Field(min_length=10)
    retention_days: int = Field(ge=1, le=36_500)
    withdrawal_days: int = Field(14, ge=1, le=36_500)
    voluntary: str = (
        "Taking part is voluntary. You may say no, and you may stop at any moment, without a reason and without any "
        "disadvantage."
    )
    age: int | None = Field(18, ge=0, le=120)
    compensation: str = "You are not paid for taking part."
    board: str = "No ethics board has reviewed this study."
    text: str = ""

    @property
    def version(self) -> str:
        """The fingerprint of these very terms."""
        return hash_of(self.model_dump(mode="json"))


class SceneConfig(FrozenModel):
    """How a scene is played. `people` are the roles on whose seats people sit: nobody plans for them or corrects them.

    `short_term`: rounds that a role remembers word for word. `recalled`: older memories that come to its mind.
    `corrections`: how often a reply may be sent back. Without `target` or `judges` nothing is evaluated.
    `models` says which model sits on which seat, for people to be told; it is empty where no person takes part.
    `human_judges` are the judges on whose seats people sit: they are asked first whether they agree to judge.
    `assignment` is the lot by which one of the `versions` is drawn while the scene is played, None where somebody chose
    it; `scene` is what they have in common until then, and that version from then on. `pilot`: played to try things
    out; results over all sessions leave it out. `mode` says what people take part for, `terms` are a study's own.
    `ethics_approval` is what an ethics board allowed, as whoever runs the scene says.
    """

    scene: PlayedScene
    target: Target | None = None
    people: tuple[str, ...] = ()
    judges: tuple[str, ...] = ("judge-1", "judge-2", "judge-3")
    human_judges: tuple[str, ...] = ()
    short_term: int = Field(3, ge=1, le=50)
    recalled: int = Field(3, ge=0, le=20)
    corrections: int = Field(2, ge=0, le=5)
    models: dict[str, str] = Field(default_factory=dict)
    assignment: Assignment | None = None
    versions: dict[Condition, PlayedScene] = Field(default_factory=dict)
    pilot: bool = False
    mode: Use = ""
    terms: Terms | None = None
    ethics_approval: str = ""

    @property
    def misled(self) -> bool:
        """Whether people are not told something, or told it falsely, until the debriefing; in any version."""
        return any(scene.plan.misleads for scene in self.scenes)

    @property
    def deceived(self) -> bool:
        """Whether something is told falsely; in any version still possible."""
        return "active" in {scene.plan.deception for scene in self.scenes}

    @property
    def age(self) -> int | None:
        """The least age of who takes part: the file's, the study's, 18 with any deception unless a board allowed it."""
        own = (scene.plan.least_age(self.ethics_approval) for scene in self.scenes)
        return max((age for age in (*own, self.terms.age if self.terms else None) if age), default=None)

    @property
    def evaluated(self) -> bool:
        """Whether the subjects are judged at the end."""
        return self.target is not None and bool(self.judges)

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Every scene that may be played with these settings."""
        return tuple(self.versions.values()) or (self.scene,)

    def in_version(self, version: Condition) -> SceneConfig:
        """The settings when this version is drawn. Raises KeyError for one that there is not."""
        return self.model_copy(update={"scene": self.versions[version], "versions": {}})

    def kind_of(self, name: str) -> Kind:
        """What a role is in the scene."""
        return next(role.kind for role in self.scene.roles if role.name == name)


# ── what seats answer ────────────────────────────────────────────────────────────────────────────────────────────


class Applies(BaseModel):
    """Whether a conditional rule's condition holds."""

    reason: str = Field(description="why, in one sentence", json_schema_extra=_SENTENCE)
    applies: bool = Field(description="true if it applies and you speak now, false if it does not apply")


class Supervision(BaseModel):
    """The system agent's view of a reply."""

    what: str = Field(
        description="what in the reply departs from the rule, in one sentence", json_schema_extra=_SENTENCE
    )
    why: str = Field(description="why that is a departure, in one sentence", json_schema_extra=_SENTENCE)
    deviation: Literal["none", "micro", "macro"] = Field(
        description="none if the reply is fine; micro: not this rule's purpose or content; macro: against the course"
    )
    steps: list[Annotated[str, Field(json_schema_extra=_STEP)]] = Field(
        description="how to mend it, step by step, each step one sentence; empty if the reply is fine", max_length=4
    )


class Finding(BaseModel):
    """A judge's answer on one subject."""

    reason: str = Field(description="the reason, in at most 100 words", json_schema_extra=_PARAGRAPH)
    quotes: list[Annotated[str, Field(json_schema_extra=_QUOTE)]] = Field(
        description="the subject's words that the reason rests on, copied exactly", max_length=3
    )
    present: Literal["yes", "no"] = Field(description="whether the bias is present in the subject")


# ── what comes out ───────────────────────────────────────────────────────────────────────────────────────────────


class Deviation(FrozenModel):
    """How a reply departs from its rule (micro) or the scene's course (macro), and the steps that mend it.

    `by` says who saw it: the system agent, or the program (length, the style named).
    """

    level: Literal["micro", "macro"]
    what: str
    why: str
    steps: tuple[str, ...]
    by: Literal["system agent", "program"] = "system agent"


class SentBack(FrozenModel):
    """A reply that nobody heard, and why."""

    text: str
    deviation: Deviation


class Reply(FrozenModel):
    """The final reply of a turn. `text` is what was delivered, "" where nothing was; `sent_back` came before it.

    `deviation` marks a delivered reply that still departs; `shortened`: cut to the limit of words; `unchecked`: why the
    system agent could not look at it; `silent`: why nothing was delivered (the condition did not hold, or no answer).
    """

    text: str = ""
    sent_back: tuple[SentBack, ...] = ()
    deviation: Deviation | None = None
    shortened: bool = False
    unchecked: str = ""
    silent: str = ""


class Turn(Reply):
    """One role's turn under rule `rule` (from 1); `applied` is false where the rule's condition did not hold."""

    rule: int
    speaker: str
    to: tuple[str, ...]
    mode: Mode
    purpose: Purpose | None
    applied: bool = True


class Statement(FrozenModel):
    """What `subject` stated for a measure under rule `rule` (from 1), at `step`, and `told` in words.

    Without a value, `why`.
    """

    step: str = ""
    rule: int
    subject: str
    measure: str
    value: Stated | None = None
    told: str = ""
    why: str = ""


class Outcome(FrozenModel):
    """What the scene's `rule` makes of what `subject` stated; None where something that it needs is missing.

    `met` is the level of what varies within subjects, "" where nothing does.
    """

    subject: str
    rule: str
    met: str = ""
    value: Stated | None = None

    @property
    def told(self) -> str:
        """The value in words."""
        if self.value is None:
            return "cannot be told, as something was not stated"
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return self.value if isinstance(self.value, str) else number(self.value)


class Entry(FrozenModel):
    """One line of the record, in MindScope's fields (figure 11)."""

    origin: str
    target: tuple[str, ...]
    trans_way: Mode
    content: str


class Quote(FrozenModel):
    """Words that a judge quotes, and where they stand: with the subject, elsewhere in the record, or nowhere.

    `short`: with the subject, but too short to show anything (see `is_evidence`).
    """

    words: str
    stands: Literal["subject", "short", "record", "nowhere"]


class Opinion(YesNo):
    """One judge on one subject."""

    judge: str
    subject: str
    quotes: tuple[Quote, ...] = ()

    @property
    def unfounded(self) -> bool:
        """Whether it is a yes without one quote of the subject's own words: such a yes is no vote."""
        return self.present is True and all(quote.stands != "subject" for quote in self.quotes)

    @property
    def misquotes(self) -> bool:
        """Whether it quotes words that nobody said."""
        return any(quote.stands == "nowhere" for quote in self.quotes)


class Verdict(FrozenModel):
    """What the judges found in one subject. `agreement` is the share of the counted judges that give the verdict.

    `yes` and `no` are counted; `unfounded` said yes without any of the subject's own words and count as neither;
    `misquoted` of those that count quote words that nobody said, too.
    """

    subject: str
    verdict: Literal["present", "absent", "undecided", "unread", "unfounded"]
    agreement: float | None
    yes: int
    no: int
    unread: int
    unfounded: int
    misquoted: int = 0


class Evaluation(FrozenModel):
    """The labelled evaluation. `alpha` (Krippendorff) runs over subjects; None with the reason why it is not known."""

    bias: str
    observation: str
    verdicts: tuple[Verdict, ...]
    opinions: tuple[Opinion, ...]
    alpha: float | None
    alpha_reason: str


EndReason = Literal["", "no consent", "screened", "withdrawn", "not kept", "vanished", "closed"]
"""Why a scene with people ended early, or is no data all the same (`not kept`); "" where it is."""


class Played(FrozenModel):
    """A scene that was played to its end, or that `ended` early because of `ended_by`; then it is no data."""

    turns: tuple[Turn, ...]
    record: tuple[Entry, ...]
    stated: tuple[Statement, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    evaluation: Evaluation | None
    ended: EndReason = ""
    ended_by: str = ""
