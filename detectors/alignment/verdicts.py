"""What the judge gate found: each of its conditions with figure and bounds, and whether the judge passes."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from pydantic import AwareDatetime

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rldf.schemas import Marking
from elenchus.detectors.alignment.gate.statements import hash_of_shipped

ConditionName = Literal["auc", "slot", "pairs", "repeats", "held_out", "person", "answer", "unknown", "length"]
"""Four of a judge, and five of a reward model."""
OF_A_JUDGE: tuple[ConditionName, ...] = ("auc", "slot", "pairs", "repeats")


class Condition(FrozenModel):
    """One condition. `passed` None: it does not apply, and `why` says so."""

    name: ConditionName
    wanted: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    passed: bool | None
    why: str

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        return {True: "passed", False: "failed", None: "does not apply"}[self.passed]

    def __str__(self) -> str:
        """`AUC: .81 (.76 to .86); wanted: lower bound at least .70: passed`."""
        figure = "none" if self.value is None else f"{self.value:.2f}"
        bounds = "" if self.low is None or self.high is None else f" ({self.low:.2f} to {self.high:.2f})"
        return f"{self.why}: {figure}{bounds}; wanted: {self.wanted}: {self.ended}"


class Verdict(FrozenModel):
    """What the gate says of a judge that scores in this way. `labelled` is the hash of the statements it was shown;
    `unread` of them have no score in one of the two repeats, or in both.
    """

    judge: str
    marking: Marking
    items: int
    topics: int
    unread: int
    labelled: str
    conditions: tuple[Condition, ...]
    version: str
    created: AwareDatetime

    @property
    def own(self) -> bool:
        """Whether the statements were one's own, not those that come along."""
        return self.labelled != hash_of_shipped()

    @property
    def digest(self) -> str:
        """What tells this verdict from any other: each row of an export and the card name it."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def shown(self) -> str:
        """What the judge was shown, in words."""
        own = f" of one's own ({self.labelled}), not those that come with Elenchus," if self.own else ""
        return f"{self.items} labelled statements{own} over {self.topics} topics"

    @property
    def passed(self) -> bool:
        """Whether all four conditions are there and met. Only one statement a call has no slot."""
        return not self.failed

    @property
    def failed(self) -> list[str]:
        """What is not met, in words."""
        unmet = [
            str(of)
            for of in self.conditions
            if not of.passed and (of.passed, of.name, self.marking) != (None, "slot", "one")
        ]
        complete = tuple(of.name for of in self.conditions) == OF_A_JUDGE
        return unmet if complete else [f"these are not the conditions {', '.join(OF_A_JUDGE)}, each once", *unmet]
