"""Homes that cannot be written, are full, empty or open to others: what is there is read, and by nobody else."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, environment
from tests.service.cli.test_debate import MOTION, SHORT, refused
from tests.service.cli.test_full_disk import _can_mount
from tests.service.cli.test_sessions import slow

needs_mounts = pytest.mark.skipif(not _can_mount(), reason="this system lets nobody mount a file system of its own")
SECRET = "Zanzibar"


@pytest.fixture
def finished(elenchus: Program) -> str:
    """The id of a finished debate."""
    return str(elenchus("debate", f"{MOTION} {SECRET}", *SHORT, "--json").json["id"])


def in_shell(elenchus: Program, script: str, *arguments: str, home: Path | None = None) -> Result:
    """A script in the folder, in a space of mounts of its own; "$E" is the program, "$H" its home."""
    before = f'cd "{elenchus.folder}"; E="{" ".join(ELENCHUS)}"; H="{home or elenchus.home}"\n'
    done = subprocess.run(
        ["unshare", "-rm", "bash", "-c", before + script, "bash", *arguments],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
        env=environment(home or elenchus.home, {"PYTHONPATH": str(ROOT)}),
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


# ── who may read ─────────────────────────────────────────────────────────────────────────────────────────────────


def modes(home: Path) -> dict[str, int]:
    paths = [home, *(path for path in home.iterdir() if ".db" in path.name)]
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_nobody_else_may_read_what_is_made_whatever_the_mask(elenchus: Program) -> None:
    script = f'umask 000; exec "$@" & wait; ls "{elenchus.home}"'
    env = environment(elenchus.home, {"PYTHONPATH": str(ROOT)})
    debate = ["debate", MOTION, *slow("0.02")]
    with subprocess.Popen(
        ["bash", "-c", f'umask 000; exec {" ".join(ELENCHUS)} "$@"', "bash", *debate], cwd=elenchus.folder, env=env,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        elenchus.wait_for("said")
        made = modes(elenchus.home)
        running.terminate()
    assert {"elenchus.db", "elenchus.db-wal", "elenchus.db-shm"} <= made.keys(), script
    assert {name: oct(mode) for name, mode in made.items() if mode & 0o077} == {}


def test_what_others_could_read_before_is_closed_to_them(elenchus: Program, finished: str) -> None:
    with closing(sqlite3.connect(elenchus.home / "elenchus.db")) as another:
        another.execute("SELECT count(*) FROM events").fetchone()  # it keeps the -wal and -shm there
        for path in (elenchus.home, *elenchus.home.glob("*.db*")):
            path.chmod(path.stat().st_mode | 0o055 if path.is_dir() else 0o644)
        assert elenchus("sessions", "list").code == 0
        assert {
            name: oct(mode) for name, mode in modes(elenchus.home).items() if "people" not in name and mode & 0o077
        } == {}
    assert "elenchus.db-wal" not in modes(elenchus.home)


def test_a_home_with_other_things_in_it_keeps_its_rights_and_only_our_files_are_closed(
    elenchus: Program, finished: str
) -> None:
    (elenchus.home / "thesis.tex").write_text("…")
    elenchus.home.chmod(0o755)
    (elenchus.home / "elenchus.db").chmod(0o644)
    assert elenchus("sessions", "list").code == 0
    assert stat.S_IMODE(elenchus.home.stat().st_mode) == 0o755
    assert modes(elenchus.home)["elenchus.db"] == 0o600


# ── what is no database ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("arguments", [["sessions", "list"], ["sessions", "show", "x"], ["debate", MOTION, *SHORT]])
def test_an_empty_database_says_what_it_is(elenchus: Program, finished: str, arguments: list[str]) -> None:
    (elenchus.home / "elenchus.db").write_bytes(b"")
    message = refused(elenchus(*arguments, "--json"), 5)
    assert "elenchus.db is damaged (it is empty" in message
    assert "move the file away" in message
    assert (elenchus.home / "elenchus.db").stat().st_size == 0, "it is left as it is"
    found = elenchus("doctor", "--json").json["database"]
    assert found["state"] == "damaged"
    assert "it is empty" in found["problem"]


def test_many_that_begin_at_once_make_one_database_and_none_meets_an_empty_one(elenchus: Program) -> None:
    debates = [elenchus.start("debate", f"{MOTION} {n}", *SHORT) for n in range(6)]
    for debate in debates:
        _, err = debate.communicate(timeout=PATIENCE)
        assert debate.returncode == 0, err
    assert len(elenchus("sessions", "list", "--json").json) == 6
    assert not list(elenchus.home.glob(".elenchus*")), "nothing half made is left"


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_a_database_that_is_no_file_is_a_sentence(elenchus: Program, kind: str) -> None:
    path = elenchus.home / "elenchus.db"
    path.parent.mkdir()
    subprocess.run(["mkdir" if kind == "folder" else "mkfifo", path], check=True)
    assert "is no file" in refused(elenchus("sessions", "list", "--json"), 5)


# ── read-only ────────────────────────────────────────────────────────────────────────────────────────────────────


READ = """
    $E sessions list --json > list.json || exit 11
    $E sessions list || exit 12
    $E sessions show "$1" || exit 13
    $E sessions show "$1" --json > show.json || exit 14
    $E sessions export "$1" --export out > files || exit 15
    $E doctor --json > doctor.json; [ $? = 5 ] || exit 16  # as nothing can be written there
    for change in "sessions delete $1 --yes" "sessions import out --id copy" "crit good.txt --model scripted:demo"; do
        $E $change --json > refused.json; [ $? = 5 ] || exit 17
        grep -q Traceback refused.json && exit 18
        grep -q 'cannot be written' refused.json || exit 19
    done
    exit 0
"""


def assert_it_was_read(elenchus: Program, result: Result, session: str) -> None:
    assert result.code == 0, result
    assert "Traceback" not in result.err
    assert session in result.out
    assert SECRET in (elenchus.folder / "show.json").read_text()
    assert SECRET in (elenchus.folder / "out" / "report.md").read_text()
    assert '"read-only"' in (elenchus.folder / "doctor.json").read_text()


@pytest.mark.slow
@needs_mounts
def test_a_home_on_a_read_only_medium_can_be_listed_shown_and_exported(elenchus: Program, finished: str) -> None:
    (elenchus.folder / "good.txt").write_text("Everybody does it, so it must be right.")
    script = f'mount --bind "$H" "$H" && mount -o remount,ro,bind "$H" || exit 99\n{READ}'
    assert_it_was_read(elenchus, in_shell(elenchus, script, finished), finished)


@pytest.mark.slow
@needs_mounts
def test_a_read_only_copy_of_a_home_whose_program_was_killed_shows_all_that_was_committed(elenchus: Program) -> None:
    (elenchus.folder / "good.txt").write_text("Everybody does it, so it must be right.")
    running = elenchus.start("debate", f"{MOTION} {SECRET}", *slow("0.05"))
    session = elenchus.wait_for("said")
    running.kill()
    running.communicate(timeout=PATIENCE)
    assert (elenchus.home / "elenchus.db-wal").stat().st_size > 0
    (elenchus.home / "elenchus.db-shm").unlink()  # as a copy on a medium may lack it
    script = f'mount --bind "$H" "$H" && mount -o remount,ro,bind "$H" || exit 99\n{READ}'
    assert_it_was_read(elenchus, in_shell(elenchus, script, session), session)
    shown = elenchus("sessions", "show", session)
    assert shown.code == 0, "the home itself is as it was"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chattr"), reason="this system has no immutable files")
def test_a_database_that_not_even_root_may_write_can_be_read(elenchus: Program, finished: str) -> None:
    (elenchus.folder / "good.txt").write_text("Everybody does it, so it must be right.")
    places = [elenchus.home / "elenchus.db", elenchus.home]
    if subprocess.run(["chattr", "+i", *places], capture_output=True, check=False).returncode:
        pytest.skip("this account, or this file system, knows no immutable files")
    try:
        script = f'cd "{elenchus.folder}"; E="{" ".join(ELENCHUS)}"\n{READ}'
        env = environment(elenchus.home, {"PYTHONPATH": str(ROOT)})
        done = subprocess.run(
            ["bash", "-c", script, "bash", finished], capture_output=True, text=True, env=env, check=False
        )
        assert_it_was_read(elenchus, Result(done.returncode, done.stdout, done.stderr), finished)
    finally:
        subprocess.run(["chattr", "-i", *places], check=True)


# ── full ─────────────────────────────────────────────────────────────────────────────────────────────────────────


FULL = """
    mkdir disk && mount -t tmpfs -o size=40m none disk || exit 99
    cp -a "$2" disk/home || exit 98
    cat /dev/zero > disk/filler 2> /dev/null
    [ "$(df --output=avail disk | tail -1 | tr -d ' ')" = 0 ] || exit 97
    $E sessions list --json > list.json || exit 11
    $E sessions show "$1" > shown || exit 12
    $E sessions delete "$1" --yes --json || exit 13
    grep -c Zanzibar -a disk/home/*.db disk/home/*.db-* -d skip > traces
    $E sessions list --json > after.json || exit 14
    rm disk/filler
    $E crit good.txt --model scripted:demo --json > later.json || exit 15
    exit 0
"""


@pytest.mark.slow
@needs_mounts
@pytest.mark.parametrize("killed", [False, True], ids=["left in order", "killed in the middle"])
def test_a_full_disk_does_not_stop_delete(elenchus: Program, killed: bool) -> None:
    (elenchus.folder / "good.txt").write_text("Everybody does it, so it must be right.")
    other = elenchus("debate", MOTION, *SHORT, "--json").json["id"]
    if killed:
        running = elenchus.start("debate", f"{MOTION} {SECRET}", *slow("0.05"))
        session = elenchus.wait_for("session_started", SECRET)
        running.kill()
        running.communicate(timeout=PATIENCE)
        (elenchus.home / "elenchus.db-shm").unlink()
    else:
        session = elenchus("debate", f"{MOTION} {SECRET}", *SHORT, "--json").json["id"]
    disk = elenchus.folder / "disk" / "home"
    result = in_shell(elenchus, FULL, session, str(elenchus.home), home=disk)
    assert result.code == 0, result
    assert "Traceback" not in result.err
    assert result.json == {"id": session, "deleted": True}
    after = (elenchus.folder / "after.json").read_text()
    assert other in after
    assert session not in after
    counts = (elenchus.folder / "traces").read_text().split()
    assert {line.rpartition(":")[2] for line in counts} == {"0"}, "no trace of its text is on the disk"


@pytest.mark.slow
@needs_mounts
def test_a_full_disk_and_somebody_else_at_the_database_is_told(elenchus: Program, finished: str) -> None:
    hold = (
        "import sqlite3, time; c = sqlite3.connect('disk/home/elenchus.db');"
        " c.execute('SELECT * FROM sessions').fetchone(); print(1, flush=True); time.sleep(60)"
    )
    script = f"""
        mkdir disk && mount -t tmpfs -o size=8m none disk && cp -a "{elenchus.home}" disk/home || exit 99
        exec 3< <(${{E%% *}} -c "{hold}")
        read -u 3 _
        cat /dev/zero > disk/filler 2> /dev/null
        $E sessions delete "$1" --yes --json
    """
    message = refused(in_shell(elenchus, script, finished, home=elenchus.folder / "disk" / "home"), 5)
    assert "kept locked by another program" in message or "no room left" in message


# ── standard output ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["sessions", "list"], 5), (["sessions", "list", "--json"], 5), (["sessions", "show", "ID", "--json"], 5),
        (["doctor", "--json"], 5), (["biases", "list"], 5), (["--help"], 5), (["--version"], 5),
        (["sessions", "show", "none", "--json"], 2), (["crit", "none.txt", "--json"], 2), (["--json"], 2),
    ],
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line_and_an_exit_code(
    elenchus: Program, finished: str, arguments: list[str], code: int
) -> None:
    given = [finished if argument == "ID" else argument for argument in arguments]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*ELENCHUS, *given], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
            cwd=elenchus.folder, env=environment(elenchus.home, {"PYTHONPATH": str(ROOT)}), check=False,
        )  # fmt: skip
    first, *rest = done.stderr.splitlines()
    assert first.startswith("elenchus: ")
    assert all(line.startswith("  hint: ") for line in rest)
    assert done.returncode == code
    if code == 5:
        assert "Standard output cannot be written" in first
