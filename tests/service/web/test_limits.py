"""How much anybody may ask: each browser and token by itself, whoever has nothing by the address."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp.test_utils import make_mocked_request
from hypothesis import given, strategies as st

from elenchus.config.web_settings import WebSettings
from elenchus.debate_engine.buckets import MOST, Rate
from elenchus.debate_engine.shared import LocalShared
from elenchus.service.lab.access import Access
from elenchus.service.lab.sign_ins import SignIns
from elenchus.service.web.limits import Limiter, Streams
from elenchus.service.web.problems import Problem
from elenchus.service.web.security import address_of
from tests.service.web.watching import TOKEN, Watched, watched

SESSIONS = "/api/v1/sessions"


class Clocked(LocalShared):
    """What one process has for itself, by a clock of the test's."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._buckets.clock = lambda: self.now


async def test_a_bucket_is_emptied_refilled_and_says_when_there_is_room_again() -> None:
    shared = Clocked()
    limiter = Limiter("requests", Rate(2.0, 3.0), shared)
    for _ in range(3):
        await limiter.take("ada")
    with pytest.raises(Problem) as refused:
        await limiter.take("ada")
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "1")
    await limiter.take("ben")
    shared.now += 0.5
    await limiter.take("ada")
    with pytest.raises(Problem):
        await limiter.take("ada")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 5)), max_size=60), st.integers(1, 20))
async def test_nobody_ever_gets_more_than_the_burst_and_what_time_has_given(
    asked: list[tuple[str, float]], most: int
) -> None:
    shared, given_to = Clocked(), dict.fromkeys("abc", 0)
    limiter = Limiter("requests", Rate(1.0, float(most)), shared)
    for who, seconds in asked:
        shared.now += seconds
        try:
            await limiter.take(who)
        except Problem:
            continue
        given_to[who] += 1
    assert all(count <= most + shared.now + 1e-6 for count in given_to.values())


async def test_of_very_many_askers_those_are_forgotten_that_have_been_silent_longest() -> None:
    limiter = Limiter("requests", Rate(0.001, 2.0), Clocked())
    await limiter.count("first")
    for n in range(MOST):
        await limiter.count(str(n))
    assert await limiter.left("first") == 2.0
    assert await limiter.left("5") == 1.0


def test_the_settings_limit_a_minute_and_let_some_come_at_once() -> None:
    limiter = Limiter.a_minute("requests", WebSettings().requests, Clocked())
    assert limiter.rate == Rate(30.0, 360.0)
    assert Limiter.a_minute("requests", 1, Clocked()).rate.burst == 10.0


async def test_streams_are_limited_each_and_in_all_and_end_together() -> None:
    streams, began = Streams(each=2, in_all=3), asyncio.Event()

    async def watch(who: str) -> None:
        with streams.opened(who, None):
            began.set()
            await asyncio.sleep(60)

    async def open_(who: str) -> asyncio.Task[None]:
        began.clear()
        task = asyncio.create_task(watch(who))
        await asyncio.wait({asyncio.create_task(began.wait()), task}, return_when=asyncio.FIRST_COMPLETED, timeout=1)
        return task

    first = [await open_("ada"), await open_("ada")]
    assert _status(await open_("ada")) == 429
    first.append(await open_("ben"))
    assert _status(await open_("eve")) == 503
    assert len(streams) == 3
    streams.end_all()
    assert [type(one) for one in await asyncio.gather(*first, return_exceptions=True)] == [asyncio.CancelledError] * 3
    assert len(streams) == 0
    (await open_("eve")).cancel()


def _status(task: asyncio.Task[None]) -> int:
    error = task.exception()
    assert isinstance(error, Problem)
    return error.status


async def test_thirty_browsers_of_one_address_and_one_link_have_a_limit_each(tmp_path: Path) -> None:
    async with watched(tmp_path, requests=1) as one:
        store = one.service.app.store
        access = Access(store)
        link = await access.give("moderator")
        cookies = [await SignIns(store, access).new(link.grant) for _ in range(3)]
        for cookie in cookies:
            statuses = [(await one.get(SESSIONS, Cookie=f"elenchus={cookie}"))[0] for _ in range(11)]
            assert statuses == [200] * 10 + [429]


async def guesses(one: Watched, times: int, **headers: str) -> list[int]:
    return [(await one.get(SESSIONS, f"aaaa-bbb{letter}", **headers))[0] for letter in "abcdefghjkmnp"[:times]]


async def test_codes_that_give_nothing_are_limited_by_address_and_no_other_secret_is_held_up(tmp_path: Path) -> None:
    async with watched(tmp_path, attempts=1, trusted_proxies="127.0.0.0/8") as one:
        bad, good = {"X-Forwarded-For": "203.0.113.9"}, {"X-Forwarded-For": "203.0.113.10"}
        code = await one.service.access.give("moderator", short=8)
        link = await one.service.access.give("moderator")
        cookie = await one.service.sign_ins.new(link.grant)
        assert await guesses(one, 12, **bad) == [401] * 10 + [429] * 2
        status, document = await one.get(SESSIONS, code.secret, **bad)
        assert status == 429, "a right one cannot be told from a wrong one"
        assert "try again in" in document["detail"]
        assert (await one.get(SESSIONS, code.secret, **good))[0] == 200
        for right in (TOKEN, link.secret):
            assert (await one.get(SESSIONS, right, **bad))[0] == 200
        assert (await one.get(SESSIONS, Cookie=f"elenchus={cookie}", **bad))[0] == 200


async def test_who_tries_many_codes_at_the_same_moment_gets_no_more_of_them(tmp_path: Path) -> None:
    async with watched(tmp_path, attempts=1) as one:
        codes = [f"{a}aaa-bbb{b}" for a in "abcdef" for b in "abcdef"]
        found = await asyncio.gather(*(one.get(SESSIONS, code) for code in codes))
        assert sorted(status for status, _ in found) == [401] * 10 + [429] * 26


async def test_thirty_who_sign_in_at_once_behind_one_address_are_all_let_in(tmp_path: Path) -> None:
    async with watched(tmp_path, attempts=1) as one:
        codes = [await one.service.access.give("moderator", short=6) for _ in range(30)]
        found = await asyncio.gather(*(one.get(SESSIONS, code.secret) for code in codes))
        assert {status for status, _ in found} == {200}


async def test_secrets_that_nobody_could_guess_count_as_requests_of_the_address(tmp_path: Path) -> None:
    async with watched(tmp_path, requests=1) as one:
        found = [(await one.get(SESSIONS, f"el_{n:043}"))[0] for n in range(12)]
        assert found == [401] * 10 + [429] * 2


async def test_who_is_no_trusted_proxy_cannot_say_that_somebody_else_asks(tmp_path: Path) -> None:
    async with watched(tmp_path, attempts=1) as one:
        found = [
            (await one.get(SESSIONS, f"aaaa-bbb{letter}", **{"X-Forwarded-For": f"203.0.113.{n}"}))[0]
            for n, letter in enumerate("abcdefghjkm")
        ]
        assert found == [401] * 10 + [429]


async def test_a_body_beyond_the_limit_of_the_settings_is_refused_with_the_limit(tmp_path: Path) -> None:
    async with watched(tmp_path, body_bytes=10_000) as one:
        body = b'{"protocol": "' + b"x" * 20_000 + b'"}'
        status, document = await one.ask("POST", SESSIONS, TOKEN, {"Content-Type": "application/json"}, data=body)
        assert (status, document["detail"]) == (413, "The request is larger than 10,000 bytes.")


addresses = st.ip_addresses().map(str)


@given(st.lists(addresses | st.text(st.characters(codec="ascii", categories=["L", "N", "P"])), max_size=4), addresses)
def test_whoever_sends_what_as_forwarded_an_address_is_told_and_nothing_breaks(told: list[str], remote: str) -> None:
    class Transport:
        def get_extra_info(self, name: str, default: object = None) -> object:
            return (remote, 1) if name == "peername" else default

    request = make_mocked_request("GET", "/", {"X-Forwarded-For": ", ".join(told)}, transport=Transport())
    assert address_of(request, frozenset()) == remote
    assert isinstance(address_of(request, frozenset({"0.0.0.0/0", "::/0"})), str)
