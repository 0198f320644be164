"""What a detection or a bench asks of its models, at the most: its part of the dry run (see `dry_run.simulation`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.spec import AGAIN, DryRun
from elenchus.detectors.evaluation.schemas import Sample, UnlabelledConfig
from elenchus.detectors.library import CatalogueLibrary
from elenchus.detectors.schemas import MOST_SUSPECTED, DetectConfig

CLASSES = 4
"""The texts of a detection bench fall into so many classes of like size; each is played with its longest."""


class DryRunLibrary(CatalogueLibrary):
    """The catalogue, finding near a text what no screener names."""

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """Biases that the stub screeners do not name."""
        return tuple(await self.names())[2 * MOST_SUSPECTED :][:most]


class DetectorStub:
    """Anybody in a detection: suspects all that it may, as many different biases as there are screeners' places,
    confirms it, and is never content with a talk.

    What it quotes does not stand in the text; asked once more, a detector quotes from `text` (default: from the line
    of what it is shown that is longest), so that its yes counts.
    """

    def __init__(self, text: str = "") -> None:
        self._filler = SchemaFiller()
        self._text = text

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        if ask.answer_schema is None:
            return self._filler.words(ask.max_tokens // 2)
        value = self._filler.fill(ask.answer_schema)
        match ask.schema_name:
            case "SuspectedBiases":
                names = ask.answer_schema["properties"]["biases"]["items"]["enum"]
                first = MOST_SUSPECTED if ask.seat == "conservative" else 0
                return {"biases": names[first : first + MOST_SUSPECTED]}
            case "Critique":
                return value | {"settled": "no"}
            case "Check" if ask.step.endswith(AGAIN):
                return value | {"quotes": [quotable(self._text or _shown(ask))]}
        return value


def quotable(text: str) -> str:
    """The first words of the longest line of a text, as many as a quote may have at the least."""
    return " ".join(max(text.splitlines(), key=len).split()[:8])[:200]


def _shown(ask: Ask) -> str:
    return next((section.text for section in ask.material if section.title == "The text"), "")


def stub(cfg: BaseModel) -> DetectorStub:
    """For a detection, which quotes the longest of the examined turns, or a bench."""
    if not isinstance(cfg, DetectConfig):
        return DetectorStub()
    return DetectorStub(max((turn.text for turn in cfg.turns if cfg.speaker in ("", turn.speaker)), key=len))


def classes_of(cfg: BaseModel) -> Sequence[tuple[BaseModel, int]]:
    """A bench of many texts as benches of one text each; nothing for any other."""
    if not isinstance(cfg, UnlabelledConfig) or len(cfg.samples) <= CLASSES:
        return ()
    return [(cfg.model_copy(update={"samples": (longest,)}), times) for longest, times in by_size(cfg.samples)]


def by_size(samples: Sequence[Sample]) -> list[tuple[Sample, int]]:
    """`CLASSES` classes of like size: the longest text of each, and how many texts are in it."""
    ranked = sorted(samples, key=lambda sample: estimate_tokens(sample.text))
    ends = [len(ranked) * n // CLASSES for n in range(CLASSES + 1)]
    return [(ranked[end - 1], end - start) for start, end in pairwise(ends)]


DRY_RUN = DryRun(stub=stub, given={"library": DryRunLibrary()}, parts=classes_of)
"""Everything suspected is confirmed, but only when asked once more; of a bench nothing is kept yet."""
