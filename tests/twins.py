"""Scenes with a neutral twin, such as people have in folders of their own: `tests/twin_scenes/`.

Twelve scenes of free speech, each beside its twin `NAME-neutral.md`; in one of them, `bicycle`, all lines but the
subject's are fixed. None comes with the program.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from elenchus.debate_engine.scenes.library import load_scenes
from elenchus.debate_engine.scenes.scene import Scene

FOLDER = Path(__file__).with_name("twin_scenes")


def twin_scenes() -> dict[str, Scene]:
    """All by name, treatments and controls."""
    return load_scenes(FOLDER)


def put_into(home: Path, *names: str) -> None:
    """Put scenes with their twins into the scene folder of this `$ELENCHUS_HOME`."""
    folder = home / "scenes"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for file in (f"{name}.md", f"{name}-neutral.md"):
            shutil.copy(FOLDER / file, folder / file)
