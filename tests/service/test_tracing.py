"""Traces go to an OpenTelemetry collector: which session, step and model; and nobody's words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc  # type: ignore[import-untyped] # it has no types
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import TracingSettings
from elenchus.debate_engine import tracing
from elenchus.service.app import open_lab
from elenchus.service.tracing import traced


class Collector(TraceServiceServicer):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.spans: list[Any] = []

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC's name
        self.spans += [span for one in request.resource_spans for scope in one.scope_spans for span in scope.spans]
        return ExportTraceServiceResponse()


@contextmanager
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector on loopback, and its address."""
    server, made = grpc.server(futures.ThreadPoolExecutor(2)), Collector()
    add_TraceServiceServicer_to_server(made, server)  # type: ignore[no-untyped-call] # as above
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield made, f"http://127.0.0.1:{port}"
    finally:
        server.stop(0).wait(5)


async def test_a_debates_session_steps_and_calls_are_spans_without_anybodys_words(tmp_path: Path) -> None:
    with collector() as (seen, endpoint):
        settings = Settings(home=tmp_path, tracing=TracingSettings(endpoint=endpoint))
        async with open_lab(settings=settings, model="scripted:demo") as lab:
            debate = await lab.debate("Homework should end", max_rounds=1)
            await debate
    named = {name: [span for span in seen.spans if span.name == name] for name in ("session", "step", "call")}
    assert len(named["session"]) == 1
    attributes = [{pair.key: pair.value.string_value for pair in span.attributes} for span in named["step"]]
    assert all(one["elenchus.session"] == debate.id for one in attributes)
    assert any("closing" in one["elenchus.step"] for one in attributes)
    root = named["session"][0].span_id
    assert all(span.trace_id == named["session"][0].trace_id for span in seen.spans)
    assert any(span.parent_span_id == root for span in named["step"])
    assert named["call"]
    assert "Homework" not in str(seen.spans)


def test_a_collector_that_is_away_keeps_a_process_that_ends_for_three_seconds_at_the_most() -> None:
    with collector() as (_, endpoint):
        pass
    with traced(endpoint):
        with tracing.span("session"):
            pass
        began = time.monotonic()
    assert time.monotonic() - began < 5
