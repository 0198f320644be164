"""A scene of rules (MindScope's RuleGen), as front ends and reports look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

SPEC = ProtocolSpec(
    name="rulegen",
    noun="scene",
    run="elenchus.debate_engine.protocols.rulegen.protocol:rulegen",
    needs=("retriever", "lots"),
    config="elenchus.debate_engine.protocols.rulegen.config:SceneConfig",
    outcome="elenchus.debate_engine.protocols.rulegen.played:Played",
    step_words=(
        (r"^rule/.*/plan$", "thinks what to say"),
        (r"^rule/.*/answer/\d+$", "speaks"),
        (r"^rule/.*/stated$", "states what is asked"),
        (r"^rule/.*/check/\d+$", "compares words with the rule"),
        (r"^rule/.*/reflect$", "thinks about what was said"),
        (r"^rule/.*/memory/", "sums up what it remembers"),
        (r"^rule/.*/applies$", "says whether the rule applies"),
        (r"^unscripted/\d+/answer$", "answers a question that no rule foresees"),
        (r"^evaluation/subject/", "judges whether the bias is there"),
    ),
    turn_kinds=(
        (r"^consent/.*/age$", "age"),
        (r"^consent/.*/keep$", "keep"),
        (r"^consent/", "consent"),
        (r"^unscripted/", "question"),
        (r"^evaluation/.*/again$", "again"),
        (r"^evaluation/", "judge"),
        (r"/applies$", "applies"),
        (r"^rule/", "speak"),
    ),
    decisions=("age", "consent", "keep"),
    turns_end="ended",
    has_speakers=True,
    has_subjects=True,
    dry_run="elenchus.debate_engine.protocols.rulegen.stub:DRY_RUN",
    presentation="elenchus.debate_engine.protocols.rulegen.presentation:PRESENTATION",
)
