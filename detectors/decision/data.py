"""Debates whose right side is known, as JSON lines: what the weights of the decision are learnt from.

One line a debate: which two biases, whose side is right (`right`), and the referees' sheets, one a card. Where it is
from stands in it (`origin`): `recorded` from a detection of ours, `imported` from elsewhere, or `simulated`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from elenchus.config.documents import read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.config.validation import fault_told
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.decision.weights import CRITERIA

Side = Literal["first", "second"]
Origin = Literal["recorded", "imported", "simulated"]
ORIGINS: tuple[Origin, ...] = ("recorded", "imported", "simulated")
Score = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False, strict=True)]

LARGEST = 200_000_000
"""Bytes of a file."""


class ScoreSheet(FrozenModel):
    """One card of a referee: its six scores of one side (0–10, by CRITERIA), None where they could not be read.

    `shown_first`: the side that this referee had before the other, None where that is not known.
    """

    referee: str
    side: Side
    shown_first: Side | None = None
    scores: dict[str, Score] | None

    @field_validator("scores")
    @classmethod
    def _all_six(cls, scores: dict[str, float] | None) -> dict[str, float] | None:
        if scores is not None and scores.keys() != set(CRITERIA):
            raise ValueError(f"scores must be null or have exactly {', '.join(CRITERIA)}")
        return scores


class Debate(FrozenModel):
    """A debate between two biases, `right` being the side whose bias the text really shows.

    Debates of one `group` (those about one text) belong together: no split may part them. `first` is the bias that was
    named earlier, which goes on where nobody can decide.
    """

    first: str
    second: str
    right: Side
    origin: Origin
    sheets: tuple[ScoreSheet, ...] = Field(min_length=1)
    group: str = ""

    @model_validator(mode="after")
    def _of_two(self) -> Self:
        if self.first == self.second:
            raise ValueError("a debate is between two biases, and first and second are the same one")
        return self

    def cards_of(self, side: Side) -> list[dict[str, float]]:
        """The readable scores of a side."""
        return [sheet.scores for sheet in self.sheets if sheet.side == side and sheet.scores is not None]


def read_debates(path: Path) -> tuple[Debate, ...]:
    """The debates of a file. Raises ValueError naming the line and the field that cannot be used."""
    lines = read_text(path, LARGEST, "file of debates").split("\n")
    debates = tuple(_read(line, path, n) for n, line in enumerate(lines, 1) if line.strip())
    if not debates:
        raise ValueError(f"{path} holds no debates: one JSON object a line is wanted")
    return debates


def _read(line: str, path: Path, number: int) -> Debate:
    value, place = json_in(line, f"The file of debates {path}", number), f"{path}, line {number}"
    if not isinstance(value, dict):
        raise ValueError(f"{place}: not a JSON object")  # noqa: TRY004 - what is wrong is the file
    try:
        return Debate.model_validate(value | {"sheets": tuple(value.get("sheets") or ())})
    except (ValidationError, TypeError) as error:
        raise ValueError(f"{place}: {_first(error)}") from error


def _first(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "sheets: a list of the referees' sheets is wanted"
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{' → '.join(str(part) for part in first['loc']) or 'the line'}: {fault_told(first)}"


def write_debates(path: Path, debates: Iterable[Debate]) -> None:
    """Write a file that `read_debates` reads. Raises OSError."""
    path.write_text("".join(f"{debate.model_dump_json()}\n" for debate in debates), encoding="utf-8")


def origin_in_words(debates: Sequence[Debate]) -> str:
    """Where the debates are from, in words: `683 simulated debates`, `20 recorded and 3 imported debates`."""
    counts = Counter(debate.origin for debate in debates)
    return " and ".join(f"{counts[origin]} {origin}" for origin in ORIGINS if counts[origin]) + " debates"
