"""CRIT as a protocol of its own: a document's claim weighed by its reasons and rival reasons."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

STEP_WORDS = (
    (r"/reasons/(pro|con)/[^/]+$", "lists the reasons of a speech"),
    (r"/validate/.*score$|/score$", "weighs a reason"),
    (r"/analysis$", "explains the score"),
    (r"/claim(/|$)", "looks for the claim"),
    (r"/unsaid(/|$)", "looks for what is left unsaid"),
    (r"/match/.*source$", "looks for the source of a reason"),
    (r"/credibility$", "weighs a source"),
    (r"/(reasons|rivals)(/|$)", "looks for reasons"),
)
"""Also of a debate's steps under `crit/`."""

SPEC = ProtocolSpec(
    name="crit",
    run="elenchus.debate_engine.protocols.crit.document:crit_document",
    outcome="elenchus.debate_engine.protocols.crit.document:DocumentResult",
    scoring_seats=("crit",),
    step_words=STEP_WORDS,
    dry_run="elenchus.debate_engine.protocols.crit.stub:DRY_RUN",
    presentation="elenchus.debate_engine.protocols.crit.presentation:PRESENTATION",
)
