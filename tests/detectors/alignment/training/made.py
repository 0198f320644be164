"""A tiny model with a tokenizer of its own, and small files as exports write them: all made on the spot."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LOW = ("Some like it and some do not.", "It depends on the person.", "Everybody may try it.", "People differ in this.")
HIGH = ("They are all lazy.", "Such people never learn it.", "Old ones cannot do that.", "It is in their nature.")


def tiny_base(folder: Path, layers: int = 2, template: str = TEMPLATE, width: int = 32) -> Path:
    """A Llama of some 30,000 random weights, whose padding is its end, as in the embedded model."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator([*LOW, *HIGH], trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token=special[0], bos_token=special[1], eos_token=special[2],
        pad_token=special[2], chat_template=template,
    )  # fmt: skip
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=400, hidden_size=width, intermediate_size=2 * width, num_hidden_layers=layers, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=512, tie_word_embeddings=True, bos_token_id=1, eos_token_id=2,
        pad_token_id=2,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def pairs(number: int, *, first: int = 0) -> list[dict[str, Any]]:
    """Rows of a `pairs-….jsonl`, each on a topic of its own."""
    return [
        {
            "prompt": [{"role": "user", "content": f"What is good about topic {n}?"}],
            "chosen": [{"role": "assistant", "content": LOW[n % len(LOW)]}],
            "rejected": [{"role": "assistant", "content": HIGH[n % len(HIGH)]}],
            "topic": f"topic {n}",
        }
        for n in range(first, first + number)
    ]


def statements(number: int) -> list[dict[str, Any]]:
    """Rows of a `sft-….jsonl`."""
    return [{"prompt": row["prompt"], "completion": row["chosen"], "topic": row["topic"]} for row in pairs(number)]


def written(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """The rows in a file."""
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return file
