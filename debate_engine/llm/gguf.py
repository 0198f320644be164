"""What a GGUF says of its model in its header, read before the model is loaded (GGUF specification, version 3).

llama.cpp's own reader, the package `gguf`, takes a hundred times as long and seven times the memory (decision 0099).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import IO, Any

from elenchus.config.documents import UnreadableDocument, open_regular
from elenchus.debate_engine.errors import ProviderError


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF says of its model: the context (tokens) that it was trained with, and how many parameters it has.

    The context is None where the file does not say, the parameters 0.
    """

    context: int | None
    parameters: int


@lru_cache
def header_of(path: Path) -> Header:
    """The header of a GGUF. Raises ProviderError if it is none."""
    context = size = None
    for key, value in _metadata(path):
        if key.endswith(".context_length") and isinstance(value, int):
            context = value
        elif key == "general.size_label":
            size = _parameters(str(value))
        elif key == _TENSORS and not size:
            size = value
        if context and size:
            break
    return Header(context, size or 0)


@lru_cache
def control_tokens(path: Path) -> frozenset[str]:
    """The texts that a GGUF's tokenizer takes for control tokens, such as `<|im_end|>`. Raises ProviderError.

    Reads the whole vocabulary: for a thread.
    """
    found = metadata_of(path, (TOKENS, _TOKEN_TYPES))
    pairs = zip(found.get(TOKENS, ()), found.get(_TOKEN_TYPES, ()), strict=False)
    return frozenset(text for text, kind in pairs if kind in _CONTROL and text)


def metadata_of(path: Path, keys: Collection[str]) -> dict[str, Any]:
    """These of a GGUF's metadata, as far as it has them. Raises ProviderError."""
    found: dict[str, Any] = {}
    for key, value in _metadata(path):
        if key in keys:
            found[key] = value
        if len(found) == len(keys):
            break
    return found


TOKENS, _TOKEN_TYPES = "tokenizer.ggml.tokens", "tokenizer.ggml.token_type"
_CONTROL = (2, 3)
"""llama.cpp's types of tokens that stand for no text: unknown and control."""

_TENSORS = "numbers in all tensors"


def _metadata(path: Path) -> Iterator[tuple[str, Any]]:
    """A GGUF's metadata, as far as they are asked for, the numbers in all its tensors last. Raises ProviderError."""
    with _opened(path) as file:
        try:
            magic, _, tensors, entries = struct.unpack("<4sIQQ", file.read(24))
            if magic != b"GGUF":
                raise ProviderError(f"{path} is not a GGUF file.")
            for _ in range(entries):
                yield _text(file), _value(file, *struct.unpack("<I", file.read(4)))
            yield _TENSORS, sum(_elements(file) for _ in range(tensors))
        except (struct.error, KeyError, UnicodeDecodeError, RecursionError, TypeError) as error:
            raise ProviderError(f"{path} is damaged: its header cannot be read.") from error


def _opened(path: Path) -> IO[bytes]:
    try:
        return open_regular(path, f"The model {path}")
    except UnreadableDocument as error:
        raise ProviderError(f"{error}.") from error


def _parameters(label: str) -> int | None:
    """A size label such as 135M, 1.7B or 8x7B (GGUF naming convention) as a number; None where it is no such label."""
    if not (read := _SIZE.match(label)):
        return None
    return round(int(read[1] or 1) * float(read[2]) * _SCALE[read[3]])


_SIZE = re.compile(r"(?:(\d+)x)?(\d+(?:\.\d+)?)([KMBTQ])")
_SCALE = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "Q": 1e15}


def _elements(file: IO[bytes]) -> int:
    """The numbers in the next tensor, by its entry (name, dimensions, type, offset)."""
    _text(file)
    (dimensions,) = struct.unpack("<I", file.read(4))
    shape = _numbers(file, dimensions, "Q")
    file.read(12)
    return prod(shape)


_LONGEST = 10_000_000
"""Bytes of a text or of an array of numbers in a header: a vocabulary of 250,000 tokens has arrays of a tenth of it."""

_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


def _value(file: IO[bytes], kind: int) -> Any:
    """One metadata value."""
    if kind == 8:
        return _text(file)
    if kind == 9:
        item, count = struct.unpack("<IQ", file.read(12))
        return _numbers(file, count, _FORMATS[item]) if item in _FORMATS else [_value(file, item) for _ in range(count)]
    return _numbers(file, 1, _FORMATS[kind])[0]


def _text(file: IO[bytes]) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    return _read(file, length).decode()


def _numbers(file: IO[bytes], count: int, form: str) -> tuple[Any, ...]:
    form = f"<{count}{form}"
    return struct.unpack(form, _read(file, struct.calcsize(form)))


def _read(file: IO[bytes], length: int) -> bytes:
    """So many bytes, or those that are left. What a damaged file claims is not asked of the memory."""
    if length > _LONGEST:
        raise struct.error(f"a value of {length} bytes")
    return file.read(length)
