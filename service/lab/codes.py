"""Codes for people in scenes: that they took part, for who recruited them; and to take back what they said.

A completion code is made of a secret of the session, so that the same person is shown the same one. Of a withdrawal
code a hash alone is kept: whoever reads the store cannot withdraw for anybody. Both are given only once the log has how
it ended, to the participant alone, and stand in no log.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.people.retention import Ending, config_of, end_reason, ended_at, ending_of
from elenchus.service.lab.access_secrets import LETTERS, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.key_value_store import KeyValueStore

COMPLETION, WITHDRAWAL = "completion-secrets", "withdrawal-codes"
"""Namespaces: a session's secret; hashes of codes, each with session and seat."""
PROMISED = "promised"
"""Namespace: sessions that are to be removed one day, `begun` where that has begun."""
ENDINGS: tuple[Ending, ...] = ("complete", "screened", "withdrew", "timed out")
AT_ONCE = 5
"""Withdrawal codes of one seat that are good at the same time; each new one beyond that replaces the oldest."""


async def completion_code(
    store: KeyValueStore, session: str, recorded: Sequence[Recorded], seat: str
) -> tuple[Ending, str] | None:
    """How it ended for the person on this seat, with its code; None where the log does not have it yet.

    Raises StorageError.
    """
    if (ending := ending_of(recorded, seat)) is None:
        return None
    known = await store.get(COMPLETION, session)
    if known is None:
        known = {"secret": secrets.token_hex(16), "people": list(_people(recorded))}
        await store.put(COMPLETION, session, known)
        known = await store.get(COMPLETION, session) or known  # another process may have been quicker
    return ending, _code(known["secret"], seat, ending)


async def ending_behind(store: KeyValueStore, code: str) -> Ending | None:
    """Which ending a completion code stands for, None where we gave no such code. Raises StorageError."""
    typed = tidy(code)
    for known in (await store.all(COMPLETION)).values():
        for seat in known["people"]:
            for ending in ENDINGS:
                if hmac.compare_digest(tidy(_code(known["secret"], seat, ending)), typed):
                    return ending
    return None


async def keep_secret_without_session(store: KeyValueStore, session: str) -> None:
    """A code that was given stays good when its session is removed, and tells nothing of it."""
    if known := await store.get(COMPLETION, session):
        await store.put(COMPLETION, hashlib.sha256(known["secret"].encode()).hexdigest()[:16], known)
        await store.remove(COMPLETION, session)


async def new_withdrawal_code(
    store: KeyValueStore, session: str, recorded: Sequence[Recorded], seat: str
) -> str | None:
    """A fresh code to withdraw with; None where the scene is not over, promises none, nothing was played, or all of it
    goes without one.
    """
    cfg = config_of(recorded)
    if cfg is None or not cfg.mode or seat not in cfg.people or ended_at(recorded) is None:
        return None
    if ending_of(recorded, seat) in (None, "screened", "withdrew") or end_reason(recorded)[0] == "not kept":
        return None
    if (await store.get(PROMISED, session) or {}).get("begun"):
        return None
    code = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    known = await store.all(WITHDRAWAL)
    own = [key for key, one in known.items() if (one["session"], one["seat"]) == (session, seat)]
    own.sort(key=lambda key: known[key]["n"])
    for old in own[: max(0, len(own) - AT_ONCE + 1)]:
        await store.remove(WITHDRAWAL, old)
    last = max((known[key]["n"] for key in own), default=0)
    place = {"session": session, "seat": seat, "n": last + 1}
    await store.put(WITHDRAWAL, await asyncio.to_thread(_hash, code), place)
    return code


async def withdrawal_behind(store: KeyValueStore, code: str) -> tuple[str, str] | None:
    """Session and seat of a withdrawal code, None for one that we do not know. Slow on purpose. Raises StorageError."""
    found = await store.get(WITHDRAWAL, await asyncio.to_thread(_hash, code))
    return (found["session"], found["seat"]) if found else None


async def remove_withdrawal_codes(store: KeyValueStore, session: str) -> None:
    """Nobody withdraws any more from a session that is removed. Raises StorageError."""
    for key, one in (await store.all(WITHDRAWAL)).items():
        if one["session"] == session:
            await store.remove(WITHDRAWAL, key)


def _code(secret: str, seat: str, ending: Ending) -> str:
    digest = hmac.digest(bytes.fromhex(secret), f"{ending}/{seat}".encode(), "sha256")
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:10])


def _hash(code: str) -> str:
    """About 50 ms: a thousand guesses take a minute of one core, against 10²³ codes."""
    return hashlib.scrypt(tidy(code).encode(), salt=b"elenchus withdrawal", n=2**14, r=8, p=1).hex()[:48]


def _people(recorded: Sequence[Recorded]) -> tuple[str, ...]:
    cfg = config_of(recorded)
    return cfg.people if cfg else ()
