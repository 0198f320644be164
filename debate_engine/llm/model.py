"""A model ready to be asked: its client, its limits, its context and its price under one name."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.llm.client import Call, Client, OnText, Reply, Usage
from elenchus.debate_engine.llm.retrying import Limits, OnFailure, complete

DEFAULT_CONTEXT = 32_000
"""Tokens taken for granted of a model whose context is not in `config/models.yaml`."""


@dataclass(frozen=True)
class Model:
    """`spec` is "provider:name"; `name` is what the provider calls it."""

    spec: str
    name: str
    client: Client
    limits: Limits
    info: ModelInfo

    @property
    def continues(self) -> bool:
        """Whether it goes on from an assistant's message at the end of a call; others are told how to begin."""
        return self.spec.startswith("local:")

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and reply together, without the room that is kept for hidden reasoning."""
        return max((self.info.context or DEFAULT_CONTEXT) - self.info.thinking, 1)

    def cost(self, usage: Usage) -> float | None:
        """US dollars, None where the price is not known."""
        price = self.info.usd
        return price.of(*astuple(usage)) if price else None

    def most(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars at the most, with nothing read from the vendor's cache; None where the price is not known."""
        return self.info.usd.most(input_tokens, output_tokens) if self.info.usd else None

    async def complete(self, call: Call, on_text: OnText | None, on_failure: OnFailure | None) -> Reply:
        """Answer a call within the provider's limits. Raises ProviderError after the last attempt."""
        return await complete(self.client, call, self.limits, on_text, on_failure)
