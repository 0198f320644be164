"""A disk that is full, for real: a file system of a few megabytes, mounted where only the child processes see it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, environment
from tests.service.cli.test_debate import MOTION, SHORT, refused
from tests.service.cli.test_sessions import slow


def _can_mount() -> bool:
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not _can_mount(), reason="this system lets nobody mount a file system of its own")


def on_small_disk(elenchus: Program, script: str, *arguments: str, megabytes: int) -> Result:
    """Run a script in the folder, where `disk` is a file system of so many megabytes; "$@" is the command."""
    disk = elenchus.folder / "disk"
    disk.mkdir()
    mounted = f'mount -t tmpfs -o size={megabytes}m none "{disk}" || exit 99\ncd "{elenchus.folder}"\n{script}'
    done = subprocess.run(
        ["unshare", "-rm", "bash", "-c", mounted, "bash", *ELENCHUS, *arguments],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
        env=environment(disk / "home", {"PYTHONPATH": str(ROOT)}),
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


def test_a_home_on_a_disk_without_room_is_refused_before_anything_is_spent(elenchus: Program) -> None:
    ended = on_small_disk(
        elenchus, '"$@"; code=$?; ls -A disk >&2; exit $code', "debate", MOTION, *SHORT, "--json", megabytes=8
    )
    message = refused(ended, 5)
    assert "Only 8 MB are free" in message
    assert "home" not in ended.err.replace(message, ""), "nothing was made"


def test_an_export_folder_on_a_disk_without_room_is_refused_before_anything_is_spent(elenchus: Program) -> None:
    home = f'export ELENCHUS_HOME="{elenchus.home}"; "$@"'
    ended = on_small_disk(elenchus, home, "debate", MOTION, *SHORT, "--export", "disk/out", "--json", megabytes=8)
    assert "free some space" in refused(ended, 5)
    assert not elenchus.home.exists()


@pytest.mark.slow
def test_a_disk_that_fills_up_in_mid_debate_loses_nothing(elenchus: Program) -> None:
    script = """
        "$@" > ended.json 2> ended.err & pid=$!
        until grep -q opening ended.err || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
        cat /dev/zero > disk/filler 2> /dev/null
        wait $pid; echo $? > code
        rm disk/filler
        id=$(grep -m 1 -o '^session .*' ended.err | cut -d' ' -f2)
        "${@:1:3}" sessions resume "$id" --json
    """
    resumed = on_small_disk(elenchus, script, "debate", MOTION, *slow("0.3"), "--json", megabytes=24)
    err = (elenchus.folder / "ended.err").read_text()
    assert (elenchus.folder / "code").read_text().strip() == "5", err
    error = json.loads((elenchus.folder / "ended.json").read_text())["error"]
    assert "no room left" in error["message"]
    assert "Traceback" not in err
    assert resumed.code == 0, resumed.err
    assert resumed.json["state"] == "finished"


@pytest.mark.slow
def test_a_report_that_cannot_be_written_at_the_end_leaves_the_session_safe(elenchus: Program, tmp_path: Path) -> None:
    script = f"""
        export ELENCHUS_HOME="{elenchus.home}"
        "$@" > ended.json 2> ended.err & pid=$!
        until grep -q opening ended.err || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
        cat /dev/zero > disk/filler 2> /dev/null
        wait $pid
    """
    arguments = ("debate", MOTION, *slow("0.3"), "--export", "disk/out", "--json")
    ended = on_small_disk(elenchus, script, *arguments, megabytes=24)
    err = (elenchus.folder / "ended.err").read_text()
    assert ended.code == 5, err
    error = json.loads((elenchus.folder / "ended.json").read_text())["error"]
    assert "The session itself is safe" in error["message"]
    (row,) = elenchus("sessions", "list", "--json").json
    assert row["state"] == "finished"
