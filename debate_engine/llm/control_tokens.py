"""Control tokens of chat templates: what somebody wrote is not taken for one by the engine that reads the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from elenchus.debate_engine.llm.client import Call, Message


def pattern_of(tokens: Iterable[str]) -> re.Pattern[str]:
    """What finds these tokens, the longest first."""
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True)) or "(?!)")


COMMON = re.compile(
    r"<[|｜][^<>|｜\s]{1,60}[|｜]>"  # ChatML, Llama 3 and 4, Phi, GLM, Command R, DeepSeek, gpt-oss
    r"|</?s>|\[/?INST\]|<</?SYS>>"  # Llama 2, Mistral
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\]"
    r"|<(?:start|end)_of_turn>|<[be]os>|</?(?:start|end)_of_(?:role|text)>"  # Gemma, Granite
)
"""Those of the models that people run on servers of their own, whose model nobody here knows for sure."""


def as_text(call: Call, tokens: re.Pattern[str]) -> Call:
    """The call, in whose messages no text is taken for one of the `tokens`.

    An engine may look for them in the whole prompt once the messages are put together: a zero-width space within keeps
    what somebody wrote from ending their message.
    """
    if not any(tokens.search(message.content) for message in call.messages):
        return call
    return replace(call, messages=tuple(_broken_up(message, tokens) for message in call.messages))


def _broken_up(message: Message, tokens: re.Pattern[str]) -> Message:
    ends = [found.start() + 1 for found in tokens.finditer(message.content)]
    text = tokens.sub(lambda found: f"{found[0][0]}\u200b{found[0][1:]}", message.content)
    moved = tuple(place + sum(end <= place for end in ends) for place in message.repeated)
    return replace(message, content=text, repeated=moved)
