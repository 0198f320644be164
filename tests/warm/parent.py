"""Forks programs off a process that has imported all they need: `python -m tests.warm.parent FD [bare]`.

Each is a process as any other, with files, signals, a folder, an environment and an exit status of its own, which may
be killed and frozen; only the second that a start takes to import everything is saved. `process.py` asks for them, on
the socket FD: JSON with "module", "arguments", "cwd", "env" and "terminal", and four open files: a socket for the
number and the exit status of the process, and what is to be its standard input, output and error.

A `bare` one has imported our own modules and none of the vendors' SDKs, nor what the SDKs share.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import termios
import threading
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO

from elenchus.debate_engine.errors import UsageError
from elenchus.storage.embeddings import EMBEDDINGS

OURS = ("elenchus",)
LATE = ("elenchus.detectors.alignment.training.learning", "elenchus.detectors.decision.learning")
"""What needs the heaviest libraries and is used by few."""
THEIRS = (
    "aiohttp.web", "aiohttp.resolver", "chromadb", "discord", "filelock", "jinja2", "markdown_it",
    "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "matplotlib.figure", "numpy", "rich.markdown",
    "rich.table", "scipy.stats", "wordllama", "yaml",
)  # fmt: skip
"""What ours imports when it is first needed."""


BARE = ("elenchus.config", "elenchus.debate_engine", "elenchus.service", "elenchus.storage")
SHARED = {"aiohttp", "httpx", "httpx2", "openai", "anthropic", "google.genai", "chromadb"}
"""What no process has imported that is forked off a bare one."""
IMPORT_SHARED = ("elenchus.debate_engine.llm.transport", "elenchus.service.web", "elenchus.service.client")

STANDARD = (("stdin", 0, "r", "strict"), ("stdout", 1, "w", "strict"), ("stderr", 2, "w", "backslashreplace"))
"""The standard files, as Python opens them."""


def preload(*, bare: bool) -> None:
    """Import it all. No thread may run afterwards: a fork takes along only the one that forks."""
    if bare:
        import_ours(BARE, IMPORT_SHARED)
        assert not SHARED & set(sys.modules)
    else:
        import_ours(OURS, LATE)
        for name in THEIRS:
            with suppress(ModuleNotFoundError):  # an extra that is not installed
                import_module(name)
        with suppress(UsageError):
            EMBEDDINGS["wordllama"].vectors(["a word"])  # the model is loaded
    import_module("elenchus.service.cli.program").whole_tree()
    gc.collect()
    gc.freeze()
    assert threading.active_count() == 1
    assert len(list(Path("/proc/self/task").iterdir())) == 1


def import_ours(packages: tuple[str, ...], without: tuple[str, ...]) -> None:
    """Import all modules of packages but for some."""
    for name in packages:
        for found in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            if not found.name.startswith(without) and not found.name.endswith("__main__"):
                import_module(found.name)


def served(requests: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Fork for each request, until nobody can ask any more; in a child, what it is to be and its standard files."""
    children: dict[int, socket.socket] = {}
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    while True:
        ready, _, _ = select.select([requests.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            tell_ends(children)
        if requests.fileno() in ready:
            message, files, _, _ = socket.recv_fds(requests, 1 << 20, 4)
            if not message:
                return None
            if not (pid := os.fork()):
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for file in (requests.detach(), woken, wake, files[0], *(one.detach() for one in children.values())):
                    os.close(file)
                return json.loads(message), files[1:]
            children[pid] = socket.socket(fileno=files[0])
            children[pid].send(str(pid).encode())
            for file in files[1:]:
                os.close(file)


def tell_ends(children: dict[int, socket.socket]) -> None:
    """Tell of each child that has ended its exit status."""
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with children.pop(pid) as told, suppress(BrokenPipeError):
            told.send(str(os.waitstatus_to_exitcode(status)).encode())


def become(wanted: dict[str, Any], files: list[int]) -> None:
    """Take on the place, the environment and the standard files of the program."""
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    if wanted["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGHUP, signal.SIGTERM):  # also where the tests run under `nohup`, or behind a shell's `&`
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    for each in os.environ.get("PYTHONWARNINGS", "").split(","):
        action, _, category = each.partition("::")
        if action:
            warnings.simplefilter(action, {"": Warning, "ResourceWarning": ResourceWarning}[category])  # type: ignore[arg-type]
    for name, file, mode, errors in STANDARD:
        opened = stream(file, mode, errors)
        setattr(sys, name, opened)
        setattr(sys, f"__{name}__", opened)


def stream(file: int, mode: str, errors: str) -> TextIO:
    """A standard file, whose lines come out at once where a person reads them."""
    at_once = file == 2 or os.isatty(file)
    return open(file, mode, 1 if at_once else -1, encoding="utf-8", errors=errors, closefd=False)  # type: ignore[return-value]


def run(module: str, arguments: list[str]) -> int:
    """Run a module as a program; the exit status."""
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return -signal.SIGINT
    except BaseException:  # noqa: BLE001 - as Python does at the end of a program
        traceback.print_exc()
        return 1
    return 0


def end(code: int) -> NoReturn:
    """End as Python does, without taking down all that was imported."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()
    for file in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            file.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def main() -> None:
    """Serve; in a child, be the program that was asked for."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    preload(bare=sys.argv[2:] == ["bare"])
    if wanted := served(requests):
        become(*wanted)
        end(run(wanted[0]["module"], wanted[0]["arguments"]))


if __name__ == "__main__":
    main()
