"""Scenes with a neutral twin, such as people have in folders of their own: `tests/twin_scenes/`.

Twelve scenes of free speech, each beside its twin `NAME-neutral.md`; in one of them, `bicycle`, all lines but the
subject's are fixed. None comes with the program.
"""

from __future__ import annotations

from pathlib import Path

from elenchus.debate_engine.scenes.library import load_scenes
from elenchus.debate_engine.scenes.scene import Scene

FOLDER = Path(__file__).with_name("twin_scenes")
SEEDS, GREENHOUSE, ROOM, LUNCH, BICYCLE = (
    str(FOLDER / f"{name}.md") for name in ("seeds", "greenhouse", "room", "lunch", "bicycle")
)
"""Files, as they are given to `elenchus scene run`; the twins lie beside them."""


def twin_scenes() -> dict[str, Scene]:
    """All by name, treatments and controls."""
    return load_scenes(FOLDER)
