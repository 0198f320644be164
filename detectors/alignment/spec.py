"""The sessions of measuring and of the judge gate, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

_BBQ = "elenchus.detectors.alignment.bbq"

BBQ = ProtocolSpec(
    name="rldf-bbq",
    noun="measuring with BBQ",
    run=f"{_BBQ}.asking:bbq",
    needs=("likelihood",),
    config=f"{_BBQ}.asking:BbqConfig",
    outcome=f"{_BBQ}.asking:BbqResult",
    step_words=((r"^item/", "answers a question"),),
    tasks=((r"^item/", "an answer"),),
    dry_run=f"{_BBQ}.presentation:DRY_RUN",
    presentation=f"{_BBQ}.presentation:PRESENTATION",
)
