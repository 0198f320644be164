"""A debate of roles, and the writing of topics for such debates, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

_HERE = "elenchus.debate_engine.protocols.rldf"

SPEC = ProtocolSpec(
    name="rldf",
    noun="debate of roles",
    run=f"{_HERE}.protocol:rldf",
    config=f"{_HERE}.schemas:RldfConfig",
    outcome=f"{_HERE}.schemas:Debated",
    step_words=(
        (r"/statement$", "speaks"),
        (r"/scores?$", "scores statements for bias"),
    ),
    tasks=((r"/statement$", "a statement"), (r"/score$", "a score"), (r"/scores$", "scores")),
    has_speakers=True,
    dry_run=f"{_HERE}.presentation:DRY_RUN",
    presentation=f"{_HERE}.presentation:PRESENTATION",
)
TOPICS = ProtocolSpec(
    name="rldf-topics",
    noun="list of topics",
    run=f"{_HERE}.topics:topics",
    seats=("writer",),
    config=f"{_HERE}.topics:TopicsConfig",
    outcome=f"{_HERE}.topics:Topics",
    step_words=((r"^write/\d+$", "writes topics"),),
    tasks=((r"^write/\d+$", "topics"),),
)
