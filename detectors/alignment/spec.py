"""The sessions of measuring and of the judge gate, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rldf.schemas import REFEREE
from elenchus.debate_engine.protocols.spec import ProtocolSpec

_GATE = "elenchus.detectors.alignment.gate"
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
GATE = ProtocolSpec(
    name="rldf-gate",
    noun="judge gate",
    run=f"{_GATE}.asking:gate",
    seats=(REFEREE,),
    config=f"{_GATE}.asking:GateConfig",
    outcome=f"{_GATE}.asking:GateResult",
    step_words=((r"^repeat/", "scores statements for bias"),),
    tasks=((r"^repeat/", "a score"),),
    presentation=f"{_GATE}.presentation:PRESENTATION",
)
