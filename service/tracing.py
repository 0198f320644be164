"""Traces by OpenTelemetry, where the environment names a collector (OTEL_EXPORTER_OTLP_ENDPOINT) and the extra `otel`
is installed: a span for each run of a session, each step and each call of a model.

Everything else about it (service name, headers, sampling) is OpenTelemetry's own: its variables OTEL_… are read by it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from elenchus.debate_engine import tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_log = logging.getLogger(__name__)

LEAVES_WITHIN = 3.0
"""Seconds for which what is left is sent: a collector that is away keeps nobody longer."""
PART = "opentelemetry.exporter.otlp.proto.grpc"


@contextmanager
def traced(endpoint: str) -> Iterator[None]:
    """Inside, spans are sent to the collector at `endpoint`; at the end what is left of them is. "" for none."""
    if not endpoint:
        yield
        return
    if not _is_installed():
        _log.warning("nothing is traced: OTEL_EXPORTER_OTLP_ENDPOINT needs pip install 'elenchus[otel]'")
        yield
        return
    provider = _provider(endpoint)
    _trace_by(provider)
    try:
        yield
    finally:
        tracing.trace_with(None)
        ending = threading.Thread(target=provider.shutdown, name="the last spans", daemon=True)
        ending.start()
        ending.join(LEAVES_WITHIN)


def _is_installed() -> bool:
    try:
        return find_spec(PART) is not None
    except ModuleNotFoundError:
        return False


def _provider(endpoint: str) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "elenchus"}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    return provider


def _trace_by(provider: TracerProvider) -> None:
    from opentelemetry.trace import Status, StatusCode

    tracer = provider.get_tracer("elenchus")

    @contextmanager
    def open_span(name: str, attributes: dict[str, str]) -> Iterator[None]:
        with tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except BaseException as error:  # its message may quote people: its kind is enough
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise

    tracing.trace_with(open_span)
