"""Making things over HTTP exactly once: a request with an Idempotency-Key that comes again finds what it has made.

A key leads to the id under which the thing is made, noted before anything is. Whoever comes again, also after the
server died amid it, makes it under the same id or finds it there.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.runner import new_id
from elenchus.service.web.problems import Conflict, Malformed, Unusable
from elenchus.service.web.server import service_of

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.log import EventLog
    from elenchus.service.web.routes import Call

KEYS = "idempotency-keys"
"""In the store, by a hash of who asked and of the key: the id, a hash of the request, when it came, what was made."""
KEPT = timedelta(days=2)
KEY = re.compile("[!-~]{1,255}")


class Begun(NamedTuple):
    """What was made, now or before; what is to be known of it; the status of the answer."""

    id: str
    warnings: list[str]
    status: int


Begin = Callable[[str], Awaitable[list[str]]]
"""Makes something with this id; what is to be known of it."""


IsThere = Callable[[str], Awaitable[bool]]
"""Whether something of this id is there."""


async def created_once(call: Call, begin: Begin, is_there: IsThere | None = None) -> Begun:
    """Make it, unless it was made for the same key before; `is_there` looks for it (default: for a session).

    Raises Unusable for a key that was given with another request, Malformed for one that is none; Conflict where what
    it made is there no more.
    """
    if (key := call.request.headers.get("Idempotency-Key")) is None:
        made = new_id()
        return Begun(made, await begin(made), 201)
    if not KEY.fullmatch(key):
        raise Malformed("An Idempotency-Key has up to 255 letters, digits and signs of ASCII, without blanks.")
    service = service_of(call.request)
    place = _hash(call.asking.grants[0].id, key)
    async with service.app.shared.alone(f"creating {place}"):
        found = is_there or partial(_is_session, service.app.log)
        return await _once(service.app.store, found, place, _request_of(call), begin)


async def _once(store: KeyValueStore, is_there: IsThere, place: str, request: str, begin: Begin) -> Begun:
    known: dict[str, Any] = {"id": new_id(), "request": request, "at": now().isoformat()}
    if not await store.add(KEYS, place, known):
        known = await store.get(KEYS, place) or known
    if known["request"] != request:
        raise Unusable("This Idempotency-Key was given with another request: take a new one.")
    if await is_there(known["id"]):
        return Begun(known["id"], known.get("warnings", []), 200)
    if "warnings" in known:
        raise Conflict("What this Idempotency-Key has made was deleted since: take a new one.")
    return await _made(store, is_there, place, known, begin)


async def _made(store: KeyValueStore, is_there: IsThere, place: str, known: dict[str, Any], begin: Begin) -> Begun:
    try:
        warnings = await begin(known["id"])
    except UsageError:
        if await is_there(known["id"]):  # another process was quicker
            return Begun(known["id"], [], 200)
        await store.remove(KEYS, place)
        raise
    except BaseException:
        await store.remove(KEYS, place)
        raise
    await store.put(KEYS, place, known | {"warnings": warnings})
    return Begun(known["id"], warnings, 201)


async def _is_session(log: EventLog, session: str) -> bool:
    try:
        await log.info(session)
    except UnknownSession:
        return False
    return True


async def forget_old_keys(store: KeyValueStore, at: datetime) -> int:
    """Remove the keys that nobody comes again with; how many there were. Raises StorageError."""
    old = [key for key, one in (await store.all(KEYS)).items() if datetime.fromisoformat(one["at"]) < at - KEPT]
    for key in old:
        await store.remove(KEYS, key)
    return len(old)


def _request_of(call: Call) -> str:
    return _hash(call.request.path, call.body.model_dump_json())


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
