"""Waiting for something to come about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


async def until(true: Callable[[], Any], within: float) -> Any:
    """Wait until something holds; what it gives. Raises TimeoutError after so many seconds."""
    async with asyncio.timeout(within):
        while not (found := true()):  # noqa: ASYNC110 (any state of the world or of the bot may be what is waited for)
            await asyncio.sleep(0.01)
    return found
