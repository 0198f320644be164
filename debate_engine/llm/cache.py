"""Replies kept by content: what the engine needs of a cache (`ReplyCache`), and when two calls are the same one.

Nothing is looked up or kept unless a protocol says which repetition it is in (`Session.repeated`): the third speech on
the same prompt is another one. Only finished and readable replies are kept.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from elenchus.debate_engine.llm.client import Call, Reply

Repeat = tuple[int, ...]
"""Which repetition an answer belongs to, from the outermost loop to the innermost, each from 1."""


class ReplyCache(Protocol):
    """Keeps replies by key, for all sessions and processes of one store. It may be emptied at any time."""

    async def get(self, key: str) -> Reply | None:
        """The kept reply, which counts as a hit; None where there is none."""
        ...

    async def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply of a model (its spec)."""
        ...


@dataclass(frozen=True, slots=True)
class ModelReplies:
    """The kept replies of one model: `spec` is its name, `behind` what answers under it (a server, a file's state)."""

    cache: ReplyCache
    spec: str
    behind: str = ""

    async def find(self, call: Call, repeat: Repeat | None) -> Reply | None:
        """The reply to a call of the same content, None where there is none, or where nothing is repeated."""
        return None if repeat is None else await self.cache.get(self._key(call, repeat))

    async def keep(self, call: Call, repeat: Repeat | None, reply: Reply) -> None:
        """Keep a reply that was read, unless it was cut off."""
        if repeat is not None and reply.finish == "stop":
            await self.cache.put(self._key(call, repeat), self.spec, reply)

    def _key(self, call: Call, repeat: Repeat) -> str:
        return key_of(self.spec, self.behind, call, repeat)


def key_of(spec: str, behind: str, call: Call, repeat: Repeat) -> str:
    """The fingerprint of all that an answer depends on: model, prompt, settings, seed and repeat number. Pure."""
    content = {
        "model": [spec, behind, call.model],
        "messages": [{"role": message.role, "content": message.content} for message in call.messages],
        "schema": call.schema,
        "settings": [call.schema_name, call.temperature, call.max_tokens],
        "seed": call.seed,
        "repeat": list(repeat),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
