"""JSON as it is taken from outside: one meaning, or none. No NaN, no key twice, no number beyond what a float holds."""

from __future__ import annotations

import asyncio
import json
import math
from typing import TYPE_CHECKING, Any, TypeVar

from aiohttp import web
from aiohttp.http_exceptions import PayloadEncodingError
from pydantic import BaseModel, ValidationError

from elenchus.config.validation import fault_told
from elenchus.service.web.problems import Malformed, Problem, Unusable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

M = TypeVar("M", bound=BaseModel)

SLOWEST = 100_000
"""Bytes a second at which a large body may come, beyond the time that any may take."""

LONGEST_INTEGER = 300
"""Digits; what is longer is beyond a float, too."""


async def body_as(model: type[M], request: web.Request, most: int = 0) -> M:
    """The body as a route takes it. Raises Problem for what is no JSON, is too large, does not come, does not fit."""
    raw = await read_bytes(request, "application/json", most)
    check_json(raw)
    return _checked(lambda: model.model_validate_json(raw, strict=True))


async def read_bytes(request: web.Request, media_type: str, most: int = 0) -> bytes:
    """The body, of this type and at most so many bytes (0: as the settings say).

    Raises Problem where it is another, or larger, or does not come.
    """
    if request.content_type != media_type:
        raise Problem(415, "media-type", f"Send it with the header Content-Type: {media_type}.")
    from elenchus.service.web.server import service_of

    seconds = service_of(request).limits.body_seconds + most / SLOWEST
    request = request.clone(client_max_size=most) if most else request
    try:
        async with asyncio.timeout(seconds):
            return await request.read()
    except TimeoutError:
        raise Problem(408, "too-slow", "The request's body did not come.") from None
    except (PayloadEncodingError, web.RequestPayloadError):
        raise Malformed("The request's body is not packed as its headers say.") from None
    except web.HTTPRequestEntityTooLarge:
        if not most:
            raise
        raise Problem(413, "too-large", f"The request is larger than {most:,} bytes.") from None


def query_as(model: type[M], request: web.Request) -> M:
    """The query, as a route takes it. Raises Malformed, Unusable."""
    given: Mapping[str, str] = dict(request.query)
    if len(given) != len(request.query):
        raise Malformed("A parameter of the query is given twice.")
    return _checked(lambda: model.model_validate_strings(given))


def check_json(raw: bytes) -> None:
    """Raises Malformed for what is no JSON, or has more than one meaning."""
    try:
        json.loads(
            raw.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite, parse_int=_short,
            object_pairs_hook=_each_once,
        )  # fmt: skip
    except RecursionError:
        raise Malformed("The body is nested too deeply.") from None
    except ValueError as error:
        raise Malformed(f"The body is no JSON that we take: {error}.") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"{digits[:20]} is too large")
    return number


def _short(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise ValueError(f"{digits[:20]}… has too many digits")
    return int(digits)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} is there twice")
    return found


def _checked(validate: Callable[[], M]) -> M:
    try:
        return validate()
    except ValidationError as error:
        raise problem_in(error) from None


def problem_in(error: ValidationError) -> Problem:
    """The first thing that does not fit; what cannot even be read (half of a surrogate pair, too deep) is no JSON."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return Malformed(f"The body is no JSON that we take: {first['msg'].removeprefix('Invalid JSON: ')}.")
    place = ".".join(map(str, first["loc"]))[:200]
    said = fault_told(first)
    return Unusable(f"{place}: {said}." if place else f"{said}.")
