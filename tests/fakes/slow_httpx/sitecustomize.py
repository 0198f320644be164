"""Makes a fresh Python with this folder on PYTHONPATH import httpx slowly, as from a slow disk: half imported meanwhile."""

from __future__ import annotations

import sys
import time
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

SECONDS = 2.0


class Slowly(MetaPathFinder):
    """Finds httpx, and takes its time before it is run."""

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "httpx" or (spec := PathFinder.find_spec(name, path, target)) is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        run = loader.exec_module

        def slowly(module: ModuleType) -> None:
            time.sleep(SECONDS)
            run(module)

        loader.exec_module = slowly
        return spec


sys.meta_path.insert(0, Slowly())
