"""The debate of SocraSynth, as front ends and reports look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.crit import spec as crit
from elenchus.debate_engine.protocols.spec import ProtocolSpec

_SAMPLE = r"(/topic/\d+/sample/\d+)?"
"""What follows in the key where a small model makes several samples of a text on one topic."""

AGENDA_WORDS = (
    (r"^agenda/propose/", "proposes topics"),
    (r"^agenda/refine/", "refines the topics"),
    (r"^agenda/merge$", "merges both lists"),
    (r"^agenda/review$", "reviews the agenda"),
    (r"^agenda/approve$", "approves the agenda"),
    (r"^agenda/concerns/", "names concerns"),
)
"""Also of a sweep, which makes its agenda as a debate does."""

SPEC = ProtocolSpec(
    name="socrasynth",
    noun="debate",
    run="elenchus.debate_engine.protocols.socrasynth.protocol:socrasynth",
    config="elenchus.debate_engine.protocols.socrasynth.schemas:DebateConfig",
    outcome="elenchus.debate_engine.protocols.socrasynth.schemas:Debate",
    step_words=(
        *AGENDA_WORDS,
        (r"^claim$", "puts the motion as a claim"),
        (r"^answer/(pro|con)$", "answers the question"),
        (rf"^opening/(pro|con){_SAMPLE}$", "opens"),
        (rf"^round/\d+/(pro|con){_SAMPLE}$", "refutes"),
        (rf"^closing/(pro|con){_SAMPLE}$", "closes"),
        (r"^round/\d+/done/", "says whether there is more to say"),
        (r"-claims/topic/\d+$", "rules on a topic"),
        (rf"^conciliation/draft{_SAMPLE}$", "drafts the joint text"),
        (r"^conciliation/review/", "signs or amends the joint text"),
        (r"plain-answer$", "answers without a debate"),
        (r"-first/topic/\d+$", "compares debate and plain answer"),
        *crit.STEP_WORDS,
    ),
    tasks=(
        (r"^opening/", "the opening speech"),
        (r"^closing/", "the closing speech"),
        (r"/done/", "whether there is more to say"),
        (r"^agenda/approve", "the agenda's approval"),
        (r"^agenda/", "the agenda"),
        (r"-claims/topic/", "a ruling on one topic"),
        (r"-first/topic/", "a comparison on one topic"),
        (r"^conciliation/", "the joint proposal"),
        (r"^answer/", "an answer to the question"),
        (r"^round/", "a refutation"),
    ),
    commands=("cooler", "hotter", "guide", "ask", "deepen", "round", "close"),
    drafts=r"^(?:opening|closing|round/\d+)/(?:pro|con)(?:/topic/\d+/sample/1)?$",
    scoring_seats=("crit",),
    has_speakers=True,
    dry_run="elenchus.debate_engine.protocols.socrasynth.stub:DRY_RUN",
    presentation="elenchus.debate_engine.protocols.socrasynth.presentation:PRESENTATION",
)
