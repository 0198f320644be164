"""`Collection` over Chroma: what an entry holds as its document, and one vector an entry, the mean of its passages'.

Chroma's client blocks (its only asynchronous one speaks HTTP), so every call goes to a thread. The store is either in a
folder of this machine, opened within the process, or on a Chroma server (`StoreLocation`). It is made at first use, and
anew when an entry or the embedding is another: the key of all that goes into it is in its name.

Two processes that come at once: in a folder the one builds while the other waits for its lock; on a server both write
the same rows under the same ids. A collection counts as made when all its rows are there, so that one whose maker died
is made again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.config.addresses import shown_address
from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.retrieval import Content, VectorEntry
from elenchus.storage import chroma
from elenchus.storage.embeddings import Embedding

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as Table
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Is told of how many entries there are how many are done; from a thread."""

FORMAT = 1
"""Goes up when what is stored of an entry changes."""

BATCH = 16
"""Entries embedded and stored at once; after each the progress is told."""

PATIENCE = 900.0
"""Seconds that a question may take, with another process's building or one's own: a busy machine needs minutes for a
library with an embedding that is a network."""

UNSYNCED = 1_000
"""Vectors from which on Chroma keeps an index on disk; with fewer they lie in its database, and the index's file is
nothing but memory as it happened to be, which may hold anybody's words."""


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """A folder, or the address of a Chroma server (`http://host:port`), which counts where both are given.

    `answer`: seconds that the server may take for one answer.
    """

    folder: Path
    server: str | None = None
    answer: float = 30.0

    def __str__(self) -> str:
        """As a person reads it."""
        return shown_address(self.server) if self.server else str(self.folder)


class VectorCollection:
    """The entries that `source` gives, at a place. Nothing is read, loaded or made before the first question."""

    def __init__(
        self,
        source: Callable[[], Sequence[VectorEntry]],
        embedding: Embedding,
        place: StoreLocation,
        tell: Progress | None = None,
    ) -> None:
        self._source, self._embedding, self._place = source, embedding, place
        self._tell: Progress = tell or (lambda _done, _all: None)
        self._mutex = threading.Lock()
        self._open: tuple[ClientAPI, Table] | None = None

    async def all(self) -> Mapping[str, Content]:
        """What every entry holds, by id."""
        return await self._ask(lambda table: _held(table.get(include=["documents"])))

    async def get(self, entry: str) -> Content | None:
        """What an entry holds; None for an unknown one."""
        return (await self._ask(lambda table: _held(table.get(ids=[entry], include=["documents"])))).get(entry)

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The ids of the likest entries; none for a text without words."""

        def query(table: Table) -> tuple[str, ...]:
            vector = self._embedding.vectors([text])
            if most < 1 or not vector.any():
                return ()
            return tuple(table.query(query_embeddings=vector, n_results=most, include=[])["ids"][0])

        return await self._ask(query)

    async def aclose(self) -> None:
        """Let the store go; a later question opens it again."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        if not self._mutex.acquire(timeout=1.0):
            return  # it is being built for a question that was given up; the program ends without waiting for that
        try:
            if self._open is not None:
                chroma.close(self._open[0])
                self._open = None
        finally:
            self._mutex.release()

    async def _ask(self, query: Callable[[Table], T]) -> T:
        def asked() -> T:
            with _as_storage_errors(self._place):
                answer = query(self._table())
                self._wipe_index()
                return answer

        with _as_storage_errors(self._place):
            async with asyncio.timeout(PATIENCE):
                return await asyncio.to_thread(asked)

    def _wipe_index(self) -> None:
        """Write zeros over the index's file, which Chroma makes when it is first asked for it after an opening."""
        with self._mutex:
            if self._place.server or self._open is None or self._open[1].count() >= UNSYNCED:
                return
            for index in self._place.folder.rglob("data_level0.bin"):
                with index.open("r+b") as file:
                    file.write(bytes(index.stat().st_size))

    def _table(self) -> Table:
        with self._mutex:
            if self._open is None:
                entries = tuple(self._source())
                key = key_of(entries, self._embedding.name)
                builder = _Builder(key, entries, self._embedding, self._tell)
                if self._place.server:
                    self._open = builder.on_server(self._place.server, self._place.answer)
                else:
                    self._open = builder.in_folder(self._place.folder)
            return self._open[1]


@dataclass(frozen=True, slots=True)
class _Builder:
    """Opens the collection with this key, and fills it where it is not whole."""

    key: str
    entries: tuple[VectorEntry, ...]
    embedding: Embedding
    tell: Progress

    def in_folder(self, folder: Path) -> tuple[ClientAPI, Table]:
        """Opened in the newest sub-folder of its own, or in the next where that one cannot be read."""
        from filelock import FileLock

        own = folder / self.key
        own.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{self.key}.lock", timeout=PATIENCE, thread_local=False, fallback_to_soft=False):
            newest = max((int(path.name) for path in own.iterdir() if path.name.isdecimal()), default=0)
            there = own / str(newest)
            try:
                return self._opened(lambda: chroma.open_folder(there))
            except ElenchusError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever Chroma and SQLite say of a damaged file
                opened = self._opened(lambda: chroma.open_folder(own / str(newest + 1)))
                logger.warning("the knowledge library in %s was damaged (%r) and is made anew", there, error)
                shutil.rmtree(there, ignore_errors=True)
                return opened

    def on_server(self, address: str, patience: float) -> tuple[ClientAPI, Table]:
        """Opened on a server, which may take `patience` seconds for one answer."""
        return self._opened(lambda: chroma.connect(address, patience))

    def _opened(self, connect: Callable[[], ClientAPI]) -> tuple[ClientAPI, Table]:
        client = connect()
        try:
            table = client.get_or_create_collection(
                f"elenchus-{self.key}", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            if table.count() < len(self.entries):
                self._fill(table)
        except BaseException:
            chroma.close(client)
            raise
        return client, table

    def _fill(self, table: Table) -> None:
        self.tell(0, len(self.entries))
        for start in range(0, len(self.entries), BATCH):
            some = self.entries[start : start + BATCH]
            table.upsert(
                ids=[entry.id for entry in some],
                embeddings=vectors_of(some, self.embedding),
                documents=[json.dumps(entry.content, ensure_ascii=False) for entry in some],
            )
            self.tell(start + len(some), len(self.entries))


@contextmanager
def _as_storage_errors(place: StoreLocation) -> Iterator[None]:
    """Whatever Chroma, the disk or the network raises, as StorageError."""
    try:
        yield
    except ElenchusError:
        raise
    except Exception as error:
        told = str(error) or f"nothing in {PATIENCE:g} seconds"
        raise StorageError(
            f"The knowledge library at {place} cannot be used ({type(error).__name__}: {told}). It is only a copy of "
            "the catalogue: remove the folder, or mend the address in ELENCHUS_LIBRARY_SERVER, and go on."
        ) from error


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def key_of(entries: Sequence[VectorEntry], embedding: str) -> str:
    """A short name of all that a collection is made of."""
    made_of = [FORMAT, embedding, [entry.model_dump(mode="json") for entry in entries]]
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:16]


def vectors_of(entries: Sequence[VectorEntry], embedding: Embedding) -> NDArray[Any]:
    """A vector an entry, as rows: the mean of its passages' unit vectors."""
    import numpy as np

    rows = embedding.vectors([passage for entry in entries for passage in entry.passages])
    ends = np.cumsum([len(entry.passages) for entry in entries])[:-1]
    return np.stack([part.mean(axis=0) for part in np.split(rows, ends)])


def _held(found: Any) -> dict[str, Content]:
    return {entry: json.loads(held) for entry, held in zip(found["ids"], found["documents"], strict=True)}
