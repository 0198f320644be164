"""docs/notebooks: each notebook runs in a real kernel, and prints what stands in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))

RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient

def printed(notebook):
    return ["".join(o.get("text", o.get("data", {}).get("text/plain", "")) for o in cell.outputs)
            for cell in notebook.cells if cell.cell_type == "code"]

path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
before = printed(notebook)
for cell in notebook.cells:
    if cell.cell_type == "code":
        cell.outputs, cell.execution_count = [], None
done = NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
json.dump({"before": before, "after": printed(done)}, sys.stdout)
if "--write" in sys.argv:
    for cell in done.cells:
        cell.metadata = {}
    nbformat.write(done, path)
"""


def executed(path: Path, folder: Path, *more: str) -> str:
    """The outputs that stand in a notebook and those of a fresh run, as JSON."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    ours = {"HOME": str(folder), "ELENCHUS_HOME": str(folder / "home"), "PYTHONUTF8": "1", "IPYTHONDIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path), *more], cwd=folder, capture_output=True, text=True, check=False,
        env=kept | ours,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_stands_in_it(path: Path, tmp_path: Path) -> None:
    found = json.loads(executed(path, tmp_path))
    assert found["before"] == found["after"]
    assert all(found["after"]), "each cell shows something"
