"""Writing a scene on a bias, as front ends look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

SPEC = ProtocolSpec(
    name="scene-writing",
    run="elenchus.debate_engine.protocols.scene_writing.protocol:write_scene",
    config="elenchus.debate_engine.protocols.scene_writing.schemas:WritingConfig",
    outcome="elenchus.debate_engine.protocols.scene_writing.schemas:WrittenScene",
    step_words=(
        (r"^(situation|cast|rules|debrief)$", "writes the scene"),
        (r"^mend$", "mends the scene"),
        (r"^(twin/)?lines$", "writes what is said"),
        (r"^twin$", "writes the neutral twin"),
    ),
)
