"""The way to a Redis server: what it must be to be used at all, and what happens while it is gone, or slow.

Whatever is asked of it while it cannot be used raises `RedisGone` at once, and the asker goes on with what its process
knows. One task looks whether it is there again. Its errors never leave `storage`.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.tasks import cancelled

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

_log = logging.getLogger(__name__)
T = TypeVar("T")

OLDEST = (7, 0)
"""The first version that this is tried with."""
TOO_OLD = "Redis is {version}: Elenchus needs 7.0 or newer; upgrade it."
PATIENCE = 1.0
"""Seconds for an answer: what takes longer is taken for gone."""
AGAIN_AFTER = 0.5
"""Seconds between two questions to a server that was gone."""
NOTICED = 2 * AGAIN_AFTER + PATIENCE
"""Seconds after which everybody has noticed that a server is there again."""
LISTENING = 5
"""Seconds after which a connection that only listens asks whether the server is there."""
CONNECTIONS = 16
"""Of one process at once, beside that which listens."""

WRITES = "redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('TIME')"
"""KEYS: anything. Fails where the server takes no changes."""


class RedisGone(Exception):
    """The server cannot be used now. Never leaves `storage`."""


class RedisLink:
    """A server, by its address. Belongs to one event loop."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self._patience = patience
        self.client = _client(url, patience)
        self._listening = _client(url, patience, keepalive=LISTENING)
        self._scripts: dict[str, Any] = {}
        self._gone_since: float | None = None
        self._looking: asyncio.Task[None] | None = None
        self._told_of_a_key = False
        self.why_gone = ""
        self.back_since = 0.0
        self.outages = 0

    @property
    def gone(self) -> bool:
        """Whether it cannot be used now, as far as is known; `why_gone` says why."""
        return self._gone_since is not None

    async def check(self) -> None:
        """See whether it can be used. One that is not there is waited for; one that is no use is refused.

        Raises StorageError.
        """
        try:
            await self.ask(lambda client: client.ping())
            server = await self.ask(lambda client: client.info("server"))
            _check_version(str(server.get("redis_version", "")))
            await self.ask(_written)
        except RedisGone:
            return

    async def ask(self, question: Callable[[Redis], Awaitable[T]]) -> T:
        """What it answers. Raises RedisGone; StorageError for a server that is no use at all."""
        if self._gone_since is not None:
            raise RedisGone
        task = asyncio.current_task()
        assert task is not None
        cancelled_before = task.cancelling()
        try:
            async with asyncio.timeout(self._patience + 0.5):
                return await question(self.client)
        except Exception as error:
            self._failed(error)
            raise RedisGone from error
        finally:  # redis-py sends by asyncio.wait_for, which may swallow this in Python 3.11
            if task.cancelling() > cancelled_before:
                raise asyncio.CancelledError

    async def run(self, script: str, keys: list[str], arguments: list[Any]) -> Any:
        """What a Lua script returns. Raises as `ask`."""
        known = self._scripts.get(script)
        if known is None:
            known = self._scripts[script] = self.client.register_script(script)
        return await self.ask(lambda _: known(keys=keys, args=arguments))

    async def numbers(self, script: str, keys: list[str], arguments: list[Any], count: int) -> list[float]:
        """What a Lua script returns, as so many finite numbers. Raises as `ask`, and RedisGone where it is no such."""
        said = await self.run(script, keys, arguments)
        try:
            found = [float(one) for one in (said if isinstance(said, list) else [said])]
        except (TypeError, ValueError):
            found = []
        if len(found) != count or not all(map(math.isfinite, found)):
            self._tell_of_a_key("it answers no numbers")
            raise RedisGone
        return found

    def listener(self) -> PubSub:
        """A connection that hears what is published; closed by its context."""
        return self._listening.pubsub()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._looking is not None:
            await cancelled(self._looking)
        await self.client.aclose(close_connection_pool=True)
        await self._listening.aclose(close_connection_pool=True)

    def _failed(self, error: Exception) -> None:
        if _concerns_a_key(error):
            self._tell_of_a_key(error)
            return
        if (refusal := _refusal(error)) is not None:
            if self.outages or self._scripts:  # it was good when the program began: nothing ends for it
                self._note(str(refusal))
                return
            raise refusal from error
        self._note(_reason(error))

    def _tell_of_a_key(self, what: object) -> None:
        if not self._told_of_a_key:
            _log.warning("Redis has something else where a number of ours should be (%s): it counts for nothing", what)
        self._told_of_a_key = True

    def _note(self, why: str) -> None:
        if self._gone_since is None:
            _log.warning(
                "Redis cannot be used (%s): until it can, each process keeps to its own share of the limits", why
            )
            self._gone_since, self.why_gone = monotonic(), why
            self.outages += 1
            self._looking = asyncio.create_task(self._look_again(), name="Redis is looked for")

    async def _look_again(self) -> None:
        """Until it is there again. Connections of before would fail one by one: they go first."""
        await self.client.connection_pool.disconnect(inuse_connections=False)
        while True:
            await asyncio.sleep(AGAIN_AFTER)
            with suppress(Exception):  # whatever is wrong with it: it is not there yet
                async with asyncio.timeout(self._patience):
                    await _written(self.client)
                break
        assert self._gone_since is not None
        self.back_since = monotonic()
        _log.warning("Redis is there again, after %.0f s: limits are shared again", self.back_since - self._gone_since)
        self._gone_since = None


def _client(url: str, patience: float, keepalive: int = 0) -> Redis:
    from redis.asyncio import BlockingConnectionPool, Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    pool = BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS, timeout=patience, socket_timeout=patience, socket_connect_timeout=patience,
        retry=Retry(NoBackoff(), 0), decode_responses=True, health_check_interval=keepalive,
    )  # fmt: skip
    return Redis.from_pool(pool)


async def _written(client: Redis) -> None:
    """Raises redis' error for a server that takes no changes."""
    await client.eval(WRITES, 1, "elenchus:written")


def _check_version(version: str) -> None:
    """Raises StorageError."""
    parts = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    if parts < OLDEST:
        raise StorageError(TOO_OLD.format(version=f"of version {version}" if version else "of an unknown version"))


def _concerns_a_key(error: Exception) -> bool:
    """Whether what another program has written there is in the way, and nothing else is wrong with the server."""
    from redis import exceptions

    said = str(error).lower()
    if isinstance(error, exceptions.OutOfMemoryError | exceptions.ReadOnlyError | exceptions.NoPermissionError):
        return False  # of a script, too
    return isinstance(error, exceptions.ResponseError) and (
        "wrongtype" in said or ("user_script" in said and "misconf" not in said)
    )


def _reason(error: Exception) -> str:
    """Why a server that may be of use later is of none now."""
    from redis import exceptions

    if isinstance(error, exceptions.OutOfMemoryError):
        return "its memory is full (maxmemory)"
    if isinstance(error, exceptions.ConnectionError):
        return "it cannot be reached"
    if "misconf" in str(error).lower():
        return "it cannot write to its disk, and is set to take no changes then"
    return type(error).__name__


def _refusal(error: Exception) -> StorageError | None:
    """What to say of a server that is there and of no use, None for one that may be of use later."""
    from redis import exceptions

    said = str(error).lower()
    match error:
        case StorageError():
            return error
        case exceptions.AuthenticationError() | exceptions.AuthorizationError():
            return StorageError("Redis refuses the name or the password: correct ELENCHUS_REDIS_URL.")
        case exceptions.NoPermissionError():
            return StorageError(
                "Redis does not allow this account what is needed (Lua scripts, pub/sub, keys elenchus:*): grant it."
            )
        case exceptions.InvalidResponse():
            return StorageError("What answers at ELENCHUS_REDIS_URL is not Redis: correct the address.")
        case exceptions.ReadOnlyError():
            return StorageError("Redis is a replica that takes no changes: set ELENCHUS_REDIS_URL to the primary.")
        case exceptions.ResponseError() if "noauth" in said or "wrongpass" in said or "password" in said:
            return StorageError("Redis refuses the name or the password: correct ELENCHUS_REDIS_URL.")
        case exceptions.ResponseError() if "unknown command" in said and "hello" in said:
            return StorageError(TOO_OLD.format(version="older than 6"))
        case exceptions.ResponseError() if "unknown command" in said:
            return StorageError(
                "Redis runs no Lua scripts (EVAL is switched off): switch it on, or unset ELENCHUS_REDIS_URL."
            )
        case exceptions.ResponseError() if "db index" in said:
            return StorageError("Redis has no database of this number: correct ELENCHUS_REDIS_URL.")
    return None
