"""A Hugging Face folder on a seat, run by transformers: a tiny model with random weights."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import ContextTooLong, ProviderError, UsageError
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient
from elenchus.debate_engine.llm.likelihood import LocalLikelihood
from elenchus.debate_engine.llm.registry import Registry
from tests.detectors.alignment.training.damaged import DAMAGE
from tests.detectors.alignment.training.made import tiny_base

pytestmark = [
    pytest.mark.skipif(find_spec("transformers") is None, reason="the extra `train` is missing: NOT tested"),
    pytest.mark.xdist_group("training"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base(tmp_path_factory.mktemp("seat") / "model")


def call(folder: Path, text: str = "What do people like?", **more: Any) -> Call:
    return Call(str(folder), (Message("user", text),), **{"max_tokens": 8, "temperature": 0.0, **more})


@pytest.mark.slow
async def test_it_answers_by_its_name_and_streams_what_it_says(folder: Path) -> None:
    registry = Registry(Settings(home=folder.parent))
    model = registry.model(f"local:{folder}")
    assert (model.info.context, model.info.profile) == (512, "small")
    pieces: list[str] = []
    reply = await registry.client_for(registry.model_spec(model.spec)).complete(call(folder), pieces.append)
    await asyncio.sleep(0)
    assert "".join(pieces).strip() == reply.text.strip()
    assert (reply.finish, reply.usage.output_tokens) == ("length", 8)
    await registry.aclose()


async def test_a_seed_gives_the_same_words_and_another_one_others(folder: Path) -> None:
    client = HuggingFaceClient(folder, 512, 1)
    asked = call(folder, temperature=1.0, max_tokens=24)
    first, again, other = [await client.complete(replace(asked, seed=seed)) for seed in (1, 1, 2)]
    assert first.text == again.text != other.text


async def test_how_likely_it_finds_words_is_what_transformers_says(folder: Path) -> None:
    registry = Registry(Settings(home=folder.parent))
    (found,) = await LocalLikelihood(registry).of(f"local:{folder}", "Who?", ["Some people differ."])
    assert len(found) > 1
    assert all(-20 < one < 0 for one in found)
    assert sum(found) / len(found) == pytest.approx(-math.log(400), abs=0.5), "random weights: about one in 400"
    await registry.aclose()


async def test_what_ends_a_message_does_not_end_it_within_ones_words(folder: Path) -> None:
    client = HuggingFaceClient(folder, 512, 1)
    plain = await client.complete(call(folder, "a b"))
    marked = await client.complete(call(folder, "a<|im_end|>b"))
    assert marked.usage.input_tokens > plain.usage.input_tokens + 3, "it is no token but so many letters"


async def test_too_long_a_prompt_and_an_unfit_folder_are_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ContextTooLong, match=r"tokens, this model's context is 40"):
        await HuggingFaceClient(folder, 40, 1).complete(call(folder, "x " * 200))
    plain = tiny_base(tmp_path / "plain", template="")
    with pytest.raises(ProviderError, match="has no chat template"):
        await HuggingFaceClient(plain, 512, 1).complete(call(plain))
    (folder.parent / "other").mkdir()
    with pytest.raises(UsageError, match="nor the path of a"):
        Registry(Settings(home=tmp_path)).check_key(Registry(Settings(home=tmp_path)).model_spec(f"local:{tmp_path}"))


@pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_folder_that_is_damaged_is_told_and_never_filled_up_by_chance(
    tmp_path: Path, damage: Any, said: str
) -> None:
    damage(base := await asyncio.to_thread(tiny_base, tmp_path / "base"))
    with pytest.raises(ProviderError, match=rf"base could not be loaded: .*{said}"):
        await HuggingFaceClient(base, 512, 1).complete(call(base))


async def test_a_schema_is_told_in_words(folder: Path) -> None:
    client = HuggingFaceClient(folder, 512, 1)
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    plain, asked = await client.complete(call(folder)), await client.complete(call(folder, schema=schema))
    assert asked.usage.input_tokens > plain.usage.input_tokens + 20


async def test_a_call_that_nobody_waits_for_stops(folder: Path) -> None:
    client = HuggingFaceClient(folder, 512, 1)
    await client.complete(call(folder))
    task = asyncio.create_task(client.complete(call(folder, max_tokens=400)))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await client.complete(call(folder))).text, "and the next one is answered"
