"""Finding scenes: those that come with the program by name or by the bias that they elicit, and a scene's twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, load_scenes, scene_meant, twin_of
from elenchus.debate_engine.scenes.scene import Scene
from tests.shipped_scenes import SCENES
from tests.twins import FOLDER

ABOUT = {
    "anchoring": "anchoring-effect", "bandwagon": "bandwagon-effect", "belief": "belief-bias",
    "comfort-zone": "comfort-zone-effect", "conformity": "bandwagon-effect", "decoy": "decoy-effect",
    "default": "default-effect", "dilution": "dilution-effect", "endowment": "endowment-effect",
    "framing": "framing-effect", "hindsight": "hindsight-bias", "order": "order-bias",
    "outcome-bias": "outcome-bias", "planning": "planning-fallacy", "sunk-cost": "sunk-cost-fallacy",
    "unit": "unit-bias",
}  # fmt: skip
"""The scenes that come with the program, each with its bias."""
IN_GERMAN = ("anchoring", "framing")
"""Those that come along in German, too."""


def test_there_are_sixteen_scenes_and_some_of_them_in_german_too() -> None:
    assert {name: scene.bias for name, scene in SCENES.items() if scene.language == "en"} == ABOUT
    german = {name: scene.bias for name, scene in SCENES.items() if scene.language == "de"}
    assert german == {f"{name}-de": ABOUT[name] for name in IN_GERMAN}
    assert [scene for scene in SCENES.values() if scene.twin or scene.condition] == []


def test_each_stands_beside_a_page_for_teachers_and_nothing_else_is_there() -> None:
    files = {path.name for path in BUILT_IN.iterdir()}
    pictures = {name for name, scene in SCENES.items() if scene.pictures}
    assert files == {name for scene in SCENES for name in (f"{scene}.md", f"{scene}-teacher.md")} | pictures
    shown = {one.file for scene in SCENES.values() for one in scene.pictures}
    assert shown == {f"{name}/{path.name}" for name in pictures for path in (BUILT_IN / name).iterdir()}


def test_a_scene_is_found_by_its_name_in_any_case() -> None:
    assert find_scene("Sunk-Cost") == SCENES["sunk-cost"]


@pytest.mark.parametrize("name, hint", [("bandwagn", "near it: bandwagon"), ("../models", "scene list"), ("", "list")])
def test_an_unknown_scene_is_refused_with_those_near_it(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        find_scene(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, bias in ABOUT.items() if bias != "bandwagon-effect"])
def test_a_scene_is_meant_by_its_name_with_blanks_and_by_its_bias(name: str) -> None:
    assert scene_meant(name.replace("-", " ").title()) == name
    assert scene_meant(ABOUT[name]) == name
    assert scene_meant(ABOUT[name].replace("-", " ").capitalize()) == name


@pytest.mark.parametrize("typed", ["bandwagon effect", "Bandwagon-Effect", "herd behaviour"])
def test_where_two_scenes_are_about_a_bias_both_are_named_to_choose_from(typed: str) -> None:
    with pytest.raises(UsageError) as refused:
        scene_meant(typed)
    assert str(refused.value) == (
        "Several scenes are about “Bandwagon effect”: bandwagon (“A lamp for the bicycle”), "
        "conformity (“Eighteen rounds of lines”). Choose one of them by its name."
    )


def test_a_scenes_own_name_comes_before_the_biases_that_begin_so() -> None:
    assert (scene_meant("bandwagon"), scene_meant("conformity")) == ("bandwagon", "conformity")


@pytest.mark.parametrize("typed", ["halo effect", "no such thing", "anchorign"])
def test_what_names_no_scene_is_left_as_it_was_typed(typed: str) -> None:
    assert scene_meant(typed) == typed


def test_of_twins_the_bias_means_the_one_that_tempts() -> None:
    assert scene_meant("sunk cost fallacy", FOLDER) == "quiz"


def test_a_missing_twin_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no twin"):
        twin_of(Scene())
    with pytest.raises(UsageError, match=r"calm\.md cannot be read .*: put the file beside"):
        twin_of(Scene(twin="calm.md"), tmp_path)


def test_pages_for_teachers_are_no_scenes(tmp_path: Path) -> None:
    (tmp_path / "unit.md").write_text((BUILT_IN / "unit.md").read_text("utf-8"), "utf-8")
    (tmp_path / "unit-teacher.md").write_text("# Nuts: for the teacher\n", "utf-8")
    assert [*load_scenes(tmp_path)] == ["unit"]
    with pytest.raises(UsageError, match="no scene 'unit-teacher'"):
        find_scene("unit-teacher", tmp_path)
    assert scene_meant("unit teacher", tmp_path) == "unit teacher"
