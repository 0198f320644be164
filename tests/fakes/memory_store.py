"""A `KeyValueStore` for tests that need none on disk."""

from __future__ import annotations

import json

from elenchus.debate_engine.key_value_store import Document


class MemoryStore:
    """A store that lasts as long as the process."""

    def __init__(self) -> None:
        self._namespaces: dict[str, dict[str, str]] = {}

    async def get(self, namespace: str, key: str) -> Document | None:
        """The document, None where there is none."""
        return (await self.all(namespace)).get(key)

    async def put(self, namespace: str, key: str, value: Document) -> None:
        """Put a document there."""
        self._namespaces.setdefault(namespace, {})[key] = json.dumps(value)

    async def add(self, namespace: str, key: str, value: Document) -> bool:
        """Put a document there if there is none; whether it was put."""
        if key in self._namespaces.setdefault(namespace, {}):
            return False
        await self.put(namespace, key, value)
        return True

    async def remove(self, namespace: str, key: str) -> None:
        """Take a document away, if it is there."""
        self._namespaces.get(namespace, {}).pop(key, None)

    async def all(self, namespace: str) -> dict[str, Document]:
        """All documents of a namespace by key."""
        return {key: json.loads(body) for key, body in sorted(self._namespaces.get(namespace, {}).items())}
