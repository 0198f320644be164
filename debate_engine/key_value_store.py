"""`KeyValueStore`: a small durable store of JSON documents for what no log holds."""

from __future__ import annotations

from typing import Any, Protocol

Document = dict[str, Any]
"""What a place in the store holds: a JSON object."""


class KeyValueStore(Protocol):
    """Documents by namespace and key. Each call is atomic; what `put` and `remove` returned from survives a crash.

    All methods raise StorageError when the store cannot be used.
    """

    async def get(self, namespace: str, key: str) -> Document | None:
        """The document, None where there is none."""
        ...

    async def put(self, namespace: str, key: str, value: Document) -> None:
        """Put a document there, in place of the one that was there."""
        ...

    async def add(self, namespace: str, key: str, value: Document) -> bool:
        """Put a document there if there is none; whether it was put. Of several at once one puts it."""
        ...

    async def remove(self, namespace: str, key: str) -> None:
        """Take a document away, if it is there."""
        ...

    async def all(self, namespace: str) -> dict[str, Document]:
        """All documents of a namespace by key, keys in order."""
        ...
