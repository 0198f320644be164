"""The sweep over heats, as front ends and reports look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.socrasynth.spec import AGENDA_WORDS
from elenchus.debate_engine.protocols.spec import ProtocolSpec

SPEC = ProtocolSpec(
    name="sweep",
    run="elenchus.debate_engine.protocols.sweep.protocol:sweep",
    config="elenchus.debate_engine.protocols.sweep.schemas:SweepConfig",
    outcome="elenchus.debate_engine.protocols.sweep.schemas:Sweep",
    step_words=(
        *AGENDA_WORDS,
        (r"heat/[\d.]+/(pro|con)/\d+/speech$", "speaks"),
        (r"heat/[\d.]+/.*/(read|support)$", "reads a speech"),
    ),
    drafts=r"heat/[\d.]+/(?:pro|con)/\d+/speech$",
    scoring_seats=("crit",),
    dry_run="elenchus.debate_engine.protocols.sweep.stub:DRY_RUN",
    presentation="elenchus.debate_engine.protocols.sweep.presentation:PRESENTATION",
)
