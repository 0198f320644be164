"""The knowledge library on a real Chroma server, and on servers that do not answer."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from elenchus.debate_engine.errors import StorageError
from elenchus.detectors.library import CatalogueLibrary, StoredLibrary
from elenchus.storage.vector_store import StoreLocation
from tests.storage.vectors import TEXTS, Told, library

pytest.importorskip(
    "chromadb", reason="the extra `detect` (chromadb) is not installed: no test of the vector store ran"
)


class Serving(NamedTuple):
    """A server's address and its process."""

    address: str
    process: subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A real Chroma server on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma")
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield Serving(f"http://127.0.0.1:{port}", process)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def server(serving: Serving) -> str:
    """Its address."""
    return serving.address


async def answering(address: str) -> None:
    """Wait until the server takes connections."""
    host, port = address.removeprefix("http://").split(":")
    async with asyncio.timeout(60):
        while True:
            try:
                _, writer = await asyncio.open_connection(host, int(port))
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return


@pytest.mark.slow
async def test_a_server_holds_it_for_several_who_build_it_at_once(server: str, tmp_path: Path) -> None:
    await answering(server)
    place = StoreLocation(tmp_path / "unused", server)
    async with library(place) as one, library(place) as two:
        names = await asyncio.gather(one.names(), two.names())
        assert names[0] == names[1] == await CatalogueLibrary().names()
        assert await one.nearest(TEXTS[0], 8) == await two.nearest(TEXTS[0], 8)
    told = Told()
    async with library(place, told=told) as again, library(tmp_path / "here") as here:
        assert await again.nearest(TEXTS[1], 8) == await here.nearest(TEXTS[1], 8)
    assert told.steps == []
    assert not place.folder.exists()


async def test_a_server_that_takes_the_call_and_says_nothing_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        async with library(StoreLocation(tmp_path, address, answer=0.2)) as stored:
            with pytest.raises(StorageError, match="ELENCHUS_LIBRARY_SERVER"):
                await asyncio.wait_for(stored.names(), 60)


async def asked_again_and_again(stored: StoredLibrary) -> None:
    """A process may answer once more before it stands still."""
    while True:
        await stored.names()


@pytest.mark.slow
async def test_a_server_that_stops_answering_is_given_up(serving: Serving, tmp_path: Path) -> None:
    await answering(serving.address)
    async with library(StoreLocation(tmp_path, serving.address, answer=5.0)) as stored:
        assert await stored.names()
        serving.process.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(StorageError, match="ELENCHUS_LIBRARY_SERVER"):
                await asyncio.wait_for(asked_again_and_again(stored), 60)
        finally:
            serving.process.send_signal(signal.SIGCONT)


async def test_a_server_that_does_not_answer_is_named_with_its_setting(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        async with library(StoreLocation(tmp_path, address)) as stored:
            with pytest.raises(StorageError, match=rf"{address} cannot be used.*ELENCHUS_LIBRARY_SERVER"):
                await stored.names()
