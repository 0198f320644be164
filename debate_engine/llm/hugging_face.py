"""`local:FOLDER`: a Hugging Face folder, run by transformers in this process. The one place that knows transformers.

For trained models whose layout is not written as GGUF; whatever has a GGUF runs faster by llama.cpp (`local.py`). Calls
go one after another, in a thread: torch's chance is the process's, and each call takes all its cores. There is no
grammar: a JSON schema is told in words, and what comes is checked as every reply is.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from elenchus.config.documents import read_text
from elenchus.debate_engine.errors import ContextTooLong, ProviderError
from elenchus.debate_engine.llm.client import Call, Message, OnText, Reply, Usage
from elenchus.debate_engine.llm.gguf import Header
from elenchus.debate_engine.llm.safe_client import pattern_of_tokens, without_control_tokens
from elenchus.debate_engine.llm.schema import in_words
from elenchus.debate_engine.llm.vendor import Lazy

_NEEDS = 'A Hugging Face folder is run by transformers: install "elenchus[train]".'
_AS_JSON = "\n\nAnswer with one JSON object alone, of this JSON schema:\n"
_REPEAT_PENALTY = 1.1
_LARGEST = 1_000_000
"""Bytes of a configuration."""
WHOLE = {"use_safetensors": True, "output_loading_info": True, "ignore_mismatched_sizes": True}
"""How a model is loaded: from no pickle, which can run any program, and with what `refuse_drawn` looks at."""
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError)
"""What transformers raises for files that are damaged, safetensors' own error aside."""


def refuse_drawn(missing: Iterable[str], mismatched: Iterable[Any]) -> None:
    """Raises ValueError for weights that a folder does not hold as its model wants them: transformers would draw them
    by chance, and say so in a note.
    """
    if drawn := sorted([*missing, *(name for name, *_ in mismatched)]):
        raise ValueError(
            f"{len(drawn)} of its weights are missing, or of another shape than config.json says ({drawn[0]} is one)"
        )


@lru_cache
def header_of_folder(folder: Path) -> Header:
    """The context (tokens) and the size of the model in a folder, by its configuration. Raises ProviderError."""
    try:
        config = json.loads(read_text(folder / "config.json", _LARGEST))
        stored = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
        context = config.get("max_position_embeddings")
        width = 2 if "16" in str(config.get("dtype") or config.get("torch_dtype")) else 4
    except (OSError, ValueError, AttributeError) as error:
        raise ProviderError(f"{folder / 'config.json'} cannot be read.") from error
    return Header(context if isinstance(context, int) else None, stored // width)


class _Loaded(NamedTuple):
    """A model with its tokenizer, and what must not stand in a message."""

    model: Any
    tokenizer: Any
    control: Any


class _Prompt(NamedTuple):
    """A call as tokens."""

    loaded: _Loaded
    ids: list[int]
    call: Call


class HuggingFaceClient:
    """One folder. Belongs to one event loop. `context` is tokens of prompt and reply; `threads` 0: torch decides."""

    def __init__(self, folder: Path, context: int, threads: int) -> None:
        self._folder, self._context, self._threads = folder, context, threads
        self._turn = asyncio.Lock()
        self._loaded: Lazy[_Loaded] = Lazy(self._load)

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer one call. Raises ContextTooLong, ProviderError."""
        prompt = await self._prompt(call)
        if len(prompt.ids) + 1 > self._context:
            raise ContextTooLong(
                f"The prompt has {len(prompt.ids)} tokens, this model's context is {self._context}: shorten it, or set "
                "ELENCHUS_LOCAL_CONTEXT."
            )
        loop, stop = asyncio.get_running_loop(), threading.Event()

        def said(piece: str) -> None:
            if on_text is not None and piece:
                with suppress(RuntimeError):  # the event loop has ended before the call
                    loop.call_soon_threadsafe(on_text, piece)

        async with self._turn:
            began = monotonic()
            try:
                ids = await asyncio.to_thread(self._generate, prompt, said, stop)
            finally:
                stop.set()
        end = prompt.loaded.tokenizer.eos_token_id
        text = prompt.loaded.tokenizer.decode(ids, skip_special_tokens=True)
        return Reply(
            text, "stop" if ids and ids[-1] == end else "length", Usage(len(prompt.ids), len(ids)), self._folder.name,
            monotonic() - began,
        )  # fmt: skip

    async def likelihoods(self, call: Call, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """The log-probabilities of each answer's tokens (see `likelihood.py`). Raises ProviderError."""
        prompt = await self._prompt(call)
        async with self._turn:
            return [await asyncio.to_thread(_likelihood, prompt, answer) for answer in answers]

    async def aclose(self) -> None:
        """Let go of the model."""
        await asyncio.to_thread(self._loaded.pop)

    async def _prompt(self, call: Call) -> _Prompt:
        loaded = await self._loaded.get()
        if call.schema is not None:
            told = f"{_AS_JSON}{json.dumps(in_words(call.schema), ensure_ascii=False)}"
            last = call.messages[-1]
            call = replace(call, messages=(*call.messages[:-1], replace(last, content=last.content + told)))
        call = without_control_tokens(call, loaded.control)
        return _Prompt(loaded, _ids(loaded.tokenizer, call.messages), call)

    def _load(self) -> _Loaded:
        """Load the model. Blocks for seconds. Raises ProviderError."""
        try:
            import torch  # type: ignore[import-not-found, unused-ignore]
            from safetensors import SafetensorError
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise ProviderError(_NEEDS) from error
        if self._threads:
            torch.set_num_threads(self._threads)
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._folder, local_files_only=True)
            model, info = AutoModelForCausalLM.from_pretrained(self._folder, local_files_only=True, **WHOLE)
            refuse_drawn(info["missing_keys"], info["mismatched_keys"])
        except (*UNREADABLE, SafetensorError) as error:
            raise ProviderError(f"{self._folder} could not be loaded: {' '.join(str(error).split())[:200]}") from error
        if not tokenizer.chat_template:
            raise ProviderError(f"{self._folder} has no chat template: take a model that was tuned for chat.")
        control = {token.content for token in tokenizer.added_tokens_decoder.values() if token.special}
        place = "cuda" if torch.cuda.is_available() else "cpu"
        return _Loaded(model.to(place).eval(), tokenizer, pattern_of_tokens(control))

    def _generate(self, prompt: _Prompt, said: OnText, stop: threading.Event) -> list[int]:
        """The tokens of a reply. Blocks."""
        import torch
        from transformers import GenerationConfig, StoppingCriteria, TextStreamer

        class Stop(StoppingCriteria):
            def __call__(self, ids: Any, scores: Any, **_: Any) -> Any:
                return torch.full((ids.shape[0],), stop.is_set(), device=ids.device)

        class Stream(TextStreamer):
            def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
                said(text)

        (model, tokenizer, _), call = prompt.loaded, prompt.call
        warm = call.temperature is None or call.temperature > 0
        how = {"do_sample": True, "temperature": call.temperature or 1.0} if warm else {"do_sample": False}
        config = GenerationConfig(
            max_new_tokens=min(call.max_tokens, self._context - len(prompt.ids)), pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id, repetition_penalty=1.0 if call.schema else _REPEAT_PENALTY, **how,
        )  # fmt: skip
        with torch.random.fork_rng(), torch.inference_mode():
            if call.seed is not None:
                torch.manual_seed(call.seed)
            ids = torch.tensor([prompt.ids], device=model.device)
            out = model.generate(
                ids, attention_mask=torch.ones_like(ids), generation_config=config, stopping_criteria=[Stop()],
                streamer=Stream(tokenizer, skip_prompt=True, skip_special_tokens=True),
            )  # fmt: skip
        return [int(one) for one in out[0][len(prompt.ids) :]]


def _ids(tokenizer: Any, messages: tuple[Message, ...]) -> list[int]:
    said = [{"role": message.role, "content": message.content} for message in messages]
    return list(tokenizer.apply_chat_template(said, add_generation_prompt=True, return_dict=True)["input_ids"])


def _likelihood(prompt: _Prompt, answer: str) -> tuple[float, ...]:
    """The log-probabilities of the answer's tokens, without that of its end. Blocks."""
    import torch

    (model, tokenizer, _), before = prompt.loaded, len(prompt.ids)
    ids = [*prompt.ids, *tokenizer(answer, add_special_tokens=False)["input_ids"]]
    with torch.inference_mode():
        logits = model(torch.tensor([ids], device=model.device)).logits[0, before - 1 : -1].float()
    found = torch.log_softmax(logits, -1)
    return tuple(float(found[n, token]) for n, token in enumerate(ids[before:]))
