"""What commands have in common: settings, the application, and one run of the event loop."""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import typer

from elenchus.service.cli import signals

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.storage.vector_store import Progress

T = TypeVar("T")

GARBAGE = (20_000, 10, 20)
"""When the program's Python looks for garbage: 30 times less often than by default. With many sessions a look at
everything stops the event loop for half a second (`benchmarks/thousand.py`), and hardly anything here is in cycles."""

LEAVE_ON = frozenset({"budget", "provider"})
"""Where nobody can press a key, a session that waits for one of these is left, and may be resumed later."""


def settings() -> Settings:
    """The settings of this process. Raises UsageError naming the variable that cannot be read."""
    from elenchus.config.settings import load_settings
    from elenchus.debate_engine.errors import UsageError

    try:
        return load_settings()
    except ValueError as error:
        raise UsageError(str(error)) from error


def opened(
    known: Settings | None = None, *, interactive: bool = False, building: Progress | None = None
) -> AbstractAsyncContextManager[App]:
    """The application. In an `interactive` run a session that must wait is not left: a key can mend it.

    `building`: see `open_app`.
    """
    from elenchus.service.app import open_app

    return open_app(known or settings(), leave_on=frozenset() if interactive else LEAVE_ON, building=building)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work in an event loop of its own, whose end waits for no thread (see `leave`).

    A signal cancels the work, unless the work has another use for it. Raises Interrupted then.
    """
    import asyncio
    import gc
    from concurrent.futures import ThreadPoolExecutor

    from elenchus.service.cli.failures import Interrupted

    class Threads(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=True)

    async def worked() -> T:
        asyncio.get_running_loop().set_default_executor(Threads(thread_name_prefix="elenchus"))
        task, interrupted = asyncio.current_task(), False

        def interrupt(times: int) -> None:
            nonlocal interrupted
            if times == 1 and task is not None:
                interrupted = task.cancel()

        with signals.heard_by(signals.on_loop(interrupt)):
            try:
                return await work
            except asyncio.CancelledError:
                if not interrupted:
                    raise
                raise Interrupted from None

    gc.set_threshold(*GARBAGE)
    try:
        return asyncio.run(worked())
    finally:
        work.close()  # an interruption may come before it has begun


def leave(code: int) -> NoReturn:
    """End the program, on the spot after an interruption and where a thread cannot be told to stop.

    Such are the embedded model's, which reads a prompt or is being loaded, and imports. Nobody needs what they make:
    whatever is to be kept was awaited, and the log was closed. (After a Ctrl-C within an import Python would end by the
    signal, whatever code it was given.)
    """
    import threading

    written = [_flushed(stream) for stream in (sys.stdout, sys.stderr)]
    if code == signals.PAUSED or threading.active_count() > 1 or not all(written):
        os._exit(code)
    sys.exit(code)


def _flushed(stream: TextIO) -> bool:
    """Whether all of it could be written; if not, Python would try again at its end, and end with another code."""
    with suppress(OSError, ValueError):
        stream.flush()
        return True
    return False


def confirm(question: str, *, yes: bool) -> None:
    """Have the person agree to what cannot be undone. Raises UsageError for a no, and where nobody can be asked."""
    from elenchus.debate_engine.errors import UsageError

    if yes:
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(f"{question}: nobody can be asked here, so say --yes.")
    if not typer.confirm(f"{question}?", err=True):
        raise UsageError("Nothing was done.")


def name_of(by: str) -> str:
    """The name that was given, or the login."""
    from elenchus.service.cli.output import clean
    from elenchus.service.cli.turns import login_name

    return clean(by).strip() or login_name()
