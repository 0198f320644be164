"""What a service refuses, as the errors that the laboratory in this process raises; and what only a service can lack.

ElenchusError
├── UsageError            change what you asked for
│   └── AccessRefused       the token may not do this, or is good no more
├── ServerUnavailable     the server cannot be reached now: check the address, or try again later
│   └── AnswerLost          it was asked, and did not answer: look whether it was done
└── ServerFault           the server made a mistake: its log says which
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import (
    DiskFull,
    ElenchusError,
    MissingKey,
    ProviderError,
    SessionHeld,
    StorageError,
    UnknownSession,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

KIND = "urn:elenchus:problem:"
"""How the type of each problem of a service begins."""


class AccessRefused(UsageError):
    """The token may not do this, or is not valid (any more)."""


class ServerUnavailable(ElenchusError):
    """The server cannot be reached, or does not answer, for as long as was waited."""

    exit_code = 5


class AnswerLost(ServerUnavailable):
    """The server was asked and did not answer: whether it was done is not known."""


class ServerFault(ElenchusError):
    """The server made a mistake. Nothing is known of it here."""


_ERRORS: Mapping[str, type[ElenchusError]] = {
    "not-there": UsageError,
    "not-signed-in": AccessRefused,
    "forbidden": AccessRefused,
    "no-key": MissingKey,
    "provider": ProviderError,
    "held": SessionHeld,
    "disk-full": DiskFull,
    "storage": StorageError,
    "fault": ServerFault,
    "too-many": ServerUnavailable,
    "too-many-streams": ServerUnavailable,
    "stopping": ServerUnavailable,
    "too-slow": ServerUnavailable,
}
"""By the kind of problem; all others are things to be asked for otherwise."""


def is_problem(document: Any) -> bool:
    """Whether this is a problem as a service of ours tells one."""
    return isinstance(document, dict) and str(document.get("type", "")).startswith(KIND)


def kind_of(document: Mapping[str, Any]) -> str:
    """Which kind of problem it is."""
    return str(document.get("type", "")).removeprefix(KIND)


def error_of(document: Mapping[str, Any], *, of_session: bool) -> ElenchusError:
    """The error that a problem is, with the server's sentence; `of_session`: a session was asked for."""
    kind, detail = kind_of(document), str(document.get("detail", "The server refused it."))
    if kind == "not-there" and of_session:
        return UnknownSession(detail)
    return _ERRORS.get(kind, UsageError)(detail)
