"""What happens on a 429, a 5xx, a time-out or a lost connection: which are tried again, when, and how often.

And what else stands between a call and its provider: concurrency, a deadline for each attempt, a cap on streams.

| where | what it decides |
| --- | --- |
| `is_temporary` | which HTTP statuses are worth another attempt (`vendor.py` makes them ProviderBusy) |
| `retry_after` | how long the server asks to wait |
| `Limits.wait_after` | whether there is another attempt, and after which pause |
| `complete` | the loop: attempt, report the failure, wait |

The loop is our own: it must report every failed attempt, also the last and those that are not tried again, and a retry
library's bookkeeping was measured at 8 % of a whole call's CPU.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from time import monotonic

from elenchus.debate_engine.errors import ElenchusError, ProviderBusy, ProviderError
from elenchus.debate_engine.llm.budget import estimated
from elenchus.debate_engine.llm.client import Call, Client, OnText, Reply
from elenchus.debate_engine.llm.gate import Allowed, Gate, LocalGate
from elenchus.debate_engine.llm.reply_validation import broken, checked, longest_text
from elenchus.debate_engine.tracing import span

OnFailure = Callable[[int, ProviderError, float | None], Awaitable[None]]
"""Awaited after each failed attempt with its number (from 1), the error, and the seconds until the next attempt (None:
there is none). A text that was being streamed starts again from nothing in the next attempt."""

_FIRST_WAIT, _LAST_WAIT = 1.0, 30.0


def is_temporary(status: int) -> bool:
    """Whether the same request may succeed later: rate limit (429), time-out, conflict, overload, a server's fault."""
    return status in (408, 409, 425, 429) or status >= 500


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as an HTTP date."""
    lower = {name.lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(KeyError, ValueError):
            if isfinite(wait := float(lower[name]) / unit):
                return max(0.0, wait)
    return _until(lower.get("retry-after", ""), now or datetime.now(UTC))


def _until(http_date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


class Limits:
    """The limits of one provider, shared by all its calls in a process. Belongs to one event loop.

    `gate` is what its calls pass, those of other processes too where they share it (default: `concurrency` at once).
    `attempts` counts the first one too. `deadline` is seconds for one attempt of a call without a deadline of its own.
    `longest_wait` is seconds: a provider that asks for a longer pause is given up at once. `first_wait` is the upper
    bound of the first pause; it doubles from attempt to attempt.
    """

    def __init__(
        self,
        concurrency: int = 16,
        attempts: int = 5,
        deadline: float = 120.0,
        *,
        longest_wait: float = 90.0,
        first_wait: float = _FIRST_WAIT,
        gate: Gate | None = None,
    ) -> None:
        self.attempts, self.deadline = attempts, deadline
        self.longest_wait, self.first_wait = longest_wait, first_wait
        self.gate = gate or LocalGate(Allowed(concurrency))

    def wait_after(self, attempt: int, error: ProviderError) -> float | None:
        """Seconds to the next attempt, or None if there is to be none. Always with jitter, never less than asked."""
        if not isinstance(error, ProviderBusy) or attempt >= self.attempts:
            return None
        bound = min(_LAST_WAIT, self.first_wait * 2 ** (attempt - 1))
        if error.retry_after is None:
            return random.uniform(bound / 2, bound)
        if error.retry_after > self.longest_wait:
            return None
        return error.retry_after + random.uniform(0, min(bound, 0.25 * error.retry_after + 0.01))


async def complete(
    client: Client,
    call: Call,
    limits: Limits,
    on_text: OnText | None = None,
    on_failure: OnFailure | None = None,
) -> Reply:
    """Answer a call within the limits: a place is held during an attempt, not during the pauses between them.

    Raises the last attempt's ProviderError. A streamed reply that outgrows the call's `max_tokens` by far is stopped
    and returned as cut off.
    """
    attempt = 0
    while True:
        attempt += 1
        try:
            async with limits.gate.passed():
                with span("call", model=call.model, step=call.step):
                    return await _attempt(client, call, limits, on_text)
        except ProviderError as error:
            wait = limits.wait_after(attempt, error)
            if on_failure is not None:
                await on_failure(attempt, error, wait)
            if wait is None:
                raise
        await asyncio.sleep(wait)


async def _attempt(client: Client, call: Call, limits: Limits, on_text: OnText | None) -> Reply:
    started = monotonic()
    seconds = call.deadline or limits.deadline
    stream = _Stream(call, on_text) if on_text is not None else None
    scope = asyncio.timeout(seconds)
    try:
        async with scope:
            return checked(await client.complete(call, stream), call)
    except TimeoutError as error:
        if not scope.expired():
            raise ProviderBusy(f"{call.model} timed out: {error}") from error
        raise ProviderBusy(f"{call.model} gave no complete reply within {seconds:g} s.") from error
    except _Outgrown:
        assert stream is not None
        return stream.cut(monotonic() - started)
    except ElenchusError:
        raise
    except Exception as error:  # whatever a client raises is the failure of its call, not of the session
        raise broken(call, error) from error


class _Outgrown(Exception):
    """A reply goes on far beyond what was asked for. Never leaves this file."""


class _Stream:
    """Passes a streamed reply on and stops it when it can no longer be what was asked for (see `longest_text`)."""

    def __init__(self, call: Call, on_text: OnText) -> None:
        self._call, self._on_text = call, on_text
        self._pieces: list[str] = []
        self._characters, self._most = 0, longest_text(call)

    def __call__(self, text: str) -> None:
        self._pieces.append(text)
        self._characters += len(text)
        self._on_text(text)
        if self._characters > self._most:
            raise _Outgrown

    def cut(self, seconds: float) -> Reply:
        """The reply as far as it came."""
        text = "".join(self._pieces)
        usage = estimated(self._call, text)
        return Reply(text, "length", usage, self._call.model, seconds, {"usage": "estimated", "stopped": "outgrown"})
