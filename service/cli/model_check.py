"""Whether a model does what sessions need of it: a text, a form and a stream, each asked for once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from elenchus.debate_engine.errors import ProviderError, UnreadableReply
from elenchus.debate_engine.llm.client import Call, Message, Reply
from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.model import Model
    from elenchus.debate_engine.llm.registry import Registry

QUESTION = "Answer with one word: what is the colour of grass?"
MOST = 64
"""Tokens of an answer."""


class Colour(BaseModel):
    """The form that is asked for."""

    model_config = ConfigDict(extra="forbid")

    colour: str
    sure: Literal["yes", "no"]


async def tried(registry: Registry, spec: str) -> dict[str, Any]:
    """What came of it: whether it `answers` in every way, and each of the `checks`. Raises UsageError."""
    found: dict[str, Any] = {"spec": spec, "answers": False, "said": "", "usd": None, "checks": []}
    try:
        model = registry.model(spec)
    except ProviderError as error:
        return found | {"said": f"{type(error).__name__}: {error}"}
    checks = [await _tried(model, what) for what in ("text", "form", "stream")]
    costs = [check.pop("usd") for check in checks]
    usd = None if None in costs else round(sum(costs), 6)
    return found | {"answers": all(check["passed"] for check in checks), "usd": usd, "checks": checks}


async def _tried(model: Model, what: str) -> dict[str, Any]:
    """One call."""
    found: dict[str, Any] = {"what": what, "passed": False, "seconds": None, "said": "", "usd": 0.0}
    call, pieces = Call(model.name, (Message("user", QUESTION),), max_tokens=MOST), list[str]()
    if what == "form":
        call = replace(call, schema=json_schema_of(Colour), schema_name="Colour")
    try:
        reply = await model.complete(call, pieces.append if what == "stream" else None, None)
        said = _read(reply, call, pieces if what == "stream" else None)
    except ProviderError as error:
        return found | {"said": f"{type(error).__name__}: {clean(str(error))}"}
    return found | {"passed": True, "seconds": reply.seconds, "said": said, "usd": model.cost(reply.usage)}


def _read(reply: Reply, call: Call, pieces: list[str] | None) -> str:
    """What was said, in short. Raises UnreadableReply where it is not what was asked for."""
    if call.schema is not None:
        return clean(str(read_json(reply.text, call.schema)[0]))
    if not reply.text.strip():
        raise UnreadableReply("the reply was empty")
    if pieces is not None and "".join(pieces) != reply.text:
        raise UnreadableReply("the pieces of the stream are not the whole reply")
    words = clean(" ".join(reply.text.split()))[:60]
    return f"{words} ({len(pieces)} pieces)" if pieces else words
