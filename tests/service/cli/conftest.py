from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.service.cli.program import run
from tests.service.cli.program import Program, Result


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    folder = tmp_path / "folder"
    folder.mkdir()
    return Program(tmp_path / "home", folder)


@pytest.fixture
def inside(
    elenchus: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """The same program within this process, for the many commands that end before anything happens."""
    monkeypatch.setenv("ELENCHUS_HOME", str(elenchus.home))
    monkeypatch.chdir(elenchus.folder)

    def called(*arguments: str) -> Result:
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return called
