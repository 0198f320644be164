"""What is refused over HTTP: problem details (RFC 9457) from our errors, each with its status and a sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from elenchus.debate_engine.errors import (
    DiskFull,
    ElenchusError,
    MissingKey,
    ProviderBusy,
    ProviderError,
    SessionHeld,
    StorageError,
    UnknownSession,
    UsageError,
)
from elenchus.debate_engine.events import FrozenModel

_log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


class ProblemDocument(FrozenModel):
    """A problem as it is sent. `type` names its kind for programs, `detail` is a sentence for people."""

    type: str
    title: str
    status: int
    detail: str


@dataclass
class Problem(Exception):
    """A request that is refused; `slug` names the kind of problem, `headers` go with the answer."""

    status: int
    slug: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def document(self) -> ProblemDocument:
        """What is sent."""
        title = TITLES.get(self.status, "The request was refused")
        return ProblemDocument(
            type=f"urn:elenchus:problem:{self.slug}", title=title, status=self.status, detail=self.detail
        )


TITLES = {
    400: "The request cannot be read",
    401: "Nobody is signed in",
    403: "This may not be done here",
    404: "There is no such thing",
    405: "There is no such method here",
    408: "The request did not come in time",
    409: "It has come otherwise meanwhile",
    411: "The request's length is not said",
    412: "It has changed meanwhile",
    413: "The request is too large",
    415: "The request is of another form",
    421: "This server does not answer to that name",
    422: "The request cannot be done as asked",
    429: "Too many requests",
    500: "The server is at fault",
    502: "A model cannot be reached",
    503: "Not now",
    507: "The disk is full",
}
"""By status, what kind of problem it is, in a few words."""


class NotSignedIn(Problem):
    """Nobody says who they are."""

    def __init__(self, detail: str = "Sign in with a link, a code or a token.") -> None:
        super().__init__(401, "not-signed-in", detail, {"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """Somebody who is known may not do this."""

    def __init__(self, detail: str) -> None:
        super().__init__(403, "forbidden", detail)


class NotThere(Problem):
    """There is nothing, or nothing that this person may know of."""

    def __init__(self, detail: str = "There is nothing at this address.") -> None:
        super().__init__(404, "not-there", detail)


class Conflict(Problem):
    """It was done already, or has ended."""

    def __init__(self, detail: str) -> None:
        super().__init__(409, "conflict", detail)


class Unusable(Problem):
    """The request is well formed and means nothing that can be done."""

    def __init__(self, detail: str) -> None:
        super().__init__(422, "unusable", detail)


class Malformed(Problem):
    """The request is no JSON, or no request."""

    def __init__(self, detail: str) -> None:
        super().__init__(400, "malformed", detail)


_STATUS: tuple[tuple[type[ElenchusError], int, str], ...] = (
    (UnknownSession, 404, "not-there"),
    (UsageError, 422, "unusable"),
    (MissingKey, 422, "no-key"),
    (ProviderBusy, 502, "provider"),
    (ProviderError, 502, "provider"),
    (SessionHeld, 409, "held"),
    (DiskFull, 507, "disk-full"),
    (StorageError, 503, "storage"),
)
"""Our errors with their status and kind, the special before the general."""


def problem_of(error: BaseException) -> Problem:
    """The problem that an error is for whoever asked. What nobody foresaw is logged, and tells nothing of the server.

    A sentence of ours names what the asker can do; one on the store may name files, so it is logged and not told.
    """
    if isinstance(error, Problem):
        return error
    for kind, status, slug in _STATUS:
        if isinstance(error, kind):
            hidden = isinstance(error, StorageError) and not isinstance(error, SessionHeld)
            if hidden:
                _log.error("%s", error)
            detail = "The store cannot be used now: nothing was changed. The server's log says why."
            return Problem(status, slug, detail if hidden else str(error))
    _log.error("a request failed", exc_info=error)
    return Problem(500, "fault", "Something went wrong on the server: its log says what.")
