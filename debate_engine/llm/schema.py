"""Structured answers: a pydantic model becomes a strict JSON schema, and a value is checked against one.

The schema has one form that all vendors take in structure (references resolved, objects closed, every property
required); a vendor that does not take all constraints gets them in words (`in_words`, called from its own file).
A model's reply is read by `reply_parsing.py`, more liberally than the schema says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NoReturn, TypeVar, cast

from pydantic import BaseModel, Field, create_model

from elenchus.debate_engine.errors import ProtocolBug, UnreadableReply
from elenchus.debate_engine.llm.client import Message
from elenchus.debate_engine.words import count_words

M = TypeVar("M", bound=BaseModel)

CONSTRAINTS = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
})  # fmt: skip
"""Keywords that narrow a value without giving it structure: some vendors refuse a schema that has them."""

_STRUCTURE = frozenset({
    "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description", "maxWords",
    "onlyIf",
})  # fmt: skip


def at_most(words: int, *, characters: int) -> dict[str, Any]:
    """The bounds of a text, for pydantic's `json_schema_extra`.

    `words`: a reply is cut there; wider than what the prompt asks for, as every text comes through whole that somewhat
    keeps to it. `characters`: the hard bound of a grammar, which ends the text of a small model that would not stop.
    """
    return {"maxLength": characters, "maxWords": words}


def only_if(**chosen: Any) -> dict[str, Any]:
    """A field that is asked only where others before it were answered so, for pydantic's `json_schema_extra`.

    For forms; a model is told in the field's description when to leave it empty.
    """
    return {"onlyIf": chosen}


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
    """The schema with its constraints, but for those to `keep`, moved into the descriptions.

    A bound in characters of a text whose words count is for grammars only, and nobody is told.
    """
    moved = {k: v for k, v in schema.items() if k in CONSTRAINTS - keep}
    out = {k: v for k, v in schema.items() if k not in moved and k not in ("maxWords", "onlyIf")}
    if "maxWords" in schema:
        moved.pop("maxLength", None)
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


# ── whether a value fits ─────────────────────────────────────────────────────────────────────────────────────────────


def check(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value, if it fits the schema. Raises UnreadableReply naming all places that do not."""
    if faults := faults_in(value, schema):
        raise_faults(faults)
    return value


def raise_faults(faults: Sequence[str]) -> NoReturn:
    """Tell all faults of an answer at once, so that one repair can mend them. Raises UnreadableReply."""
    more = [f"and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
    raise UnreadableReply("; ".join([*faults[:_MOST_FAULTS], *more]))


def below(path: str, name: str) -> str:
    """The place of a field in the value at `path`, "" being the whole answer."""
    return f"{path}.{name}" if path else name


def entry(path: str, number: int) -> str:
    """The place of an entry (from 0, as in JSON) in the list at `path`."""
    return f"{path}[{number}]"


_MOST_FAULTS = 20
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def faults_in(value: Any, schema: Mapping[str, Any], path: str = "") -> list[str]:
    """All that keeps a value from fitting the schema, each with its place."""
    where = path or "the answer"
    if "anyOf" in schema:
        return min((faults_in(value, option, path) for option in schema["anyOf"]), key=bool)
    kind = schema.get("type")
    if kind and (not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind in ("integer", "number"))):
        return [f"{where} must be of type {kind}"]
    if "enum" in schema and not any(value == option and type(value) is type(option) for option in schema["enum"]):
        return [f"{where} must be one of {', '.join(map(str, schema['enum']))}"]
    match value:
        case dict():
            return _object_faults(value, schema, path)
        case list():
            return _array_faults(value, schema, path)
        case bool() | None:
            return []
        case str():
            problem = _string_problem(value, schema)
        case _:
            problem = _number_problem(value, schema)
    return [f"{where} {problem}"] if problem else []


def _object_faults(value: dict[str, Any], schema: Mapping[str, Any], path: str) -> list[str]:
    properties, where = schema.get("properties", {}), path or "the answer"
    missing = [name for name in schema.get("required", ()) if name not in value]
    unknown = [str(name) for name in value if name not in properties]
    faults = [f"{where} lacks {', '.join(missing)}"] if missing else []
    faults += [f"{where} has unknown fields {', '.join(unknown)}"] if unknown else []
    known = (faults_in(v, properties[name], below(path, name)) for name, v in value.items() if name in properties)
    return [*faults, *chain.from_iterable(known)]


def _array_faults(value: list[Any], schema: Mapping[str, Any], path: str) -> list[str]:
    where, low, high = path or "the answer", schema.get("minItems", 0), schema.get("maxItems", len(value))
    faults = [f"{where} needs at least {low} items"] if len(value) < low else []
    faults += [f"{where} may have at most {high} items"] if len(value) > high else []
    if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        faults.append(f"{where} must not have the same item twice")
    items = (faults_in(item, schema.get("items", {}), entry(path, n)) for n, item in enumerate(value))
    return [*faults, *chain.from_iterable(items)]


def _string_problem(value: str, schema: Mapping[str, Any]) -> str:
    if len(value) < schema.get("minLength", 0):
        return f"must have at least {schema['minLength']} characters" if value else "must not be empty"
    if "maxWords" in schema:
        if (words := count_words(value)) > schema["maxWords"]:
            return f"may have at most {schema['maxWords']} words (it has {words})"
    elif len(value) > schema.get("maxLength", len(value)):
        return f"may have at most {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"must match {schema['pattern']}"
    return ""


_ENDS = (("minimum", "−∞"), ("maximum", "∞"))


def _bound(value: float) -> str:
    """A bound with thousands apart, and without decimals that say nothing: 1,000,000."""
    return f"{int(value):,}" if isinstance(value, int) or value.is_integer() else f"{value:,}"


def _number_problem(value: float, schema: Mapping[str, Any]) -> str:
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        low, high = (_bound(schema[name]) if name in schema else none for name, none in _ENDS)
        return f"must be from {low} to {high}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return f"must be greater than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        return f"must be less than {schema['exclusiveMaximum']}"
    if "multipleOf" in schema and value % schema["multipleOf"]:
        return f"must be a multiple of {schema['multipleOf']}"
    return ""


def repair_messages(reply: str, problem: str) -> tuple[Message, Message]:
    """What is added to the conversation for the one repair: the author's own reply, and all that is wrong with it."""
    return (
        Message("assistant", reply.strip() or "(nothing)"),
        Message("user", f"That answer could not be used: {problem}. Give the whole answer again in the asked form."),
    )
