"""Browsers that are signed in: cookies that lead to grants."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.access import Access
from elenchus.service.lab.sign_ins import MOST, SignIn, SignIns, csrf_of
from elenchus.storage.sqlite_log import open_log
from tests.fakes.memory_store import MemoryStore

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Browsers:
    """Sign-ins over a store in memory, and the clock of both."""

    def __init__(self) -> None:
        self.at = START
        self.store = MemoryStore()
        self.access = Access(self.store, lambda: self.at, token="of-the-environment")
        self.sign_ins = SignIns(self.store, self.access, lambda: self.at)

    async def of(self, cookie: str) -> SignIn:
        found = await self.sign_ins.of(cookie)
        assert found is not None
        return found


@pytest.fixture
def browsers() -> Browsers:
    return Browsers()


async def test_a_cookie_leads_to_what_was_granted(browsers: Browsers) -> None:
    made = await browsers.access.give("moderator")
    cookie = await browsers.sign_ins.new(made.grant)
    assert cookie != made.secret
    assert (await browsers.of(cookie)).grants == (made.grant,)
    assert await browsers.sign_ins.of(made.secret) is None
    assert await browsers.access.find(cookie) is None


async def test_a_browser_holds_several_grants_in_the_order_in_which_it_got_them(browsers: Browsers) -> None:
    teacher = await browsers.access.give("moderator")
    seat = await browsers.access.give("seat", session="s", seat="con")
    cookie = await browsers.sign_ins.new(teacher.grant)
    browsers.at += timedelta(minutes=1)
    assert await browsers.sign_ins.add(cookie, seat.grant)
    assert await browsers.sign_ins.add(cookie, seat.grant)
    assert (await browsers.of(cookie)).grants == (teacher.grant, seat.grant)


async def test_grants_that_are_added_at_once_are_all_held(browsers: Browsers) -> None:
    cookie = await browsers.sign_ins.new((await browsers.access.give("moderator")).grant)
    seats = [(await browsers.access.give("seat", session="s", seat=f"p{n}")).grant for n in range(20)]
    assert all(await asyncio.gather(*(browsers.sign_ins.add(cookie, grant) for grant in seats)))
    assert set((await browsers.of(cookie)).grants) > set(seats)


async def test_a_grant_that_is_revoked_or_ended_is_gone_from_every_browser(browsers: Browsers) -> None:
    short = await browsers.access.give("moderator", lasts=timedelta(hours=1))
    long = await browsers.access.give("audience", session="s")
    cookie = await browsers.sign_ins.new(short.grant)
    await browsers.sign_ins.add(cookie, long.grant)
    browsers.at += timedelta(hours=1)
    assert (await browsers.of(cookie)).grants == (long.grant,)
    await browsers.access.revoke(long.grant.id)
    assert (await browsers.of(cookie)).grants == ()


async def test_signing_out_ends_the_cookie_and_no_other(browsers: Browsers) -> None:
    made = await browsers.access.give("moderator")
    here, there = await browsers.sign_ins.new(made.grant), await browsers.sign_ins.new(made.grant)
    await browsers.sign_ins.end(here)
    await browsers.sign_ins.end(here)
    assert await browsers.sign_ins.of(here) is None
    assert not await browsers.sign_ins.add(here, made.grant)
    assert (await browsers.of(there)).grants == (made.grant,)


async def test_sign_ins_without_a_valid_grant_are_removed_and_leave_nothing(browsers: Browsers) -> None:
    gone, stays = await browsers.access.give("moderator"), await browsers.access.give("owner")
    ended = [await browsers.sign_ins.new(gone.grant) for _ in range(3)]
    kept = await browsers.sign_ins.new(stays.grant)
    await browsers.access.revoke(gone.grant.id)
    assert await browsers.sign_ins.remove_ended() == 3
    assert [await browsers.sign_ins.of(cookie) for cookie in ended] == [None] * 3
    assert len(await browsers.store.all("sign-ins")) == 1
    assert (await browsers.of(kept)).grants == (stays.grant,)


async def test_a_browser_holds_no_more_than_so_many(browsers: Browsers) -> None:
    first = await browsers.access.give("moderator")
    cookie = await browsers.sign_ins.new(first.grant)
    for n in range(MOST - 1):
        await browsers.sign_ins.add(cookie, (await browsers.access.give("seat", session="s", seat=f"p{n}")).grant)
    with pytest.raises(UsageError, match="sign out"):
        await browsers.sign_ins.add(cookie, (await browsers.access.give("owner")).grant)
    assert await browsers.sign_ins.add(cookie, first.grant)


async def test_the_token_of_the_environment_signs_no_browser_in(browsers: Browsers) -> None:
    grant = await browsers.access.find("of-the-environment")
    assert grant is not None
    with pytest.raises(UsageError, match="by a link"):
        await browsers.sign_ins.new(grant)


async def test_what_forms_send_back_is_each_cookies_own_and_tells_nothing_of_it(browsers: Browsers) -> None:
    grant = (await browsers.access.give("moderator")).grant
    one, two = await browsers.sign_ins.new(grant), await browsers.sign_ins.new(grant)
    assert (await browsers.of(one)).csrf == csrf_of(one) != csrf_of(two)
    assert one not in (await browsers.of(one)).csrf
    assert one not in (await browsers.of(one)).id


async def test_the_file_holds_no_cookie(tmp_path: Path) -> None:
    log = await open_log(tmp_path / "elenchus.db")
    access = Access(log.key_value_store)
    sign_ins = SignIns(log.key_value_store, access)
    cookie = await sign_ins.new((await access.give("moderator")).grant)
    found = await sign_ins.of(cookie)
    await log.aclose()
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert found is not None
    assert found.id.encode() in written
    assert [needle for needle in (cookie, found.csrf) if needle.encode() in written] == []


@given(st.text() | st.from_regex(r"el_[\w-]{43}"))
def test_whatever_a_browser_sends_as_its_cookie_gives_nothing(cookie: str) -> None:
    async def looked() -> object:
        browsers = Browsers()
        grant = (await browsers.access.give("moderator")).grant
        await browsers.sign_ins.new(grant)
        await browsers.sign_ins.end(cookie)
        return await browsers.sign_ins.of(cookie) or await browsers.sign_ins.add(cookie, grant)

    assert not asyncio.run(looked())
