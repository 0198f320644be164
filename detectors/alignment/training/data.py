"""Reads what `elenchus rldf export` writes: pairs and statements in TRL's conversational forms. Pure but for reading.

A line that is no such example is refused with its place: nothing is left out silently.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from elenchus.config.documents import UnreadableDocument, read_bytes, read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.alignment.export import UNGATED
from elenchus.detectors.alignment.training.settings import Stage

LARGEST = 2_000_000_000
"""Bytes of a file."""
_VERDICT = re.compile("[0-9a-f]{16}")
"""The hash of a verdict, which rows of an export name (`Verdict.digest`)."""

Messages = list[dict[str, str]]


class Example(FrozenModel):
    """A prompt with what is said to it: `chosen` alone, or both sides of a pair. `topic` is for intervals."""

    prompt: tuple[tuple[str, str], ...]
    chosen: str = ""
    rejected: str = ""
    topic: str = ""

    @property
    def messages(self) -> Messages:
        """The prompt as a chat template takes it."""
        return [{"role": role, "content": content} for role, content in self.prompt]


class DataFile(FrozenModel):
    """What was read from where. `ungated`: its name says so, or one of its rows names no verdict of the judge gate."""

    name: str
    sha256: str
    examples: int
    ungated: bool


_SIDES: dict[Stage, tuple[str, ...]] = {
    "sft": ("completion",), "reward": ("chosen", "rejected"), "dpo": ("chosen", "rejected"), "ppo": (), "rloo": (),
}  # fmt: skip


def read_examples(files: Sequence[Path], stage: Stage) -> tuple[list[Example], list[DataFile]]:
    """All examples of the files, and where they are from. Raises UsageError naming file and line."""
    examples: list[Example] = []
    read: list[DataFile] = []
    for file in files:
        found, digest, ungated = _read(file, stage)
        examples += found
        read.append(DataFile(name=file.name, sha256=digest, examples=len(found), ungated=ungated))
    if not examples:
        raise UsageError(f"There is no example in {', '.join(map(str, files))}.")
    return examples, read


def prompts_of(examples: Iterable[Example]) -> list[Example]:
    """Each prompt once, in their order: what a policy is asked."""
    return list({one.prompt: Example(prompt=one.prompt, topic=one.topic) for one in examples}.values())


def _read(file: Path, stage: Stage) -> tuple[list[Example], str, bool]:
    try:
        digest = hashlib.sha256(read_bytes(file, LARGEST)).hexdigest()
        text = read_text(file, LARGEST)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    rows = [(_row(line, place), place) for n, line in lines for place in [f"{file}, line {n}"]]
    ungated = file.name.startswith(UNGATED) or not all(_VERDICT.fullmatch(str(row.get("gate"))) for row, _ in rows)
    return [_example(row, place, stage) for row, place in rows], digest, ungated


def _row(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{place}: that is no JSON.") from error
    if not isinstance(row, dict):
        raise UsageError(f"{place}: that is no object.")
    return row


def _example(row: dict[str, Any], place: str, stage: Stage) -> Example:
    prompt = row.get("prompt")
    if not _is_conversation(prompt) or not prompt:
        raise UsageError(f"{place}: `prompt` is no list of messages with role and content: give a file of an export.")
    sides = {side: _said(row.get(side), side, place) for side in _SIDES[stage]}
    return Example(
        prompt=tuple((one["role"], one["content"]) for one in prompt),
        chosen=sides.get("completion") or sides.get("chosen", ""),
        rejected=sides.get("rejected", ""),
        topic=str(row.get("topic", "")),
    )


def _is_conversation(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and isinstance(one.get("role"), str) and isinstance(one.get("content"), str)
        for one in value
    )


def _said(value: Any, side: str, place: str) -> str:
    """The words of one side, which is a list of one message. Raises UsageError."""
    other = "it takes pairs, `pairs-….jsonl`" if side != "completion" else "it takes statements, `sft-….jsonl`"
    if not _is_conversation(value) or len(value) != 1 or not value[0]["content"].strip():
        raise UsageError(f"{place}: `{side}` is missing or empty ({other}).")
    return str(value[0]["content"])
