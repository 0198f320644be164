"""What the service counts, in the form that Prometheus reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric

from elenchus.service.web.operations.shared_metrics import SharedMetrics

if TYPE_CHECKING:
    from elenchus.service.web.server import WebService

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LAG_EVERY = 1.0


class Metrics:
    """The counts of one service, whose own registry they have."""

    def __init__(self, service: WebService) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no types for it
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._registry.register(_Now(service))
        self.shared = SharedMetrics(service.app)
        self._registry.register(self.shared)
        self._requests = Counter(
            "elenchus_http_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "elenchus_http_request_seconds", "Seconds until an answer was sent, streams left out.", ("route",),
            registry=self._registry, buckets=_SECONDS,
        )  # fmt: skip
        self._lag = Histogram(
            "elenchus_event_loop_lag_seconds", "Seconds by which a timer of the event loop was late.",
            registry=self._registry, buckets=_SECONDS,
        )  # fmt: skip

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request. `route` is the path's pattern, so that there are no more of them than routes."""
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        if not route.endswith("/stream"):
            self._seconds.labels(route).observe(seconds)

    async def watch_lag(self) -> None:
        """Measure, until it is cancelled, how late the event loop is."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_EVERY
            await asyncio.sleep(_LAG_EVERY)
            self._lag.observe(max(0.0, loop.time() - due))

    def text(self) -> bytes:
        """All of it as it is sent."""
        return generate_latest(self._registry)


class _Now:
    """What is read at the moment when somebody asks."""

    def __init__(self, service: WebService) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Each number with its name."""
        service = self._service
        numbers: tuple[tuple[str, str, Callable[[], int]], ...] = (
            ("elenchus_sessions_run", "Sessions with a task here, paused ones too.", lambda: len(service.own.running)),
            ("elenchus_sessions_followed", "Sessions at which somebody looks.", lambda: service.live.followed),
            ("elenchus_streams", "Streams that are open.", lambda: len(service.limits.streams)),
        )
        for name, words, number in numbers:
            with suppress(RuntimeError):  # something changed while it was counted
                yield GaugeMetricFamily(name, words, value=number())
