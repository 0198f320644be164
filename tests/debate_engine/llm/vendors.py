"""The three vendors' clients, each with the fake server that speaks its protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from elenchus.debate_engine.llm.anthropic import AnthropicClient
from elenchus.debate_engine.llm.client import Call, Client, Message
from elenchus.debate_engine.llm.gemini import GeminiClient
from elenchus.debate_engine.llm.openai import OpenAIClient
from tests.fakes.llm.anthropic import FakeAnthropic
from tests.fakes.llm.gemini import FakeGemini
from tests.fakes.llm.loopback import KEY, Fake, serving
from tests.fakes.llm.openai import FakeOpenAI

MESSAGES = (Message("system", "You are a debater."), Message("user", "Argue for wider pavements."))


@dataclass
class Vendor:
    """One vendor: `length` and `refused` are its words for a reply that was cut off or declined."""

    name: str
    fake: Callable[..., Fake]
    make: Callable[..., Client]
    length: str
    refused: str

    @asynccontextmanager
    async def served(
        self, key: str | None = KEY, thinking: int = 0, **options: Any
    ) -> AsyncIterator[tuple[Client, Any]]:
        """A client of a running fake."""
        async with serving(self.fake(**options)) as server:
            client = self.make(key, server.url + ("/v1" if self.name == "openai" else ""), None, lambda _: thinking)
            try:
                yield client, server
            finally:
                await client.aclose()


OPENAI = Vendor("openai", FakeOpenAI, OpenAIClient, "length", "content_filter")
ANTHROPIC = Vendor("anthropic", FakeAnthropic, AnthropicClient, "max_tokens", "refusal")
GEMINI = Vendor("gemini", FakeGemini, GeminiClient, "MAX_TOKENS", "SAFETY")
VENDORS = (OPENAI, ANTHROPIC, GEMINI)

every_vendor = pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)


def a_call(**fields: Any) -> Call:
    """An ordinary call."""
    return replace(Call("model-1", MESSAGES, max_tokens=200), **fields)
