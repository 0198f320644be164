"""An answer that begins with given words: the local model goes on from them, others are told; old logs stay valid."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.llm.client import Call, Message, OnText, Reply, Usage
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.model_seat import BEGIN, ModelSeat, Persona, continued
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.steps import hash_of

PROMPT = Prompt.parse(
    """---
id: toy/begun
variables: [claim]
---
%% task
{{ claim }} Why?
%% prefill
{{ claim }} That is because
"""
)


class Unwatched:
    """A room in which nobody looks on but this list."""

    watched = True

    def __init__(self) -> None:
        self.drafts: list[str | None] = []

    def draft(self, step: str, seat: str, text: str | None) -> None:
        self.drafts.append(text)


class Cut:
    """A model that reaches the longest reply."""

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        return Reply(" people walk. They talk. And the", "length", Usage(1, 1), "m", 0.1)

    async def aclose(self) -> None:
        pass


def an_ask(prefill: str = "") -> Ask:
    return Ask(
        step="opening/pro", seat="pro", prompt_id="toy/begun", prompt_hash="x", role="", material=(), task="Why?",
        prefill=prefill,
    )  # fmt: skip


async def answered(spec: str, reply: str) -> tuple[Any, Call, list[str | None]]:
    room, client = Unwatched(), ScriptedClient(answerer=lambda _: reply)
    seat = ModelSeat(room, Model(spec, "m", client, Limits(attempts=1), ModelInfo()), Persona("pro"))  # type: ignore[arg-type]
    answer = await seat.answer(an_ask("Walking helps, because"))
    assert isinstance(answer, Answer)
    return answer.value, client.asked[0], room.drafts


def test_a_prompts_prefill_is_rendered_apart_from_its_task() -> None:
    rendered = PROMPT.render(claim="Walking helps.")
    assert (rendered.task, rendered.prefill) == ("Walking helps. Why?", "Walking helps. That is because")


async def test_a_local_model_gets_the_beginning_as_its_own_words_and_the_answer_holds_it() -> None:
    value, call, drafts = await answered("local:tiny", " people move more.")
    assert call.messages == (Message("user", "Why?"), Message("assistant", "Walking helps, because"))
    assert value == "Walking helps, because people move more."
    assert "".join(d for d in drafts if d) == value


@pytest.mark.parametrize("reply", ["people move more.", "Walking helps, because people move more."])
async def test_any_other_model_is_told_the_beginning_in_words_and_may_repeat_it(reply: str) -> None:
    value, call, _ = await answered("openai:any", reply)
    (message,) = call.messages
    assert message.content == f"Why?\n\n{BEGIN} Walking helps, because"
    assert value == "Walking helps, because people move more."


@pytest.mark.parametrize(
    "text, whole",
    [(", as people know.", "Yes, as people know."), ("'s reason.", "Yes's reason."), ("it is.", "Yes it is.")],
)
def test_words_are_joined_as_they_are_written(text: str, whole: str) -> None:
    assert continued("Yes", text) == whole


async def test_a_sample_that_is_cut_at_its_last_full_stop_is_no_trouble() -> None:
    model = Model("local:m", "m", Cut(), Limits(attempts=1), ModelInfo())
    seat = ModelSeat(Unwatched(), model, Persona("pro"))  # type: ignore[arg-type]
    answer = await seat.answer(an_ask("Yes, as"))
    assert isinstance(answer, Answer)
    assert answer.value == "Yes, as people walk. They talk."
    assert [call.outcome for call in answer.calls] == ["ok"]


def test_an_ask_without_a_beginning_has_the_input_that_it_had_before_there_were_any() -> None:
    plain = an_ask().model_dump(mode="json")
    assert "prefill" not in plain
    assert an_ask("Yes").model_dump(mode="json")["prefill"] == "Yes"
    assert hash_of(an_ask("Yes").model_dump(mode="json")) != hash_of(plain)
