"""Secrets that grants are found by: long ones for links and programs, short codes that people type.

Hashes of them alone are kept. A long one has 256 bits, so that one SHA-256 hides it. A short one could be guessed from
a fast hash in seconds, so its hash is slow: whoever reads the database alone does not get in by it.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from functools import lru_cache

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of codes that people type: none that is taken for another."""
DRAWN = "bcdfghjkmnpqrstvwxyz23456789"
"""Of codes that are made: without vowels, so that none spells a word on a classroom's wall."""
PREFIX = "el_"
LONGEST = 200
"""Characters of what is looked at as a secret at all."""
SHORT_CODES = range(6, 17)
"""How many letters a short code may have: 28⁶ are 482 million."""
_LONG = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def tidy(code: str) -> str:
    """A code as it is compared: without what people put between its letters."""
    return "".join(letter for letter in code.casefold()[:100] if letter in LETTERS)


def new_secret() -> str:
    """32 random bytes in base64url with our prefix, by which a scanner of leaked secrets can know them."""
    return PREFIX + secrets.token_urlsafe(32)


def new_code(letters: int) -> str:
    """A short code, as people read it: `abcd-efgh`, and one of six in halves: `abc-def`."""
    drawn = "".join(secrets.choice(DRAWN) for _ in range(letters))
    size = 3 if letters == 6 else 4
    return "-".join(drawn[at : at + size] for at in range(0, letters, size))


async def hash_of(secret: str) -> str | None:
    """What a secret is kept by; None for what can be none of ours, whatever it is. About 11 ms for a short code."""
    if len(secret) > LONGEST:
        return None
    if _LONG.fullmatch(secret):
        return hashlib.sha256(secret.encode()).hexdigest()
    typed = tidy(secret)
    return await asyncio.to_thread(_slow_hash, typed) if len(typed) in SHORT_CODES else None


def can_be_guessed(secret: str) -> bool:
    """Whether this may be a short code, of which somebody could try many; no other secret of ours is ever guessed."""
    short = len(secret) <= LONGEST and not _LONG.fullmatch(secret)
    return short and len(tidy(secret)) in SHORT_CODES


@lru_cache(maxsize=256)
def _slow_hash(typed: str) -> str:
    """A class types one code: it is hashed once."""
    return hashlib.scrypt(typed.encode(), salt=b"elenchus short code", n=2**12, r=8, p=1).hex()
