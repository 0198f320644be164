"""Chroma's clients, opened and closed; here stands what has to be known of Chroma beyond its documentation.

Seen in 1.5.9: its client over HTTP waits for ever, when it is made too, has no setting for that, and leaves its
connections open; its table of open stores bears no two openings or closings at once.
"""

from __future__ import annotations

import threading
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as Table

_OPENING = threading.Lock()
"""One opening or closing at a time."""


def open_folder(folder: Path) -> ClientAPI:
    """The store in a folder, made where missing. Raises whatever Chroma says of a damaged one.

    A folder that once failed is of no more use in this process: Chroma keeps the broken store under its name.
    """
    import chromadb

    with _OPENING:
        return chromadb.PersistentClient(folder, settings=settings())


class InMemory(NamedTuple):
    """A collection in this process's memory; `client` is held because the store is gone with its last client."""

    client: ClientAPI
    table: Table

    def drop(self) -> None:
        """Let all of it go."""
        self.client.delete_collection(self.table.name)
        close(self.client)


def open_memory(name: str, configuration: Any) -> InMemory:
    """A new collection of vectors in this process's memory, in no file."""
    import chromadb

    with _OPENING:
        client = chromadb.EphemeralClient(settings=settings())
    return InMemory(client, client.create_collection(name, embedding_function=None, configuration=configuration))


def connect(address: str, patience: float) -> ClientAPI:
    """The store on a server; `patience`: seconds that it may take for one answer. Raises OSError, HTTPException."""
    import chromadb

    parts = urlsplit(address)
    ssl = parts.scheme == "https"
    host, port = parts.hostname or "localhost", parts.port or (443 if ssl else 8000)
    _require_an_answer(host, port, patience, ssl=ssl)
    with _OPENING:
        client = chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=settings())
    for session in _sessions_of(client):
        session.timeout = patience  # by itself it waits for ever
    return client


def _require_an_answer(host: str, port: int, patience: float, *, ssl: bool) -> None:
    """Raises OSError or HTTPException where nothing answers: Chroma's client would wait for it for ever when made."""
    connection = (HTTPSConnection if ssl else HTTPConnection)(host, port, timeout=patience)
    try:
        connection.request("GET", "/api/v2/heartbeat")
        connection.getresponse()
    finally:
        connection.close()


def close(client: Any) -> None:
    """Let the store go; Chroma's type of a client has no `close`, the clients have."""
    sessions = _sessions_of(client)
    with _OPENING:
        client.close()
    for session in sessions:
        session.close()  # Chroma 1.5 leaves its connections open


def _sessions_of(client: ClientAPI) -> list[Any]:
    """The HTTP clients inside, none where the store is in this process; there is no public way to them."""
    servers = (getattr(part, "_server", None) for part in (client, getattr(client, "_admin_client", None)))
    return [session for server in servers if (session := getattr(server, "_session", None)) is not None]


def settings() -> Any:
    """Without telemetry, and without a look into the working folder's `.env`."""
    from chromadb.config import Settings

    return Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg, unused-ignore]
