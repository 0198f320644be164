"""What docs/scene-files.md shows of scenes and of the program's answers is what the program says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.service.cli.program import run
from tests.service.cli.test_scene_writing import script

PAGE = (Path(__file__).parents[2] / "docs" / "scene-files.md").read_text(encoding="utf-8")
TEA, SCRIPT = re.findall(r"^````markdown\n(.*?)^````$", PAGE, flags=re.MULTILINE | re.DOTALL)
Said = Callable[..., str]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """What a command prints, in a folder with the page's examples; output and errors one after the other."""
    monkeypatch.setenv("ELENCHUS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("tea.md").write_text(TEA, encoding="utf-8")
    Path("script.md").write_text(SCRIPT, encoding="utf-8")
    decided = {"reason": "The host asked for it last.", "initiator": "Ben", "receivers": ["Ada"]}
    Path("writer.yaml").write_text(script(decide=decided), encoding="utf-8")

    def called(*arguments: str) -> str:
        run(list(arguments))
        printed = capsys.readouterr()
        return printed.out + printed.err

    return called


def answer_to(command: str) -> str:
    """What the page shows behind a command."""
    (block,) = re.findall(rf"^\$ elenchus {re.escape(command)}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(block)


def test_the_example_is_ready_to_be_played(said: Said) -> None:
    assert said("scene", "check", "tea.md") == answer_to("scene check tea.md")


def test_the_example_with_slips_gets_the_answer_that_the_page_shows(said: Said) -> None:
    draft = re.sub(r"   > Two teas.*?the same\.\n", "", TEA, flags=re.DOTALL)
    draft = draft.replace("Ben → Ada, Cleo", "Ben → Ada, Zoe").replace(
        "doubts her", "shows the bandwagon effect: doubts her"
    )
    Path("draft.md").write_text(draft, encoding="utf-8")
    assert said("scene", "check", "draft.md") == answer_to("scene check draft.md")


def test_the_twin_of_the_example_is_one_and_both_are_planned(said: Said) -> None:
    (changes,) = re.findall(r"^```diff\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    (front,) = re.findall(r"^```yaml\n(condition.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    front = re.sub(r" +#.*", "", front)
    neutral = TEA
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", changes, flags=re.MULTILINE):
        bare = [re.sub(r"^[-+]", "", text, flags=re.MULTILINE) for text in (old, new)]
        assert neutral.count(bare[0]) == 1, old
        neutral = neutral.replace(*bare)
    named = front.replace("treatment", "control").replace("tea-neutral.md", "tea.md")
    for file, text, lines in (("tea.md", TEA, front), ("tea-neutral.md", neutral, named)):
        Path(file).write_text(text.replace('effect"\n---', f'effect"\n{lines}---'), encoding="utf-8")
    for file in ("tea.md", "tea-neutral.md"):
        assert said("scene", "check", file) == f"{file}: a scene, ready to be played.\n"
    models = ("--subject", "scripted:demo", "--others", "scripted:demo", "--judge", "scripted:demo")
    planned = json.loads(said("scene", "run", "tea.md", *models, "--dry-run", "--json").partition("\nwarning")[0])
    assert [cell["condition"] for cell in planned["by_cell"]] == ["treatment", "control"]


def test_the_script_is_completed_as_the_page_shows(said: Said) -> None:
    command = ["scene", "parse", "script.md", "--assist", "scripted:writer.yaml"]
    told = said(*command, "--bias", "bandwagon effect", "--write", "scene.md")
    shown = answer_to(f'{" ".join(command)} --bias "bandwagon effect" --write scene.md')
    assert told.endswith(shown)


def test_the_page_names_every_part_of_a_scene() -> None:
    from elenchus.debate_engine.scenes.body import SECTIONS
    from elenchus.debate_engine.scenes.front_matter import KNOWN
    from elenchus.debate_engine.scenes.scene import KINDS, MODES, PURPOSES

    for name in (*KNOWN, *KINDS, *MODES, *PURPOSES):
        assert re.search(rf"`{name}|^{name}: ", PAGE, re.MULTILINE), name
    assert all(section in PAGE for section in SECTIONS)
