"""The OpenAPI document (3.1) of the API, made from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from elenchus.service.web.api.table import all_routes
from elenchus.service.web.problems import MEDIA_TYPE, TITLES, ProblemDocument
from elenchus.service.web.routes import Route

_PLACE = "#/components/schemas/{model}"
_PART = re.compile(r"{(\w+)(?::[^}]*)?}")

_WHO = {
    "anybody": "Anybody may.",
    "signed in": "For anybody with a link, a code or a token.",
    "viewer": "For whoever may look at it.",
    "seat": "For whoever sits in it, and its moderators.",
    "moderator": "For its moderators.",
    "house": "For moderators of the house.",
    "owner": "For owners of the house.",
}


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    routes = all_routes()
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(_PART.sub(r"{\1}", route.path), {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Elenchus",
            "version": version("elenchus"),
            "description": "Moderated debates and scenes: begun, followed, steered and answered.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in routes)],
        "paths": paths,
        "components": {
            "schemas": _schemas()[1].get("$defs", {}),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "A token: `elenchus tokens create`."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "elenchus"},
            },
        },
    }


@cache
def _schemas() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """By model and mode, where its schema stands; and all of them. Two models of one name have longer ones there."""
    models = {model for route in all_routes() for model in _models(route)} | {ProblemDocument}
    by_name = sorted(models, key=lambda one: (one.__name__, one.__module__))
    places, schemas = models_json_schema([(model, "validation") for model in by_name], ref_template=_PLACE)
    return {**places}, schemas


def _content(model: type[BaseModel], media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": _schemas()[0][model, "validation"]}}


def _models(route: Route) -> Iterable[type[BaseModel]]:
    return [one for one in (route.body, route.query, route.gives) if isinstance(one, type)]


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "description": " ".join(f"{route.handler.__doc__ or ''} {_WHO[route.who]}".split()),
        "tags": [route.tag],
        "parameters": [*_path_parameters(route), *_query_parameters(route), *_header_parameters(route)],
        "responses": _responses(route),
        "security": [] if route.who == "anybody" else [{"bearer": []}, {"cookie": []}],
    }
    if route.takes:
        schema = {"type": "string", "format": "binary"}
        operation["requestBody"] = {"required": True, "content": {route.takes: {"schema": schema}}}
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(route.body)}
    return operation


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in _PART.findall(route.path)
    ]


def _query_parameters(route: Route) -> list[dict[str, Any]]:
    if route.query is None:
        return []
    schema = route.query.model_json_schema()
    needed = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": part}
        for name, part in schema["properties"].items()
    ]


def _header_parameters(route: Route) -> list[dict[str, Any]]:
    if not route.idempotent_by_key:
        return []
    about = "The same key with the same request makes the same thing once."
    schema = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
    return [{"name": "Idempotency-Key", "in": "header", "required": False, "description": about, "schema": schema}]


def _responses(route: Route) -> dict[str, Any]:
    found: dict[str, Any] = {str(route.status): _good(route)}
    if route.idempotent_by_key:
        found["200"] = {**_good(route), "description": "It was made before, for the same key."}
    if route.method == "GET" and isinstance(route.gives, type):
        found["304"] = {"description": "It is as you have it, by its ETag."}
    for status in sorted(_refused(route)):
        content = _content(ProblemDocument, MEDIA_TYPE)
        found[str(status)] = {"description": TITLES.get(status, "It was refused"), "content": content}
    return found


def _refused(route: Route) -> set[int]:
    always = {400, 401, 403, 421, 429, 500, 503}
    known = set() if route.who == "anybody" else {404}
    body = {408, 413, 415, 422} if route.body or route.takes else set()
    query = {422} if route.query else set()
    return always | known | body | query | ({404} if "{" in route.path else set()) | set(route.refuses)


def _good(route: Route) -> dict[str, Any]:
    if route.gives is None:
        return {"description": "Done."}
    if not isinstance(route.gives, type):
        kinds = (route.gives,) if isinstance(route.gives, str) else route.gives
        return {"description": route.summary, "content": {kind: {} for kind in kinds}}
    return {"description": route.summary, "content": _content(route.gives)}
