"""A fake of the Gemini API's generateContent and streamGenerateContent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.llm.loopback import Fail, Fake, Say, StreamError, event, words
from tests.fakes.llm.schemas import schema_problem

PATH = re.compile(r"/v1(?:beta)?/models/([\w.-]+):(generateContent|streamGenerateContent)")
SETTINGS = {"maxOutputTokens", "temperature", "seed", "responseMimeType", "responseJsonSchema"}
STATUS = {
    400: "INVALID_ARGUMENT",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}


@dataclass
class FakeGemini(Fake):
    """`takes` are the generation settings that the model knows."""

    takes: frozenset[str] = frozenset(SETTINGS)
    blocks: str = ""
    """Why prompts are blocked, if they are."""

    def problem(self, request: web.Request, body: dict[str, Any]) -> Fail | None:
        if request.headers.get("x-goog-api-key") != self.key:
            return Fail(400, "API key not valid. Please pass a valid API key.")
        if not PATH.fullmatch(request.path):
            return Fail(404, f"models {request.path} is not found for API version v1beta")
        if unknown := sorted(body.keys() - {"contents", "systemInstruction", "generationConfig"}):
            return Fail(400, f'Invalid JSON payload received. Unknown name "{unknown[0]}": Cannot find field.')
        for content in body.get("contents", ()):
            if content.get("role") not in ("user", "model") or not all(part.get("text") for part in content["parts"]):
                return Fail(400, "Please use a valid role: user, model.")
        settings = body.get("generationConfig", {})
        if unknown := sorted(settings.keys() - self.takes):
            place = f"Unknown name \"{unknown[0]}\" at 'generation_config': Cannot find field."
            return Fail(400, f"Invalid JSON payload received. {place}")
        return self._format_problem(settings)

    def _format_problem(self, settings: dict[str, Any]) -> Fail | None:
        if "responseJsonSchema" not in settings:
            return None
        if settings.get("responseMimeType") != "application/json":
            return Fail(400, "response_mime_type must be application/json with a schema")
        keywords = frozenset({"minimum", "maximum", "minItems", "maxItems"})
        problem = schema_problem(settings["responseJsonSchema"], keywords)
        return Fail(400, f"Invalid value at 'generation_config.response_json_schema': {problem}") if problem else None

    def wants_stream(self, request: web.Request, body: dict[str, Any]) -> bool:
        return "streamGenerateContent" in request.path

    def failure(self, fail: Fail) -> dict[str, Any]:
        error: dict[str, Any] = {
            "code": fail.status,
            "message": fail.message,
            "status": STATUS.get(fail.status, "UNKNOWN"),
        }
        return {"error": error | ({"details": list(fail.details)} if fail.details else {})}

    def _reply(self, say: Say, text: str | None, finish: str | None) -> dict[str, Any]:
        usage: dict[str, Any] = {
            "promptTokenCount": 20,
            "candidatesTokenCount": len(words(say.text)),
            "totalTokenCount": 20 + len(words(say.text)) + say.thoughts,
        }
        usage |= {"cachedContentTokenCount": say.cached} if say.cached else {}
        usage |= {"thoughtsTokenCount": say.thoughts} if say.thoughts else {}
        reply: dict[str, Any] = {"modelVersion": "gemini-fake-001", "responseId": "r1"}
        if say.usage:
            reply["usageMetadata"] = usage
        if self.blocks:
            return reply | {"promptFeedback": {"blockReason": self.blocks}}
        candidate: dict[str, Any] = {"index": 0}
        if text is not None:
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
        if finish:
            candidate["finishReason"] = finish
        return reply | {"candidates": [candidate]}

    def whole(self, say: Say, body: dict[str, Any]) -> dict[str, Any]:
        return self._reply(say, say.text or None, say.finish or "STOP")

    def stream(self, say: Say, body: dict[str, Any]) -> Iterator[bytes]:
        if self.blocks:
            yield event(self._reply(say, None, None))
            return
        for word in words(say.text):
            yield event(self._reply(say, word, None))
        if say.ends:
            yield event(self._reply(say, None, say.finish or "STOP"))

    def stream_error(self, error: StreamError) -> bytes:
        return event({"error": {"code": 503, "message": error.message, "status": error.kind}})
