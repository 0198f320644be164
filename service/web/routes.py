"""The table of routes of the API: what a route takes, gives, and who may use it.

aiohttp's router, the OpenAPI document and the walk over everybody's rights are made from this one table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from aiohttp import web
from pydantic import BaseModel

if TYPE_CHECKING:
    from elenchus.service.web.sign_in import Asking

BASE = "/api/v1"

STREAM = "text/event-stream"

Who = Literal["anybody", "signed in", "viewer", "seat", "moderator", "house", "owner"]
"""Who may use a route. `viewer`: whoever may look at the session, or class, that the path names; `seat`: whoever sits
in it, or moderates it; `moderator`: of what the path names, else of the house; `house`: its moderators alone.
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a route: its checked body and query, and who asks."""

    request: web.Request
    asking: Asking
    body: Any = None
    query: Any = None

    def path(self, name: str) -> str:
        """A part of the path."""
        return self.request.match_info[name]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handler gives where a document alone does not say it all."""

    document: BaseModel | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Handler = Callable[[Call], Awaitable["BaseModel | Reply | web.StreamResponse"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route of the API. `gives` is the model of its answer, or the media types of one that is no document.

    `takes` is the media type of a body that is no document: its bytes are given to the handler. `body_bytes`: so large
    a body may be (0: as any other, by the settings). `refuses` are the statuses by which it refuses, beside those that
    any route has.
    """

    method: str
    path: str
    who: Who
    summary: str
    handler: Handler
    tag: str
    body: type[BaseModel] | None = None
    takes: str = ""
    body_bytes: int = 0
    query: type[BaseModel] | None = None
    gives: type[BaseModel] | str | tuple[str, ...] | None = None
    status: int = 200
    refuses: tuple[int, ...] = ()
    idempotent_by_key: bool = False

    @property
    def methods(self) -> Sequence[str]:
        """Those by which it is asked: what can be read has a head, but for a stream, which has no end."""
        return ("GET", "HEAD") if self.method == "GET" and self.gives != STREAM else (self.method,)

    @property
    def name(self) -> str:
        """Its name in the document for programs: that of its handler."""
        name: str = cast("Any", self.handler).__name__
        return name


@dataclass(slots=True)
class RouteTable:
    """Routes in the order in which they were declared."""

    tag: str
    routes: list[Route] = field(default_factory=list)

    def add(self, method: str, path: str, who: Who, summary: str, **more: Any) -> Callable[[Handler], Handler]:
        """Declare the route of a handler; `more` are further fields of `Route`."""

        def declared(handler: Handler) -> Handler:
            self.routes.append(
                Route(method=method, path=BASE + path, who=who, summary=summary, handler=handler, tag=self.tag, **more)
            )
            return handler

        return declared
