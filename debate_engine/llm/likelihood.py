"""How likely a model finds given words as its answer: for local weights alone, as vendors do not tell.

llama.cpp gives the log-probability of each token that it says, before anything is drawn; a grammar that allows one
text alone, in the tokens that its tokenizer makes of it (`gguf_tokens`), has it say that text. So all tokens of an
answer are read in one call, and what the answers are to is read once for all of them. Of a GGUF whose tokenizer is of
another kind the tokens are those that the model finds likeliest one after another, which may be others.

Nothing in a figure is left to chance: what was read once is kept by content, as replies are (`cache`), under any seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Call, Message, Reply, Usage

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.cache import ReplyCache
    from elenchus.debate_engine.llm.registry import ModelSpec, Registry

READING = 1
"""Raised when figures are read in another way: none that was kept before is used then."""


class Likelihood(Protocol):
    """Log-probabilities of answers."""

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """Of each token of each of `answers`, given as the answer to `text`, the natural logarithm of its probability.

        Raises UsageError for a model that does not tell, ProviderError.
        """
        ...


class LocalLikelihood:
    """That of `local:` models; what was read is kept in `answers`."""

    def __init__(self, registry: Registry, answers: ReplyCache | None = None) -> None:
        self._registry, self._answers = registry, answers

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """See `Likelihood`."""
        from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient
        from elenchus.debate_engine.llm.local import LocalClient

        model = self._registry.model_spec(spec)
        client = self._registry.client_for(model) if model.provider == "local" else None
        if not isinstance(client, LocalClient | HuggingFaceClient):
            raise UsageError(f"{spec} does not tell how likely its words are: only local weights do.")
        key = self._key(model, text, answers)
        if self._answers is not None and (kept := await self._answers.get(key)) is not None:
            return [tuple(of) for of in json.loads(kept.text)]
        found = await client.likelihoods(Call(model.model, (Message("user", text),), seed=0), answers)
        if self._answers is not None:
            await self._answers.put(key, str(model), Reply(json.dumps(found), "stop", Usage(), str(model), 0.0))
        return found

    def _key(self, model: ModelSpec, text: str, answers: Sequence[str]) -> str:
        """The fingerprint of all that figures depend on."""
        content = ["likelihood", READING, str(model), self._registry.behind(model), text, list(answers)]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


class NoLikelihood:
    """Where no models are at hand."""

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """Raises UsageError."""
        raise UsageError(f"How likely {spec} finds an answer cannot be told: no models are at hand.")
