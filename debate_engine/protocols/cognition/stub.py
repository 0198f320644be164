"""The dry run: a stub model whose profile is wrong each time, and of whose statements the first says “it”, so that
everything is asked once more that is sent back; and memories that are all alike: nothing has to be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.retrieval import RankedText


class AllAlike:
    """Recall that finds the first texts, each saying the same as what was looked for. See `Recall`."""

    name = "nothing"

    async def likest(self, queries: Sequence[str], texts: Sequence[str], most: int) -> list[list[RankedText]]:
        """In a time that does not depend on the texts."""
        return [[RankedText(place, 1.0) for place in range(min(most, len(texts)))] for _ in queries]


def stub(_: Any) -> Stub:
    """Of a mind, or a run, with whatever settings."""
    fill = filling()

    def answer(ask: Ask) -> Any:
        filled = fill(ask)
        if isinstance(filled, dict) and "knowledge" in filled:
            filled["knowledge"][0]["subject"] = "It"
        return filled

    return answer


DRY_RUN = DryRun(stub=stub, given={"recall": AllAlike()})
