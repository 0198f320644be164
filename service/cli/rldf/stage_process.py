"""A stage of an experiment as a process of its own, which stops when the experiment is gone.

Who is killed tells its children nothing: a stage would work on, and hold what the same command wants to go on with.
So the experiment holds the other end of the stage's standard input, which ends with it.
"""

from __future__ import annotations

import os
import signal
import threading

from elenchus.service.cli import main


def _stop_behind(pipe: int) -> None:
    while os.read(pipe, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def start() -> None:
    """Run the command that was typed, with nothing to read."""
    pipe, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    threading.Thread(target=_stop_behind, args=(pipe,), daemon=True).start()
    main()


if __name__ == "__main__":
    start()
