"""On PYTHONPATH: has a process say on standard error what its event loop's thread imports while the loop runs."""

from __future__ import annotations

import sys
import threading


class Noting:
    """A finder that finds nothing and says what it was asked for."""

    def find_spec(self, name: str, *_more: object) -> None:
        """Leave it to the next finder."""
        running = getattr(sys.modules.get("asyncio.events"), "_get_running_loop", None)
        if running is not None and threading.current_thread() is threading.main_thread() and running() is not None:
            print("the loop imports", name, file=sys.stderr, flush=True)


sys.meta_path.insert(0, Noting())
