"""Values in the queue's tables that only another program can have written: times such as `-infinity`, odd arguments."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from psycopg import DataError
from psycopg.adapt import Loader
from psycopg.types.datetime import TimestamptzLoader

if TYPE_CHECKING:
    from psycopg.abc import Buffer
    from psycopg.adapt import AdaptersMap

_log = logging.getLogger(__name__)

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def read_all(adapters: AdaptersMap) -> None:
    """Have a connection read every job: a worker that could not read one would end for it, and so would all others."""
    adapters.register_loader("timestamptz", AnyTime)
    adapters.register_loader("jsonb", AnyArguments)


class AnyTime(TimestamptzLoader):
    """Reads a time as PostgreSQL writes it; one that Python has no date for is `LONG_AGO`, with a warning."""

    def load(self, data: Buffer) -> datetime:
        """A time with its zone."""
        try:
            return super().load(data)
        except DataError:
            _log.warning("a job in the queue has a time that is no date (%s): it counts as due", bytes(data).decode())
            return LONG_AGO


class AnyArguments(Loader):
    """Reads a job's arguments; what is no object, or cannot be read, is none, with a warning: without its arguments a
    job fails, and is given up after some tries.
    """

    def load(self, data: Buffer) -> dict[str, Any]:
        """The arguments by name."""
        try:
            found = json.loads(bytes(data))
        except (ValueError, RecursionError):  # a number of too many digits, or nested too deeply
            found = None
        if isinstance(found, dict):
            return found
        _log.warning("a job in the queue has arguments that cannot be read: it is given up after some tries")
        return {}
