"""`gemini:` models through `google-genai`, with the API's own JSON-schema output (`response_json_schema`).

`google-genai` is the maintained successor of `google-generativeai`, which Google ended on 2025-11-30.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.debate_engine.errors import ProviderBusy, ProviderError
from elenchus.debate_engine.llm.client import Call, Finish, OnText, Reply, Usage
from elenchus.debate_engine.llm.quirks import Refused, schema_in_prompt
from elenchus.debate_engine.llm.reply_validation import count
from elenchus.debate_engine.llm.schema import in_words
from elenchus.debate_engine.llm.vendor import VendorClient, reply_of

if TYPE_CHECKING:
    from google.genai import Client

    from elenchus.debate_engine.llm.transport import AiohttpClient

BASE_URL = "https://generativelanguage.googleapis.com/"
_CONSTRAINTS = frozenset({"minimum", "maximum", "minItems", "maxItems"})
_FINISH: dict[str, Finish] = {"STOP": "stop", "MAX_TOKENS": "length"}
_TRY_AGAIN = ("OTHER", "MALFORMED_RESPONSE", "LANGUAGE", "FINISH_REASON_UNSPECIFIED")


class GeminiClient(VendorClient["tuple[Client, AiohttpClient]"]):
    """The client of one server that speaks the Gemini API: the SDK, and the HTTP client under it."""

    NAME, BASE_URL, SDK = "Gemini", BASE_URL, "google.genai"
    PARAMETERS = ("responseJsonSchema", "responseMimeType", "JSON mode", "temperature", "seed")

    def _make(self) -> tuple[Client, AiohttpClient]:
        import httpx2
        from google.genai import Client, types

        from elenchus.debate_engine.llm.transport import client_for

        http_client = client_for(self._base_url, self._proxy)
        options = types.HttpOptions(
            base_url=self._base_url,
            headers=self._headers,
            httpx_async_client=http_client,
            httpx_client=httpx2.Client(transport=httpx2.BaseTransport(), trust_env=False),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        return Client(vertexai=False, api_key=self._vendor.secret, http_options=options), http_client

    def _request(self, call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
        config = config_of(call, quirks, tokens)
        return {"model": call.model, "contents": contents_of(call, quirks), "config": config}

    async def _send(
        self, sdk: tuple[Client, AiohttpClient], request: dict[str, Any], on_text: OnText | None
    ) -> PartialReply:
        import httpx2
        from google.genai import errors

        partial = PartialReply(request["model"])
        try:
            if on_text is None:
                partial.add(await sdk[0].aio.models.generate_content(**request))
            else:
                await self._stream(sdk[0], request, partial, on_text)
        except errors.APIError as error:
            raise self._failed(error) from error
        except httpx2.RequestError as error:
            raise self._vendor.unreachable(error) from error
        except ValueError as error:
            raise self._vendor.no_reply(_error_in(error)) from error
        if partial.finish_reason is None or (partial.finish_reason in _TRY_AGAIN and not partial.text):
            raise ProviderBusy(
                f"{self._vendor.name} broke the reply off ({partial.finish_reason or 'no reason given'})."
            )
        return partial

    async def _stream(self, sdk: Client, request: dict[str, Any], partial: PartialReply, on_text: OnText) -> None:
        from elenchus.debate_engine.llm.transport import closing_streams

        async with closing_streams():
            chunks: Any = await sdk.aio.models.generate_content_stream(**request)
            async with aclosing(chunks):
                await _take_all(chunks, partial, on_text)

    def _failed(self, error: Any) -> ProviderError | Refused:
        """What a status error means. How long to wait stands in the body, not in a header."""
        code, message = int(error.code or 500), str(error.message or error.details)
        if code == 400 and "api key" in message.lower():
            code = 401
        failure = self._vendor.failure(code, message, getattr(error.response, "headers", None))
        if isinstance(failure, ProviderBusy) and failure.retry_after is None:
            failure.retry_after = retry_delay(error.details)
        return Refused(message, failure) if code in (400, 422) else failure

    async def _close(self, sdk: tuple[Client, AiohttpClient]) -> None:
        await sdk[1].aclose()


def _error_in(error: ValueError) -> str:
    """What is wrong. Pydantic would quote what came, cut in the middle: a part of a key in it could not be found."""
    if isinstance(error, ValidationError):
        faults = error.errors(include_input=False, include_url=False)
        return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return str(error)


async def _take_all(chunks: AsyncIterator[Any], partial: PartialReply, on_text: OnText) -> None:
    async for chunk in chunks:
        if text := partial.add(chunk):
            on_text(text)


# ── the request ──────────────────────────────────────────────────────────────────────────────────────────────────────


def contents_of(call: Call, quirks: frozenset[str]) -> list[dict[str, Any]]:
    """The conversation without its system messages; with the schema, for a model that takes none by itself."""
    roles = {"user": "user", "assistant": "model"}
    contents = [{"role": roles[m.role], "parts": [{"text": m.content}]} for m in call.messages if m.role != "system"]
    if call.schema is not None and _no_schema(quirks):
        contents[-1]["parts"].append({"text": schema_in_prompt(call)})  # type: ignore[attr-defined]
    return contents


def config_of(call: Call, quirks: frozenset[str], tokens: int) -> dict[str, Any]:
    """The settings of a request for at most so many tokens. `quirks` names what this model does not take."""
    config: dict[str, Any] = {
        "max_output_tokens": tokens,
        "automatic_function_calling": {"disable": True},
    }
    if system := "\n\n".join(m.content for m in call.messages if m.role == "system"):
        config["system_instruction"] = system
    if call.temperature is not None and "temperature" not in quirks:
        config["temperature"] = call.temperature
    if call.seed is not None and "seed" not in quirks:
        config["seed"] = call.seed
    if call.schema is not None and not _no_schema(quirks):
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = in_words(call.schema, _CONSTRAINTS)
    return config


def _no_schema(quirks: frozenset[str]) -> bool:
    return bool(quirks & {"responseJsonSchema", "responseMimeType", "JSON mode"})


# ── the reply ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class PartialReply:
    """A reply as it comes together, whole or chunk by chunk."""

    model: str
    usage: Any = None
    finish_reason: str | None = None
    blocked: str = ""
    text: list[str] = field(default_factory=list)

    def add(self, response: Any) -> str:
        """Take a response or a chunk of a stream; gives the text in it, without the model's thoughts."""
        self.model = response.model_version or self.model
        self.usage = response.usage_metadata or self.usage
        if response.prompt_feedback and response.prompt_feedback.block_reason:
            self.blocked = str(response.prompt_feedback.block_reason.value)
            self.finish_reason = "SAFETY"
        if not response.candidates:
            return ""
        candidate = response.candidates[0]
        if candidate.finish_reason:
            self.finish_reason = str(candidate.finish_reason.value)
        parts = (candidate.content and candidate.content.parts) or ()
        text = "".join(part.text for part in parts if part.text and not part.thought)
        if text:
            self.text.append(text)
        return text

    def reply(self, call: Call, seconds: float) -> Reply:
        """The whole reply."""
        text, reason = "".join(self.text), self.finish_reason or "STOP"
        finish = _FINISH.get(reason, "stop" if reason in _TRY_AGAIN else "refused")
        usage = usage_of(self.usage) if self.usage else None
        refusal = {"refused": text, "category": self.blocked or reason}
        return reply_of(call, text, finish, usage, self.model, seconds, refusal)


def usage_of(usage: Any) -> Usage:
    """The tokens that the vendor counted. Thoughts are paid as output."""
    output = count(usage.candidates_token_count) + count(usage.thoughts_token_count)
    return Usage(count(usage.prompt_token_count), output, count(usage.cached_content_token_count))


def retry_delay(details: Any) -> float | None:
    """Seconds to wait, from the `RetryInfo` in an error's body."""
    found = re.search(r"'retryDelay': '(\d+(?:\.\d+)?)s'", str(details))
    return float(found[1]) if found else None
