"""What comes out of a scene (`Played`): turns, what was stated, the record, and what judges found."""

from __future__ import annotations

from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.yes_no import YesNo
from elenchus.debate_engine.scenes.measures import Stated, number
from elenchus.debate_engine.scenes.scene import Mode, Purpose


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
