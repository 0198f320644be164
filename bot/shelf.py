"""`Shelf`: a small durable store of JSON documents, for what the bot must know after a restart and no log holds."""

from __future__ import annotations

from typing import Any, Protocol

Document = dict[str, Any]
"""What a place on the shelf holds: a JSON object."""


class Shelf(Protocol):
    """Documents by drawer and key. Each call is atomic; what `put` and `remove` returned from survives a crash.

    All methods raise StorageError when the store cannot be used.
    """

    async def get(self, drawer: str, key: str) -> Document | None:
        """The document, None where there is none."""
        ...

    async def put(self, drawer: str, key: str, value: Document) -> None:
        """Put a document there, in place of the one that was there."""
        ...

    async def remove(self, drawer: str, key: str) -> None:
        """Take a document away, if it is there."""
        ...

    async def all(self, drawer: str) -> dict[str, Document]:
        """All documents of a drawer by key, keys in order."""
        ...
