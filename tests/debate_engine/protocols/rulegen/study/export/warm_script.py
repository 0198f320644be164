"""Runs a Python script in a process of its own that is forked off one which has imported pandas and scipy already."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pandas", "scipy.stats"])


def run(script: Path, folder: Path) -> tuple[int | None, str]:
    """In this folder, warnings as errors: its exit status, and all that it said."""
    said = script.with_suffix(".said")
    process = _CONTEXT.Process(target=_run, args=(script, folder, said))
    process.start()
    process.join(240)
    return process.exitcode, said.read_text(encoding="utf-8")


def _run(script: Path, folder: Path, said: Path) -> None:
    os.chdir(folder)
    sys.argv = [str(script)]
    with said.open("w", encoding="utf-8", buffering=1) as file, redirect_stdout(file), redirect_stderr(file):
        warnings.simplefilter("error")
        runpy.run_path(str(script), run_name="__main__")
