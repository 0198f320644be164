"""Writing a scene on a bias, and completing one from a script, as front ends look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

_STEP_WORDS = (
    (r"^(situation|cast|rules|debrief)$", "writes the scene"),
    (r"^mend$", "mends the scene"),
    (r"^twin$", "writes the neutral twin"),
)

WRITING = ProtocolSpec(
    name="scene-writing",
    run="elenchus.debate_engine.protocols.scene_writing.protocol:write_scene",
    config="elenchus.debate_engine.protocols.scene_writing.schemas:WritingConfig",
    step_words=_STEP_WORDS,
)
READING = ProtocolSpec(
    name="scene-reading",
    run="elenchus.debate_engine.protocols.scene_writing.reading:complete_scene",
    step_words=_STEP_WORDS,
)
