"""Folders of a tiny model with one thing wrong in each: what a broken-off copy, or another's file, leaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

WEIGHTS = "model.safetensors"


def _rewritten(base: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    from safetensors.torch import load_file, save_file

    save_file(change(load_file(base / WEIGHTS)), base / WEIGHTS, metadata={"format": "pt"})


def _cut(base: Path) -> None:
    content = (base / WEIGHTS).read_bytes()
    (base / WEIGHTS).write_bytes(content[: len(content) // 2])


def _without_a_tokenizer(base: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (base / name).unlink()


def _of_another_shape(tensors: dict[str, Any]) -> dict[str, Any]:
    return {name: tensor[..., :3].contiguous() for name, tensor in tensors.items()}


DAMAGE: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "garbage": (lambda base: (base / WEIGHTS).write_bytes(os.urandom(4_000)), "header too large"),
    "nothing": (lambda base: (base / WEIGHTS).write_bytes(b""), "header too small"),
    "cut": (_cut, "incomplete metadata"),
    "no weights": (lambda base: _rewritten(base, lambda _: {}), "its weights are missing, or of another shape"),
    "half of the weights": (
        lambda base: _rewritten(base, lambda tensors: dict(sorted(tensors.items())[:10])),
        "its weights are missing, or of another shape",
    ),
    "another shape": (
        lambda base: _rewritten(base, _of_another_shape), "its weights are missing, or of another shape",
    ),
    "a tokenizer that is a list": (lambda base: (base / "tokenizer_config.json").write_text("[]"), "has no attribute"),
    "no tokenizer": (_without_a_tokenizer, "tokenizer"),
}  # fmt: skip
"""What is done to the folder, and of what it is told."""
