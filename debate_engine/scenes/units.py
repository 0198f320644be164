"""In what unit a scene's outcome is given. Pure."""

from __future__ import annotations

from elenchus.debate_engine.scenes.measures import Number
from elenchus.debate_engine.scenes.outcome import UnreadableRule, unit_in
from elenchus.debate_engine.scenes.scene import Scene


def unit_of(scene: Scene) -> str:
    """The unit of the numbers in the scene's rule; "" where it has none, or several."""
    measures = (*scene.measures, *(one for block in scene.trials for one in block.measures))
    units = {one.name: one.unit for one in measures if isinstance(one, Number)}
    units |= {f"{one.name}_mean": one.answer.unit for one in scene.trials if isinstance(one.answer, Number)}
    try:
        return unit_in(scene.outcome, units) if scene.outcome else ""
    except UnreadableRule:
        return ""
