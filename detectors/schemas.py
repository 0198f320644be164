"""What a detection is asked (`DetectConfig`), and what comes of it (`Detection`). Agents' answers: `replies`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, model_validator

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.loser_tree.protocol import Meeting
from elenchus.debate_engine.protocols.yes_no import YesNo
from elenchus.detectors.decision.weights import DEFAULT, Weights, built_in

Method = Literal["full", "tree", "candidates", "zero-shot", "cot", "dialogue", "group"]
TREE_METHODS: tuple[Method, ...] = ("full", "tree")
SCREENED_METHODS: tuple[Method, ...] = (*TREE_METHODS, "candidates")
Verdict = Literal["found", "none", "undecided", "unread", "unfounded"]
"""A bias was found (or: the given one is there), none was, the repeats do not agree, too little could be read, or the
bias is claimed by words that stand nowhere in the text (an unfounded yes is no yes)."""

MOST_SUSPECTED = 8
"""So many biases a screener may name, and the library may add."""

# ── what is asked ────────────────────────────────────────────────────────────────────────────────────────────────


class Turn(FrozenModel):
    """A part of the text: all of it, or what one speaker of a session said in one turn (`number` from 1).

    `by` is the person whose text it is, as in events; nobody is shown it, and who is forgotten takes the text along.
    """

    number: int = 1
    speaker: str = ""
    about: str = ""
    text: str
    by: str = ""


class DetectConfig(FrozenModel):
    """The settings of one detection. Biases are named by their ids in the catalogue.

    `source`: the session whose turns these are, if any; whoever starts the detection puts it into its first event,
    so that who is forgotten there is forgotten here. `speaker`: only what this one says is examined. `labels`: the
    candidates, where they are given and nobody screens. `near`: so many candidates the library adds to the
    screeners'. `bias`: the one that is asked about (labelled detection: `question` and `criteria` may say what the
    text answers and by what it is judged; `repeats` asks so often). `context_tokens`: of the model that reads
    least.
    """

    title: str = "the text"
    turns: tuple[Turn, ...]
    source: str = ""
    speaker: str = ""
    method: Method = "full"
    weights: Weights = Field(default_factory=lambda: built_in()[DEFAULT])
    labels: tuple[str, ...] = ()
    near: int = Field(0, ge=0, le=MOST_SUSPECTED)
    top: int = Field(1, ge=1)
    bias: str = ""
    question: str = ""
    criteria: str = ""
    repeats: int = Field(1, ge=1, le=50)
    context_tokens: int = Field(8192, ge=256)

    @model_validator(mode="after")
    def _there_is_something_to_examine(self) -> Self:
        if not any(turn.text.strip() for turn in self.turns if self.speaker in ("", turn.speaker)):
            raise ValueError("there are no words to examine")
        if len(set(self.labels)) < len(self.labels):
            raise ValueError("a label is given twice")
        return self


# ── what comes of it ─────────────────────────────────────────────────────────────────────────────────────────────


class Quote(FrozenModel):
    """Words that an agent quotes. `found`: they stand in the examined text, then in turn `turn`, by `speaker`.

    `short`: they are found, but too short to show anything (see `is_evidence`). `spans` are their places in the
    examined text (characters; empty where only a loose comparison finds them).
    """

    words: str
    found: bool
    short: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    turn: int | None = None
    speaker: str = ""


def rests_on(quotes: Iterable[Quote]) -> bool:
    """Whether one of the quotes stands in the examined text, and is long enough to show something."""
    return any(quote.found and not quote.short for quote in quotes)


class Answer(YesNo):
    """A detector's yes or no."""

    quotes: tuple[Quote, ...] = ()

    @property
    def unfounded(self) -> bool:
        """Whether it is a yes without one quote that stands in the text."""
        return self.present is True and not rests_on(self.quotes)


class Candidate(Answer):
    """A suspected bias: its place in each list (from 1; None: not in it), and what its detector says.

    `present` is None also where it was not asked.
    """

    bias: str
    name: str
    aggressive: int | None = None
    conservative: int | None = None
    library: int | None = None


class Speech(FrozenModel):
    """What one side of a debate said in one stage. `shortened`: it was longer than it may be, and its end was cut.

    `missing_quotes` stand neither in the text nor in the side's material nor in what the rival said.
    """

    bias: str
    stage: str
    text: str
    missing_quotes: tuple[str, ...] = ()
    shortened: bool = False
    declined: str = ""


class Card(FrozenModel):
    """One call of a referee: the six scores of `side`, with the side of `shown_first` shown first. None: unreadable."""

    referee: str
    side: str
    shown_first: str
    scores: dict[str, int] | None
    remark: str = ""
    unread: str = ""


class Ballot(FrozenModel):
    """One call of the rational referee of `tree`: the bias named, None where it could not be read."""

    shown_first: str
    winner: str | None
    reason: str = ""
    unread: str = ""


class Match(Meeting):
    """A meeting with its debate and how it was judged.

    `scores` and `totals` are by side, in the order first, second: means over the readable cards, and their weighted
    sums (None where a side has none). `flipped`: the two orders of showing gave different winners; None where that
    cannot be told.
    """

    speeches: tuple[Speech, ...]
    cards: tuple[Card, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    scores: tuple[dict[str, float] | None, dict[str, float] | None] = (None, None)
    totals: tuple[float | None, float | None] = (None, None)
    flipped: bool | None = None


class Decision(FrozenModel):
    """How winners were told: `rule` in words, and the weights where there are any.

    `flips` of `pairs` matches that could be read in both orders changed their winner with the order.
    """

    rule: str
    weights: Weights | None = None
    flips: int = 0
    pairs: int = 0


class Ranked(FrozenModel):
    """A bias and its place, from 1."""

    place: int
    bias: str
    name: str


class Remark(FrozenModel):
    """What one agent of a baseline said or thought."""

    agent: str
    text: str


class Detection(FrozenModel):
    """The outcome. `bias` is the id of the first in `ranking`, or the given one of a labelled detection.

    `answers` and `agreement` (the share of counted answers that say the same as most) belong to labelled detection,
    `talk` and `why` to the baselines. `left_out` counts the words that the model's context had no room for; `notes`
    say what a reader should know.
    """

    verdict: Verdict
    bias: str | None
    name: str = ""
    method: str
    ranking: tuple[Ranked, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    matches: tuple[Match, ...] = ()
    decision: Decision | None = None
    answers: tuple[Answer, ...] = ()
    agreement: float | None = None
    talk: tuple[Remark, ...] = ()
    why: str = ""
    quotes: tuple[Quote, ...] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """The candidates' names by their ids."""
        return {candidate.bias: candidate.name for candidate in self.candidates}

    @property
    def verdict_quotes(self) -> tuple[Quote, ...]:
        """The quotes behind the verdict, each once: its own, or those of the answers to one given bias."""
        return tuple(dict.fromkeys([*self.quotes, *(quote for answer in self.answers for quote in answer.quotes)]))

    @property
    def evidence(self) -> tuple[Quote, ...]:
        """The quotes that a found bias rests on and that stand in the text."""
        return tuple(quote for quote in self.verdict_quotes if quote.found) if self.verdict == "found" else ()

    @property
    def unfound_quotes(self) -> tuple[str, ...]:
        """What agents quoted, outside of debates, that does not stand in the text; each once."""
        said = [self.quotes, *(answer.quotes for answer in (*self.candidates, *self.answers))]
        return tuple(dict.fromkeys(quote.words for quotes in said for quote in quotes if not quote.found))
