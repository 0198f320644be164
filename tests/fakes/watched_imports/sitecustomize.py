"""For a fresh Python with this folder on PYTHONPATH: httpx is imported slowly, as from a slow disk.

Each module of a vendor's SDK that is looked for is noted in the file that IMPORTS_FILE names, with the machine's
monotonic time in seconds.
"""

from __future__ import annotations

import os
import sys
import time
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

SECONDS = 2.0
"""Which httpx takes, and LONG where OpenAI's SDK, which looks for it, is there already or comes meanwhile."""
LONG = 5.0
SDKS = ("openai", "anthropic", "google.genai", "httpx", "httpx2", "aiohttp")
NOTES = os.environ.get("IMPORTS_FILE")


class Watching(MetaPathFinder):
    """Notes what is looked for, and takes its time before httpx is run."""

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if NOTES and name.startswith(SDKS):
            with Path(NOTES).open("a", encoding="utf-8") as notes:
                notes.write(f"{time.monotonic()} {name}\n")
        return slow(name, path, target) if name == "httpx" and not NOTES else None


def slow(name: str, path: Any, target: ModuleType | None) -> ModuleSpec | None:
    """How to import the module, slowly."""
    spec = PathFinder.find_spec(name, path, target)
    if spec is None or spec.loader is None:
        return None
    loader: Any = spec.loader
    run = loader.exec_module

    def slowly(module: ModuleType) -> None:
        time.sleep(SECONDS)
        if "openai" in sys.modules:
            time.sleep(LONG)
        run(module)

    loader.exec_module = slowly
    return spec


sys.meta_path.insert(0, Watching())
