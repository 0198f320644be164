"""What all processes have together, as Prometheus reads it: the queue, its workers, providers' limits, Redis.

It is looked at every few seconds and not while somebody asks: a database that is slow delays no scrape. Each server
tells the same numbers of the queue, so that a graph takes the greatest of them and no sum.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily, Metric

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.shared import LocalShared

if TYPE_CHECKING:
    from elenchus.service.app import App


EVERY = 5.0
"""Seconds between two looks."""

Labels = tuple[tuple[str, str], ...]


@dataclass(eq=False)
class SharedMetrics:
    """The numbers as they were last seen, by name and labels."""

    app: App
    _seen: dict[str, dict[Labels, float]] = field(default_factory=dict)

    async def watch(self) -> None:
        """Look, until it is cancelled; what cannot be looked at is not told."""
        while True:
            seen: dict[str, dict[Labels, float]] = {}
            for look in (self._limits, self._queue):
                with suppress(ElenchusError):
                    await look(seen)
            self._seen = seen
            await asyncio.sleep(EVERY)

    def collect(self) -> Iterator[Metric]:
        """Each number with its name."""
        for name, words in WORDS.items():
            if values := self._seen.get(name):
                labels = [label for label, _ in next(iter(values))]
                family = GaugeMetricFamily(name, words, labels=labels)
                for place, value in values.items():
                    family.add_metric([text for _, text in place], value)
                yield family

    async def _limits(self, seen: dict[str, dict[Labels, float]]) -> None:
        if isinstance(self.app.shared, LocalShared):
            return
        from elenchus.storage.redis_link import RedisGone
        from elenchus.storage.redis_shared import RedisShared

        assert isinstance(self.app.shared, RedisShared)
        shared = self.app.shared
        seen["elenchus_redis_up"] = {(): float(not shared.link.gone)}
        seen["elenchus_redis_outages"] = {(): float(shared.link.outages)}
        for provider, gate in shared.gates.items():
            place: Labels = (("provider", provider),)
            seen.setdefault("elenchus_provider_limit", {})[place] = gate.allowed.concurrency
            with suppress(RedisGone):
                seen.setdefault("elenchus_provider_calls", {})[place] = await gate.used()

    async def _queue(self, seen: dict[str, dict[Labels, float]]) -> None:
        from elenchus.service.store import queue_of
        from elenchus.service.workers.queue import QUEUES

        if (queue := queue_of(self.app.settings)) is None:
            return
        try:
            if not await queue.is_there():  # with or without workers: it grows where they are gone
                return
            for name in QUEUES:  # nothing that waits is a number, too
                seen.setdefault("elenchus_queue_waiting", {})[("queue", name),] = 0
                seen.setdefault("elenchus_queue_oldest_seconds", {})[("queue", name),] = 0
            for name, (waiting, _) in (await queue.depth()).items():
                seen["elenchus_queue_waiting"][("queue", name),] = waiting
            for name, age in (await queue.oldest()).items():
                seen["elenchus_queue_oldest_seconds"][("queue", name),] = age
            for (name, host, pid), jobs in (await queue.busy()).items():
                place = (("queue", name), ("worker", f"{host}:{pid}"))
                seen.setdefault("elenchus_worker_jobs", {})[place] = jobs
            seen["elenchus_queue_takeovers"] = {(): await queue.takeovers()}
            seen["elenchus_sessions_waiting"] = {(): await queue.waiting()}
        finally:
            await queue.aclose()


WORDS = {
    "elenchus_redis_up": "Whether this process reaches Redis.",
    "elenchus_redis_outages": "How often Redis was gone for this process since it began.",
    "elenchus_provider_limit": "Calls of a provider that all processes may have in flight.",
    "elenchus_provider_calls": "Calls of a provider that all processes have in flight.",
    "elenchus_queue_waiting": "Jobs that wait in a queue.",
    "elenchus_queue_oldest_seconds": "Seconds for which the oldest job of a queue has waited.",
    "elenchus_worker_jobs": "Jobs (sessions, in the queue of that name) that a worker is at.",
    "elenchus_queue_takeovers": "Jobs that were taken over from workers that were gone, ever.",
    "elenchus_sessions_waiting": "Sessions that wait for people, at no worker meanwhile.",
}
