"""GGUF to a Hugging Face folder and back. Blocks for seconds to minutes.

Back, each tensor goes under llama.cpp's name, with the rows of the query and key weights as its rotation of pairs wants
them (transformers splits a head into halves, llama.cpp takes neighbours). Matrices are F16, vectors F32; all metadata
are those of the GGUF that the base came from: tokenizer, template, context, rotation.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]
from gguf import GGUFReader, GGUFValueType, GGUFWriter, LlamaFileType, get_tensor_name_map
from gguf.constants import MODEL_ARCH
from safetensors import safe_open
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

from elenchus.config.documents import open_regular
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.base import SOURCE, Source, being_converted, config_of, is_llama

_WRITTEN_ANEW = {"general.architecture", "general.file_type", "general.quantization_version"}


def converted(work: dict[str, Any]) -> dict[str, Any]:
    """Write a GGUF's weights as a Hugging Face folder, in full precision, with its tokenizer. Raises UsageError."""
    source, folder = Path(work["gguf"]), Path(work["out"])
    with being_converted(folder) as part:
        parameters = _written(source, part)
    return {"folder": str(folder), "parameters": parameters}


def _written(source: Path, folder: Path) -> int:
    """The number of parameters."""
    try:
        model = AutoModelForCausalLM.from_pretrained(
            source.parent, gguf_file=source.name, quantization_config=GgufConfig(dequantize=True), dtype=torch.float32
        )
        tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    except (ValueError, KeyError, NotImplementedError, struct.error) as error:
        raise UsageError(f"transformers cannot read {source}: {' '.join(str(error).split())[:200]}") from error
    if not tokenizer.chat_template:
        raise UsageError(f"{source} has no chat template: take a model that was tuned for chat.")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    with open_regular(source, f"The model {source}") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    (folder / SOURCE).write_text(
        Source(gguf=source.absolute(), sha256=digest.hexdigest()).model_dump_json(indent=2), "utf-8"
    )
    return sum(one.numel() for one in model.parameters())


def write_gguf(folder: Path, source: Path, target: Path) -> None:
    """Write a model of the Llama layout as F16. Raises UsageError for another layout, OSError."""
    if not is_llama(folder):
        raise UsageError(f"{folder} has not the Llama layout: it is seated as local:{folder}, by transformers.")
    part = target.with_name(f".{target.name}.part")
    writer = GGUFWriter(part, "llama")
    try:
        _metadata(GGUFReader(source), writer)
        for name, tensor in _tensors(folder):
            kind = torch.float16 if tensor.dim() > 1 else torch.float32
            writer.add_tensor(name, tensor.to(kind).numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    except BaseException:
        writer.close()
        part.unlink(missing_ok=True)
        raise
    writer.close()
    part.replace(target)


def _metadata(reader: Any, writer: Any) -> None:
    """Copy all fields but those that say how the weights are stored."""
    writer.add_file_type(LlamaFileType.MOSTLY_F16)
    for name, field in reader.fields.items():
        if name in _WRITTEN_ANEW or name.startswith("GGUF."):
            continue
        inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)


def _tensors(folder: Path) -> Iterator[tuple[str, torch.Tensor]]:
    """llama.cpp's name and the weights, one after another."""
    config = config_of(folder)
    names = get_tensor_name_map(MODEL_ARCH.LLAMA, int(config["num_hidden_layers"]))
    heads = int(config["num_attention_heads"])
    turned = {"q_proj.weight": heads, "k_proj.weight": int(config.get("num_key_value_heads") or heads)}
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, "pt") as stored:
            for key in stored.keys():  # noqa: SIM118 - it is no mapping
                tensor = stored.get_tensor(key)
                name = names.get_name(key, try_suffixes=(".weight", ".bias"))
                if name is None:
                    raise UsageError(f"llama.cpp knows no place for the weights {key}: is this the Llama layout?")
                split = next((n for ending, n in turned.items() if key.endswith(ending)), 0)
                yield name, permuted(tensor, split) if split else tensor


def permuted(weights: torch.Tensor, heads: int) -> torch.Tensor:
    """The rows of each head: from halves to neighbouring pairs. Of shape (heads · size, width)."""
    rows, width = weights.shape
    return weights.reshape(heads, 2, rows // heads // 2, width).swapaxes(1, 2).reshape(rows, width)
