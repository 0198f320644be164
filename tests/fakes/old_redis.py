"""A Redis of another version: it answers what a client asks at its beginning, and says which version it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def old_redis(version: str) -> AsyncIterator[str]:
    """Its address. Before 6 it knows no HELLO."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                words = [await _word(reader) for _ in range(int(line[1:]))]
                writer.write(_said(words, version))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"


async def _word(reader: asyncio.StreamReader) -> str:
    size = int((await reader.readline())[1:])
    return (await reader.readexactly(size + 2))[:-2].decode()


def _said(words: list[str], version: str) -> bytes:
    match words[0].upper():
        case "HELLO" if not version.startswith(("6", "7")):
            return b"-ERR unknown command `HELLO`, with args beginning with: `3`\r\n"
        case "HELLO":
            return b"%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"
        case "INFO":
            text = f"# Server\r\nredis_version:{version}\r\n".encode()
            return b"$%d\r\n%s\r\n" % (len(text), text)
        case "PING":
            return b"+PONG\r\n"
    return b"+OK\r\n"
