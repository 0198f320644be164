"""The fake vendors do what they are told."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.errors import ProviderBusy
from tests.debate_engine.llm.vendors import VENDORS, a_call
from tests.fakes.llm.disobedient import DisobedientAnthropic, DisobedientGemini, DisobedientOpenAI
from tests.fakes.llm.loopback import Fail, Fake, Say, serving
from tests.fakes.llm.unreliable import UnreliableAnthropic, UnreliableGemini, UnreliableOpenAI

KINDS: dict[str, tuple[type[Fake], ...]] = {
    "openai": (UnreliableOpenAI, DisobedientOpenAI),
    "anthropic": (UnreliableAnthropic, DisobedientAnthropic),
    "gemini": (UnreliableGemini, DisobedientGemini),
}


@pytest.mark.parametrize("name, kind", [(name, kind) for name, kinds in KINDS.items() for kind in kinds], ids=str)
async def test_a_fake_with_moods_of_its_own_does_first_what_was_planned(name: str, kind: type[Fake]) -> None:
    vendor = next(vendor for vendor in VENDORS if vendor.name == name)
    async with serving(kind()) as server:
        client = vendor.make(server.key, server.url + ("/v1" if name == "openai" else ""), None)
        server.will(Fail(503, "First this."), Say("Then that."))
        with pytest.raises(ProviderBusy, match="First this"):
            await client.complete(a_call())
        assert (await client.complete(a_call())).text == "Then that."
        await client.aclose()
