"""What a model or a server turns out not to take: left out after its first complaint, and remembered."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

from debate_engine.llm.client import Call
from debate_engine.llm.schema import in_words
from debate_engine.llm.vendor import Vendor

T = TypeVar("T")

_COMPLAINTS = (
    "support", "unknown", "unrecognized", "not permitted", "not allowed", "not enabled", "extra", "unexpected",
    "deprecated", "may only",
)  # fmt: skip


class Unsupported(Exception):
    """The server does not take one of our parameters, `quirk`. Raised and caught within a provider."""

    def __init__(self, quirk: str, message: str) -> None:
        super().__init__(message)
        self.quirk = quirk


class Quirks:
    """What is known of the models of one server. `instead` names the parameter that another one takes the place of."""

    def __init__(self, vendor: Vendor, parameters: tuple[str, ...], first: frozenset[str] = frozenset()) -> None:
        self._vendor, self._parameters, self._first = vendor, parameters, first
        self._instead: dict[str, str] = {}
        self._known: dict[str, frozenset[str]] = {}

    def either(self, one: str, other: str) -> Quirks:
        """Tell that one of the two is always sent: a complaint about one brings the other back."""
        self._instead |= {one: other, other: one}
        return self

    async def adapt(self, model: str, attempt: Callable[[frozenset[str]], Awaitable[T]]) -> T:
        """Attempt without what the model is known not to take, again after each new complaint. Raises ProviderError."""
        said = ""
        for _ in range(2 * len(self._parameters)):
            quirks = self._known.get(model, self._first)
            try:
                return await attempt(quirks)
            except Unsupported as complaint:
                said = str(complaint)
                if complaint.quirk in quirks:
                    break
                back = {self._instead.get(complaint.quirk, "")}
                self._known[model] = (self._known.get(model, self._first) - back) | {complaint.quirk}
        raise self._vendor.rejected(said)

    def complaint(self, message: str) -> str | None:
        """Which of our parameters a rejected request's message is about, if it can be left out."""
        said = message.lower()
        if not any(word in said for word in _COMPLAINTS):
            return None
        if "schema" in said and any(
            word in said for word in ("minimum", "maximum", "minitems", "maxitems", "multiple")
        ):
            return "constraints"
        named = [(said.find(name.lower()), name) for name in self._parameters if name.lower() in said]
        return min(named)[1] if named else None


def schema_in_prompt(call: Call) -> str:
    """What is added to the last message where the API cannot take the schema itself; no bound for grammars is told."""
    schema = in_words(call.schema) if call.schema else None
    return f"\n\nAnswer with JSON only, of this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
