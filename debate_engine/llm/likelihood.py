"""How likely a model finds given words as its answer: for local weights alone, as vendors do not tell.

llama.cpp gives the log-probability of each token that it says, before anything is drawn; a grammar that allows one
text alone, in the tokens that its tokenizer makes of it (`gguf_tokens`), has it say that text. So all tokens of an
answer are read in one call, and what the answers are to is read once for all of them. Of a GGUF whose tokenizer is of
another kind the tokens are those that the model finds likeliest one after another, which may be others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Call, Message

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry


class Likelihood(Protocol):
    """Log-probabilities of answers."""

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """Of each token of each of `answers`, given as the answer to `text`, the natural logarithm of its probability.

        Raises UsageError for a model that does not tell, ProviderError.
        """
        ...


class LocalLikelihood:
    """That of `local:` models."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """See `Likelihood`."""
        from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient
        from elenchus.debate_engine.llm.local import LocalClient

        model = self._registry.model_spec(spec)
        client = self._registry.client_for(model) if model.provider == "local" else None
        if not isinstance(client, LocalClient | HuggingFaceClient):
            raise UsageError(f"{spec} does not tell how likely its words are: only local weights do.")
        return await client.likelihoods(Call(model.model, (Message("user", text),), seed=0), answers)


class NoLikelihood:
    """Where no models are at hand."""

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """Raises UsageError."""
        raise UsageError(f"How likely {spec} finds an answer cannot be told: no models are at hand.")
