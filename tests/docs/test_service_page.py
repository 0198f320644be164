"""docs/service.md: its settings are all that there are, its commands work as shown, its backups are gone on from."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from elenchus.config.settings import Settings, variables_of
from elenchus.config.web_settings import WebSettings
from tests.service.cli.program import Program
from tests.service.cli.served import ENDLESS, served

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    (tmp_path / "folder").mkdir()
    return Program(tmp_path / "home", tmp_path / "folder")


def commands(beginning: str) -> list[tuple[str, str]]:
    """Commands that begin so, each with the first line that the page shows under it."""
    return re.findall(rf"^\$ ({beginning}.*)\n(?!\$ )(.*)$", PAGE, re.MULTILINE)


def shell(command: str, **environment: str) -> str:
    """What a command of the page writes to standard output."""
    known = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", **environment}
    done = subprocess.run(["bash", "-c", command], env=known, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_the_table_has_every_setting_of_the_web_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(ELENCHUS_\w+)` \| (.*?) ?\| ", PAGE, re.MULTILINE))
    names = {names[0]: field for (section, field), names in variables_of(Settings).items() if section == "web"}
    assert set(rows) - {"ELENCHUS_HOME"} == set(names)
    for variable, field in names.items():
        default = getattr(WebSettings(), field)
        if default and field != "public_url":
            assert rows[variable] == f"`{default}`"


def test_the_lines_with_curl_are_answered_as_the_page_shows(elenchus: Program) -> None:
    shown = [one for one in commands("curl") if "healthz" not in one[0]]
    assert len(shown) == 4
    with served(elenchus) as server:
        server.debate()
        for command, line in shown:
            tokens = {"TOKEN": server.token, "REVOKED": "el_" + "x" * 43}
            answer = shell(command.replace("http://127.0.0.1:8321", server.url), **tokens).splitlines()[0]
            assert shape(answer) == shape(line), command


def shape(line: str) -> Any:
    """What stays the same in an answer whoever asks when: names, not what they have."""
    if not line.startswith("{"):
        return line.split(maxsplit=1)[0]
    document = json.loads(line)
    rows = document.get("sessions", [])
    return sorted(document), sorted(rows[0]) if rows else None, document.get("detail")


def test_a_token_that_is_made_as_shown_is_one_that_the_page_describes(elenchus: Program) -> None:
    (line, _), *_ = commands("elenchus tokens create --label")
    made = shell(line, ELENCHUS_HOME=str(elenchus.home))
    assert re.fullmatch(r"el_[\w-]{43}\n", made)
    assert shell("elenchus tokens list", ELENCHUS_HOME=str(elenchus.home)).split("\t")[3] == "grading script\n"


# ── backups ──────────────────────────────────────────────────────────────────────────────────────────────────────


def by_the_shell(home: Path, to: Path) -> None:
    """The command of the page; without the program, the same call from Python."""
    (line,) = re.findall(r"^\$ (sqlite3 .*\.backup.*)$", PAGE, re.MULTILINE)
    if shutil.which("sqlite3"):
        shell(line.replace("backup/elenchus.db", str(to)), ELENCHUS_HOME=str(home))
        return
    with closing(sqlite3.connect(home / "elenchus.db")) as ours, closing(sqlite3.connect(to)) as copy:
        ours.backup(copy)


def by_python(home: Path, to: Path) -> None:
    """What `python -m sqlite3` does from 3.12 on."""
    (statement,) = re.findall(r'python -m sqlite3 \S+ "(VACUUM .*)"$', PAGE, re.MULTILINE)
    with closing(sqlite3.connect(home / "elenchus.db", isolation_level=None)) as connection:
        connection.execute(statement.replace("/data/backup.db", str(to)))


@pytest.mark.kill
@pytest.mark.parametrize("copied", [by_the_shell, by_python])
def test_a_backup_that_was_made_while_a_debate_ran_is_gone_on_from(
    elenchus: Program, tmp_path: Path, copied: Any
) -> None:
    copy = tmp_path / "copy.db"
    with served(elenchus) as server:
        session = server.debate(con=ENDLESS)
        elenchus.wait_for("step_done")
        copied(elenchus.home, copy)
        token = server.token
    restored = Program(tmp_path / "restored", elenchus.folder)
    restored.home.mkdir()
    shutil.copy(copy, restored.home / "elenchus.db")
    assert shell(f"sqlite3 {copy} 'PRAGMA integrity_check'") == "ok\n" if shutil.which("sqlite3") else True
    done = len(restored.events("step_done"))
    with served(restored) as server:
        server.token = token  # what was granted before is good after
        server.until(f"/api/v1/sessions/{session}", state="running")
        assert len(restored.events("step_done")) >= done > 0
        assert len({step["step"] for step in restored.events("step_done")}) == len(restored.events("step_done"))
        assert server.end() == 0


# ── a service of the system ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    (unit,) = re.findall(r"^```ini\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert "ExecStart=/opt/elenchus/bin/elenchus serve" in unit
    here = unit.replace("/opt/elenchus/bin/elenchus", str(PROGRAMS / "elenchus")).replace("User=elenchus", "User=root")
    (tmp_path / "elenchus.service").write_text(here, encoding="utf-8")
    checked = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "elenchus.service"], capture_output=True, text=True, check=False
    )
    assert "elenchus.service" not in checked.stderr, checked.stderr
    assert checked.returncode == 0, checked.stderr
