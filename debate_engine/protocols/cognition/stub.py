"""The dry run: a stub model whose profile is wrong each time, so that everything is asked once more that may be, and
memories that are all alike, as what it notes is: nothing has to be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.retrieval import RankedText


class AllAlike:
    """Recall that finds the first texts, each saying the same as what was looked for. See `Recall`."""

    name = "nothing"

    async def likest(self, queries: Sequence[str], texts: Sequence[str], most: int) -> list[list[RankedText]]:
        """In a time that does not depend on the texts."""
        return [[RankedText(place, 1.0) for place in range(min(most, len(texts)))] for _ in queries]


DRY_RUN = DryRun(given={"recall": AllAlike()})
