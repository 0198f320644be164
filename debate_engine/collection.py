"""What is declared here of a collection of documents that are found by meaning (`Collection`); storage has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from elenchus.debate_engine.events import Value

Content = Mapping[str, Any]
"""What an entry holds: JSON."""


class Entry(Value):
    """One document: what it is found by (`passages`, at least one), and what it holds."""

    id: str
    passages: tuple[str, ...]
    content: dict[str, Any]


class Collection(Protocol):
    """Entries by id and by meaning. All methods raise StorageError; UsageError where a part is not installed."""

    async def all(self) -> Mapping[str, Content]:
        """What every entry holds, by id."""
        ...

    async def get(self, entry: str) -> Content | None:
        """What an entry holds; None for an unknown one."""
        ...

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The ids of at most `most` entries, the likest first; nothing but these is found."""
        ...
