"""The OpenAPI document: it is one, it has all routes, and each route says what it does."""

from __future__ import annotations

import json
import re

import schemathesis

from elenchus.service.web.api.openapi import document
from elenchus.service.web.api.table import all_routes
from tests.service.web.conftest import Served


def test_the_document_is_valid_openapi_and_has_every_route() -> None:
    schemathesis.openapi.from_dict(document()).validate()
    paths = document()["paths"]
    for route in all_routes():
        operation = paths[re.sub(r"{(\w+)(?::[^}]*)?}", r"{\1}", route.path)][route.method.lower()]
        assert operation["summary"]
        assert operation["description"].endswith(".")
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(names) == len(set(names)) == len(all_routes())


def test_every_model_that_the_document_names_is_in_it() -> None:
    text = json.dumps(document())
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert named <= set(document()["components"]["schemas"])


async def test_anybody_reads_the_document_and_no_other_origin_is_allowed_anything(served: Served) -> None:
    assert await served.nobody.get("/openapi.json") == json.loads(json.dumps(document()))
    preflight = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    async with served.client.options("/api/v1/sessions", headers=preflight) as answer:
        assert answer.status in (403, 405)
        assert not any(name.lower().startswith("access-control-") for name in answer.headers)
