"""Tokenizers, models and LoRA: loaded from folders, merged, and written to folders. Blocks for seconds.

One form of an example for all stages, so that the reward model is given what it was trained on: the prompt by the chat
template up to where the answer begins, the answer's tokens, and the token that ends a message. (A template adds a line
break behind that, which no policy says.) Padding is another token than that end: where both are one, as in the embedded
model, everything that looks for the last token that is no padding would not see the end, and the ends of earlier
messages would be masked.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]
from peft import LoraConfig
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.debate_engine.llm.hugging_face import UNREADABLE, WHOLE, refuse_drawn
from elenchus.detectors.alignment.training.base import SOURCE
from elenchus.detectors.alignment.training.data import Example
from elenchus.detectors.alignment.training.settings import TrainingSettings

Ids = list[int]


def tokenizer_of(folder: Path) -> Any:
    """The folder's tokenizer, with a padding that is no end. Raises UsageError for one without a chat template."""
    with _told(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder)
    if not tokenizer.chat_template:
        raise UsageError(f"{folder} has no chat template: take a base that was tuned for chat.")
    if tokenizer.eos_token_id is None:
        raise UsageError(f"The tokenizer of {folder} has no token for the end of a message.")
    if tokenizer.pad_token_id in (None, tokenizer.eos_token_id):
        tokenizer.pad_token = _other_token(tokenizer)
    tokenizer.padding_side = "left"
    return tokenizer


def _other_token(tokenizer: Any) -> str:
    """A control token that no conversation holds."""
    said = str(tokenizer.apply_chat_template([{"role": "user", "content": "x"}], tokenize=False))
    special = [str(token) for token in tokenizer.added_tokens_decoder.values() if token.special]
    free = [token for token in (tokenizer.unk_token, *special) if token and token not in said]
    found = next((token for token in free if token not in (tokenizer.eos_token, tokenizer.bos_token)), None)
    if found is None:
        raise UsageError("The base's tokenizer has no token for padding: give it one in tokenizer_config.json.")
    return str(found)


def prompt_ids(tokenizer: Any, example: Example) -> Ids:
    """The tokens of a prompt, up to where the answer begins."""
    return list(
        tokenizer.apply_chat_template(example.messages, add_generation_prompt=True, tokenize=True, return_dict=True)[
            "input_ids"
        ]
    )


def answer_ids(tokenizer: Any, text: str) -> Ids:
    """The tokens of an answer, and its end."""
    return [*tokenizer(text, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]


def joined(prompt: Ids, answer: Ids, most: int) -> tuple[Ids, bool]:
    """Both, cut on the right; whether they were. Raises UsageError for a prompt that leaves no room."""
    if len(prompt) >= most:
        raise UsageError(f"A prompt has {len(prompt)} tokens and leaves no room for an answer: raise --max-length.")
    return (prompt + answer)[:most], len(prompt) + len(answer) > most


# ── models ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def causal(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    """A language model. Raises UsageError."""
    with _told(folder):
        model, info = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, **WHOLE)
        refuse_drawn(info["missing_keys"], info["mismatched_keys"])
    return model


def reward(
    folder: Path, pad: int, seed: int, dtype: torch.dtype = torch.float32, *, new_head: bool = False
) -> Any:  # fmt: skip
    """A model with one number for a text, at its last token; a `new_head` is drawn by the seed. Raises UsageError."""
    torch.manual_seed(seed)
    with _told(folder):
        model, info = AutoModelForSequenceClassification.from_pretrained(folder, dtype=dtype, num_labels=1, **WHOLE)
        head = {name for name in info["missing_keys"] if not name.startswith(f"{model.base_model_prefix}.")}
        refuse_drawn(info["missing_keys"] - head, info["mismatched_keys"])
    if head and not new_head:
        raise UsageError(
            f"{folder} is no reward model: it has no head that gives a number. `rldf train reward` makes one."
        )
    model.config.pad_token_id = pad
    return model


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """What transformers raises inside, in a sentence that names the folder. Raises UsageError."""
    try:
        yield
    except (*UNREADABLE, SafetensorError) as error:
        raise UsageError(f"The model in {folder} cannot be loaded: {' '.join(str(error).split())[:200]}.") from error


def lora(settings: TrainingSettings) -> LoraConfig | None:
    """LoRA over all linear layers; None where all weights are trained."""
    if settings.full:
        return None
    head = settings.stage == "reward"
    return LoraConfig(
        r=settings.lora_rank, lora_alpha=2 * settings.lora_rank, lora_dropout=0.0, target_modules="all-linear",
        modules_to_save=["score"] if head else None, task_type="SEQ_CLS" if head else "CAUSAL_LM",
    )  # fmt: skip


def merged(model: Any) -> Any:
    """The model with its adapter in its weights."""
    return model.merge_and_unload() if hasattr(model, "merge_and_unload") else model


def save(model: Any, tokenizer: Any, base: Path, folder: Path) -> None:
    """Write a model to a new folder, whole or not at all, with the word on which GGUF it came from."""
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    needed = 1.1 * sum(p.numel() * p.element_size() for p in model.parameters())
    folder.parent.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(folder.parent).free) < needed:
        raise StorageError(
            f"The model takes {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free where {folder} lies: free some "
            "space; the same command goes on."
        )
    model.save_pretrained(part)
    tokenizer.save_pretrained(part)
    if (base / SOURCE).exists():
        shutil.copy(base / SOURCE, part / SOURCE)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def finite(parameters: Sequence[torch.Tensor]) -> bool:
    """Whether every weight that is trained is a number."""
    return all(bool(torch.isfinite(one).all()) for one in parameters)


def device_of(wanted: str) -> str:
    """Where it runs. Raises UsageError."""
    there = torch.cuda.is_available()
    if wanted == "cuda" and not there:
        raise UsageError("torch finds no CUDA device here: leave out --device.")
    return "cuda" if there and wanted != "cpu" else "cpu"
