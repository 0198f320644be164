"""By which a service is watched: whether it lives and is ready, what it counts, what it logs."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from prometheus_client.parser import text_string_to_metric_families

from elenchus.debate_engine.session_logging import concerning
from elenchus.service.lab.access import Access
from elenchus.service.web.operations.logs import JsonLines, shown_path
from tests.service.web.watching import METRICS_TOKEN, TOKEN, Watched, watched


async def counted(one: Watched) -> dict[str, float]:
    """The counts by name with labels."""
    status, text = await one.get("/metrics", METRICS_TOKEN)
    assert status == 200
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}


async def test_it_says_that_it_lives_and_is_ready_to_anybody_by_whatever_name(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        assert await one.get("/healthz", Host="10.1.2.3:8321") == (200, {"alive": True})
        assert await one.get("/readyz", Host="a-name-in-a-cluster") == (200, {"ready": True})
        assert (await one.get("/api/v1/sessions", Host="elsewhere.example"))[0] == 421


async def test_no_answer_tells_by_which_versions_it_was_made(tmp_path: Path) -> None:
    async with watched(tmp_path) as one, one.client.get(f"{one.url}/api/v1/sessions") as answer:
        assert answer.headers["Server"] == "Elenchus"


async def test_while_it_stops_it_lives_and_is_not_ready(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        await one.service.own.aclose()
        assert await one.get("/readyz") == (503, {"ready": False, "why": "the server is stopping"})
        assert (await one.get("/healthz"))[0] == 200


async def test_a_store_that_cannot_be_used_is_told_without_its_place(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        for file in tmp_path.glob("elenchus.db*"):
            file.write_bytes(b"no database " * 10_000)
        assert await one.get("/readyz") == (503, {"ready": False, "why": "the store cannot be used"})


async def test_what_it_counts_is_for_who_has_a_token_of_the_house(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        access = Access(one.service.app.store)
        owner = await access.give("owner")
        strangers = [
            await access.give("audience", session="s"),
            await access.give("moderator", session="s"),
            await access.give("owner", once=True),
        ]
        for secret in (METRICS_TOKEN, TOKEN, owner.secret):
            assert (await one.get("/metrics", secret))[0] == 200
        for secret in ("", "wrong", METRICS_TOKEN[:-1], *(given.secret for given in strangers)):
            status, document = await one.get("/metrics", secret)
            assert status == 401
            assert document["status"] == 401
        assert (await one.get("/api/v1/sessions", METRICS_TOKEN))[0] == 401


async def test_requests_are_counted_by_route_and_never_by_what_stands_in_their_paths(tmp_path: Path) -> None:
    async with watched(tmp_path) as one:
        for session in ("one", "two", "three"):
            assert (await one.get(f"/api/v1/sessions/{session}", TOKEN))[0] == 404
        for path in ("/nothing", "/nothing-else", "/join/abcd-efgh"):
            await one.get(path)
        found = await counted(one)
    assert found["elenchus_http_requests_total GET /api/v1/sessions/{session} 404"] == 3
    assert (
        found["elenchus_http_requests_total GET none 404"]
        + sum(value for name, value in found.items() if name.startswith("elenchus_http_requests_total GET /join/{"))
        == 3
    )
    assert found["elenchus_http_request_seconds_count /api/v1/sessions/{session}"] == 3
    assert found["elenchus_sessions_run"] == 0
    assert found["process_resident_memory_bytes"] > 1e6
    assert not [name for name in found if "abcd" in name or "three" in name or "_created" in name]


# ── what is logged ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_request_is_logged_with_the_session_and_without_what_lets_one_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "elenchus.service.web.requests")
    caplog.handler.setFormatter(JsonLines())
    lines: list[dict[str, Any]] = []
    keep = logging.Handler()
    keep.emit = lambda record: lines.append(json.loads(JsonLines().format(record)))  # type: ignore[method-assign]
    logging.getLogger("elenchus.service.web.requests").addHandler(keep)
    try:
        async with watched(tmp_path) as one:
            await one.get("/api/v1/sessions/here-1?token=hidden", TOKEN)
            await one.get("/join/abcd-efgh")
            await one.get("/healthz")
    finally:
        logging.getLogger("elenchus.service.web.requests").removeHandler(keep)
    assert [(line["path"], line["status"], line.get("session")) for line in lines] == [
        ("/api/v1/sessions/here-1", 404, "here-1"),
        ("/join/***", 404, None),
    ]
    assert not {"hidden", "abcd", TOKEN} & set(json.dumps(lines).replace('"', " ").replace("/", " ").split())


def record(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    found = (type(error), error, None) if error else None
    return logging.LogRecord("elenchus.x", logging.WARNING, "file.py", 1, message, arguments, found)


def test_a_line_of_the_log_is_one_json_document_that_hides_secrets() -> None:
    secret = "el_" + "x" * 43
    line = JsonLines().format(record("a\nlink %s of %s", secret, "https://u:p@host/?key=k", error=ValueError(secret)))
    assert "\n" not in line
    found = json.loads(line)
    assert found["message"] == "a\nlink el_*** of https://***@host/?key=***"
    assert found["level"] == "WARNING"
    assert secret not in line
    assert "session" not in found


def test_what_is_logged_for_a_session_says_so() -> None:
    with concerning("a"):
        with concerning("b"):
            assert json.loads(JsonLines().format(record("x")))["session"] == "b"
        assert json.loads(JsonLines().format(record("x")))["session"] == "a"


@given(st.text())
def test_any_path_is_shown_in_one_line_of_bounded_length(path: str) -> None:
    shown = shown_path("/" + path)
    assert len(shown) <= 320
    assert "?" not in shown or "?" not in path


@pytest.mark.parametrize("path", ["/join/abcd-efgh", "/join//abcd-efgh", "/Join/abcd-efgh", "/join/abcd-efgh/"])
def test_a_code_is_in_no_log_also_where_its_address_was_mistyped(path: str) -> None:
    assert "abcd" not in shown_path(path)
