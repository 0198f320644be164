"""Completing a scene from a script, as front ends look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

SPEC = ProtocolSpec(
    name="scene-reading",
    run="elenchus.debate_engine.protocols.scene_reading.protocol:complete_scene",
    config="elenchus.debate_engine.protocols.scene_reading.protocol:ReadingConfig",
    outcome="elenchus.debate_engine.protocols.scene_reading.protocol:CompletedScene",
    step_words=(
        (r"^rule/\d+/parties$", "decides who speaks to whom"),
        (r"^rule/\d+/message$", "writes the words of a message"),
    ),
)
