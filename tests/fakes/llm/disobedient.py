"""Vendors that take a schema for a wish: too long, too many, in another order, in another dress, with things nobody
asked for; and that fail in 30 % of the requests besides. Whoever is told what was wrong mends it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from aiohttp import web

from elenchus.debate_engine.llm import filler
from elenchus.debate_engine.llm.client import Call, Message
from tests.fakes.llm.loopback import Plan, Say
from tests.fakes.llm.unreliable import FAULTS, Unreliable, UnreliableAnthropic, UnreliableGemini, UnreliableOpenAI

REPAIR = "That answer could not be used"
PASSING = ("429", "503", "500")
"""Faults of one moment: whoever asks again is answered."""
ONCE = (*PASSING, "empty", "truncated", "cut without a word", "garbled")
"""Those that may also befall a first answer."""
TWICE = 2

_BOUND = re.compile(r"(minimum|maximum|minItems|maxItems|minLength) (\d+)")

FRAMES = (
    "{}", "```json\n{}\n```", "Here is the JSON that you asked for:\n```\n{}\n```\nLet me know!", "[{}]", "{}\n\n{}",
    '{"answer": {}}', "<think>Let me see {…}.</think>\n{}",
)  # fmt: skip


@dataclass
class Disobedient(Unreliable):
    """`mended` counts the answers that were given again after a complaint."""

    mended: int = 0

    def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
        asked = json.dumps(body, sort_keys=True)
        self._again[asked] += 1
        chance = Random(f"{self.seed}/{self._again[asked]}/{asked}")
        again = self._again[asked] > TWICE
        repair = REPAIR in self.asked(body)[0]
        self.mended += repair
        text = self._answer(body)
        if again or chance.random() >= self.share:
            self.came["well"] += 1
            return Say(text)
        name = chance.choice(PASSING if repair or self.asked(body)[1] is None else ONCE)
        self.came[name] += 1
        return FAULTS[name](self, text)

    def _answer(self, body: dict[str, Any]) -> str:
        prompt, schema = self.asked(body)
        if schema is None:
            return filler.speech(Call("disobedient", (Message("user", prompt),)))
        first = prompt if REPAIR not in prompt else json.dumps(body)
        schema = within_bounds(schema)
        call = Call("disobedient", (Message("user", first),), schema)
        chance = filler.chance_of(call)
        value = disobeyed(json.loads(filler.answer(call, schema)), schema, chance)
        return chance.choice(FRAMES).replace("{}", json.dumps(value, ensure_ascii=False))


def within_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the bounds that some vendors are told in words: a score out of its range is another matter."""
    told = {name: int(number) for name, number in _BOUND.findall(schema.get("description", ""))}
    known: dict[str, Any] = {**told, **schema}
    if "properties" in known:
        known["properties"] = {name: within_bounds(sub) for name, sub in known["properties"].items()}
    if "items" in known:
        known["items"] = within_bounds(known["items"])
    return known


def disobeyed(value: Any, schema: Mapping[str, Any], chance: Random) -> Any:
    """The same answer as somebody gives it who does not look at the form; nothing of it is in doubt."""
    if "enum" in schema:
        return chance.choice([value, f" {value}.", value.upper()]) if isinstance(value, str) else value
    match value:
        case dict():
            given = {name: disobeyed(sub, schema["properties"][name], chance) for name, sub in value.items()}
            given |= {"remark": "nobody asked", "deeper": {"and": ["deeper"]}}
            return dict(chance.sample(list(given.items()), len(given)))
        case list() if value:
            item = schema["items"]
            entries = [disobeyed(one, item, chance) for one in [*value, *value[: chance.randint(0, 4)]]]
            bad: list[Any] = [{}] if item.get("type") in ("object", "integer") else []
            return chance.sample([*entries, *bad], len(entries) + len(bad))
        case bool():
            return chance.choice([value, "true" if value else "false"])
        case int():
            return chance.choice([value, str(value), float(value), [value]])
        case str():
            return value + " and so on, at greater length than anybody wished for" * chance.choice([0, 1, 30])
    return value


class DisobedientOpenAI(Disobedient, UnreliableOpenAI):
    """An OpenAI-compatible server that takes a schema and does not keep to it."""


class DisobedientAnthropic(Disobedient, UnreliableAnthropic):
    """The same in Anthropic's form."""


class DisobedientGemini(Disobedient, UnreliableGemini):
    """The same in Google's form."""
