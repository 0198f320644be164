"""What lies between a program and a service, or in its place: nothing is lost, doubled, or waited for for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import elenchus
from elenchus.config.web_settings import WebSettings
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import Event, Guidance, SessionFinished, TurnOpened
from elenchus.service.client.connection import Timeouts
from elenchus.service.client.errors import AccessRefused, AnswerLost, ServerUnavailable
from tests.fakes.proxies import answering, proxy_to
from tests.service.client.services import QUICK, TOKEN, Service, service_at
from tests.service.client.test_remote_sessions import MOTION, SMALL

SHORT = Timeouts(connect=0.5, answer=0.5, work=0.5, outage=0.5, silence=1)
SLOW_MODEL = "scripted:demo?latency=0.05"


async def outcome_of(debate: elenchus.Running[Any]) -> Any:
    return await debate


async def rest(coming: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in coming]


# ── the server goes and comes ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_server_that_is_stopped_and_started_again_is_followed_on_from_where_it_stood(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(service_at(tmp_path, model=SLOW_MODEL))
        async with elenchus.connect(service.url, TOKEN, timeouts=replace(QUICK, outage=30)) as lab:
            debate = await lab.debate(MOTION, **SMALL)
            coming = aiter(debate)
            seen = [await anext(coming)]
            while seen[-1].kind != "said":
                seen.append(await anext(coming))
            watching, waiting = asyncio.ensure_future(rest(coming)), asyncio.ensure_future(outcome_of(debate))
            await stack.aclose()
            asked = asyncio.ensure_future(lab.sessions())
            await asyncio.sleep(0.3)
            async with service_at(tmp_path, service.port) as again, asyncio.timeout(60):
                seen += await watching
                assert seen == [r.event for r in await again.app.log.read(debate.id)], "each once, in order"
                assert (await waiting).motion == MOTION
                assert [info.id for info in await asked] == [debate.id]


async def test_a_server_that_does_not_come_back_is_given_up_after_the_time_that_was_named(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(service_at(tmp_path, model=SLOW_MODEL))
        async with elenchus.connect(service.url, TOKEN, timeouts=SHORT) as lab:
            debate = await lab.debate(MOTION, con="human", **SMALL)
            waiting, watching = asyncio.ensure_future(outcome_of(debate)), asyncio.ensure_future(rest(aiter(debate)))
            await asyncio.sleep(0.3)
            await stack.aclose()
            began = time.monotonic()
            for gone in (waiting, watching, debate.heat(0.5), lab.sessions(), lab.debate(MOTION)):
                with pytest.raises(ServerUnavailable, match=r"cannot be reached \(.*refuse.*elenchus serve"):
                    await gone
            assert time.monotonic() - began < 10


@pytest.mark.slow
async def test_a_session_that_is_deleted_is_told_to_whoever_follows_it(lab: elenchus.Lab, service: Service) -> None:
    debate = await lab.debate(MOTION, con="human", **SMALL)
    await service.web.own.aclose()
    await not_run(service, debate.id)
    watching = asyncio.ensure_future(rest(aiter(debate)))
    await asyncio.sleep(0.5)
    await service.app.log.delete(debate.id)
    with pytest.raises(UnknownSession):
        async with asyncio.timeout(10):
            await watching
    with pytest.raises(UnknownSession):
        await debate


async def not_run(service: Service, session: str) -> None:
    async with asyncio.timeout(10):
        while (await service.app.log.info(session)).owner is not None:  # noqa: ASYNC110 - its run ends
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_a_session_that_nobody_runs_is_no_longer_waited_for(lab: elenchus.Lab, service: Service) -> None:
    debate = await lab.debate(MOTION, con="human", **SMALL)
    async for event in debate:
        if isinstance(event, TurnOpened):
            break
    await service.web.own.aclose()
    await not_run(service, debate.id)
    with pytest.raises(elenchus.Unfinished, match=r"nobody runs it: lab\.resume goes on with it"):
        async with asyncio.timeout(60):
            await debate
    assert [type(event).__name__ for event in await rest(aiter(debate))][-1] == "SessionPaused"


# ── the token ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_token_that_is_revoked_is_good_for_nothing_more(service: Service) -> None:
    given = await service.web.access.give("moderator")
    async with elenchus.connect(service.url, given.secret, timeouts=QUICK) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
        await service.web.access.revoke(given.grant.id)
        for refused in (lab.sessions(), lab.debate(MOTION), debate.heat(0.5), outcome_of(debate), rest(aiter(debate))):
            with pytest.raises(AccessRefused, match="not valid"):
                await refused


@pytest.mark.parametrize("token", ["", " ", "tö", "two words", "a\nb"])
async def test_what_can_be_no_token_is_refused_before_it_is_sent(service: Service, token: str) -> None:
    with pytest.raises(UsageError, match="token of a moderator"):
        async with elenchus.connect(service.url, token):
            pass


async def test_a_wrong_token_is_told_as_such(service: Service) -> None:
    with pytest.raises(AccessRefused, match="not valid"):
        async with elenchus.connect(service.url, "el_" + "x" * 43):
            pass


# ── the address ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8321", "ftp://127.0.0.1", "http://", "http://u:p@127.0.0.1", "http://127.0.0.1/?a=1", "\0"]
)
async def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="no address of a service"):
        async with elenchus.connect(url, TOKEN):
            pass


async def test_an_address_where_nothing_listens_is_told_at_once(unused_tcp_port: int) -> None:
    began = time.monotonic()
    with pytest.raises(ServerUnavailable, match=r"cannot be reached \(.*refused\): check the address"):
        async with elenchus.connect(f"http://127.0.0.1:{unused_tcp_port}", TOKEN):
            pass
    assert time.monotonic() - began < 5


HTTP = b"HTTP/1.1 "


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (HTTP + b"200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nHello", "is no Elenchus"),
        (HTTP + b"404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n", "is no Elenchus.*HTTP 404"),
        (HTTP + b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", "is no Elenchus"),
        (HTTP + b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{]", "is no Elenchus"),
        (HTTP + b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull", "is no Elenchus"),
        (HTTP + b"302 Found\r\nLocation: https://elsewhere.example/\r\nContent-Length: 0\r\n\r\n", "elsewhere.example"),
        (HTTP + b"502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n", "a proxy answers.*502"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "cannot be reached"),
        (b"", "cannot be reached"),
        (HTTP + b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{", "cannot be reached"),
        (None, r"cannot be reached \(it does not answer in time\)"),
    ],
)
async def test_whatever_else_answers_there_is_told_in_a_sentence(answer: bytes | None, says: str) -> None:
    began = time.monotonic()
    async with answering(answer) as url:
        with pytest.raises((UsageError, ServerUnavailable), match=says):
            async with elenchus.connect(url, TOKEN, timeouts=SHORT):
                pass
    assert time.monotonic() - began < 5


# ── a proxy ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_behind_a_proxy_that_cuts_streams_after_a_second_every_event_comes_once(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path, model=SLOW_MODEL) as service,
        proxy_to(service.port, cut_after=1.0) as (proxy, url),
        elenchus.connect(url, TOKEN, timeouts=replace(QUICK, outage=30)) as lab,
        asyncio.timeout(120),
    ):
        debate = await lab.debate(MOTION, **SMALL)
        seen = await rest(aiter(debate))
        assert seen == [r.event for r in await service.app.log.read(debate.id)]
        assert isinstance(seen[-1], SessionFinished)
        assert proxy.connections >= 2, "one was cut, at least"


@pytest.mark.slow
async def test_behind_a_proxy_that_holds_streams_back_it_is_asked_for_instead(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path) as service,
        proxy_to(service.port, holds_streams=True) as (_, url),
        elenchus.connect(url, TOKEN, timeouts=QUICK) as lab,
        asyncio.timeout(60),
    ):
        debate = await lab.debate(MOTION, **SMALL)
        assert [type(event) for event in await rest(aiter(debate))][-1] is SessionFinished


async def test_where_an_answer_is_lost_nothing_is_done_twice(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path) as service,
        proxy_to(service.port) as (proxy, url),
        elenchus.connect(url, TOKEN, timeouts=QUICK) as lab,
    ):
        proxy.loses_answers = 1
        debate = await lab.debate(MOTION, con="human", **SMALL)
        assert [info.id for info in await lab.sessions()] == [debate.id], "begun once"
        proxy.loses_answers = 1
        sent = await debate.guide("Be brief.")
        guided = [r for r in await debate.events() if isinstance(r.event, Guidance)]
        assert guided == [sent], "sent once"
        await debate.export(tmp_path / "out")
        proxy.loses_answers = 1
        assert (await lab.import_session(tmp_path / "out", "another")).id == "another"
        proxy.loses_answers = 1
        with pytest.raises(AnswerLost, match="whether it was done is not known"):
            await lab.register_scene("anchoring")


async def test_a_proxy_that_is_away_for_a_moment_hurts_nothing(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path) as service,
        proxy_to(service.port) as (proxy, url),
        elenchus.connect(url, TOKEN, timeouts=QUICK) as lab,
    ):
        proxy.away = True
        asked = asyncio.ensure_future(lab.sessions())
        await asyncio.sleep(0.5)
        proxy.away = False
        assert await asked == []


# ── a server that has too much to do ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_who_asks_too_much_waits_as_long_as_the_server_wants(tmp_path: Path) -> None:
    limits = WebSettings(requests=60)
    async with (
        service_at(tmp_path, limits=limits) as service,
        elenchus.connect(service.url, TOKEN, timeouts=replace(QUICK, outage=20)) as lab,
    ):
        began = time.monotonic()
        for _ in range(14):
            await lab.sessions()
        assert time.monotonic() - began > 1


async def test_a_slow_server_is_waited_for_and_a_silent_one_is_not(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path) as service,
        proxy_to(service.port, delay=0.3) as (proxy, url),
        elenchus.connect(url, TOKEN, timeouts=replace(SHORT, answer=2)) as lab,
    ):
        assert await lab.sessions() == []
        proxy.delay = 60
        began = time.monotonic()
        with pytest.raises(ServerUnavailable, match="does not answer in time"):
            await lab.sessions()
        assert time.monotonic() - began < 6


async def test_a_program_may_look_and_look_away_as_often_as_it_likes(lab: elenchus.Lab) -> None:
    debate = await lab.debate(MOTION, con="human", **SMALL)
    async with asyncio.timeout(60):
        for _ in range(30):
            async for event in debate:
                if isinstance(event, TurnOpened):
                    break
        looking = asyncio.ensure_future(rest(aiter(debate)))
        await asyncio.sleep(0.2)
        looking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await looking
        await debate.stop("enough")
        assert (await rest(aiter(debate)))[-1].kind == "session_stopped"
