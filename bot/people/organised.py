"""What members organise beside debates: what is held on them for it, and its removal."""

from __future__ import annotations

from typing import Any, Protocol

NOBODY = 0
"""The moderator of a session whose moderator was forgotten."""


class Organised(Protocol):
    """One kind of thing that members organise. All raise StorageError."""

    async def document(self, member: int) -> dict[str, Any]:
        """What is held on the member, as JSON; values that are empty where it is nothing."""
        ...

    async def forget(self, member: int, session: str) -> int:
        """Remove it (of one session, or of all where it is ""); how many of these the member still runs."""
        ...
