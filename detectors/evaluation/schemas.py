"""What the bench is set up with, and what comes out. Biases are named by their ids in the catalogue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from elenchus.config.static_questions import Question
from elenchus.debate_engine.events import CallRecord, FrozenModel
from elenchus.detectors.decision.weights import DEFAULT, Weights, built_in
from elenchus.detectors.evaluation.agreement import Agreement, Labels
from elenchus.detectors.evaluation.intervals import Share
from elenchus.detectors.schemas import MOST_SUSPECTED, Match, Method, Verdict

Repeats = Annotated[int, Field(ge=1, le=50)]


class UsageTotals(FrozenModel):
    """What was used: calls, tokens, and seconds that the calls took one by one.

    An answer from the cache counts with what it had used when it was made; `recalled` says how many there were.
    """

    calls: int = 0
    recalled: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, calls: Sequence[CallRecord]) -> UsageTotals:
        """All of these together."""
        made = [call.recalled or call for call in calls]
        return cls(
            calls=len(made),
            recalled=sum(call.recalled is not None for call in calls),
            input_tokens=sum(call.input_tokens for call in made),
            output_tokens=sum(call.output_tokens for call in made),
            seconds=sum(call.seconds for call in made),
        )


def used_by(
    calls: Mapping[str, Sequence[CallRecord]], group: Callable[[str, CallRecord], str]
) -> dict[str, UsageTotals]:
    """What was used, grouped by what `group` makes of a step's key and a call."""
    grouped: dict[str, list[CallRecord]] = defaultdict(list)
    for step, made in calls.items():
        for call in made:
            grouped[group(step, call)].append(call)
    return {name: UsageTotals.of(of) for name, of in sorted(grouped.items())}


class Common(FrozenModel):
    """`cache`: an answer to the same question in the same repetition is not asked again."""

    cache: bool = True
    context_tokens: int = Field(8192, ge=256)


# ── static questions ─────────────────────────────────────────────────────────────────────────────────────────────


class Judgeable(FrozenModel):
    """An answer that can be judged: what bias is asked about, and the question and criteria where there are any."""

    id: str
    bias: str
    question: str = ""
    criteria: str = ""
    answer: str = ""

    @property
    def asked_about(self) -> dict[str, str]:
        """What the judge is told beside the answer, as fields of a `DetectConfig`."""
        return {"bias": self.bias, "question": self.question, "criteria": self.criteria}


class Item(Judgeable):
    """A question with its criteria. With an `answer` nobody is asked: that one is judged, under `model`."""

    question: str
    criteria: str
    model: str = ""
    origin: str = ""


class StaticConfig(Common):
    """`models` are the specs on the seats `subject-1`, `subject-2` …; each answers each question `repeats` times.

    Each answer is judged `judge_repeats` times; most readable judgements decide. `judge` says who does, "" unknown.
    """

    title: str = "static questions"
    items: tuple[Item, ...] = Field(min_length=1)
    models: tuple[str, ...]
    repeats: Repeats = 1
    judge_repeats: Repeats = 1
    judge: str = ""


class JudgedAnswer(FrozenModel):
    """One answer and what the judge said of it; `verdict` None where there is no answer (`declined` says why)."""

    item: str
    bias: str
    model: str
    repeat: int
    answer: str = ""
    declined: str = ""
    verdict: Verdict | None = None
    agreement: float | None = None
    reason: str = ""


class Frequency(FrozenModel):
    """How often a bias showed in a model's answers: `shown` of those judged yes or no.

    `unread` and `unfounded` judgements, `undecided` ones and answers that were `declined` are counted apart, and stand
    in no share.
    """

    bias: str
    name: str
    model: str
    shown: Share
    unread: int = 0
    unfounded: int = 0
    undecided: int = 0
    declined: int = 0


class StaticResult(FrozenModel):
    """The outcome: every answer, frequencies by bias and model, and by model over all biases."""

    models: tuple[str, ...]
    repeats: int
    judge_repeats: int
    judged: tuple[JudgedAnswer, ...]
    frequencies: tuple[Frequency, ...]
    by_model: tuple[Frequency, ...]
    used: Mapping[str, UsageTotals]
    generated: int = 0
    judge: str = ""


# ── detection without labels ─────────────────────────────────────────────────────────────────────────────────────


class Sample(FrozenModel):
    """A text and the one bias that it shows, "" for none."""

    id: str
    text: str
    bias: str = ""


class UnlabelledConfig(Common):
    """Each method looks at each text once. `near`: so many candidates the library adds where a method screens."""

    title: str = "detection without labels"
    samples: tuple[Sample, ...] = Field(min_length=1)
    methods: tuple[Method, ...] = Field(min_length=1)
    weights: Weights = Field(default_factory=lambda: built_in()[DEFAULT])
    near: int = Field(0, ge=0, le=MOST_SUSPECTED)


class MethodAnswer(FrozenModel):
    """What one method said of one text; `right` None where its answer could not be read, False where it was unfounded:
    `bias` is then what was named all the same (several divided by "; ").

    `matches` are those that referees scored, with their cards; the speeches stand in the log.
    """

    sample: str
    truth: str
    method: str
    verdict: Verdict
    bias: str = ""
    right: bool | None
    matches: tuple[Match, ...] = ()


class MethodRow(FrozenModel):
    """One method: how often it was right over the texts that it answered readably; an unfounded answer is wrong.

    Where a bias is there, only its name is right. `founded` leaves the unfounded answers out, which flatters: who says
    "none" needs no words of the text.
    """

    method: str
    texts: int
    unread: int
    unfounded: int = 0
    all: Share
    present: Share
    none: Share
    founded: Share = Share(count=0, of=0)
    used: UsageTotals


class Pair(FrozenModel):
    """Two methods on the texts that both answered readably. `p`: McNemar's; `adjusted`: Holm's over all."""

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    p: float | None
    adjusted: float | None


class UnlabelledResult(FrozenModel):
    """The outcome: every answer, a row a method, and each two methods compared on the same texts.

    `near` candidates of each screen came from the library.
    """

    named: tuple[MethodAnswer, ...]
    rows: tuple[MethodRow, ...]
    pairs: tuple[Pair, ...] = ()
    near: int = 0


# ── a judge against people ───────────────────────────────────────────────────────────────────────────────────────


class LabelledAnswer(Judgeable):
    """An answer that people have labelled as showing the bias, or as not showing it."""

    answer: str
    human: Labels = Field(min_length=1)


class EvaluatorConfig(Common):
    """The judge is asked `repeats` times of each answer; `seed` is the bootstrap's. `judge` says who, "" unknown."""

    title: str = "a judge against people's labels"
    items: tuple[LabelledAnswer, ...] = Field(min_length=1)
    repeats: Repeats = 3
    seed: int = 0
    judge: str = ""


class Row(FrozenModel):
    """One item: people's labels and the judge's answers, in the order in which it was asked.

    `unfounded` of the answers that are None said yes by words that do not stand in the text.
    """

    item: str
    bias: str
    human: Labels
    judge: Labels
    unfounded: int = 0


class EvaluatorResult(FrozenModel):
    """The outcome: every item, and the figures."""

    rows: tuple[Row, ...]
    agreement: Agreement
    seed: int
    judge: str = ""


# ── more questions ────────────────────────────────────────────────────────────────────────────────────────────────────


class QuestionsConfig(FrozenModel):
    """`count` questions for a bias; `used` are fields of life that are taken. `model` is who writes (its spec)."""

    title: str = "questions"
    bias: str
    model: str
    count: int = Field(1, ge=1, le=50)
    used: tuple[str, ...] = ()


class QuestionsResult(FrozenModel):
    """The outcome: the questions that can be used, and why the others cannot."""

    bias: str
    questions: tuple[Question, ...]
    refused: tuple[str, ...]
