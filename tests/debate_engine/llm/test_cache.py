"""Answers kept by content: when two calls are the same one, and what a seat looks up and keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.llm.cache import ModelReplies, Repeat, key_of
from elenchus.debate_engine.llm.client import Call, Message, Reply
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Script, Scripted, ScriptedClient
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Answer, Ask, Declined
from elenchus.debate_engine.prompts import Section

CALL = Call("m", (Message("user", "Why?"),), {"type": "object"}, "answer", 0.0, 100, None, 7)
OTHERS = [
    replace(CALL, model="n"),
    replace(CALL, messages=(Message("user", "Why not?"),)),
    replace(CALL, messages=(Message("system", "Why?"),)),
    replace(CALL, schema=None),
    replace(CALL, schema_name="other"),
    replace(CALL, temperature=None),
    replace(CALL, max_tokens=101),
    replace(CALL, seed=8),
]


class KeyValueStore:
    """A cache in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Reply] = {}
        self.hits = 0

    async def get(self, key: str) -> Reply | None:
        self.hits += key in self.kept
        return self.kept.get(key)

    async def put(self, key: str, model: str, reply: Reply) -> None:
        self.kept[key] = reply


def ask(repeat: Repeat | None, task: str = "Say something.", **more: Any) -> Ask:
    material = (Section(title="Text", text="words"),)
    known = {"step": "a", "seat": "s", "prompt_id": "p", "prompt_hash": "h", "role": "", "task": task}
    return Ask(material=material, repeat=repeat, **{**known, **more})


def seat(client: ScriptedClient, shelf: KeyValueStore) -> ModelSeat:
    model = Model("scripted:m", "m", client, Limits(attempts=1), ModelInfo())
    return ModelSeat(Silent(), model, Persona("s"), ModelReplies(shelf, "scripted:m"))  # type: ignore[arg-type]


class Silent:
    """A room in which nothing is noted."""

    watched = False

    async def note(self, event: Any) -> None: ...

    def draft(self, step: str, seat: str, text: str | None) -> None: ...


# ── the key ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("other", OTHERS, ids=range(len(OTHERS)))
def test_whatever_an_answer_depends_on_makes_another_key(other: Call) -> None:
    assert key_of("a:m", "", CALL, (1,)) != key_of("a:m", "", other, (1,))


def test_the_spec_what_is_behind_it_and_the_repeat_number_make_other_keys() -> None:
    keys = [
        key_of("a:m", "", CALL, (1,)),
        key_of("b:m", "", CALL, (1,)),
        key_of("a:m", "server", CALL, (1,)),
        key_of("a:m", "", CALL, (2,)),
        key_of("a:m", "", CALL, (1, 1)),
        key_of("a:m", "", CALL, ()),
    ]
    assert len(set(keys)) == len(keys)


def test_what_is_never_sent_makes_no_other_key() -> None:
    elsewhere = replace(CALL, step="round/2", prompt_id="p", deadline=3.0)
    assert key_of("a:m", "", CALL, (1,)) == key_of("a:m", "", elsewhere, (1,))


# ── the seat ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_same_question_in_the_same_repetition_is_asked_once_and_costs_nothing_the_second_time() -> None:
    client, shelf = ScriptedClient(Script(latency=0.01)), KeyValueStore()
    first = await seat(client, shelf).answer(ask((1,)))
    again = await seat(client, shelf).answer(ask((1,), step="elsewhere"))
    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert (len(client.asked), shelf.hits, again.value) == (1, 1, first.value)
    (made,), (recalled,) = first.calls, again.calls
    assert made.recalled is None
    assert recalled.recalled is not None
    assert (recalled.input_tokens, recalled.output_tokens, recalled.cost_usd, recalled.seconds) == (0, 0, 0.0, 0.0)
    assert recalled.recalled.input_tokens == made.input_tokens > 0
    assert recalled.recalled.seconds == made.seconds > 0
    assert recalled.reply == made.reply


async def test_another_repetition_and_a_question_without_one_are_asked_anew() -> None:
    client, shelf = ScriptedClient(Script()), KeyValueStore()
    for repeat in ((1,), (2,), (1, 1), None, None):
        await seat(client, shelf).answer(ask(repeat))
    assert len(client.asked) == 5
    assert len(shelf.kept) == 3, "without a repeat number nothing is kept"


@pytest.mark.parametrize("fault", ["garbled", "truncated", "empty", "refused"])
async def test_only_finished_and_readable_replies_are_kept(fault: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    client, shelf = ScriptedClient(Script(), lambda call: Scripted(fault=fault)), KeyValueStore()
    assert isinstance(await seat(client, shelf).answer(ask((1,), answer_schema=schema)), Declined)
    assert shelf.kept == {}


async def test_a_text_that_was_cut_off_is_used_but_not_kept() -> None:
    written = Scripted(text="One sentence. Another one that has no", fault="truncated")
    client, shelf = ScriptedClient(Script(), lambda call: written), KeyValueStore()
    assert isinstance(await seat(client, shelf).answer(ask((1,))), Answer)
    assert shelf.kept == {}


async def test_a_repaired_answer_is_kept_under_the_repair_and_the_first_is_asked_again() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    replies = iter(["no JSON", '{"a": "yes"}', "no JSON"])
    client, shelf = ScriptedClient(Script(), lambda call: next(replies)), KeyValueStore()
    for _ in range(2):
        answer = await seat(client, shelf).answer(ask((1,), answer_schema=schema))
        assert isinstance(answer, Answer)
        assert answer.value == {"a": "yes"}
    assert len(client.asked) == 3
    assert [reply.text for reply in shelf.kept.values()] == ['{"a": "yes"}']


def test_the_repeat_number_is_no_part_of_a_steps_input() -> None:
    assert ask((1,)).model_dump(mode="json") == ask(None).model_dump(mode="json")
