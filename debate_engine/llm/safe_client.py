"""What stands around each vendor's client: the key that it sends does not come back, in whatever the server says.

A server may quote the key in its words, or a careless one repeat the whole request; a server of one's own may besides
take what somebody wrote for one of its model's control tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr

from elenchus.debate_engine.llm.client import Call, Client, Message, OnText, Reply
from elenchus.debate_engine.printable import UNSEEN

SHORTEST_KEY = 12
"""Characters: a shorter one is a word that a server of one's own takes for a key, and may stand in any text."""


@lru_cache
def _pattern(key: str) -> Any:
    """The key in any case, as it is or as an address writes it, with whatever does not show between its characters.

    A short one only where it stands alone: it may be a part of any word.
    """
    import regex

    forms = (f"{UNSEEN}*".join(regex.escape(c) for c in form) for form in dict.fromkeys((key, quote(key, safe=""))))
    found = "|".join(forms)
    return regex.compile(found if len(key) >= SHORTEST_KEY else rf"(?<!\w)(?:{found})(?!\w)", regex.IGNORECASE)


def without_key(value: Any, key: str) -> Any:
    """The text, or the JSON value with all its texts, with “…” for the key."""
    match value:
        case str():
            return _pattern(key).sub("…", value) if key else value
        case list():
            return [without_key(item, key) for item in value]
        case dict():
            return {without_key(name, key): without_key(item, key) for name, item in value.items()}
    return value


class SafeClient:
    """A vendor's client, without its key in the replies; with `own`, for a server that is not the vendor's."""

    def __init__(self, client: Client, key: str | None, *, own: bool) -> None:
        self._client, self._own = client, own
        self._key = SecretStr(key if key and len(key) >= SHORTEST_KEY else "")

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer one call; with `on_text`, stream it. Raises ProviderError."""
        key = self._key.get_secret_value()
        call = without_control_tokens(call, COMMON_CONTROL_TOKENS) if self._own else call
        stream = None if on_text is None else _Stream(on_text, key)
        reply = await self._client.complete(call, stream)
        if stream is not None:
            stream.end()
        text, model, raw = (without_key(part, key) for part in (reply.text, reply.model, reply.raw))
        return replace(reply, text=text, model=model, raw=raw)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class _Stream:
    """Passes a streamed text on, but what may be the beginning of the key, until it is clear that it is not."""

    def __init__(self, on_text: Callable[[str], None], key: str) -> None:
        self._on_text, self._key, self._held = on_text, key, ""

    def __call__(self, text: str) -> None:
        text = without_key(self._held + text, self._key)
        begun = _pattern(self._key).search(text, partial=True) if self._key else None
        end = begun.start() if begun else len(text)
        self._held = text[end:]
        if text[:end]:
            self._on_text(text[:end])

    def end(self) -> None:
        """Nothing comes any more."""
        if self._held:
            self._on_text(self._held)


# ── control tokens of chat templates ─────────────────────────────────────────────────────────────────────────────


def pattern_of_tokens(tokens: Iterable[str]) -> re.Pattern[str]:
    """What finds these tokens, the longest first."""
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True)) or "(?!)")


COMMON_CONTROL_TOKENS = re.compile(
    r"<[|｜][^<>|｜\s]{1,60}[|｜]>"  # ChatML, Llama 3 and 4, Phi, GLM, Command R, DeepSeek, gpt-oss
    r"|</?s>|\[/?INST\]|<</?SYS>>"  # Llama 2, Mistral
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\]"
    r"|<(?:start|end)_of_turn>|<[be]os>|</?(?:start|end)_of_(?:role|text)>"  # Gemma, Granite
)
"""Those of the models that people run on servers of their own, whose model nobody here knows for sure."""


def without_control_tokens(call: Call, tokens: re.Pattern[str]) -> Call:
    """The call, in whose messages no text is taken for one of the `tokens`.

    An engine may look for them in the whole prompt once the messages are put together: a zero-width space within keeps
    what somebody wrote from ending their message.
    """
    if not any(tokens.search(message.content) for message in call.messages):
        return call
    return replace(call, messages=tuple(_broken_up(message, tokens) for message in call.messages))


def _broken_up(message: Message, tokens: re.Pattern[str]) -> Message:
    ends = [found.start() + 1 for found in tokens.finditer(message.content)]
    text = tokens.sub(lambda found: f"{found[0][0]}\u200b{found[0][1:]}", message.content)
    moved = tuple(place + sum(end <= place for end in ends) for place in message.repeated)
    return replace(message, content=text, repeated=moved)
