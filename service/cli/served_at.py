"""At which address the server of these sessions answers, as it has said when it began."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from elenchus.service.cli.health import EVERY, heartbeat_age

_log = logging.getLogger(__name__)

NAME = "served-at"
LONGEST = 300
"""Characters of an address."""
SILENT = 6 * EVERY
"""Seconds without a heartbeat after which a server was killed: what it has left counts no more."""


@contextmanager
def noted(home: Path, address: str) -> Iterator[None]:
    """Inside, others find the server by what is written among its sessions, where something can be written."""
    file = home / NAME
    with suppress(OSError):
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as written:
            written.write(address)
    try:
        yield
    finally:
        if address_of(home) == address:
            with suppress(OSError):
                file.unlink()


def address_of(home: Path) -> str:
    """Where the server of this data folder answers on this machine, "" where none is known to run."""
    silent = heartbeat_age(home)
    if silent is None or silent > SILENT:
        return ""
    try:
        with (home / NAME).open("rb") as file:
            found = file.read(LONGEST).decode(errors="replace").strip()
    except OSError:
        return ""
    return found if found.startswith(("http://", "https://")) and found.isprintable() else ""
