"""A persona with a mind, as front ends and reports look it up: a whole run, and one that lives on (`MIND`)."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

STEP_WORDS = (
    (r"(^|/)refine$", "thinks about what it has read"),
    (r"(^|/)distil$", "notes down what it has learned"),
    (r"(^|/)reflect/\d+$", "thinks about its last answer"),
    (r"(^|/)answer/\d+$", "rates an opinion"),
    (r"^create$", "describes who it is"),
    (r"^person$", "says whether it is of a real person"),
    (r"^talk/\d+/answer$", "answers"),
)
_HERE = "elenchus.debate_engine.protocols.cognition"

COGNITION = ProtocolSpec(
    name="cognition",
    run=f"{_HERE}.protocol:cognition",
    seats=("persona",),
    needs=("recall",),
    config=f"{_HERE}.config:CognitionConfig",
    outcome=f"{_HERE}.schemas:CognitionResult",
    step_words=STEP_WORDS,
    dry_run=f"{_HERE}.stub:DRY_RUN",
)

MIND = ProtocolSpec(
    name="mind",
    run=f"{_HERE}.mind_protocol:mind",
    seats=("persona",),
    needs=("recall",),
    config=f"{_HERE}.config:MindConfig",
    step_words=STEP_WORDS,
    drafts=r"^talk/\d+/answer$",
    dry_run=f"{_HERE}.stub:DRY_RUN",
    presentation=f"{_HERE}.presentation:PRESENTATION",
)
