"""A fake of OpenAI's chat completions, and of servers compatible with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.llm.loopback import Fail, Fake, Say, StreamError, event, words
from tests.fakes.llm.schemas import schema_problem

CONSTRAINTS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"}
)
ALWAYS = {"model", "messages", "stream"}


@dataclass
class FakeOpenAI(Fake):
    """`takes` are the optional parameters that the model or server knows."""

    takes: frozenset[str] = frozenset(
        {"max_completion_tokens", "max_tokens", "temperature", "seed", "stream_options", "response_format"}
    )
    constraints: frozenset[str] = CONSTRAINTS
    counts: bool = True
    """Whether the server reports usage at all."""
    apart: bool = False
    """Whether hidden reasoning is left out of `completion_tokens`, as at some compatible servers."""

    def problem(self, request: web.Request, body: dict[str, Any]) -> Fail | None:
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return Fail(
                401, f"Incorrect API key provided: {request.headers.get('authorization', '')[7:]}", "invalid_api_key"
            )
        if not request.path.endswith("/chat/completions"):
            return Fail(404, f"Invalid URL (POST {request.path})")
        if not isinstance(body.get("model"), str) or not body.get("messages"):
            return Fail(400, "you must provide a model parameter and messages", "missing_required_parameter")
        for message in body["messages"]:
            if message.get("role") not in ("system", "user", "assistant") or not isinstance(
                message.get("content"), str
            ):
                return Fail(400, f"Invalid message {message}")
        if unknown := sorted(body.keys() - ALWAYS - self.takes):
            instead = " Use 'max_completion_tokens' instead." if unknown[0] == "max_tokens" else ""
            message = f"Unsupported parameter: '{unknown[0]}' is not supported with this model.{instead}"
            return Fail(400, message, "unsupported_parameter")
        return self._format_problem(body.get("response_format"))

    def _format_problem(self, form: Any) -> Fail | None:
        if form is None:
            return None
        given = form.get("json_schema", {})
        if form.get("type") != "json_schema" or given.get("strict") is not True:
            return Fail(400, "Invalid response_format")
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", given.get("name", "")):
            return Fail(400, "Invalid 'response_format.json_schema.name'")
        problem = schema_problem(given.get("schema"), self.constraints)
        return Fail(400, f"Invalid schema for response_format '{given['name']}': {problem}") if problem else None

    def failure(self, fail: Fail) -> dict[str, Any]:
        return {"error": {"message": fail.message, "type": "error", "param": None, "code": fail.code or None}}

    def _usage(self, say: Say) -> dict[str, Any]:
        said = len(words(say.text))
        return {
            "prompt_tokens": 20,
            "completion_tokens": said if self.apart else said + say.thoughts,
            "total_tokens": 20 + said + say.thoughts,
            "prompt_tokens_details": {"cached_tokens": say.cached, "cache_write_tokens": say.written},
            "completion_tokens_details": {"reasoning_tokens": say.thoughts},
        }

    def whole(self, say: Say, body: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": None if say.refusal else say.text, "refusal": say.refusal or None}
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": f"{body['model']}-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": say.finish or "stop"}],
        }
        return reply | ({"usage": self._usage(say)} if say.usage and self.counts else {})

    def stream(self, say: Say, body: dict[str, Any]) -> Iterator[bytes]:
        def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
            return event(
                {
                    "id": "chatcmpl-1",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": f"{body['model']}-2026",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
                }
            )

        yield chunk({"role": "assistant", "content": "", "refusal": None})
        for word in words(say.refusal or say.text):
            yield chunk({"refusal": word} if say.refusal else {"content": word})
        if say.ends:
            yield chunk({}, say.finish or "stop")
        if say.usage and self.counts and body.get("stream_options", {}).get("include_usage"):
            yield event(
                {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": self._usage(say)}
            )
        yield event("[DONE]")

    def stream_error(self, error: StreamError) -> bytes:
        return event({"error": {"message": error.message, "type": error.kind, "code": error.kind}})
