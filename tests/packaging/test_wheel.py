"""What is built is what runs: prompts and YAML get lost in wheels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL: dict[str, Any] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
DEBATE_KEYS = {"id", "state", "motion", "agenda", "rounds", "judges", "winner", "proposal", "usage"}

# One worker builds and installs for all tests of this file.
pytestmark = pytest.mark.xdist_group("wheel")


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the checkout's environment; return its standard output, or fail with its standard error."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, cwd=cwd, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(target: str, source: Path, into: Path) -> Path:
    """Build an sdist or a wheel with the project's own backend, without fetching anything."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", into, cwd=source)
    (built,) = into.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that an index would serve: built from the unpacked source distribution, not from the checkout."""
    folder = tmp_path_factory.mktemp("build")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return build("wheel", source, folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment outside the checkout that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    uv = Path(sys.executable).with_name("uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, folder / "venv", cwd=folder)
    python, pins = folder / "venv" / "bin" / "python", ROOT / "constraints.txt"
    run(uv, "pip", "install", "--quiet", "--python", python, "--constraint", pins, wheel, cwd=folder)
    return python.parent


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    folders = [folder for folder in WHEEL["only-include"] if (ROOT / folder).is_dir()]
    files = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    expected = {f"elenchus/{path.relative_to(ROOT)}" for path in files if path.suffix != ".pyc"}
    assert packed == expected | {"elenchus/__init__.py", "elenchus/py.typed"}
    assert len(folders) == len([link for link in (ROOT / "src" / "elenchus").iterdir() if link.is_symlink()])


@pytest.mark.slow
def test_the_installed_program_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    version = PYPROJECT["project"]["version"]
    assert run(installed / "elenchus", "--version", cwd=tmp_path).strip() == f"elenchus {version}"
    for name in ("bot", "config", "service", "storage"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('another program')", encoding="utf-8")
    imported = "import elenchus.bot.client, elenchus.service.app as app; print(app.__file__)"
    where = run(installed / "python", "-c", imported, cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)


@pytest.mark.slow
def test_the_installed_program_holds_a_scripted_debate(installed: Path, tmp_path: Path) -> None:
    seats = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
    size = ("--topics", "2", "--max-rounds", "2")
    motion = "Should a city ban private cars from its centre?"
    shown = json.loads(run(installed / "elenchus", "debate", motion, *seats, *size, "--json", cwd=tmp_path))
    assert shown.keys() >= DEBATE_KEYS
    assert (shown["motion"], shown["state"], len(shown["agenda"])) == (motion, "finished", 2)


@pytest.mark.slow
def test_the_installed_server_shows_its_pages_with_their_style(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "elenchus"), "serve", "--port", "0", "--json"]
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    known["ELENCHUS_HOME"] = str(tmp_path / "home")
    with subprocess.Popen(command, cwd=tmp_path, env=known, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        ready = json.loads(server.stdout.readline())
        try:
            page = fetched(ready["moderator"])
            (style,) = re.findall(r'href="(/static/[^"]+\.css)"', page)
            assert "color" in fetched(ready["url"] + style)
        finally:
            server.terminate()
    assert server.returncode == 0


def fetched(url: str) -> str:
    """What a browser is sent."""
    asked = urllib.request.Request(url, headers={"Accept": "text/html"})  # noqa: S310 - our own server
    with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
        return str(answer.read().decode())
