"""`openai:` models, and every server that speaks OpenAI's chat completions (set `OPENAI_BASE_URL`).

Chat completions and not the newer Responses API, because they are what compatible servers speak. The SDK's generic
`post` is used instead of `chat.completions.create`: it skips the SDK's walk over its type hints and back, which costs
more than the request itself (`benchmarks/transport.py`); errors, headers and event streams are still the SDK's.

A parameter that a model or server does not take is left out after its first complaint, and remembered for the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ProviderBusy, ProviderError
from elenchus.debate_engine.llm.client import Call, Finish, OnText, Reply, Usage
from elenchus.debate_engine.llm.quirks import Quirks, Refused, schema_in_prompt
from elenchus.debate_engine.llm.reply_validation import count, mapping
from elenchus.debate_engine.llm.schema import in_words
from elenchus.debate_engine.llm.text import json_of
from elenchus.debate_engine.llm.vendor import VendorClient, reply_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BASE_URL = "https://api.openai.com/v1"

_FINISH: dict[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "refused"}
_STRICT_CONSTRAINTS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"}
)


class OpenAIClient(VendorClient["AsyncOpenAI"]):
    """The client of one server that speaks chat completions."""

    NAME, BASE_URL, SDK = "OpenAI", BASE_URL, "openai"
    PARAMETERS = (
        "max_completion_tokens", "max_tokens", "temperature", "seed", "stream_options", "response_format",
        "json_schema", "constraints",
    )  # fmt: skip

    def _first_quirks(self) -> Quirks:
        # Compatible servers know `max_tokens`; OpenAI's reasoning models only take `max_completion_tokens`.
        first = frozenset[str]() if self._base_url == BASE_URL else frozenset({"max_completion_tokens"})
        return Quirks(self.PARAMETERS, first, either=("max_tokens", "max_completion_tokens"))

    def _make(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        from elenchus.debate_engine.llm.transport import client_for

        http_client = client_for(self._base_url, self._proxy)
        return AsyncOpenAI(
            api_key=self._vendor.secret,
            base_url=self._base_url,
            max_retries=0,
            timeout=None,
            http_client=http_client,
            default_headers=self._headers,
        )

    def _request(self, call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
        return request_body(call, quirks, tokens, stream=stream)

    async def _send(self, sdk: AsyncOpenAI, request: dict[str, Any], on_text: OnText | None) -> PartialReply:
        import openai

        try:
            return await (self._whole(sdk, request) if on_text is None else self._streamed(sdk, request, on_text))
        except openai.APIStatusError as error:
            status, said = error.status_code, error.message.removeprefix(f"Error code: {error.status_code} - ")
            failure = self._vendor.failure(status, f"{error.code or ''} {said}", error.response.headers)
            if status in (400, 422):
                raise Refused(said, failure) from None
            raise failure from error
        except openai.APIConnectionError as error:
            raise self._vendor.unreachable(error) from error
        except openai.APIError as error:
            raise self._error_in(error.code, error.type, error.message) from error

    async def _whole(self, sdk: AsyncOpenAI, body: dict[str, Any]) -> PartialReply:
        import httpx2

        response = await sdk.post("/chat/completions", body=body, cast_to=httpx2.Response)
        try:
            data = json_of(response.content)
            if error := data.get("error"):
                raise self._error_in(error.get("code"), error.get("type"), error.get("message"))
            choice = data["choices"][0]
            partial = PartialReply(model=data.get("model") or body["model"], usage=mapping(data.get("usage")))
            partial.add(choice["message"], choice.get("finish_reason"))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self._vendor.no_reply(response.text) from error
        return partial

    async def _streamed(self, sdk: AsyncOpenAI, body: dict[str, Any], on_text: OnText) -> PartialReply:
        from openai import AsyncStream

        partial = PartialReply(model=body["model"])
        stream: Any = await sdk.post(
            "/chat/completions", body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object]
        )
        async with stream:
            async for event in stream:
                if not isinstance(event, dict):
                    raise self._vendor.no_reply(str(event))
                partial.add_event(event, on_text)
        if partial.finish_reason is None:
            raise ProviderBusy(f"{self._vendor.name} broke the reply off in the middle.")
        return partial

    def _error_in(self, code: Any, kind: Any, message: Any) -> ProviderError:
        """The error that a server tells of under a good status: as an event of a stream, or as a whole reply."""
        if str(code).isdigit() and 400 <= int(code) < 600:
            return self._vendor.failure(int(code), str(message))
        words = " ".join(str(word) for word in (code, kind, message) if word)
        rejected = self._vendor.rejected(words)
        return rejected if type(rejected) is not ProviderError else ProviderBusy(self._vendor.clean(words))


# ── the request ──────────────────────────────────────────────────────────────────────────────────────────────────────


def request_body(call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
    """The JSON of a request for at most so many tokens. `quirks` names what this model or server does not take."""
    limit = "max_tokens" if "max_completion_tokens" in quirks else "max_completion_tokens"
    body: dict[str, Any] = {
        "model": call.model,
        "messages": [{"role": m.role, "content": m.content} for m in call.messages],
        limit: tokens,
    }
    if call.temperature is not None and "temperature" not in quirks:
        body["temperature"] = call.temperature
    if call.seed is not None and "seed" not in quirks:
        body["seed"] = call.seed
    if stream:
        body["stream"] = True
        if "stream_options" not in quirks:
            body["stream_options"] = {"include_usage": True}
    if call.schema is not None:
        _ask_for_schema(body, call, call.schema, quirks)
    return body


def _ask_for_schema(body: dict[str, Any], call: Call, schema: dict[str, Any], quirks: frozenset[str]) -> None:
    """Through the API's own feature; a server without it gets the schema in the last message."""
    if quirks & {"response_format", "json_schema"}:
        body["messages"][-1]["content"] += schema_in_prompt(call)
        return
    keep = frozenset[str]() if "constraints" in quirks else _STRICT_CONSTRAINTS
    body["response_format"] = {
        "type": "json_schema",
        "json_schema": {"name": call.schema_name, "strict": True, "schema": in_words(schema, keep)},
    }


# ── the reply ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class PartialReply:
    """A reply as it comes together, whole or piece by piece."""

    model: str
    usage: dict[str, Any] | None = None
    finish_reason: str | None = None
    text: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)

    def add_event(self, event: dict[str, Any], on_text: OnText | None) -> None:
        """Take an event of a stream."""
        self.model = event.get("model") or self.model
        self.usage = mapping(event.get("usage")) or self.usage
        for choice in event.get("choices") or ():
            if (text := self.add(choice.get("delta") or {}, choice.get("finish_reason"))) and on_text is not None:
                on_text(text)

    def add(self, message: dict[str, Any], finish_reason: str | None) -> str:
        """Take a message or a delta; gives the text in it."""
        self.finish_reason = finish_reason or self.finish_reason
        if refusal := message.get("refusal"):
            self.refusal.append(refusal)
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
        if content:
            self.text.append(content)
        return str(content)

    def reply(self, call: Call, seconds: float) -> Reply:
        """The whole reply."""
        text, refusal = "".join(self.text), "".join(self.refusal)
        finish: Finish = "refused" if refusal else _FINISH.get(self.finish_reason or "stop", "stop")
        usage = usage_of(self.usage) if self.usage else None
        return reply_of(call, text, finish, usage, self.model, seconds, {"refused": refusal or text})


def usage_of(usage: dict[str, Any]) -> Usage:
    """The tokens that the server counted. Hidden reasoning is paid as output.

    OpenAI has it among `completion_tokens`; some compatible servers have it in `total_tokens` only.
    """
    read, said = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    details = mapping(usage.get("prompt_tokens_details"))
    return Usage(
        input_tokens=read,
        output_tokens=max(said, count(usage.get("total_tokens")) - read),
        cached_tokens=count(details.get("cached_tokens")),
        written_tokens=count(details.get("cache_write_tokens")),
    )
