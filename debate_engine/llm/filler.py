"""Answers made without any model: what `scripted:` says where its script is silent.

Everything follows from the call alone, so that the same call always gets the same answer, in any process. The words
are filler about the topics in the prompt; nobody should take them, or the numbers, for a model's.
"""

from __future__ import annotations

import hashlib
import json
import re
from random import Random
from typing import Any

from elenchus.debate_engine.llm.client import Call

_TOPIC = re.compile(r"^\s*(?:#+\s*|\*\*)?(\d+)[.)]\s+(.{3,120}?)(?:\s+[—–(:-].*)?\**\s*$", re.MULTILINE)
_FEW_WORDS = re.compile(r"\d to \d words|few words")
_SENTENCE = re.compile(r"[A-Z][^.!?\n]{20,160}[.!?]")

_OPENINGS = (
    "What matters about {topic} is who bears the cost when things go wrong.",
    "On {topic} the record is clearer than it first seems.",
    "Consider what {topic} means for those who have no other choice.",
    "The strongest reason concerning {topic} is a practical one.",
    "It is easy to overlook how much {topic} depends on the rules around it.",
)
_REASONS = (
    "A survey by the Institute for Public Evidence found that {share} % of those affected changed their habits.",
    "Where it was tried for {years} years, costs fell while trust grew (Harbour City Report).",
    "The Journal of Applied Policy counts {years} comparable cases, and in most of them the fears did not come true.",
    "Independent auditors put the benefit at {share} % of what was promised, which is still worth having.",
)
_CLOSINGS = (
    "The other side has not shown that a milder measure would do.",
    "That is a risk worth naming, and it can be managed.",
    "Whoever disagrees should say what they would do instead.",
    "For this reason the burden of proof lies elsewhere.",
)
_FEW = (
    "Cost to households", "Freedom to choose", "Safety of children", "Trust in experts", "Fairness between regions",
    "Health of the old", "Jobs in small firms", "Quiet in the evening", "Speed of the change", "Care for nature",
)  # fmt: skip


def chance_of(call: Call) -> Random:
    """The chance that belongs to a call: the same for equal calls."""
    parts = [call.step, call.prompt_id, str(call.seed), *(f"{m.role}:{m.content}" for m in call.messages)]
    return Random(hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).digest())


def speech(call: Call) -> str:
    """A few sentences, under a heading for each numbered topic that the prompt lists."""
    chance = chance_of(call)
    topics = topics_in(prompt_of(call))
    if not topics:
        return _paragraph(chance, "this question")
    return "\n\n".join(f"## {number}. {title}\n{_paragraph(chance, title)}" for number, title in topics)


def topics_in(prompt: str) -> list[tuple[int, str]]:
    """The first numbered list (from 1, without gaps) of a prompt, without what follows a dash or colon."""
    topics: list[tuple[int, str]] = []
    for found in _TOPIC.finditer(prompt):
        if topics and int(found[1]) == 1:
            break
        if int(found[1]) == len(topics) + 1:
            topics.append((int(found[1]), found[2].strip()))
    return topics


def prompt_of(call: Call) -> str:
    """What was asked last."""
    return next((m.content for m in reversed(call.messages) if m.role == "user"), "")


def _paragraph(chance: Random, topic: str) -> str:
    shape = (_OPENINGS, _REASONS, _CLOSINGS)
    words = {"topic": topic.lower(), "share": chance.randint(12, 88), "years": chance.randint(3, 19)}
    return " ".join(chance.choice(sentences).format_map(words) for sentences in shape)


def answer(call: Call, schema: dict[str, Any]) -> str:
    """JSON of the schema's form."""
    return json.dumps(_value(schema, chance_of(call), call, "answer"), ensure_ascii=False)


def _value(schema: dict[str, Any], chance: Random, call: Call, name: str) -> Any:
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], chance, call, name)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            return _unlike({key: _value(sub, chance, call, key) for key, sub in schema["properties"].items()})
        case "array":
            return _items(schema, chance, call, name)
        case "integer" | "number":
            return _number(schema, chance)
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
        case _:
            return _text(schema, chance, call, name)


def _unlike(values: dict[str, Any]) -> dict[str, Any]:
    """The same values, in which no few words stand twice."""
    named: list[Any] = []
    for key, value in values.items():
        distinct = [few for few in _FEW if few not in named]
        values[key] = distinct[0] if value in _FEW and value in named else value
        named.append(values[key])
    return values


def _items(schema: dict[str, Any], chance: Random, call: Call, name: str) -> list[Any]:
    numbered = "number" in schema.get("items", {}).get("properties", {})
    if numbered and (topics := topics_in(prompt_of(call))):
        return [{**_value(schema["items"], chance, call, name), "number": number} for number, _ in topics]
    least = schema.get("minItems", 1)
    count = chance.randint(least, min(schema.get("maxItems", least + 2), least + 2))
    items = [_value(schema.get("items", {}), chance, call, name) for _ in range(count)]
    if not schema.get("uniqueItems"):
        return items
    return list({json.dumps(item, sort_keys=True): item for item in items}.values())


def _number(schema: dict[str, Any], chance: Random) -> float:
    low: float = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    high: float = schema.get("maximum", schema.get("exclusiveMaximum", max(low + 9, 10)))
    if schema["type"] == "integer":
        low, high = low + ("exclusiveMinimum" in schema), high - ("exclusiveMaximum" in schema)
        return chance.randint(int(low), int(high))
    return round(low + (high - low) * chance.uniform(0.05, 0.95), 2)


def _text(schema: dict[str, Any], chance: Random, call: Call, name: str) -> str:
    """A sentence; for a quotation, one that stands in the prompt."""
    prompt = prompt_of(call)
    quotable = _SENTENCE.findall(prompt) if "quote" in name else []
    topics = topics_in(prompt)
    topic = chance.choice(topics)[1] if topics else "this question"
    few = _FEW_WORDS.search(schema.get("description", "")) and "quote" not in name
    text = chance.choice(quotable) if quotable else chance.choice(_FEW) if few else _paragraph(chance, topic)
    most = schema.get("maxLength", len(text))
    if len(text) > most:
        text = text[: text.rfind(". ", 0, most) + 1] or text[:most].rsplit(" ", 1)[0] or text[:most]
    return text.ljust(schema.get("minLength", 0), ".")
