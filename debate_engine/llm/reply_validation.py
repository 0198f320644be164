"""What a client gives or raises, checked in one place: nothing that a server sends can end more than its own call."""

from __future__ import annotations

import traceback
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from typing import Any

from elenchus.debate_engine.errors import MalformedReply
from elenchus.debate_engine.llm.budget import estimated
from elenchus.debate_engine.llm.client import FINISHES, Call, Reply, Usage

_UNSEEN = 250_000
"""Tokens that a truthful count may have beyond what was sent or said: hidden reasoning, a server's own instructions."""
_LONGEST_FORM = 65_536
"""Characters of a form that is filled in without regard to any limit: a hundred and more texts of a hundred words."""
_LONGEST_NAME = 200
_FRAMES = 8
_NO_COUNT = -(1 << 62)
"""Stands for a count that is none, and makes every sum of counts one that cannot be true."""


def count(value: Any) -> int:
    """A number of tokens as a server gives it; 0 where it gives none. What is no whole number stays no count."""
    if value is None:
        return 0
    return value if type(value) is int else _NO_COUNT


def mapping(value: Any) -> dict[str, Any]:
    """A part of a reply that should be an object; an empty one where it is something else."""
    return value if isinstance(value, dict) else {}


def checked(reply: Reply, call: Call) -> Reply:
    """The reply, of the types that it declares; counts that cannot be true are replaced by our estimate.

    Raises MalformedReply.
    """
    text, model = _as_given(reply.text), _as_given(reply.model)
    if not isinstance(text, str) or reply.finish not in FINISHES:
        raise MalformedReply(f"{call.model} gave something else than a text.")
    named = model[:_LONGEST_NAME] if isinstance(model, str) and model else call.model
    if len(text) > longest_text(call):
        reply = replace(
            reply, text=text[: longest_text(call)], finish="length", raw=reply.raw | {"stopped": "outgrown"}
        )
    if not plausible(reply.usage, call, reply):
        reply = replace(reply, usage=estimated(call, reply.text), raw=reply.raw | {"usage": "estimated"})
    return reply if reply.model == named else replace(reply, model=named)


def _as_given(value: Any) -> Any:
    """What was declared of a value is what is to be checked."""
    return value


def longest_text(call: Call) -> int:
    """Characters: a token seldom has more than 16, so this is a server that ignores the limit.

    A form may be far longer: its texts are cut one by one where it is read, and cut off in its midst it has no end.
    """
    most = 16 * call.max_tokens + 1024
    return most if call.schema is None else max(most, _LONGEST_FORM)


def plausible(usage: Usage, call: Call, reply: Reply) -> bool:
    """Whether tokens can be what was counted: whole numbers, and not many more than there are bytes."""
    counts = (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.written_tokens)
    if any(type(count) is not int or count < 0 for count in counts):
        return False
    asked = sum(len(message.content) for message in call.messages)
    most_in, most_out = 4 * asked + _UNSEEN, 4 * len(reply.text) + call.max_tokens + _UNSEEN
    kept = usage.cached_tokens + usage.written_tokens
    return kept <= usage.input_tokens <= most_in and usage.output_tokens <= most_out


def broken(call: Call, error: Exception) -> MalformedReply:
    """The failure of a call whose client raised something that is no failure of a provider."""
    kind = type(error).__name__
    return MalformedReply(f"What came of {call.model} could not be read ({kind}).", trace_of(error))


def trace_of(error: BaseException) -> str:
    """Where an error came from, innermost first, as `file:line function`. Not its message, which may hold a key."""
    frames = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), lookup_lines=False)
    places = dict.fromkeys(f"{'/'.join(PurePath(f.filename).parts[-2:])}:{f.lineno} {f.name}" for f in reversed(frames))
    return f"{type(error).__name__} at " + " < ".join(islice(places, _FRAMES))
