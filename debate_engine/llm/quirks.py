"""What a model or a server turns out not to take: left out when it complains, and remembered where that helped.

One rule for every vendor: a request that is refused with a word on a parameter of ours is sent once more without it.
That is remembered for the process only where the server then answers, or goes on to complain of something else. A value
that is merely too large is no reason to leave its parameter out of later calls; of a limit of tokens that is too large
as much is kept as the server says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from elenchus.debate_engine.errors import ProviderError
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.schema import in_words

T = TypeVar("T")

MOST_REQUESTS = 4
"""Requests for one call."""
_LIMITS = ("max_completion_tokens", "max_tokens", "max_output_tokens")
_NUMBERS = (*_LIMITS, "temperature", "seed")
_TOO_LARGE = re.compile(
    r"too (?:large|high|big|long)|exceed|at most|up to|maximum|less than|lower than|greater than|above|range|between"
    r"|out of bounds|[<>≤≥]",
    re.IGNORECASE,
)
_OF_THE_PROMPT = re.compile(r"\b(?:input|prompt|messages)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.-])(\d+(?:,\d{3})*)(?![\w-])(\s*\(exclusive\))?")
_LEAST = 16
"""A number below this is no limit of tokens but the lower end of a range."""
_BOUNDS = ("minimum", "maximum", "minitems", "maxitems", "multiple")


class Refused(Exception):
    """A request that the server read and did not take; `error` is what that is to the caller.

    Raised and caught within a provider.
    """

    def __init__(self, message: str, error: ProviderError) -> None:
        super().__init__(message)
        self.error = error


class Change(NamedTuple):
    """How the next request is another one: what is remembered where it helps, all that is left out, and the tokens."""

    remembered: str
    quirks: frozenset[str]
    tokens: int


class Quirks:
    """What is known of the models of one server.

    One of the two parameters in `either` is always sent: a complaint about one brings the other back.
    """

    def __init__(
        self, parameters: tuple[str, ...], first: frozenset[str] = frozenset(), either: tuple[str, ...] = ()
    ) -> None:
        self._first = first
        self._patterns = {name: _named(name) for name in parameters}
        self._instead = dict(zip(either, reversed(either), strict=True))
        self._known: dict[str, frozenset[str]] = {}

    async def adapt(
        self,
        model: str,
        tokens: int,
        build: Callable[[frozenset[str], int], dict[str, Any]],
        send: Callable[[dict[str, Any]], Awaitable[T]],
    ) -> T:
        """Send what is built without what the model is known not to take, changed after each complaint.

        `tokens` are those that the call allows. Raises ProviderError.
        """
        quirks = self._known.get(model, self._first)
        sent = [build(quirks, tokens)]
        tried, clipped = "", False
        while True:
            try:
                reply = await send(sent[-1])
            except Refused as refused:
                if tried not in self._named_in(str(refused)):
                    self._remember(model, tried)
                changes = self._changes(refused, quirks, tokens, clipped) if len(sent) < MOST_REQUESTS else ()
                change = next((one for one in changes if build(one.quirks, one.tokens) not in sent), None)
                if change is None:
                    raise refused.error from None
                clipped = clipped or change.tokens < tokens
                tried, quirks, tokens = change
                sent.append(build(quirks, tokens))
            else:
                self._remember(model, tried)
                return reply

    def _changes(self, refused: Refused, quirks: frozenset[str], tokens: int, clipped: bool) -> Iterator[Change]:
        """What to try after a complaint, the likeliest first."""
        said = str(refused)
        too_large = bool(_TOO_LARGE.search(said) and _NUMBER.search(said))
        if too_large and not clipped and (limit := _limit_in(said, tokens)):
            yield Change("", quirks, limit)
        if type(refused.error) is not ProviderError:  # the prompt is too long, or its content refused
            return
        for name in self._named_in(said):
            if not (too_large and name in _LIMITS):
                yield Change("" if too_large and name in _NUMBERS else name, self._without(quirks, name), tokens)

    def _named_in(self, said: str) -> list[str]:
        """Which of our parameters a message is about, the first first."""
        found = {name: place.start() for name, pattern in self._patterns.items() if (place := pattern.search(said))}
        named = sorted(found, key=found.__getitem__)
        bounds = "schema" in said.lower() and any(bound in said.lower() for bound in _BOUNDS)
        return ["constraints", *named] if bounds and "constraints" in self._patterns else named

    def _without(self, quirks: frozenset[str], name: str) -> frozenset[str]:
        return (quirks - {self._instead.get(name, "")}) | {name}

    def _remember(self, model: str, name: str) -> None:
        if name:
            self._known[model] = self._without(self._known.get(model, self._first), name)


def _named(name: str) -> re.Pattern[str]:
    """A parameter as messages name it: in one word, in words with blanks, or with underscores between them."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    return re.compile(rf"(?<![a-z0-9_]){'[_ ]?'.join(words)}(?![a-z0-9_])", re.IGNORECASE)


def _limit_in(said: str, tokens: int) -> int | None:
    """The tokens that a reply may have, as a message on too large a limit says, None where it does not say so."""
    if _OF_THE_PROMPT.search(said) or not any(_named(name).search(said) for name in _LIMITS):
        return None
    numbers = [int(n.replace(",", "")) - bool(exclusive) for n, exclusive in _NUMBER.findall(said)]
    return max((number for number in numbers if _LEAST <= number < tokens), default=None)


def schema_in_prompt(call: Call) -> str:
    """What is added to the last message where the API cannot take the schema itself; no bound for grammars is told."""
    schema = in_words(call.schema) if call.schema else None
    return f"\n\nAnswer with JSON only, of this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
