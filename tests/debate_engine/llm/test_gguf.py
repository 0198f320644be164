"""What is read of a GGUF's header, and what a damaged one comes to."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import ProviderError
from elenchus.debate_engine.llm.gguf import control_tokens, header_of


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def gguf(context: int | None = 4096, size: str = "", tensors: tuple[tuple[int, ...], ...] = ()) -> bytes:
    """The header of a GGUF with a few kinds of metadata, and tensors of these shapes."""
    entries = [
        text("general.name") + struct.pack("<I", 8) + text("tiny"),
        text("general.tags") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
        text("x.scale") + struct.pack("<If", 6, 0.5),
    ]
    if context is not None:
        entries.append(text("x.context_length") + struct.pack("<II", 4, context))
    if size:
        entries.append(text("general.size_label") + struct.pack("<I", 8) + text(size))
    shapes = [
        text(f"t{n}") + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, 0) for n, shape in enumerate(tensors)
    ]
    return struct.pack("<4sIQQ", b"GGUF", 3, len(shapes), len(entries)) + b"".join(entries) + b"".join(shapes)


@pytest.mark.parametrize(
    "size, tensors, parameters",
    [
        ("135M", (), 135_000_000),
        ("1.7B", (), 1_700_000_000),
        ("8x7B", (), 56_000_000_000),
        ("large", ((3, 4), (5,)), 17),
        ("", ((1_000, 1_000, 2), (7,)), 2_000_007),
        ("", (), 0),
    ],
)
def test_a_header_tells_the_parameters_by_its_label_else_by_its_tensors(
    tmp_path: Path, size: str, tensors: tuple[tuple[int, ...], ...], parameters: int
) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(gguf(size=size, tensors=tensors))
    assert header_of(path).parameters == parameters
    header_of.cache_clear()


def test_a_file_without_a_context_length_has_none_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    silent, broken = tmp_path / "silent.gguf", tmp_path / "broken.gguf"
    silent.write_bytes(gguf(context=None))
    broken.write_bytes(gguf()[:40])
    assert header_of(silent).context is None
    with pytest.raises(ProviderError, match=r"broken\.gguf is damaged"):
        header_of(broken)


@pytest.mark.parametrize(
    "entry",
    [
        struct.pack("<IQ", 8, 2**40),
        struct.pack("<IIQ", 9, 0, 2**40),
        struct.pack("<IIQ", 9, 8, 2**61),
        struct.pack("<IIQ", 9, 10, 2**63),
        struct.pack("<I", 99),
    ],
    ids=["a text", "an array of bytes", "an array of texts", "an array of numbers", "a type that is none"],
)
def test_a_damaged_header_that_claims_more_than_any_memory_holds_is_named(tmp_path: Path, entry: bytes) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + text("general.name") + entry)
    with pytest.raises(ProviderError, match=r"broken\.gguf is damaged"):
        header_of(path)


def test_the_control_tokens_are_those_that_the_tokenizer_marks_as_such(tmp_path: Path) -> None:
    tokens = ("<|im_end|>", "word", "<unk>", "")
    entries = [
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 4) + b"".join(map(text, tokens)),
        text("tokenizer.ggml.token_type") + struct.pack("<IIQ4i", 9, 5, 4, 3, 1, 2, 3),
    ]
    path = tmp_path / "other.gguf"
    path.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, 2) + b"".join(entries))
    assert control_tokens(path) == {"<|im_end|>", "<unk>"}
