"""What every provider does: take a `Call`, give a `Reply` or raise a `ProviderError`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

Finish = Literal["stop", "length", "refused"]
"""How a reply ended: by itself, cut off, or declined by the model or its vendor (then its text is empty)."""
FINISHES: frozenset[str] = frozenset(get_args(Finish))
OnText = Callable[[str], None]
"""Called with each further piece of a streamed reply, on the event loop's thread; it must not block."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    `repeated` are places in the content up to which a later call begins with the same words: where a vendor wants to be
    told what to keep in its cache, the client marks the last of them.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    repeated: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several calls.

    `cached_tokens` and `written_tokens` are those of `input_tokens` that were read from and written to the vendor's
    cache; they have prices of their own.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.written_tokens + other.written_tokens,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model.

    `schema` is a JSON schema (an object schema made by `schema.json_schema_of`) sent through the vendor's own
    JSON-schema feature; `None` asks for free text. `deadline` is seconds for one attempt, None for the provider's own.
    `max_tokens` bounds what is said; hidden reasoning comes on top. `seed` is passed where the vendor takes one.
    `step` and `prompt_id` say what the call is for and are never sent to a vendor.
    """

    model: str
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None = None
    schema_name: str = "answer"
    temperature: float | None = None
    max_tokens: int = 1024
    deadline: float | None = None
    seed: int | None = None
    step: str = ""
    prompt_id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model gave. `text` is the whole text, also for JSON; `model` is the name that the vendor reports.

    `usage` is the vendor's own count; where there is none it is our estimate, and `raw` has `"usage": "estimated"`.
    `raw` holds what else is worth keeping, never the whole reply.
    """

    text: str
    finish: Finish
    usage: Usage
    model: str
    seconds: float
    raw: dict[str, Any] = field(default_factory=dict)


class Client(Protocol):
    """A provider's model. One attempt a call: retries, budgets and concurrency are `retrying.py`'s."""

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer one call; with `on_text`, stream it.

        Raises ProviderBusy, ContextTooLong, ContentRefused, MissingKey or another ProviderError.
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections and memory."""
        ...
