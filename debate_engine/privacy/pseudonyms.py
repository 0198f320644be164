"""Made-up names for the people in scenes: what logs and exports hold in place of accounts.

The key that joins both is kept apart from the log, and can be destroyed; then nobody can tell any more who was who.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Protocol

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_FORM = re.compile(rf"P-[{_LETTERS}]{{6}}")


def made_up() -> str:
    """A new pseudonym, drawn by lot: nothing of the account is in it. Easy to type, without look-alikes."""
    return "P-" + "".join(secrets.choice(_LETTERS) for _ in range(6))


def is_pseudonym(name: str) -> bool:
    """Whether a name has the form of a pseudonym."""
    return _FORM.fullmatch(name) is not None


class Pseudonyms(Protocol):
    """The key. All methods raise StorageError.

    A session expects somebody from before their first word until it is over: the key alone knows of them so long.
    """

    async def of(self, account: str, session: str = "") -> str:
        """The account's pseudonym, the same as long as the key exists; made on first use. `session` expects them."""
        ...

    async def expected(self) -> Mapping[str, Sequence[str]]:
        """By session the pseudonyms of those whom it expects."""
        ...

    async def expect_nobody(self, session: str) -> None:
        """The session expects nobody any more."""
        ...

    async def find(self, account: str) -> str | None:
        """The account's pseudonym, None where it has none; none is made."""
        ...

    async def account_of(self, pseudonym: str) -> str | None:
        """Whose pseudonym this is, None where nobody knows (any more)."""
        ...

    async def forget(self, account: str) -> bool:
        """Take one account out of the key, without a trace on the disk; whether it was there."""
        ...

    async def destroy(self) -> int:
        """Destroy the whole key, without a trace on the disk; how many accounts it held."""
        ...
