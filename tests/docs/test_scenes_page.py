"""The page that teaches scenes: its example is what the program takes, and the walk through it works as it says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.service.cli.program import Program

PAGE = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")
(BICYCLE,) = re.findall(r"^````markdown\n(.*?)^````$", PAGE, flags=re.MULTILINE | re.DOTALL)
SHOWN = re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "bicycle.md").write_text(BICYCLE, encoding="utf-8")
    return Program(tmp_path / "home", folder)


def shown(of: str) -> list[str]:
    """The lines that the page shows in the block that has this in it, without commands."""
    (block,) = [block for block in SHOWN if of in block]
    return [line for line in block.splitlines() if line != "…" and not line.startswith("$ ")]


def test_the_example_is_ready_to_be_played_and_its_versions_differ_as_the_page_shows(elenchus: Program) -> None:
    checked = elenchus("scene", "check", "bicycle.md")
    assert checked.code == 0
    told = (checked.out + checked.err).splitlines()
    lines = shown("scene check bicycle.md")
    assert told[: len(lines) - 1] == lines[:-1]
    assert lines[-1] in told
    rehearsed = elenchus("scene", "rehearse", "bicycle.md")
    assert "Every rule plays, and every outcome can come out otherwise." in rehearsed.out


def test_it_is_one_page() -> None:
    assert len(PAGE.splitlines()) < 190


@pytest.mark.slow
def test_five_people_and_two_models_in_three_by_two_versions_and_r_counts_the_reports_numbers(
    elenchus: Program,
) -> None:
    assert elenchus("scene", "register", "bicycle.md", "--to", "registration.json").code == 0
    for price in (90, 120, 300, 450, 200):
        typed = f"yes\nyes\n{price}\n480\nno\nyes\n"  # of age, agreed, price, ticket, not met, may be kept
        played = elenchus("scene", "run", "bicycle.md", "--subject", "human", stdin=typed)
        assert played.code == 0, played.err
        assert f"{price} euros" in played.out
    models = ("--subject", "scripted:demo", "--subject", "scripted:demo?latency=0", "--others", "scripted:demo")
    assert elenchus("scene", "run", "bicycle.md", *models, "-n", "4", "--seed", "3").code == 0
    found = elenchus("scene", "results", "bicycle.md", "--registered", "registration.json", "--export", "out")
    told, page = found.out.splitlines(), shown("what came out (price)")
    assert told[0] == page[0]
    heads = [line.split() for line in told if line.startswith("subject ")]
    assert [line.split() for line in page if line.startswith("subject ")] == heads[:2]
    assert [line for line in page if line.startswith(("Simulated", "60 subjects")) and line not in told] == []
    five = [line for line in told if re.match(r"people +(none|low|high)/(hurried|calm) +1 ", line)]
    assert len(five) == 5, "in blocks of six nobody meets a version twice"
    counted = subprocess.run(
        ["Rscript", "out/analysis.R"], cwd=elenchus.folder, capture_output=True, text=True, check=True, timeout=100
    )
    (last,) = shown("Rscript out/analysis.R")
    ours = counted.stdout.splitlines()[-1]
    assert re.fullmatch(re.sub(r"\d+", r"\\d+", last, count=1), ours), ours
