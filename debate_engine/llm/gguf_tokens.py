"""How a GGUF's tokenizer divides a text, for tokenizers of GPT-2's kind (byte-level BPE) whose first cut is known here.

A grammar of letters lets llama.cpp say a text in pieces that its tokenizer never makes of it: "No", "t", " ", "a", "n",
"sw", … where "No" is likelier than "Not" and nothing but "Not answerable" may follow. How likely those pieces are says
nothing of the text. So what is to be said is told in tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from elenchus.debate_engine.llm.gguf import TOKENS, metadata_of

_KIND, _MERGES, _CUT = "tokenizer.ggml.model", "tokenizer.ggml.merges", "tokenizer.ggml.pre"
_SINGLE_DIGITS = {"gpt-2": False, "smollm": True}
"""By the name of the first cut (`tokenizer.ggml.pre`): GPT-2's pattern, with or without each digit by itself."""

Division = Callable[[str], Sequence[int]]


@lru_cache
def division_of(path: Path) -> Division | None:
    """What gives a text's tokens; None where the tokenizer is of another kind, or the package `tokenizers` is missing.

    Reads the whole vocabulary: for a thread. Raises ProviderError.
    """
    try:
        from tokenizers import Tokenizer, models, pre_tokenizers
    except ImportError:
        return None
    found = metadata_of(path, (_KIND, TOKENS, _MERGES, _CUT))
    if found.get(_KIND) != "gpt2" or found.get(_CUT) not in _SINGLE_DIGITS or not {TOKENS, _MERGES} <= found.keys():
        return None
    vocabulary = {text: number for number, text in enumerate(found[TOKENS])}
    merges = [tuple(merge.split(" ", 1)) for merge in found[_MERGES]]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    cuts: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if _SINGLE_DIGITS[found[_CUT]] else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*cuts, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).ids)
