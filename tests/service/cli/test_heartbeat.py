"""The file by which a server tells that it is alive, where somebody else was there before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from elenchus.service.cli.health import heartbeat, heartbeat_age, heartbeat_file


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """The file of the server whose data are in `tmp_path`."""
    found = heartbeat_file(tmp_path)
    yield found
    if found.is_dir() and not found.is_symlink():
        found.rmdir()
    else:
        found.unlink(missing_ok=True)


OTHERS: dict[str, Callable[[Path, Path], None]] = {
    "a link to nothing": lambda file, victim: file.symlink_to(victim),
    "a folder": lambda file, _: file.mkdir(),
    "a pipe": lambda file, _: os.mkfifo(file),
}


@pytest.mark.parametrize("put", OTHERS.values(), ids=OTHERS)
async def test_a_server_runs_where_its_file_cannot_be_had_and_touches_nothing_else(
    put: Callable[[Path, Path], None], file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    victim = tmp_path / "victim"
    put(file, victim)
    async with heartbeat(tmp_path, lambda: True):
        assert "cannot be told" in caplog.text
    assert not victim.exists()


async def test_the_file_is_private_fresh_and_gone_at_the_end(file: Path, tmp_path: Path) -> None:
    file.touch(0o600)
    os.utime(file, (0, 0))
    async with heartbeat(tmp_path, lambda: True):
        assert (heartbeat_age(tmp_path) or 0) < 100
        assert file.stat().st_mode & 0o777 == 0o600
    assert heartbeat_age(tmp_path) is None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_tells_nothing(file: Path, tmp_path: Path) -> None:
    file.touch()
    os.chown(file, 12345, 12345)
    assert heartbeat_age(tmp_path) is None
