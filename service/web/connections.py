"""Connections: one on which no request has come for a while is closed, so that silent ones do not use up what there is.

Bodies and streams that are slow have limits of their own, and connections that have asked before aiohttp's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from elenchus.service.web.listening import WAITING

if TYPE_CHECKING:
    import socket

    from aiohttp import web
    from aiohttp.web_protocol import RequestHandler

HEAD_SECONDS = 30.0
"""So long a new connection may take until its first request's head is there."""


class Connections:
    """The connections of one runner. Its application tells by `asked` on which a request has come."""

    def __init__(self, runner: web.AppRunner, head_seconds: float = HEAD_SECONDS) -> None:
        self._runner, self._seconds = runner, head_seconds
        self._silent: set[RequestHandler] = set()

    def asked(self, request: web.Request) -> None:
        """A request has come, up to its body."""
        self._silent.discard(request.protocol)

    @asynccontextmanager
    async def taken(self, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
        """Inside, connections at these sockets are taken; those that are there at the end are left to the runner."""
        loop = asyncio.get_running_loop()
        servers = [await loop.create_server(self._made, sock=one, backlog=WAITING) for one in sockets]
        try:
            yield
        finally:
            for one in servers:
                one.close()

    def _made(self) -> RequestHandler:
        server = self._runner.server
        assert server is not None, "the runner is set up"
        made = server()
        self._silent.add(made)
        asyncio.get_running_loop().call_later(self._seconds, self._close_if_silent, made)
        return made

    def _close_if_silent(self, connection: RequestHandler) -> None:
        if connection in self._silent:
            self._silent.discard(connection)
            if connection.transport is not None:
                connection.transport.close()
