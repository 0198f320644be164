"""A reply as an instance of the model that was asked for."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.schema import json_schema_of

M = TypeVar("M", bound=BaseModel)


def parse(text: str, model: type[M]) -> M:
    """The reply as the engine reads it. Raises UnreadableReply."""
    return model.model_validate(read_json(text, json_schema_of(model))[0])
