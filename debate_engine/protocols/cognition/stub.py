"""The dry run: a stub model whose profile is wrong each time, so that everything is asked once more that may be."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.retrieval import WordOverlap

DRY_RUN = DryRun(given={"recall": WordOverlap()})
