"""While an exported session is read, the program goes on hearing signals."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.sessions.stored import import_


async def test_a_signal_is_heard_while_a_long_file_is_read(tmp_path: Path) -> None:
    at = "2026-01-01T00:00:00Z"
    start = {"protocol": "crit", "title": "t", "config": {}, "seats": [], "seed": 1, "version": "1"}
    first = {"seq": 1, "at": at, "kind": "session_started"} | start
    asked = {"at": at, "kind": "deepen", "by": "mia", "to": "con"}
    lines = [first, *({"seq": n} | asked for n in range(2, 20_000))]
    (tmp_path / "events.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines) + "no event\n")
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.01)
            turns += 1

    beside = asyncio.create_task(others())
    with pytest.raises(UsageError, match="Line 20000"):
        await import_(tmp_path / "events.jsonl", "", CommandOutput())
    beside.cancel()
    assert turns > 3
