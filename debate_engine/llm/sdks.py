"""The vendors' SDKs, imported in this one place: one after another, and all of them before a process's first call.

They look at each other half imported. OpenAI's takes whatever `sys.modules["httpx"]` holds for the whole of httpx, at
every request, while Google's, or chromadb in another thread, may be importing it: httpx is imported first, whole. And
an import stops the event loop for most of its second or two, so that no call moves meanwhile: a client that is made
says what it will need, and the first that is called imports what all of them need.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Literal, TypeVar

T = TypeVar("T")
Sdk = Literal["openai", "anthropic", "google.genai"]

_FIRST = ("httpx", "httpx2", "aiohttp", "elenchus.debate_engine.llm.transport")
"""What the SDKs share or look for."""
_lock = threading.Lock()
_needed: set[Sdk] = set()
_imported: set[Sdk] = set()


def require(sdk: Sdk) -> None:
    """Tell that this process has a client of this SDK. Nothing is imported yet."""
    _needed.add(sdk)


def load() -> None:
    """Import all that is needed. Takes seconds, the first time: for a thread.

    What cannot be imported is left to its own client, whose error names the remedy.
    """
    if _needed <= _imported:
        return
    with _lock:
        for sdk in sorted(_needed - _imported):
            for module in (*_FIRST, sdk):
                with suppress(ImportError):
                    import_module(module)
            _imported.add(sdk)


def loading(make: Callable[[], T]) -> Callable[[], T]:
    """Make something of an SDK when all that is needed is imported, and nothing else is being made."""

    def made() -> T:
        load()
        with _lock:
            return make()

    return made
