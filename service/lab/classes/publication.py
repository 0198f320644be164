"""What a class is shown of what came out, made once and never anew: no number of it rests on fewer than five people.

Whoever has two publications could tell somebody from their difference. So there is one: it stays as it is when somebody
takes back later what they said (it holds counts alone), and whatever is left out, is left out of its sums too.
"""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events import FrozenModel

LEAST = 5
"""People on whom every number rests."""

Of = Literal["people", "robots"]


class Bar(FrozenModel):
    """So many `n` answers from `low` up to but not including `high`; None where it is open. `label` says it in words.

    `told` is how many, in words; it is all there is where a count under five could be told from the number.
    """

    label: str
    told: str
    low: float | None = None
    high: float | None = None
    n: int | None = None


class Group(FrozenModel):
    """People who met one of `cells`, `n` of them; `name` is what these have in common, "" where it is everybody.

    Of numbers `mean` and `median`, `bars` in any case; of yes or no `share`. `why` says why more is not told.
    """

    name: str
    cells: tuple[str, ...]
    n: int
    mean: float | None = None
    median: float | None = None
    share: float | None = None
    bars: tuple[Bar, ...] = ()
    why: str = ""


class Effect(FrozenModel):
    """How two sides of one of the file's contrasts differ: in `sentences`, and as numbers with a 95 % interval.

    `difference` is in the outcome's unit, of shares from −1 to 1. `rough`: where fewer than five said yes, or no, it is
    told between what it can be, and the interval covers all of that. `why` says why nothing is told.
    """

    compare: str
    sentences: tuple[str, ...] = ()
    n: tuple[int, ...] = ()
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    size: str = ""
    rough: bool = False
    why: str = ""


class PublishedSize(FrozenModel):
    """What the literature found, and `ours` in the same metric where the same was compared; `same` says what it shares
    with this scene: its very task, or its paradigm.
    """

    citation: str
    doi: str
    same: Literal["task", "paradigm", "name"]
    arms: str
    told: str
    replication: bool = False
    ours: str = ""


class ModelRow(FrozenModel):
    """Runs of the same scene by a model, a script or robots, those of which something came out; `kind` is the label
    under which it is shown.
    """

    subject: str
    kind: Literal["language model", "small model, weak", "script, simulated", "answering robots"]
    version: str
    runs: int
    told: str


class Publication(FrozenModel):
    """What came out. `of` robots is a rehearsal: nobody has said any of it. `outcome` is the rule that tells it, in
    `unit`; `bias` what was studied.

    `analysed` are those whose answers were kept and count; `why` says why nothing is told. `met` are the cells that
    each version meets, by level.
    """

    of: Of = "people"
    at: AwareDatetime
    title: str
    bias: str = ""
    outcome: str = ""
    unit: str = ""
    analysed: int = 0
    groups: tuple[Group, ...] = ()
    effects: tuple[Effect, ...] = ()
    literature: tuple[PublishedSize, ...] = ()
    models: tuple[ModelRow, ...] = ()
    robots: tuple[ModelRow, ...] = ()
    questions: tuple[str, ...] = ()
    met: dict[str, tuple[tuple[str, str], ...]] = Field(default_factory=dict)
    why: str = ""

    def group_of(self, cell: str) -> Group | None:
        """The group in which those of a cell are shown, None where they are not."""
        return next((group for group in self.groups if cell in group.cells), None)


class OwnAnswer(FrozenModel):
    """What came out of one's own answers in one cell, in the group called `group`, on its bar number `bar` (from 0).

    `told` says it in words, `number` is it where it is one.
    """

    cell: str
    told: str
    number: float | None = None
    group: str
    bar: int | None = None


class OwnPlace(FrozenModel):
    """One's own place in what came out; for oneself alone, and made of what everybody sees and one's own answer."""

    version: str
    answers: tuple[OwnAnswer, ...] = ()


def own_place(shown: Publication, version: str, outcome: dict[str, object], unit: str = "") -> OwnPlace | None:
    """Where somebody of this version stands whose outcomes are these, by level; None where there is nothing to place.

    Pure.
    """
    met = shown.met.get(version, ())
    found = [
        OwnAnswer(
            cell=cell,
            told=_told(outcome[level], unit),
            number=_number(outcome[level]),
            group=group.name if group else "",
            bar=_bar(group, outcome[level]) if group else None,
        )
        for level, cell in met
        if outcome.get(level) is not None
        for group in (shown.group_of(cell),)
    ]
    return OwnPlace(version=version, answers=tuple(found)) if found else None


def _told(value: object, unit: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.12g}{f' {unit}' if unit else ''}" if isinstance(value, int | float) else str(value)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _bar(group: Group, value: object) -> int | None:
    for number, bar in enumerate(group.bars):
        if isinstance(value, bool):
            if bar.label == _told(value, ""):
                return number
        elif isinstance(value, int | float) and _within(bar, value):
            return number
    return None


def _within(bar: Bar, value: float) -> bool:
    return (bar.low is None or value >= bar.low) and (bar.high is None or value < bar.high)
