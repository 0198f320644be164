"""Structured answers: a pydantic model becomes a strict JSON schema, a reply becomes a checked value or an error.

The schema has one form that all vendors take in structure (references resolved, objects closed, every property
required); a vendor that does not take all constraints gets them in words (`in_words`, called from its own file).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError, create_model

from debate_engine.errors import ProtocolBug, UnreadableReply
from debate_engine.llm.client import Message
from debate_engine.llm.text import json_of, whole

M = TypeVar("M", bound=BaseModel)

_FENCE = re.compile(r"\A```\w*\s*\n?(.*?)\n?\s*```\Z", re.DOTALL)

CONSTRAINTS = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
})  # fmt: skip
"""Keywords that narrow a value without giving it structure: some vendors refuse a schema that has them."""

_STRUCTURE = frozenset({
    "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description",
})  # fmt: skip


# ── from a model to a schema ─────────────────────────────────────────────────────────────────────────────────────────


@lru_cache
def json_schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The strict JSON schema of a model: references resolved, objects closed, every property required, no defaults.

    Fields' descriptions are kept for the one who answers; docstrings are ours and stay out. Raises ProtocolBug for what
    no vendor's strict form can say: maps with free keys, tuples, recursion, a root that is no object.
    """
    schema = model.model_json_schema()
    defs = {name: _undocumented(sub) for name, sub in schema.get("$defs", {}).items()}
    strict: dict[str, Any] = _strict(_undocumented(schema), defs, (model.__name__,))
    if strict.get("type") != "object":
        raise ProtocolBug(f"{model.__name__}: an answer's schema must be an object at its root")
    return strict


def bounded(schema: type[M], items: int) -> type[M]:
    """The schema of one list, with at most so many items: it ends the list of a model that would not stop."""
    return cast("type[M]", _bounded(schema, items))


@lru_cache
def _bounded(schema: type[BaseModel], items: int) -> type[BaseModel]:
    ((name, field),) = schema.model_fields.items()
    least = next((m.min_length for m in field.metadata if hasattr(m, "min_length")), None)
    limited: Any = (field.annotation, Field(description=field.description, min_length=least, max_length=items))
    return create_model(schema.__name__, __base__=schema, __doc__=schema.__doc__, **{name: limited})


def _undocumented(schema: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k != "description"}


def _strict(node: dict[str, Any], defs: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        if name in path:
            raise ProtocolBug(f"{path[0]}: {name} contains itself; an answer's schema cannot be recursive")
        return _strict({**defs[name], **{k: v for k, v in node.items() if k != "$ref"}}, defs, (*path, name))
    node = {"anyOf" if k == "oneOf" else k: v for k, v in node.items()}
    if "const" in node:
        node["enum"] = [node.pop("const")]
    kept = {k: v for k, v in node.items() if k in _STRUCTURE | CONSTRAINTS}
    unknown = node.keys() - kept.keys() - {"$defs", "default", "title", "discriminator", "examples"}
    if unknown or (kept.get("type") == "object" and "properties" not in kept):
        raise ProtocolBug(f"{' → '.join(path)}: no vendor's strict schema can say {', '.join(unknown) or 'a free map'}")
    return kept | _children(kept, defs, path)


def _children(node: dict[str, Any], defs: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    children: dict[str, Any] = {}
    if "items" in node:
        children["items"] = _strict(node["items"], defs, path)
    if "anyOf" in node:
        children["anyOf"] = [_strict(option, defs, path) for option in node["anyOf"]]
    if "properties" in node:
        children["properties"] = {name: _strict(sub, defs, path) for name, sub in node["properties"].items()}
        children |= {"required": list(node["properties"]), "additionalProperties": False}
    return children


def in_words(schema: dict[str, Any], keep: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema with its constraints, but for those to `keep`, moved into the descriptions."""
    moved = {k: v for k, v in schema.items() if k in CONSTRAINTS - keep}
    out = {k: v for k, v in schema.items() if k not in moved}
    if moved:
        words = ", ".join(f"{k} {v}" for k, v in moved.items())
        out["description"] = f"{out['description']} ({words})" if out.get("description") else words
    if "items" in out:
        out["items"] = in_words(out["items"], keep)
    if "anyOf" in out:
        out["anyOf"] = [in_words(option, keep) for option in out["anyOf"]]
    if "properties" in out:
        out["properties"] = {name: in_words(sub, keep) for name, sub in out["properties"].items()}
    return out


# ── from a reply to a value ──────────────────────────────────────────────────────────────────────────────────────────


def parse(text: str, model: type[M]) -> M:
    """The reply as an instance of the model. Raises UnreadableReply with a sentence that can be shown to the author."""
    value = parse_json(text, json_schema_of(model))
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        raise UnreadableReply(f"answer{place}: {first['msg']}") from error


def parse_json(text: str, schema: dict[str, Any]) -> Any:
    """The JSON value in a reply, checked against the schema. Raises UnreadableReply saying what is wrong.

    Tolerates a code fence and white space around the JSON, nothing else.
    """
    bare = text.strip().removeprefix("\ufeff").strip()
    if not bare:
        raise UnreadableReply("the reply was empty")
    fenced = _FENCE.match(bare)
    bare = fenced[1].strip() if fenced else bare
    try:
        value = json_of(bare)
    except json.JSONDecodeError as error:
        where = "it breaks off in the middle" if error.pos >= len(bare) - 1 else f"{error.msg} at character {error.pos}"
        raise UnreadableReply(f"the reply is not valid JSON: {where}") from error
    except ValueError as error:
        raise UnreadableReply(f"the reply is not valid JSON: {error}") from error
    return check(_whole(value), schema)


def _whole(value: Any) -> Any:
    """The value with every character whole (JSON can escape half of one)."""
    match value:
        case str():
            return whole(value)
        case list():
            return [_whole(item) for item in value]
        case dict():
            return {whole(name): _whole(item) for name, item in value.items()}
    return value


def check(value: Any, schema: dict[str, Any], path: str = "answer") -> Any:
    """The value, if it fits the schema. Raises UnreadableReply naming the place that does not."""
    if problem := _problem(value, schema, path):
        raise UnreadableReply(problem)
    return value


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def _problem(value: Any, schema: dict[str, Any], path: str) -> str:
    if "anyOf" in schema:
        problems = [_problem(value, option, path) for option in schema["anyOf"]]
        return "" if "" in problems else problems[0]
    kind = schema.get("type")
    if kind and (not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind in ("integer", "number"))):
        return f"{path} must be of type {kind}"
    if "enum" in schema and not any(value == option and type(value) is type(option) for option in schema["enum"]):
        return f"{path} must be one of {', '.join(map(str, schema['enum']))}"
    look = _LOOK.get(type(value))
    return look(value, schema, path) if look else ""


def _object_problem(value: dict[str, Any], schema: dict[str, Any], path: str) -> str:
    properties = schema.get("properties", {})
    if missing := [name for name in schema.get("required", ()) if name not in value]:
        return f"{path} lacks {', '.join(missing)}"
    if unknown := [name for name in value if name not in properties]:
        return f"{path} has unknown fields {', '.join(map(str, unknown))}"
    return next((p for name, v in value.items() if (p := _problem(v, properties[name], f"{path}.{name}"))), "")


def _array_problem(value: list[Any], schema: dict[str, Any], path: str) -> str:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if len(value) < low:
        return f"{path} needs at least {low} items"
    if len(value) > high:
        return f"{path} may have at most {high} items"
    if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        return f"{path} must not have the same item twice"
    return next((p for i, v in enumerate(value) if (p := _problem(v, schema.get("items", {}), f"{path}[{i}]"))), "")


def _string_problem(value: str, schema: dict[str, Any], path: str) -> str:
    if len(value) < schema.get("minLength", 0):
        return f"{path} must have at least {schema['minLength']} characters" if value else f"{path} must not be empty"
    if len(value) > schema.get("maxLength", len(value)):
        return f"{path} may have at most {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{path} must match {schema['pattern']}"
    return ""


def _number_problem(value: float, schema: dict[str, Any], path: str) -> str:
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return f"{path} must be from {schema.get('minimum', '−∞')} to {schema.get('maximum', '∞')}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return f"{path} must be greater than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        return f"{path} must be less than {schema['exclusiveMaximum']}"
    if "multipleOf" in schema and value % schema["multipleOf"]:
        return f"{path} must be a multiple of {schema['multipleOf']}"
    return ""


_LOOK: dict[type, Callable[[Any, dict[str, Any], str], str]] = {
    dict: _object_problem,
    list: _array_problem,
    str: _string_problem,
    int: _number_problem,
    float: _number_problem,
}


def repair_messages(reply: str, problem: str) -> tuple[Message, Message]:
    """What is added to the conversation for the one repair: the author's own reply, and what is wrong with it."""
    return (
        Message("assistant", reply.strip() or "(nothing)"),
        Message("user", f"That answer could not be used: {problem}. Give the whole answer again in the asked form."),
    )
