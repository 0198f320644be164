"""The error tree. Each error is named for what its reader can do next.

ElenchusError
├── UsageError            change what you asked for            (exit 2)
│   └── UnknownSession
├── ProviderError         a model could not be used            (exit 3)
│   ├── MissingKey          set the key
│   ├── ProviderBusy        try again later (429, 5xx, time-out, connection)
│   │   └── MalformedReply    the same; if it comes again, look at the server's address, or report the trace
│   ├── ContextTooLong      shorten the prompt or take a model with a larger context
│   ├── ContentRefused      the vendor declined this content; asking again will not help
│   └── UnreadableReply     empty, truncated or garbled after one repair
├── StorageError          the log could not be read or written (exit 5)
│   ├── NewerSchema         upgrade Elenchus
│   ├── DamagedLog          export what is readable
│   ├── DiskFull            free some space
│   ├── SessionHeld         another process runs it: stop it or take over
│   └── LostOwnership       another process has taken over: nothing more was written
├── ProtocolBug           a mistake in a protocol's code
│   ├── DuplicateStep       one key used twice
│   ├── ChangedInput        a recorded step was given other input on replay
│   └── MissingVariable     a prompt was rendered without one of its variables
└── SessionPaused         the run left while the session waits (exit 4 for the budget, 0 at rest, 130 otherwise)
"""

from __future__ import annotations


class ElenchusError(Exception):
    """Base of every error that Elenchus raises on purpose. `str()` is one sentence that says what to do."""

    exit_code = 1


class UsageError(ElenchusError):
    """What was asked for cannot be done as asked; nothing was spent."""

    exit_code = 2


class UnknownSession(UsageError):
    """No session has this id."""


class ProviderError(ElenchusError):
    """A model's provider could not give an answer."""

    exit_code = 3


class MissingKey(ProviderError):
    """The provider's key is not set."""


class ProviderBusy(ProviderError):
    """Rate limit, overload, time-out or lost connection: asking again later may help.

    `retry_after` is the provider's own wish in seconds, where it gave one.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class MalformedReply(ProviderBusy):
    """What came is no reply of the provider's API, or its client broke on it.

    `trace` says where, innermost first: places in code alone, no key and nobody's words.
    """

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class ContextTooLong(ProviderError):
    """The prompt does not fit the model's context."""


class ContentRefused(ProviderError):
    """The provider declined the content; the same request would be declined again."""


class UnreadableReply(ProviderError):
    """The reply was empty, truncated or not of the asked form, also after one repair."""


class StorageError(ElenchusError):
    """The log could not be read or written."""

    exit_code = 5


class NewerSchema(StorageError):
    """The database, an event or a step in it was written by a newer Elenchus."""


class DamagedLog(StorageError):
    """The database is corrupt or truncated. The message names the file and what can be saved."""


class DiskFull(StorageError):
    """There is no room left on the disk: nothing was written."""


class SessionHeld(StorageError):
    """Another process runs this session. The message says which."""


class LostOwnership(StorageError):
    """A newer owner has taken this session over; the append was refused and nothing was written."""


class ProtocolBug(ElenchusError):
    """A mistake in a protocol's code, found at run time."""


class DuplicateStep(ProtocolBug):
    """A step key was used twice in one run."""


class ChangedInput(ProtocolBug):
    """A recorded step was reached again with other input than the recorded one."""


class MissingVariable(ProtocolBug):
    """A prompt was rendered without a declared variable, or with one that it does not declare."""


class SessionPaused(ElenchusError):
    """The run was left while the session is paused. `why` is as in the event: `moderator`, `budget`, `rest` …."""

    exit_code = 130

    def __init__(self, why: str, reason: str) -> None:
        super().__init__(reason)
        self.why = why
        self.exit_code = {"budget": 4, "provider": 3, "rest": 0}.get(why, 130)
