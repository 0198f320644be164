"""The whole OpenAPI document against the real server: schemathesis sends what it allows, and what it does not."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from elenchus.service.web.api.openapi import document
from tests.service.web.conftest import SCRIPTED
from tests.service.web.watching import TOKEN, Watched, watched

pytestmark = [
    pytest.mark.slow,
    # The service draws in a thread of this process, also while a strategy of schemathesis does.
    pytest.mark.filterwarnings("ignore:Do not use the .random. module inside strategies"),
]

API = schemathesis.openapi.from_dict(document())
API.config.generation.update(modes=list(GenerationMode))
API.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "401", "403", "404", "409", "422", "429", "503"]
"""422 also says of what is well formed that it cannot be done as asked: a motion without words, an unknown model."""
MANY = settings(
    max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)  # fmt: skip
SENT: dict[str, Any] = {"headers": {"Authorization": f"Bearer {TOKEN}"}, "timeout": 30}


@schemathesis.serializer("application/x-ndjson")
def lines(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """What is sent as lines of JSON, whatever it is."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@dataclass(frozen=True)
class Known:
    """The address of a service, and what is there: parts of paths by name."""

    url: str
    parts: dict[str, list[str]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """A service in a thread of its own, with limits that nobody meets, a debate that waits and one that is over."""
    ready: Future[tuple[Known, Callable[[], None]]] = Future()
    thread = threading.Thread(target=asyncio.run, args=(_served(tmp_path_factory.mktemp("home"), ready),))
    thread.start()
    known, stop = ready.result(60)
    yield known
    stop()
    thread.join(60)


async def _served(home: Path, ready: Future[Any]) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    try:
        async with watched(home, requests=1_000_000, attempts=100_000) as one:
            ready.set_result((Known(one.url, await _made(one)), lambda: loop.call_soon_threadsafe(ended.set)))
            await ended.wait()
    except BaseException as error:
        if not ready.done():
            ready.set_exception(error)
        raise


async def _made(one: Watched) -> dict[str, list[str]]:
    """Two debates, of which one waits for a person, and two classes in their lobbies."""
    options = {"motion": "Homework should end", **SCRIPTED, "topics": 1, "max_rounds": 1}
    sessions = []
    for more in ({"pro": "human"}, {}):
        body = {"protocol": "debate", "options": options | more}
        sessions.append((await one.ask("POST", "/api/v1/sessions", TOKEN, json=body))[1]["id"])
    while not (turns := (await one.get(f"/api/v1/sessions/{sessions[0]}/turns", TOKEN))[1]["turns"]):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return {
        "session": sessions, "seat": ["pro", "con"], "step": [turns[0]["step"]], "file": ["report.md", "all.zip"],
        "when": ["before", "after"], "classroom": [await _class(one), await _class_debate(one)],
    }  # fmt: skip


async def _class(one: Watched) -> str:
    body = {"options": {"scene": "anchoring", "people": 3}}
    return str((await one.ask("POST", "/api/v1/classes", TOKEN, json=body))[1]["id"])


async def _class_debate(one: Watched) -> str:
    body = {"options": {"motion": "Homework should end", **SCRIPTED}}
    return str((await one.ask("POST", "/api/v1/class-debates", TOKEN, json=body))[1]["id"])


@API.parametrize()
@MANY
def test_every_answer_is_as_the_document_says(case: schemathesis.Case[Any], server: Known) -> None:
    case.call_and_validate(base_url=server.url, **SENT)


ENDLESS = [
    "stream_session", "stream_log", "stream_class", "stream_teacher", "stream_me", "stream_class_debate",
    "stream_leader", "stream_debater",
]  # fmt: skip


@(
    API.exclude(operation_id=[*ENDLESS, "delete_session", "remove_class", "remove_class_debate"])
    .include(path_regex="{")
    .parametrize()
)
@MANY
def test_the_same_holds_of_what_is_there(case: schemathesis.Case[Any], server: Known) -> None:
    sound = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
    chance = random.Random(repr((case.path_parameters, case.query, case.body)))
    case.path_parameters = {
        name: chance.choice(server.parts.get(name, [value])) for name, value in case.path_parameters.items()
    }
    excluded = [] if sound else [negative_data_rejection, positive_data_acceptance]  # the path may have been all of it
    case.call_and_validate(base_url=server.url, excluded_checks=excluded, **SENT)
