"""Times in the queue's tables that only another program can have written, such as `-infinity`."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from psycopg import DataError
from psycopg.types.datetime import TimestamptzLoader

if TYPE_CHECKING:
    from psycopg.abc import Buffer

_log = logging.getLogger(__name__)

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class AnyTime(TimestamptzLoader):
    """Reads a time as PostgreSQL writes it; one that Python has no date for is `LONG_AGO`, with a warning: a worker
    that could not read a job would end for it, and so would all others.
    """

    def load(self, data: Buffer) -> datetime:
        """A time with its zone."""
        try:
            return super().load(data)
        except DataError:
            _log.warning("a job in the queue has a time that is no date (%s): it counts as due", bytes(data).decode())
            return LONG_AGO
