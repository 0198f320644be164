"""A fake of Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.llm.loopback import Fail, Fake, Say, StreamError, event, words
from tests.fakes.llm.schemas import schema_problem

ALWAYS = {"model", "max_tokens", "messages", "system", "stream"}
KINDS = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}

THOUGHT = {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}
"""Hidden reasoning, as it is given where a model does not show it."""


@dataclass
class FakeAnthropic(Fake):
    """`takes` are the optional parameters that the model knows; `cache_control` stands within a message."""

    takes: frozenset[str] = frozenset({"temperature", "output_config", "cache_control"})

    def problem(self, request: web.Request, body: dict[str, Any]) -> Fail | None:
        if f"Bearer {self.key}" != request.headers.get("authorization") and self.key != request.headers.get(
            "x-api-key"
        ):
            return Fail(401, "invalid x-api-key")
        if request.path != "/v1/messages" or "anthropic-version" not in request.headers:
            return Fail(404, f"Not found: {request.path}")
        if missing := [name for name in ("model", "max_tokens", "messages") if not body.get(name)]:
            return Fail(400, f"{missing[0]}: Field required")
        if unknown := sorted(body.keys() - ALWAYS - self.takes):
            deprecated = "`temperature` is deprecated for this model."
            return Fail(
                400, deprecated if unknown[0] == "temperature" else f"{unknown[0]}: Extra inputs are not permitted"
            )
        if not 0 <= body.get("temperature", 0) <= 1:
            return Fail(400, "temperature: range: 0..1")
        return self._message_problem(body["messages"]) or self._format_problem(body.get("output_config"))

    def _message_problem(self, messages: list[dict[str, Any]]) -> Fail | None:
        for n, message in enumerate(messages):
            marked = [block for block in message.get("content") or () if "cache_control" in block]
            if marked and "cache_control" not in self.takes:
                return Fail(400, f"messages.{n}.content.0.text.cache_control: Extra inputs are not permitted")
            if message.get("role") not in ("user", "assistant"):
                return Fail(400, f"messages: Unexpected role {message.get('role')!r}")
            if not message.get("content"):
                return Fail(400, "messages: text content blocks must be non-empty")
        return None if messages[0]["role"] == "user" else Fail(400, "messages: first message must use the user role")

    def _format_problem(self, config: Any) -> Fail | None:
        if config is None:
            return None
        form = config.get("format", {})
        if form.keys() != {"type", "schema"} or form["type"] != "json_schema":
            return Fail(400, "output_config.format: Input should be a json_schema")
        problem = schema_problem(form["schema"])
        return Fail(400, f"output_config.format.schema: {problem}") if problem else None

    def failure(self, fail: Fail) -> dict[str, Any]:
        kind = fail.code or KINDS.get(fail.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": fail.message}, "request_id": "req_1"}

    def _usage(self, say: Say) -> dict[str, Any]:
        return {
            "input_tokens": 20 - say.cached - say.written,
            "cache_creation_input_tokens": say.written,
            "cache_read_input_tokens": say.cached,
            "output_tokens": len(words(say.text)) + say.thoughts,
        }

    def _message(self, say: Say, body: dict[str, Any], *, whole: bool) -> dict[str, Any]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": f"{body['model']}-2026",
            "content": [*([THOUGHT] if say.thoughts else []), {"type": "text", "text": say.text}] if whole else [],
            "stop_reason": (say.finish or "end_turn") if whole else None,
            "stop_sequence": None,
            "usage": self._usage(say) if whole else self._usage(say) | {"output_tokens": 1},
        }

    def whole(self, say: Say, body: dict[str, Any]) -> dict[str, Any]:
        return self._message(say, body, whole=True)

    def stream(self, say: Say, body: dict[str, Any]) -> Iterator[bytes]:
        def send(kind: str, **fields: Any) -> bytes:
            return event({"type": kind, **fields}, kind)

        yield send("message_start", message=self._message(say, body, whole=False))
        text = 1 if say.thoughts else 0
        if say.thoughts:
            signed = {"type": "signature_delta", "signature": THOUGHT["signature"]}
            yield send("content_block_start", index=0, content_block=THOUGHT | {"signature": ""})
            yield send("content_block_delta", index=0, delta=signed)
            yield send("content_block_stop", index=0)
        yield send("content_block_start", index=text, content_block={"type": "text", "text": ""})
        yield send("ping")
        for word in words(say.text):
            yield send("content_block_delta", index=text, delta={"type": "text_delta", "text": word})
        yield send("content_block_stop", index=text)
        if say.ends:
            usage = {"output_tokens": self._usage(say)["output_tokens"]}
            yield send(
                "message_delta", delta={"stop_reason": say.finish or "end_turn", "stop_sequence": None}, usage=usage
            )
            yield send("message_stop")

    def stream_error(self, error: StreamError) -> bytes:
        return event({"type": "error", "error": {"type": error.kind, "message": error.message}}, "error")
