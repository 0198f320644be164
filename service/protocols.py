"""What the protocols need of this machine: each is given it when it is first run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.likelihood import NoLikelihood
from elenchus.debate_engine.protocols.registry import BUILT_IN, spec_of
from elenchus.storage.embeddings import recall_of_this_machine

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.likelihood import Likelihood
    from elenchus.debate_engine.protocols.rulegen.assignment import Allocation
    from elenchus.debate_engine.protocols.rulegen.config import Assignment
    from elenchus.debate_engine.retrieval import WordOverlap
    from elenchus.debate_engine.session import Protocol
    from elenchus.detectors.library import Library
    from elenchus.storage.embeddings import RecallByMeaning


class NoAllocation:
    """Where nobody keeps who holds which place."""

    async def draw(self, assignment: Assignment) -> int:
        """Raises UsageError."""
        raise UsageError(f"The version for {assignment.holder} cannot be drawn: nothing here keeps the places.")


class Protocols(Mapping[str, "Protocol"]):
    """Every protocol by name, with what it needs. Without a `library`, detections know what stands in the catalogue;
    without `lots`, nothing can be drawn; without `likelihood`, no answer has one; without `recall`, it is in numpy.
    """

    def __init__(
        self,
        library: Library | None = None,
        lots: Allocation | None = None,
        likelihood: Likelihood | None = None,
        recall: RecallByMeaning | WordOverlap | None = None,
    ) -> None:
        self._library, self._lots, self._likelihood = library, lots, likelihood
        self.recall = recall or recall_of_this_machine()

    def __getitem__(self, name: str) -> Protocol:
        spec = spec_of(name)
        return partial(spec.runs, **{need: self._offered(need) for need in spec.needs})

    def __iter__(self) -> Iterator[str]:
        return iter(BUILT_IN)

    def __len__(self) -> int:
        return len(BUILT_IN)

    def _offered(self, need: str) -> Any:
        match need:
            case "retriever" | "recall":
                return self.recall
            case "library":
                from elenchus.detectors.library import CatalogueLibrary

                return self._library or CatalogueLibrary()
            case "lots":
                return self._lots or NoAllocation()
            case "likelihood":
                return self._likelihood or NoLikelihood()
        raise LookupError(f"no protocol can be given {need!r}: it is library, likelihood, lots, recall or retriever")
