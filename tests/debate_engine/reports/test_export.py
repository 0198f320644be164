from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.reports.events_jsonl import jsonl, read_events
from elenchus.debate_engine.reports.export import check_folder, export

ALL = {
    "report.md", "report.html", "events.jsonl", "scores.csv", "scores-codebook.md", "run.json",
    "heat-and-quality.png", "heat-and-quality.svg", "judges.png", "judges.svg",
}  # fmt: skip


async def test_an_export_holds_all_files_and_nothing_else_and_leaves_the_loop_free(
    debate: list[Recorded], tmp_path: Path
) -> None:
    folder, late = tmp_path / "new" / "folder", 0.0
    running = asyncio.create_task(export("demo", debate, folder))
    while not running.done():
        before = time.perf_counter()
        await asyncio.sleep(0.01)
        late = max(late, time.perf_counter() - before)
    assert {path.name for path in running.result().files} == ALL == {path.name for path in folder.iterdir()}
    assert late < 2.0
    assert read_events(folder / "events.jsonl") == debate
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["session"] == "demo"
    assert "![" in (folder / "report.md").read_text(encoding="utf-8")
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert html.count("data:image/svg+xml;base64,") == 2


async def test_an_export_of_a_session_that_has_just_begun_has_no_pictures(
    debate: list[Recorded], tmp_path: Path
) -> None:
    written = (await export("demo", debate[:3], tmp_path)).files
    assert {path.name for path in written} == {name for name in ALL if not name.endswith(("png", "svg"))}


async def test_a_second_export_replaces_the_first(debate: list[Recorded], tmp_path: Path) -> None:
    await export("demo", debate[:4], tmp_path)
    await export("demo", debate[:9], tmp_path)
    assert len(read_events(tmp_path / "events.jsonl")) == 9
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/elenchus", "file/a/b"])
def test_a_folder_that_cannot_be_written_is_refused_beforehand_in_one_sentence(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"^Cannot export to .*; choose another folder\.$"):
        check_folder(tmp_path / place)


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_folder(tmp_path / "not" / "there" / "yet")
    check_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_in_the_place_of_a_file_is_a_storage_error(debate: list[Recorded], tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()
    with pytest.raises(StorageError, match="Could not write to"):
        await export("demo", debate[:3], tmp_path)
    assert not list(tmp_path.glob(".*"))


def test_a_full_disk_is_a_storage_error_in_one_sentence_and_what_was_there_stays(
    debate: list[Recorded], tmp_path: Path
) -> None:
    """A child process that may write 20 kB to a file: less than the log."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "report.md").write_text("the old one")
    (tmp_path / "events.jsonl").write_text(jsonl(debate), encoding="utf-8", newline="")
    code = f"""
import asyncio, resource, signal, sys
from pathlib import Path
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.reports.events_jsonl import read_events
from elenchus.debate_engine.reports.export import export
events = read_events(Path({str(tmp_path / "events.jsonl")!r}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    asyncio.run(export("demo", events[:120], Path({str(folder)!r})))
except StorageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=100, capture_output=True, text=True)
    assert done.stdout == f"Could not write to {folder}: the disk is full; free some space and export again.\n"
    assert [path.name for path in folder.iterdir()] == ["report.md"]
    assert (folder / "report.md").read_text() == "the old one"
