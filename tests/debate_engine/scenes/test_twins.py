"""Two scenes are twins where only confederates differ; whatever else differs is named with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.checks import unlike
from elenchus.debate_engine.scenes.library import beside_its_twin, twin_of
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import check_any
from tests.twins import FOLDER, twin_scenes

SCENES = twin_scenes()
OUTING = SCENES["outing"]
NEUTRAL = SCENES["outing-neutral"]
MODERATOR = next(n for n, role in enumerate(OUTING.roles) if role.kind == "moderator")
MESSAGE = next(n for n, rule in enumerate(OUTING.rules) if rule.message)


def changed(part: str, index: int, **values: str) -> dict[str, Any]:
    """A change of one role or rule."""
    parts = list(getattr(OUTING, part))
    parts[index] = parts[index].model_copy(update=values)
    return {part: tuple(parts)}


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_and_the_file_that_it_names_are_twins(name: str) -> None:
    twin = twin_of(SCENES[name], FOLDER)
    assert (twin.condition == SCENES[name].condition, list(unlike(SCENES[name], twin))) == (False, [])


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        ({"condition": "control"}, "scene", "are the same condition"),
        ({"roles": OUTING.roles[:2]}, "roles", "has other roles"),
        ({"rules": OUTING.rules[:-1]}, "rules", "has 12 rules"),
        ({"roles": NEUTRAL.roles, "rules": NEUTRAL.rules}, "scene", "says the same"),
        ({"observation": "Count the words."}, "observation", "in another way"),
        (changed("roles", MODERATOR, task="Recommend the mill."), "role", "Sofia, no confederate"),
        (changed("rules", MESSAGE, message="Everybody takes the harbour."), "rule", "no confederate starts it"),
        (changed("rules", 1, content="Praise the harbour."), "rule", "no confederate starts it"),
        (changed("rules", 2, initiator="Emil"), "rule", "no confederate starts it"),
    ],
)
def test_what_else_differs_is_named(change: dict[str, Any], where: str, what: str) -> None:
    (fault,) = unlike(OUTING.model_copy(update=change), NEUTRAL)
    assert (fault.place.part, what in fault.what) == (where, True), fault.what


def written(folder: Path, scene: Scene, **change: Any) -> str:
    """The text of a scene, with its twin beside it where a change of the twin is given."""
    if change:
        (folder / scene.twin).write_text(
            canonical.write(twin_of(scene, FOLDER).model_copy(update=change)), encoding="utf-8"
        )
    return canonical.write(scene)


def test_a_check_reads_the_twin_beside_the_scene_and_names_the_line(tmp_path: Path) -> None:
    look = beside_its_twin(tmp_path)
    (missing,) = check_any(written(tmp_path, OUTING), look)
    assert (missing.what, missing.grave) == ("its twin outing-neutral.md is no scene that can be read", False)
    assert check_any(written(tmp_path, OUTING, title=OUTING.title), look) == ()
    text = written(tmp_path, OUTING, **changed("rules", 1, content="Say hello."))
    found = check_any(text, look)
    assert {text.splitlines()[finding.line - 1].partition(".")[0] for finding in found} >= {"2"}
    assert check_any(text.replace('twin: "outing-neutral.md"\n', ""), look) == ()
