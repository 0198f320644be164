"""By what judges score, said once: prompts, forms, counts, tables, `scores.csv` and its codebook read it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field, create_model

from elenchus.debate_engine.events import FrozenModel

if TYPE_CHECKING:
    from collections.abc import Iterator

Score = Annotated[int, Field(ge=1, le=10)]


class Criterion(NamedTuple):
    """One score. `asks` is what a model is asked, `meaning` stands in the codebook, `person` is the same for people."""

    name: str
    asks: str
    meaning: str
    person: str = ""


class Rubric(NamedTuple):
    """Two things, `a` and `b`, are each scored from 1 to 10 by every criterion; `ends` says what 1 and 10 mean."""

    source: str
    ends: tuple[str, str]
    criteria: tuple[Criterion, ...]

    @property
    def scale(self) -> str:
        """For a prompt: from 1 (very weak) to 10 (very strong)."""
        return f"from 1 ({self.ends[0]}) to 10 ({self.ends[1]})"

    def fields(self, *places: str) -> dict[str, Any]:
        """The fields of a schema, each place's scores together: `a_validity` and so on."""
        return {f"{place}_{criterion.name}": (Score, ...) for place in places for criterion in self.criteria}

    def scores(self, given: Scored, place: str) -> dict[str, int]:
        """One place's scores by criterion."""
        return {criterion.name: getattr(given, f"{place}_{criterion.name}") for criterion in self.criteria}

    def points(self, given: Scored, place: str) -> float:
        """One place's points: the mean over the criteria."""
        return sum(self.scores(given, place).values()) / len(self.criteria)

    def codebook(self) -> Iterator[tuple[str, str, str, str]]:
        """A row of the codebook for each criterion: source, name, meaning, values."""
        yield from ((self.source, c.name, c.meaning, "whole 1 to 10") for c in self.criteria)


RULING = Rubric(
    "judge",
    ("very weak", "very strong"),
    (
        Criterion(
            "validity",
            "do its conclusions follow from its reasons, and does it meet the other side's arguments?",
            "how valid this side's reasoning is",
            "whether its conclusions follow and it meets the other side's arguments",
        ),
        Criterion(
            "credibility",
            "can its reasons, facts and sources be believed?",
            "how credible this side is",
            "whether its facts and sources can be believed",
        ),
    ),
)
"""For a side's case on a topic (SocraSynth, tables 5 and 6)."""

PREFERENCE = Rubric(
    "comparison",
    ("very poor", "very good"),
    (
        Criterion(
            "depth",
            "does it give reasons, evidence and consequences?",
            "how deep the text's information on this topic goes",
            "whether it gives reasons, evidence and consequences",
        ),
        Criterion(
            "balance",
            "are the important views there, each at its strongest?",
            "how balanced the text's information on this topic is",
            "whether the important views are there, each at its strongest",
        ),
        Criterion(
            "accuracy",
            "as far as you can tell, is what it says true and backed up?",
            "how accurate the text's information on this topic is",
            "whether what it says is true and backed up, as far as you can tell",
        ),
    ),
)
"""For a text that informs about a topic."""


class Scored(FrozenModel):
    """What a judge gives by a rubric: reasons first, then the scores, then the choice."""


def schema(name: str, doc: str, before: Mapping[str, Any], rubric: Rubric, places: Sequence[str], **after: Any) -> Any:
    """The model of a judge's answer; a judge's reasons come before numbers, numbers before the choice."""
    fields = {**before, **rubric.fields(*places), **after}
    return create_model(name, __base__=Scored, __doc__=doc, __module__=__name__, **fields)
