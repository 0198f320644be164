"""What the vendors demand of a strict JSON schema."""

from __future__ import annotations

from typing import Any

STRUCTURE = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}


def schema_problem(schema: Any, also: frozenset[str] = frozenset(), path: str = "schema") -> str | None:
    """Why a vendor would refuse the schema; `also` are keywords that it takes besides the structural ones."""
    if not isinstance(schema, dict):
        return f"{path} is no object"
    for keyword in schema:
        if keyword not in STRUCTURE | also:
            return f"{path}: '{keyword}' is not permitted"
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"{path}: 'additionalProperties' is required to be supplied and to be false"
        if set(schema.get("required", ())) != set(schema.get("properties", {})):
            return f"{path}: 'required' must name every property"
    elif not {"type", "enum", "anyOf"} & schema.keys():
        return f"{path}: a type is required"
    children = [(f"{path}.{name}", sub) for name, sub in schema.get("properties", {}).items()]
    children += [(f"{path}.items", schema["items"])] if "items" in schema else []
    children += [(f"{path}.anyOf", option) for option in schema.get("anyOf", ())]
    return next((problem for place, sub in children if (problem := schema_problem(sub, also, place))), None)
