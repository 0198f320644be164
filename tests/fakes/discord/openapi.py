"""Discord's own description of its REST API as the judge of every request and every answer.

The file lies outside the repository, at `../shared/data/discord_openapi/openapi.json` from its root. Where it is
missing, the tests that need the fake skip loudly. Validators are compiled when first needed and kept.

What is read more loosely than the file says, each because Discord itself does:
- in requests an id may be a number (discord.py writes some so) where the file says string;
- in requests permission bits may be text (discord.py writes them so) where the file says integer;
- booleans in the query may be 0 and 1;
- the codes inside an answer's `errors` tree are words (BASE_TYPE_MAX_LENGTH) where the file says integer.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
import pytest

ROOT = Path(__file__).parents[3]
REQUESTS, ANSWERS = "urn:discord-requests", "urn:discord-answers"
BITS = {"allow", "deny", "permissions", "default_member_permissions"}
FORMATS = {"snowflake": lambda text: text.isdigit(), "nonce": lambda text: len(text) <= 25}


def openapi_file() -> Path:
    """Where Discord's description lies."""
    return ROOT.parent / "shared" / "data" / "discord_openapi" / "openapi.json"


@dataclass(frozen=True)
class Problem:
    """One departure from the description: where in the JSON, and what."""

    path: tuple[str | int, ...]
    code: str
    message: str


def load(path: Path) -> str:
    """Read the description's text; a missing file skips the test that needs it, with its reason."""
    if not path.is_file():
        pytest.skip(f"NOT TESTED AGAINST DISCORD'S DESCRIPTION: {path} is missing")
    return path.read_text(encoding="utf-8")


@dataclass
class Description:
    """Validators by method and path template. One instance serves a whole test run: see `description`."""

    text: str
    document: dict[str, Any] = field(init=False)
    compiled: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.document = json.loads(self.text)
        loose = json.loads(self.text)
        loose["components"]["schemas"]["SnowflakeType"] = {
            "oneOf": [{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}, {"type": "integer", "minimum": 0}]
        }
        for schema in loose["components"]["schemas"].values():
            _bits_as_text(schema)
        for path in loose["paths"].values():
            for operation in path.values():
                _bits_as_text(operation.get("requestBody", {}) if isinstance(operation, dict) else {})
        sent = json.loads(self.text)
        schemas = sent["components"]["schemas"]
        schemas["FieldError"] = copy.deepcopy(schemas["Error"])
        schemas["FieldError"]["properties"]["code"] = {"type": ["string", "integer"]}
        schemas["InnerErrors"]["properties"]["_errors"]["items"] = {"$ref": "#/components/schemas/FieldError"}
        self.registry = jsonschema_rs.Registry([(REQUESTS, loose), (ANSWERS, sent)])

    def operation(self, method: str, template: str) -> dict[str, Any]:
        """The description of one route. Raises KeyError for a route that Discord does not have."""
        found: dict[str, Any] = self.document["paths"][template][method.lower()]
        return found

    def request(self, method: str, template: str, body: Any, *, multipart: bool = False) -> list[Problem]:
        """What is wrong with a request's body (of a multipart one: with its `payload_json`)."""
        content = self.operation(method, template).get("requestBody", {}).get("content", {})
        if not content:
            return []
        if body is None:
            return [Problem((), "BASE_TYPE_REQUIRED", "This field is required")] if not multipart else []
        kind = "application/json" if "application/json" in content else "multipart/form-data"
        pointer = f"/paths/{_part(template)}/{method.lower()}/requestBody/content/{_part(kind)}/schema"
        return list(self._problems(REQUESTS, pointer, body))

    def query(self, method: str, template: str, query: dict[str, str]) -> list[Problem]:
        """What is wrong with the query: every parameter given must be described and fit."""
        found: list[Problem] = []
        described = {each["name"]: at for at, each in self._parameters(method, template)}
        for name, text in query.items():
            if name not in described:
                found.append(Problem((name,), "UNKNOWN_PARAMETER", "Discord's description has no such parameter"))
                continue
            pointer = f"/paths/{_part(template)}/{method.lower()}/parameters/{described[name]}/schema"
            tried = [list(self._problems(REQUESTS, pointer, reading)) for reading in _readings(text)]
            found += (
                [] if not all(tried) else [Problem((name, *each.path), each.code, each.message) for each in tried[0]]
            )
        return found

    def _parameters(self, method: str, template: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for at, each in enumerate(self.operation(method, template).get("parameters", ())):
            if each["in"] == "query":
                yield at, each

    def answer(self, method: str, template: str, status: int, body: Any) -> list[Problem]:
        """What is wrong with an answer of the fake: its status must be described, its body fit."""
        answers = self.operation(method, template)["responses"]
        key = next((each for each in (str(status), f"{status // 100}XX", "default") if each in answers), None)
        if key is None:
            return [Problem((), "UNKNOWN_STATUS", f"{method} {template} never answers {status}")]
        described, pointer = answers[key], f"/paths/{_part(template)}/{method.lower()}/responses/{key}"
        if "$ref" in described:
            name = described["$ref"].rsplit("/", 1)[1]
            described, pointer = self.document["components"]["responses"][name], f"/components/responses/{name}"
        if "application/json" not in described.get("content", {}):
            return [] if body is None else [Problem((), "UNEXPECTED_BODY", "this answer has no body")]
        return list(self._problems(ANSWERS, f"{pointer}/content/{_part('application/json')}/schema", body))

    def schema(self, name: str, body: Any) -> list[Problem]:
        """What is wrong with an object, by the name of its schema: the gateway sends the same objects."""
        return list(self._problems(ANSWERS, f"/components/schemas/{name}", body))

    def _problems(self, document: str, pointer: str, body: Any) -> Iterator[Problem]:
        key = document + pointer
        validator = self.compiled.get(key)
        if validator is None:
            schema = {"$ref": f"{document}#{quote(pointer, safe='/~')}"}
            validator = jsonschema_rs.Draft202012Validator(
                schema, registry=self.registry, validate_formats=True, formats=FORMATS
            )
            self.compiled[key] = validator
        for error in validator.iter_errors(body):
            deepest = _deepest(error)
            yield Problem(tuple(deepest.instance_path), deepest.kind.name, deepest.message[:300])


def _bits_as_text(node: Any) -> None:
    """Let every permission field below a node be digits as well as a number."""
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _bits_as_text(value)
    if isinstance(node, dict) and isinstance(node.get("properties"), dict):
        for name in BITS & node["properties"].keys():
            node["properties"][name] = {"anyOf": [node["properties"][name], {"type": "string", "pattern": "^[0-9]+$"}]}


def _deepest(error: Any) -> Any:
    """The most telling of nested errors: of a choice's branches, the one whose `type` was meant."""
    branches = [branch for branch in getattr(error.kind, "context", None) or () if branch]
    if not branches:
        return error
    meant = min(branches, key=lambda branch: _strangeness(error, branch))
    return max((_deepest(each) for each in meant), key=lambda each: len(each.instance_path))


def _strangeness(error: Any, branch: list[Any]) -> tuple[bool, bool, int]:
    """How little a branch was meant: another `type` field, another kind of value, an error at once."""
    here = list(error.instance_path)
    other_type = any(list(each.instance_path) == [*here, "type"] for each in branch)
    other_kind = any(list(each.instance_path) == here and each.kind.name == "type" for each in branch)
    return other_type, other_kind, -max(len(each.instance_path) for each in branch)


def _part(text: str) -> str:
    """One part of a JSON pointer."""
    return text.replace("~", "~0").replace("/", "~1")


def _readings(text: str) -> Iterator[Any]:
    """What a text of the query may stand for: a number, yes or no, itself, a list of one."""
    if text.lstrip("-").isdigit():
        yield int(text)
    if text.lower() in {"true", "false", "0", "1"}:
        yield text.lower() in {"true", "1"}
    yield text
    yield [text]


_KEPT: list[Description] = []


def description() -> Description:
    """The one description of this run; skips the test loudly where the file is missing."""
    if not _KEPT:
        _KEPT.append(Description(load(openapi_file())))
    return _KEPT[0]
