"""`scripted:` models: an ordinary provider whose answers are written down. For tests, demos and dry practice.

- `scripted:demo` answers any prompt with filler (`filler.py`); no file is needed.
- `scripted:/path/script.yaml` reads a file. `scripted:NAME` uses a script that was registered under that name.
- Settings may follow: `scripted:demo?latency=0.2&faults=0.3&seed=7` answers after 0.2 s, and 30 % of the calls fail.

A file is a list of rules under `rules`; the first that fits answers. A rule may say which calls it is for (`prompt` and
`step` are patterns as in file names, `holding` are words that must stand in what is shown, `order` counts the client's
calls from 1) and gives `text`, `json`, several of
them in turn under `answers`, or a `fault`. A call that no rule fits gets filler.

    latency: 0.1
    rules:
      - prompt: socrasynth/opening
        step: "*/pro"
        text: |
          ## 1. Freedom vs. safety
          Freedom first.
      - prompt: judging/ruling
        answers:
          - json: {rationale: Clearer., a_validity: 8, a_credibility: 7, b_validity: 5, b_credibility: 6, winner: A}
          - fault: busy
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import read_yaml
from elenchus.debate_engine.errors import ContextTooLong, ProviderBusy, UsageError
from elenchus.debate_engine.llm import filler
from elenchus.debate_engine.llm.budget import estimated
from elenchus.debate_engine.llm.client import Call, Finish, OnText, Reply

Fault = Literal["busy", "down", "timeout", "too_long", "refused", "empty", "truncated", "garbled", "endless"]
"""What can go wrong with a call: 429 with Retry-After, 5xx, no answer before the deadline, a prompt beyond the context,
declined content, nothing, half an answer, noise, or an answer that never stops."""

RANDOM_FAULTS: tuple[Fault, ...] = tuple(fault for fault in get_args(Fault) if fault != "too_long")


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


LARGEST = 2_000_000
"""Bytes of a script."""


class Scripted(_Value):
    """One written answer: a text, a JSON value, or a fault. `retry_after` (seconds) goes with the fault `busy`."""

    text: str | None = None
    json_value: Any = Field(None, alias="json")
    fault: Fault | None = None
    retry_after: float | None = None


class Rule(Scripted):
    """An answer, or several in turn (the last one repeats), and the calls it is for."""

    prompt: str = "*"
    step: str = "*"
    holding: str = ""
    order: int | None = None
    answers: tuple[Scripted, ...] = ()

    def fits(self, call: Call, order: int) -> bool:
        """Whether the rule is for this call, the client's `order`th."""
        return (
            fnmatchcase(call.prompt_id, self.prompt)
            and fnmatchcase(call.step, self.step)
            and self.order in (None, order)
            and (not self.holding or any(self.holding in message.content for message in call.messages))
        )


class Script(_Value):
    """What a scripted model answers and how: after `latency` seconds, streamed in pieces of `piece` characters.

    A share of `faults` (0 to 1) of the calls fails at random, the same ones for the same `seed`. What hangs gives up
    after `hang` seconds unless it was given up before.
    """

    latency: float = Field(0.0, ge=0)
    hang: float = Field(3600.0, ge=0)
    piece: int = Field(24, ge=1)
    faults: float = Field(0.0, ge=0, le=1)
    seed: int = 0
    rules: tuple[Rule, ...] = ()


Answerer = Callable[[Call], "Scripted | str | dict[str, Any] | None"]
"""A script as a function, for tests; None leaves the answer to the filler. May raise a ProviderError."""


@dataclass
class ScriptedClient:
    """A scripted model. `asked` holds the last thousand calls, also those that were made to fail."""

    script: Script = field(default_factory=Script)
    answerer: Answerer | None = None
    asked: deque[Call] = field(default_factory=lambda: deque(maxlen=1000))
    in_flight: int = 0
    most_in_flight: int = 0
    _count: int = 0
    _turns: Counter[int] = field(default_factory=Counter)

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer as written. Raises what the script says."""
        self.asked.append(call)
        self._count += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        written = self._written(call)
        started = monotonic()
        try:
            await asyncio.sleep(self.script.latency)
            text, finish = await self._perform(call, written, on_text)
        finally:
            self.in_flight -= 1
        raw = {"scripted": True} | ({"fault": written.fault} if written.fault else {})
        return Reply(text, finish, estimated(call, text), call.model, monotonic() - started, raw)

    def _written(self, call: Call) -> Scripted:
        """The answer to this call: the script's chance of a fault, its function, its first rule that fits, filler."""
        if fault := self._chance_fault(call):
            return Scripted(fault=fault, retry_after=0.01)
        given = self.answerer(call) if self.answerer else None
        if given is not None:
            return given if isinstance(given, Scripted) else _as_scripted(given)
        for number, rule in enumerate(self.script.rules):
            if rule.fits(call, self._count):
                return rule.answers[min(self._turn(number), len(rule.answers)) - 1] if rule.answers else rule
        return Scripted()

    def _turn(self, key: int) -> int:
        """How often this has come up, from 1."""
        self._turns[key] += 1
        return self._turns[key]

    def _chance_fault(self, call: Call) -> Fault | None:
        """Drawn from the seed, the step and the attempt, so that it does not matter what runs beside."""
        if not self.script.faults:
            return None
        attempt = self._turn(hash((call.step, call.messages)))
        drawn = hashlib.sha256(f"{self.script.seed}/{call.step}/{attempt}".encode()).digest()
        if int.from_bytes(drawn[:4], "big") / 2**32 >= self.script.faults:
            return None
        return RANDOM_FAULTS[drawn[4] % len(RANDOM_FAULTS)]

    async def _perform(self, call: Call, written: Scripted, on_text: OnText | None) -> tuple[str, Finish]:
        match written.fault:
            case "busy":
                raise ProviderBusy("The script says: too many requests (HTTP 429).", written.retry_after)
            case "down":
                raise ProviderBusy("The script says: the service is unavailable (HTTP 503).")
            case "too_long":
                raise ContextTooLong("The script says: the prompt is too long.")
            case "timeout":
                await asyncio.sleep(self.script.hang)
                raise ProviderBusy("The script says: the connection timed out.")
            case "endless":
                return await self._without_end(on_text), "length"
        text, finish = _spoilt(_text(call, written), written.fault)
        if on_text is not None:
            for start in range(0, len(text), self.script.piece):
                on_text(text[start : start + self.script.piece])
        return text, finish

    async def _without_end(self, on_text: OnText | None) -> str:
        """Goes on until somebody stops it."""
        if on_text is None:
            await asyncio.sleep(self.script.hang)
            return "and so on " * 1000
        while True:
            on_text("and so on ")
            await asyncio.sleep(0)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _as_scripted(given: str | dict[str, Any]) -> Scripted:
    return Scripted(text=given) if isinstance(given, str) else Scripted(json_value=given)


def _text(call: Call, written: Scripted) -> str:
    if written.text is not None:
        return written.text
    if written.json_value is not None:
        return json.dumps(written.json_value, ensure_ascii=False)
    return filler.answer(call, call.schema) if call.schema is not None else filler.speech(call)


def _spoilt(text: str, fault: Fault | None) -> tuple[str, Finish]:
    match fault:
        case "refused":
            return "", "refused"
        case "empty":
            return "", "stop"
        case "truncated":
            return text[: len(text) // 2], "length"
        case "garbled":
            return text[::-1].replace('"', "'"), "stop"
    return text, "stop"


# ── scripts by name ──────────────────────────────────────────────────────────────────────────────────────────────────


def client_of(model: str, registered: Mapping[str, ScriptedClient]) -> ScriptedClient:
    """The client of `scripted:MODEL`. Raises UsageError."""
    name, _, query = model.partition("?")
    if name in registered:
        script, answerer = registered[name].script, registered[name].answerer
        if not query:
            return registered[name]
    elif name == "demo":
        script, answerer = Script(), None
    else:
        script, answerer = load_script(Path(name).expanduser()), None
    try:
        return ScriptedClient(
            Script.model_validate(script.model_dump(by_alias=True) | dict(parse_qsl(query))), answerer
        )
    except ValidationError as error:
        raise UsageError(f"scripted:{model}: {_first(error)}") from error


def load_script(path: Path) -> Script:
    """Read a script file. Raises UsageError naming the file and what is wrong."""
    if path.suffix not in (".yaml", ".yml"):
        raise UsageError(f"There is no script named {path}: use scripted:demo, or the path of a .yaml file.")
    try:
        return Script.model_validate(read_yaml(path, LARGEST, "script") or {})
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    except ValidationError as error:
        raise UsageError(f"The script {path}: {_first(error)}") from error


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
