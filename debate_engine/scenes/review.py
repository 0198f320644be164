"""Whether a person has read what a model wrote of a scene: no such scene is played before that.

A scene by a person's own hand (`reviewed` is "") needs no review. What a model wrote or completed is marked
`UNREVIEWED` until somebody accepts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes.faults import Fault, entry
from elenchus.debate_engine.scenes.scene import UNREVIEWED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from elenchus.debate_engine.scenes.scene import Scene


def to_be_reviewed(scene: Scene, written_by: str) -> Scene:
    """The scene as one that the model `written_by` (provider:model) wrote or completed, and that nobody has read."""
    return scene.model_copy(update={"written_by": written_by, "reviewed": UNREVIEWED})


def is_reviewed(scene: Scene) -> bool:
    """Tell whether it may be played: a person wrote it, or has read what a model wrote."""
    return scene.reviewed != UNREVIEWED and not (scene.written_by and not scene.reviewed)


def demand_reviewed(scene: Scene) -> None:
    """Raises UsageError where a model wrote of the scene and no person has accepted it."""
    if not is_reviewed(scene):
        name = f"the scene “{scene.title}”" if scene.title else "this scene"
        version = f" ({scene.condition})" if scene.condition else ""
        raise UsageError(
            f"No person has reviewed {name}{version}, which a model wrote or completed; read it and accept it with "
            "`elenchus scene review FILE`, then play it."
        )


def left_to_review(scene: Scene) -> Iterator[Fault]:
    """That nobody has read it yet, where somebody must."""
    if not is_reviewed(scene):
        yield Fault(
            entry("reviewed"),
            f"{scene.written_by or 'a model'} wrote of it, and no person has reviewed it",
            "read it with `elenchus scene review`, and accept it",
        )


def accepted(scene: Scene, by: str, at: datetime) -> Scene:
    """The scene with who accepted it, and when (to the minute, UTC)."""
    return scene.model_copy(update={"reviewed": f"by {' '.join(by.split())} on {at:%Y-%m-%d %H:%M} UTC"})
