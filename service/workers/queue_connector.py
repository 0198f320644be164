"""procrastinate's connections, of which whoever may connect to the database breaks nothing by a notice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procrastinate import PsycopgConnector
    from procrastinate.connector import Notify

LOOK = '{"type": "job_inserted", "job_id": 0}'
"""What a worker hears at every notice: to look at the queue."""


def queue_connector(**pool: Any) -> PsycopgConnector:
    """A connector with a pool of these settings that reads no notice: PostgreSQL lets every role tell anything on any
    channel. A job that is to be aborted is found in the table, by a look each second.
    """
    from procrastinate import PsycopgConnector

    class QueueConnector(PsycopgConnector):
        async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
            async def noticed(*, channel: str, payload: str) -> None:
                await on_notification(channel=channel, payload=LOOK)

            await super().listen_notify(noticed, channels)

    return QueueConnector(**pool)
