"""What a failure means, and things that are made once."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import ProviderError
from elenchus.debate_engine.llm.vendor import Lazy, Vendor

VENDOR = Vendor("Acme", "ACME_API_KEY", "ACME_BASE_URL", "sk-0123456789")


@given(st.integers(300, 599), st.text(max_size=400))
def test_every_failure_becomes_one_line_without_the_key(status: int, message: str) -> None:
    error = VENDOR.failure(status, f"{message} sk-0123456789")
    assert isinstance(error, ProviderError)
    assert "sk-0123456789" not in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 450


@pytest.mark.parametrize("key", ["e", "x", "model1"])
def test_a_word_that_serves_as_a_key_spoils_no_other_word(key: str) -> None:
    vendor = Vendor("Lab", "LAB_KEY", "LAB_URL", key)
    said = "The model does not exist: model10, xx"
    assert vendor.clean(said) == said
    assert vendor.clean(f"Bad key '{key}'.") == "Bad key '…'."


async def test_what_is_slow_to_make_is_made_once_for_all_who_wait() -> None:
    made: list[int] = []

    def make() -> int:
        time.sleep(0.05)
        made.append(threading.get_ident())
        return len(made)

    lazy = Lazy(make)
    assert await asyncio.gather(*(lazy.get() for _ in range(5))) == [1] * 5
    assert made[0] != threading.get_ident()


async def test_a_cancelled_wait_does_not_lose_what_was_made() -> None:
    made: list[int] = []

    def make() -> int:
        time.sleep(0.05)
        made.append(1)
        return 1

    lazy = Lazy(make)
    task = asyncio.create_task(lazy.get())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await lazy.get() == 1
    assert made == [1]


async def test_what_could_not_be_made_is_tried_again() -> None:
    tries: list[int] = []

    def make() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return 7

    lazy = Lazy(make)
    with pytest.raises(ValueError, match="not yet"):
        await lazy.get()
    assert await lazy.get() == 7
    assert (lazy.pop(), lazy.pop()) == (7, None)
