from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.cli.program import Program


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    folder = tmp_path / "folder"
    folder.mkdir()
    return Program(tmp_path / "home", folder)
