"""A laboratory for moderated debate between language models and people.

For programs (docs/python.md):

    async with elenchus.open() as lab:
        debate = await lab.debate("Should homework be abolished?", pro="engineer", con="farmer")
        async for event in debate:
            ...
        outcome = await debate

Nothing else is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` takes as long to load as all of Python, and the program hears signals first
if TYPE_CHECKING:
    from typing import Any

    from elenchus.debate_engine.errors import ElenchusError
    from elenchus.service.app import open_lab as open  # noqa: A004 - said with its module: elenchus.open
    from elenchus.service.client.connection import Timeouts
    from elenchus.service.client.errors import ServerUnavailable
    from elenchus.service.client.remote_lab import connect
    from elenchus.service.lab.detection import DetectOptions
    from elenchus.service.lab.grid import GridOptions
    from elenchus.service.lab.grid_session import Table
    from elenchus.service.lab.lab import Lab, run
    from elenchus.service.lab.options import CritOptions, DebateOptions, SweepOptions
    from elenchus.service.lab.protocol_session import ProtocolOptions
    from elenchus.service.lab.running import Running, Unfinished

_WHERE = {
    "ElenchusError": "debate_engine.errors",
    "open": "service.app:open_lab",
    "Timeouts": "service.client.connection",
    "ServerUnavailable": "service.client.errors",
    "connect": "service.client.remote_lab",
    "DetectOptions": "service.lab.detection",
    "GridOptions": "service.lab.grid",
    "Lab": "service.lab.lab",
    "Table": "service.lab.grid_session",
    "run": "service.lab.lab",
    "CritOptions": "service.lab.options",
    "DebateOptions": "service.lab.options",
    "SweepOptions": "service.lab.options",
    "ProtocolOptions": "service.lab.protocol_session",
    "Running": "service.lab.running",
    "Unfinished": "service.lab.running",
}
"""Where each name stands, and what it is called there where it is called otherwise."""

__all__ = [
    "CritOptions",
    "DebateOptions",
    "DetectOptions",
    "ElenchusError",
    "GridOptions",
    "Lab",
    "ProtocolOptions",
    "Running",
    "ServerUnavailable",
    "SweepOptions",
    "Table",
    "Timeouts",
    "Unfinished",
    "connect",
    "open",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'elenchus' has no attribute {name!r}")
    module, _, called = _WHERE[name].partition(":")
    return getattr(import_module(f"elenchus.{module}"), called or name)
