"""What judges are asked for, and the finished judgements.

Field order is the order in which a model writes: reasons come before numbers, numbers before the verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.protocols.judging.marks import First, Letter, Mark, Pick, UnreadableCell
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE, RULING, Score, Scored, schema
from elenchus.debate_engine.protocols.judging.tally import Tally, Verdict
from elenchus.debate_engine.protocols.speech import Side

Rationale = Annotated[str, Field(min_length=1, json_schema_extra=at_most(200, characters=600))]
"""Reasons in a few sentences; the bounds are wider than what the prompts ask for."""

LETTER: dict[Side, Letter] = {"pro": "A", "con": "B"}
"""Under which letter a judge knows a side."""

NO_REASONS = "(A small model: it was asked for points and a choice, and for no reasons.)"
"""What stands where a judge's reasons would."""

LENGTH_WARNING = "Judges tend to prefer the longer text: read the preference beside the words of each."


if TYPE_CHECKING:

    class Ruling(Scored):
        """A judge's ruling on one topic: reasons, the rubric's scores of side A and side B, the winner."""

        rationale: str
        winner: Pick

    class Preference(Scored):
        """Which of two texts informs better about one topic: reasons, the rubric's scores of both, the choice."""

        rationale: str
        preferred: Literal["first", "second", "tie"]

else:
    _REASONS = {"rationale": (Rationale, ...)}
    Ruling = schema("Ruling", "A judge's ruling on one topic.", _REASONS, RULING, ("a", "b"), winner=(Pick, ...))
    Preference = schema(
        "Preference", "Which of two texts informs better about one topic.", _REASONS, PREFERENCE, ("first", "second"),
        preferred=(Literal["first", "second", "tie"], ...),
    )  # fmt: skip


class PlainRuling(FrozenModel):
    """A small judge's ruling on one topic: it sees a first and a second speaker, and gives no reasons."""

    first: Score
    second: Score
    better: Literal["first", "second", "neither"]

    def ruling(self, claimant: Letter) -> Ruling:
        """The same by letters, the claimant having come first; its points count by every criterion."""
        points = {claimant: self.first, other_letter(claimant): self.second}
        names: dict[str, Pick] = {"first": claimant, "second": other_letter(claimant), "neither": "tie"}
        scores = {f"{letter.lower()}_{c.name}": points[letter] for letter in points for c in RULING.criteria}
        return Ruling.model_validate({"rationale": NO_REASONS, **scores, "winner": names[self.better]})


def other_letter(letter: Letter) -> Letter:
    """The other side's."""
    return "B" if letter == "A" else "A"


class Cell(FrozenModel):
    """One judge on one topic (from 1) with one side claiming: a ruling, or the reason why there is none."""

    judge: str
    claimant: First
    topic: int
    ruling: Ruling | None = None
    declined: str = ""

    def counted(self) -> Mark | UnreadableCell:
        """The cell for the tally. A side's points are the mean of its scores."""
        if (r := self.ruling) is None:
            return UnreadableCell(judge=self.judge, first=self.claimant, topic=self.topic, reason=self.declined)
        return Mark(
            judge=self.judge,
            first=self.claimant,
            topic=self.topic,
            a=RULING.points(r, "a"),
            b=RULING.points(r, "b"),
            winner=r.winner,
        )


class Judgement(Tally):
    """The judges' verdict on a debate. Side A is pro, side B is con; `first` in the tally is the side that claims."""

    topics: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def winning_side(self) -> Literal["pro", "con", "tie", "undecided"]:
        """The winner by its own name."""
        return side_of(self.winner)


class PreferenceCell(FrozenModel):
    """One judge on one topic (from 1) with one order of the texts: a preference, or the reason why there is none."""

    judge: str
    debate_first: bool
    topic: int
    preference: Preference | None = None
    declined: str = ""

    def counted(self) -> Mark | UnreadableCell:
        """The cell for the tally, A the debate and B the plain answer; a text's points are the mean of its scores."""
        first: First = "A" if self.debate_first else "B"
        if (p := self.preference) is None:
            return UnreadableCell(judge=self.judge, first=first, topic=self.topic, reason=self.declined)
        one, two = PREFERENCE.points(p, "first"), PREFERENCE.points(p, "second")
        by_place: dict[str, Pick] = {"first": first, "second": other_letter(first), "tie": "tie"}
        return Mark(
            judge=self.judge,
            first=first,
            topic=self.topic,
            a=one if self.debate_first else two,
            b=two if self.debate_first else one,
            winner=by_place[p.preferred],
        )


class Comparison(Tally):
    """A debate (A) against a plain answer (B) to the same agenda; `first` in the tally is the text shown first.

    `debate_words` and `plain_words` are words by topic. `no_answer` says why there is no plain answer.
    """

    topics: tuple[str, ...]
    cells: tuple[PreferenceCell, ...]
    answer: str
    no_answer: str = ""
    debate_words: tuple[int, ...]
    plain_words: tuple[int, ...]
    length_warning: str = LENGTH_WARNING

    @property
    def better(self) -> Literal["debate", "plain answer", "tie", "undecided"]:
        """The winner by its own name."""
        match self.winner:
            case "A":
                return "debate"
            case "B":
                return "plain answer"
            case "tie" | "undecided" as same:
                return same


def side_of(verdict: Verdict) -> Literal["pro", "con", "tie", "undecided"]:
    """A verdict with the sides' own names."""
    match verdict:
        case "A":
            return "pro"
        case "B":
            return "con"
        case "tie" | "undecided" as same:
            return same
