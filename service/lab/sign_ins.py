"""Browsers that are signed in: a cookie's secret leads to the ids of grants, so that a grant's end is theirs at once.

Of the cookie a hash alone is kept. One browser may hold several grants: a teacher's who sits in a seat as well.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import now
from elenchus.service.lab.access import BY_ENVIRONMENT, Access, Grant
from elenchus.service.lab.access_secrets import PREFIX, hash_of, new_secret

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore

SIGN_INS = "sign-ins"
"""Namespace: when each began. Beside it one for each, with the ids of its grants."""
MOST = 100
"""Grants of one browser."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """Who a browser is: the grants that are valid now, oldest first, and what its forms must send back (`csrf`)."""

    id: str
    grants: tuple[Grant, ...]
    csrf: str


class SignIns:
    """Sign-ins in a store. All methods raise StorageError."""

    def __init__(self, store: KeyValueStore, access: Access, clock: Callable[[], datetime] = now) -> None:
        self._store, self._access, self._clock = store, access, clock

    async def new(self, grant: Grant) -> str:
        """The secret of a new cookie, which holds this grant. Raises UsageError as `add`."""
        _check_is_for_browsers(grant)
        cookie, at = new_secret(), {"at": self._clock().isoformat()}
        await self._store.put(_held(_id(cookie)), grant.id, at)
        await self._store.put(SIGN_INS, _id(cookie), at)  # last: what is listed there holds something
        return cookie

    async def add(self, cookie: str, grant: Grant) -> bool:
        """Let the browser hold this grant, too; whether there is such a sign-in.

        Raises UsageError where it holds as many as it can, or for the token of the settings, which is for programs.
        """
        _check_is_for_browsers(grant)
        if (known := await self._known(cookie)) is None:
            return False
        held = await self._store.all(_held(known))
        if grant.id not in held and len(held) >= MOST:
            raise UsageError(f"This browser holds {MOST} links already: sign out, then open this one again.")
        await self._store.put(_held(known), grant.id, {"at": self._clock().isoformat()})
        return True

    async def of(self, cookie: str) -> SignIn | None:
        """Whose cookie this is; None for one that is not ours or was ended. Its grants may all have ended."""
        if (known := await self._known(cookie)) is None:
            return None
        held = await self._store.all(_held(known))
        found = [await self._access.by_id(grant_id) for grant_id in sorted(held, key=lambda one: held[one]["at"])]
        return SignIn(known, tuple(grant for grant in found if grant), csrf_of(cookie))

    async def end(self, cookie: str) -> None:
        """The cookie gives nothing from now on; its grants stay."""
        if known := await self._known(cookie):
            await self._end(known)

    async def remove_ended(self) -> int:
        """Remove the sign-ins none of whose grants is valid; how many there were."""
        ended = [one for one in await self._store.all(SIGN_INS) if not await self._holds_any(one)]
        for one in ended:
            await self._end(one)
        return len(ended)

    async def _holds_any(self, sign_in: str) -> bool:
        for grant_id in await self._store.all(_held(sign_in)):
            if await self._access.by_id(grant_id):
                return True
        return False

    async def _end(self, sign_in: str) -> None:
        await self._store.remove(SIGN_INS, sign_in)
        for grant_id in await self._store.all(_held(sign_in)):
            await self._store.remove(_held(sign_in), grant_id)

    async def _known(self, cookie: str) -> str | None:
        """The id of the sign-in, None where there is none. Short codes are no cookies."""
        if not cookie.startswith(PREFIX) or await hash_of(cookie) is None:
            return None
        return _id(cookie) if await self._store.get(SIGN_INS, _id(cookie)) else None


def csrf_of(cookie: str) -> str:
    """What a form of this browser sends back, by which we know that a page of ours sent it."""
    return hmac.digest(cookie.encode(), b"elenchus csrf", "sha256").hex()


def _check_is_for_browsers(grant: Grant) -> None:
    if grant.id == BY_ENVIRONMENT:
        raise UsageError("The token of the environment is for programs: sign in by a link.")


def _id(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


def _held(sign_in: str) -> str:
    return f"{SIGN_INS}/{sign_in}"
