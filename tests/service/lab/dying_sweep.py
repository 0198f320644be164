"""A process that sweeps, or withdraws by a code, and kills itself at its N-th use of the log or the store: `HOME N`,
with a code `HOME N CODE`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine import events
from elenchus.service.app import open_app
from elenchus.service.lab.retention import Retention


class Dying:
    """Something real, whose N-th use (with all others that share `left`) kills the process."""

    def __init__(self, real: Any, left: list[int]) -> None:
        self._real, self._left = real, left

    def __getattr__(self, name: str) -> Any:
        self._left[0] -= 1
        if self._left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return getattr(self._real, name)


async def main(home: Path, calls: int, code: str = "") -> None:
    left = [calls]
    async with open_app(Settings(home=home)) as app:
        store: Any = Dying(app.store, left)
        log: Any = Dying(app.log, left)
        people = replace(app.people, store=store, log=log)
        if code:
            await Retention(people).withdraw(code)
        else:
            await Retention(people, lambda: events.now() + timedelta(hours=25)).sweep()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
