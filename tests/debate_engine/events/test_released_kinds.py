"""The form of an event kind that was released is never changed: its name is its version.

`written_by_0.1.jsonl` holds each kind as 0.1 writes it, with all of its fields and with as few as it may have. Whoever
reads a line otherwise reads old logs otherwise; whoever writes it otherwise writes what the release beside it refuses.
What needs another form is a kind of its own (`said_2`), and the old one is still read; a field that is written only
where it says something (`exclude_if`) may be added, once the release before knows it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import EVENTS
from elenchus.storage.event_rows import KINDS

LINES = (Path(__file__).parent / "written_by_0.1.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[f"{json.loads(line)['kind']}-{n}" for n, line in enumerate(LINES)])
def test_a_released_kind_is_read_and_written_as_it_was(line: str) -> None:
    assert EVENTS.dump_json(EVENTS.validate_json(line)).decode() == line


def test_every_kind_has_its_lines() -> None:
    fields: dict[str, set[str]] = {}
    for line in LINES:
        event: dict[str, Any] = json.loads(line)
        fields[event["kind"]] = fields.get(event["kind"], set()) | event.keys()
    assert fields.keys() == KINDS
    known = {kind: set(EVENTS.json_schema()["$defs"][name]["properties"]) for kind, name in _names().items()}
    assert fields == known


def _names() -> dict[str, str]:
    """The class of each kind, by the name of its schema."""
    mapping: dict[str, str] = EVENTS.json_schema()["discriminator"]["mapping"]
    return {kind: place.rpartition("/")[2] for kind, place in mapping.items()}
