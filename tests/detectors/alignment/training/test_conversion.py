"""Weights to a Hugging Face folder and back to a GGUF, held against transformers' own log-probabilities."""

from __future__ import annotations

import asyncio
import statistics
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient
from elenchus.debate_engine.llm.local import Setup, load
from elenchus.debate_engine.llm.weights import SMOLLM2, installed
from elenchus.detectors.alignment.training.base import source_of
from tests.detectors.alignment.training.made import tiny_base

pytestmark = [
    pytest.mark.skipif(find_spec("gguf") is None, reason="the extra `train` is missing: conversion is NOT tested"),
    pytest.mark.xdist_group("training"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]
QUESTIONS = ("What is good about gardening?", "Name three colours.", "Can old people learn to swim?")
TOKENS = 24


@pytest.mark.slow
@pytest.mark.local_model
async def test_a_written_gguf_says_what_transformers_says(tmp_path: Path) -> None:
    """The embedded weights, read by transformers, written as F16, run by llama.cpp: the same words, as likely.

    llama.cpp keeps what it has read in halves, too: .015 was seen at the most.
    """
    source = installed(SMOLLM2, tmp_path)
    if source is None:
        pytest.skip("the embedded weights are not here")
    from elenchus.detectors.alignment.training.learning.conversion import converted, write_gguf

    folder = tmp_path / "base"
    converted({"gguf": str(source), "out": str(folder)})
    found = source_of(folder)
    assert found is not None
    write_gguf(folder, found.gguf, tmp_path / "out.gguf")
    engine = load(Setup(tmp_path / "out.gguf", 512, 1, 1))
    client = HuggingFaceClient(folder, 512, 1)
    apart: list[float] = []
    for question in QUESTIONS:
        text, theirs = greedy(engine, question)
        call = Call("", (Message("user", question),), temperature=0.0, max_tokens=TOKENS)
        (ours,) = await client.likelihoods(call, [text])
        apart += [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    assert statistics.mean(apart) < 0.005
    assert max(apart) < 0.03


def greedy(engine: Any, question: str) -> tuple[str, list[float]]:
    """What llama.cpp finds likeliest, and how likely."""
    got: dict[str, Any] = {}
    request = {
        "messages": [{"role": "user", "content": question}], "max_tokens": TOKENS, "temperature": 0, "logprobs": True,
        "top_logprobs": 1, "cache_prompt": False,
    }  # fmt: skip

    def hear(piece: dict[str, Any]) -> bool:
        got.update(piece)
        return False

    engine.handle_chat_completions(request, hear)
    choice = got["choices"][0]
    said = [one for one in choice["logprobs"]["content"] if one["token"]]
    return choice["message"]["content"], [one["logprob"] for one in said]


def test_rows_of_a_head_go_from_halves_to_neighbours_and_back() -> None:
    import torch
    from transformers.modeling_gguf_pytorch_utils import LlamaTensorProcessor

    from elenchus.detectors.alignment.training.learning.conversion import permuted

    weights = torch.arange(2 * 8 * 3, dtype=torch.float32).reshape(16, 3)
    there = permuted(weights, 2)
    assert there[:4, 0].tolist() == [0, 12, 3, 15], "row 0, row 4, row 1, row 5"
    back = LlamaTensorProcessor()._reverse_permute_weights(there.numpy(), 2)
    assert (back == weights.numpy()).all()


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF\3\0\0\0", b"other" * 99])
def test_what_is_no_whole_gguf_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    from elenchus.detectors.alignment.training.learning.conversion import converted

    (tmp_path / "x.gguf").write_bytes(content)
    with pytest.raises(UsageError, match=r"transformers cannot read .*x\.gguf"):
        converted({"gguf": str(tmp_path / "x.gguf"), "out": str(tmp_path / "base")})
    assert not (tmp_path / "base").exists()


async def test_another_layout_is_written_as_no_gguf(tmp_path: Path) -> None:
    from elenchus.detectors.alignment.training.learning.conversion import write_gguf

    folder = await asyncio.to_thread(tiny_base, tmp_path / "other")
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"model_type": "llama"', '"model_type": "gpt2"'))
    with pytest.raises(UsageError, match="has not the Llama layout: it is seated as local:"):
        write_gguf(folder, tmp_path / "none.gguf", tmp_path / "out.gguf")
    assert not (tmp_path / "out.gguf").exists()
