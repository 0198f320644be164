"""The scene that docs/scenes.md shows is one, and the page names what the form has."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from debate_engine.scenes import canonical
from debate_engine.scenes.scene import KINDS, MODES, PURPOSES
from service.cli.program import run

PAGE = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    def write() -> str:
        found = re.search(r"^````markdown\n(.*?)^````", PAGE, flags=re.MULTILINE | re.DOTALL)
        assert found
        (tmp_path / "tea.md").write_text(found[1], encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return found[1]

    return write


def test_the_scene_on_the_page_is_checked_as_the_page_shows(
    example: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    example()
    assert run(["scene", "check", "tea.md"]) == 0
    assert f"$ elenchus scene check tea.md\n{capsys.readouterr().out}```" in PAGE


def test_the_scene_on_the_page_is_in_canonical_form(example: Callable[[], str]) -> None:
    text = example()
    assert canonical.write(canonical.read(text)).split() == text.split()


def test_the_page_names_every_kind_mode_and_purpose() -> None:
    for word in (*KINDS, *MODES, *PURPOSES):
        assert f"`{word}`" in PAGE, word
