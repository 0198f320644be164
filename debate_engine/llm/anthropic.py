"""`anthropic:` models through the Messages API, with its own JSON-schema output (`output_config.format`).

As in `openai.py` the SDK's generic `post` is used, and parameters that a model does not take (newer ones take no
temperature) are left out after its first complaint. A seed is not sent: the API knows none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ProviderBusy, ProviderError
from elenchus.debate_engine.llm.client import Call, Finish, Message, OnText, Reply, Usage
from elenchus.debate_engine.llm.quirks import Refused, schema_in_prompt
from elenchus.debate_engine.llm.reply_validation import count, mapping
from elenchus.debate_engine.llm.schema import in_words
from elenchus.debate_engine.llm.text import json_of
from elenchus.debate_engine.llm.vendor import VendorClient, reply_of

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

BASE_URL = "https://api.anthropic.com"
_FINISH: dict[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}
"""What an error inside a stream would have been as an HTTP status."""


class AnthropicClient(VendorClient["AsyncAnthropic"]):
    """The client of one server that speaks the Messages API."""

    NAME, BASE_URL, SDK = "Anthropic", BASE_URL, "anthropic"
    PARAMETERS = ("temperature", "output_config", "output_format", "cache_control")

    def _make(self) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic

        from elenchus.debate_engine.llm.transport import client_for

        return AsyncAnthropic(
            api_key=self._vendor.secret,
            base_url=self._base_url,
            max_retries=0,
            timeout=None,
            open_telemetry=False,
            default_headers=self._headers,
            http_client=client_for(self._base_url, self._proxy),
        )

    def _request(self, call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
        return request_body(call, quirks, tokens, stream=stream)

    async def _send(self, sdk: AsyncAnthropic, request: dict[str, Any], on_text: OnText | None) -> PartialReply:
        import anthropic
        import httpx2

        try:
            return await (self._whole(sdk, request) if on_text is None else self._streamed(sdk, request, on_text))
        except anthropic.APIStatusError as error:
            raise self._failed(error) from error
        except (anthropic.APIConnectionError, httpx2.RequestError) as error:
            raise self._vendor.unreachable(error) from error

    async def _whole(self, sdk: AsyncAnthropic, body: dict[str, Any]) -> PartialReply:
        import httpx2

        response = await sdk.post("/v1/messages", body=body, cast_to=httpx2.Response)
        try:
            data = json_of(response.content)
            text = "".join(block["text"] for block in data["content"] if block["type"] == "text")
            usage = mapping(data.get("usage"))
            return PartialReply(data["model"], usage, data["stop_reason"], [text], data.get("stop_details"))
        except (ValueError, LookupError, TypeError) as error:
            raise self._vendor.no_reply(response.text) from error

    async def _streamed(self, sdk: AsyncAnthropic, body: dict[str, Any], on_text: OnText) -> PartialReply:
        from anthropic import AsyncStream

        partial = PartialReply(body["model"])
        stream: Any = await sdk.post(
            "/v1/messages", body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object]
        )
        async with stream:
            async for event in stream:
                if text := partial.add(event):
                    on_text(text)
        if not partial.complete:
            raise ProviderBusy(f"{self._vendor.name} broke the reply off in the middle.")
        return partial

    def _failed(self, error: Any) -> ProviderError | Refused:
        """What a status error means. An error inside a stream has the stream's own status, 200."""
        details = error.body.get("error") if isinstance(error.body, dict) else None
        kind, message = "", str(error.message)
        if isinstance(details, dict):
            kind, message = str(details.get("type") or ""), str(details.get("message") or message)
        status = error.status_code if error.status_code >= 300 else _STATUS.get(kind, 500)
        failure = self._vendor.failure(status, f"{kind} {message}", error.response.headers)
        return Refused(message, failure) if status in (400, 422) else failure


def request_body(call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
    """The JSON of a request for at most so many tokens. `quirks` names what this model does not take.

    Temperature here ends at 1.
    """
    messages = call.messages
    if "cache_control" in quirks:
        messages = tuple(replace(message, repeated=()) for message in messages)
    body: dict[str, Any] = {
        "model": call.model,
        "max_tokens": tokens,
        "messages": [{"role": m.role, "content": content_of(m)} for m in messages if m.role != "system"],
    }
    if system := "\n\n".join(m.content for m in call.messages if m.role == "system"):
        body["system"] = system
    if call.temperature is not None and "temperature" not in quirks:
        body["temperature"] = min(call.temperature, 1.0)
    if stream:
        body["stream"] = True
    if call.schema is not None and quirks & {"output_config", "output_format"}:
        body["messages"][-1]["content"] = [*blocks_of(messages[-1]), _text(schema_in_prompt(call))]
    elif call.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": in_words(call.schema)}}
    return body


def content_of(message: Message) -> str | list[dict[str, Any]]:
    """A message's text; in blocks where a later call repeats its beginning, the cache mark on the last of those.

    The vendor compares whole blocks: each repeated piece is one of its own, so that a longer prompt begins with them.
    """
    return blocks_of(message) if message.repeated else message.content


def blocks_of(message: Message) -> list[dict[str, Any]]:
    """The message in blocks, one for each repeated piece, and the rest."""
    places = (0, *message.repeated)
    blocks = [_text(message.content[start:end]) for start, end in pairwise(places)]
    if blocks:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return [*blocks, _text(message.content[places[-1] :])]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


@dataclass
class PartialReply:
    """A reply as it comes together from the events of a stream, or whole."""

    model: str
    usage: dict[str, Any] = field(default_factory=dict)
    stop_reason: str | None = None
    text: list[str] = field(default_factory=list)
    stop_details: dict[str, Any] | None = None
    complete: bool = False

    def add(self, event: Any) -> str:
        """Take an event of the stream; gives the text in it."""
        match event:
            case {"type": "message_start", "message": {"model": model} as message}:
                self.model, self.usage = model, dict(mapping(message.get("usage")))
            case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
                self.text.append(text)
                return str(text)
            case {"type": "message_delta", "delta": delta}:
                self.stop_reason, self.stop_details = delta.get("stop_reason"), delta.get("stop_details")
                counts = mapping(event.get("usage"))
                self.usage |= {name: count for name, count in counts.items() if count is not None}
            case {"type": "message_stop"}:
                self.complete = True
        return ""

    def reply(self, call: Call, seconds: float) -> Reply:
        """The whole reply."""
        text, details = "".join(self.text), mapping(self.stop_details)
        finish = _FINISH.get(self.stop_reason or "", "stop")
        usage = usage_of(self.usage) if self.usage else None
        refusal = {"refused": details.get("explanation") or text, "category": details.get("category")}
        return reply_of(call, text, finish, usage, self.model, seconds, refusal)


def usage_of(usage: dict[str, Any]) -> Usage:
    """The tokens that the vendor counted: it names input that was read from or written to its cache apart."""
    cached, written = count(usage.get("cache_read_input_tokens")), count(usage.get("cache_creation_input_tokens"))
    read = count(usage.get("input_tokens")) + cached + written
    return Usage(read, count(usage.get("output_tokens")), cached, written)
