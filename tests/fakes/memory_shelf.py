"""A `Shelf` for tests that need none on disk."""

from __future__ import annotations

import json

from elenchus.bot.shelf import Document


class MemoryShelf:
    """A shelf that lasts as long as the process."""

    def __init__(self) -> None:
        self._drawers: dict[str, dict[str, str]] = {}

    async def get(self, drawer: str, key: str) -> Document | None:
        """The document, None where there is none."""
        return (await self.all(drawer)).get(key)

    async def put(self, drawer: str, key: str, value: Document) -> None:
        """Put a document there."""
        self._drawers.setdefault(drawer, {})[key] = json.dumps(value)

    async def remove(self, drawer: str, key: str) -> None:
        """Take a document away, if it is there."""
        self._drawers.get(drawer, {}).pop(key, None)

    async def all(self, drawer: str) -> dict[str, Document]:
        """All documents of a drawer by key."""
        return {key: json.loads(body) for key, body in sorted(self._drawers.get(drawer, {}).items())}
