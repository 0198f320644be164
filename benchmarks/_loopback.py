"""A server of OpenAI's chat completions in a process of its own, as cheap as Python allows.

    python -m benchmarks._loopback [DELAY] [ANSWERS]     prints its port; answers after DELAY seconds

It does not look at what it is asked, but for `"stream": true`: then it sends 100 pieces; and for the name of a schema
that is a key of ANSWERS, a JSON object of texts: then it sends that text ("" is the key of free text).
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar, cast

T = TypeVar("T")
WORDS = "Wide streets invite walking and trade. " * 16
COMMON = {"id": "chatcmpl-1", "created": 1, "model": "bench"}
USAGE = {
    "prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500, "prompt_tokens_details": {"cached_tokens": 0},
}  # fmt: skip


SCHEMA = re.compile(rb'"json_schema": ?{"name": ?"(\w+)"')


def whole(text: str = WORDS) -> bytes:
    """A reply in one piece, with its head."""
    message = {"role": "assistant", "content": text, "refusal": None}
    choices = [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}]
    body = json.dumps({"object": "chat.completion", **COMMON, "choices": choices, "usage": USAGE}).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\nx-request-id: 1\r\n\r\n"
    )
    return head.encode() + body


def pieces() -> list[bytes]:
    """A streamed reply: its head and 100 pieces, as HTTP chunks."""

    def chunk(choices: list[dict[str, object]], **more: object) -> bytes:
        event = {"object": "chat.completion.chunk", **COMMON, "choices": choices, **more}
        return http_chunk(f"data: {json.dumps(event)}\n\n".encode())

    def http_chunk(data: bytes) -> bytes:
        return f"{len(data):x}\r\n".encode() + data + b"\r\n"

    words = [chunk([{"index": 0, "delta": {"content": f"word{n} "}, "finish_reason": None}]) for n in range(100)]
    end = [chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}]), chunk([], usage=USAGE)]
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    return [head, *words, *end, http_chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"]


WHOLE, PIECES = whole(), pieces()


class Connection(asyncio.Protocol):
    """One client's connection; its requests come one after the other."""

    delay = 0.0
    answers: Mapping[bytes, bytes] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self.transport = cast(asyncio.Transport, transport)
        self.received = b""

    def data_received(self, data: bytes) -> None:
        """Answer when a request is complete."""
        self.received += data
        head, end, body = self.received.partition(b"\r\n\r\n")
        if not end:
            return
        _, _, length = head.lower().partition(b"content-length:")
        if len(body) < int(length.split(b"\r\n")[0]):
            return
        self.received = b""
        if b'"stream":true' in body.replace(b" ", b""):
            self.later(self.stream, 0)
        else:
            named = SCHEMA.search(body) if self.answers else None
            self.later(self.transport.write, self.answers.get(named[1] if named else b"", WHOLE))

    def later(self, send: Callable[[T], None], what: T) -> None:
        """Send when the time has come."""
        if self.delay:
            asyncio.get_running_loop().call_later(self.delay, send, what)
        else:
            send(what)

    def stream(self, sent: int) -> None:
        """Send the reply piece by piece, each in a turn of the loop."""
        if self.transport.is_closing():
            return
        self.transport.write(PIECES[sent])
        if sent + 1 < len(PIECES):
            asyncio.get_running_loop().call_soon(self.stream, sent + 1)


async def serve() -> None:
    """Listen on a free port and print it."""
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def running(delay: float = 0.0, answers: Mapping[str, str] | None = None) -> Iterator[str]:
    """The base URL of a server in a child process."""
    command = [sys.executable, "-m", "benchmarks._loopback", str(delay), json.dumps(answers or {})]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(child.stdout.readline())}/v1"
        finally:
            child.terminate()


if __name__ == "__main__":
    Connection.delay = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    given = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    Connection.answers = {name.encode(): whole(text) for name, text in given.items()}
    asyncio.run(serve())
