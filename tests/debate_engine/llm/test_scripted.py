"""The scripted provider: written answers, filler, faults on order and by chance."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections import Counter
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from elenchus.config.settings import ScriptedSettings, Settings
from elenchus.debate_engine.errors import ContextTooLong, ProviderBusy, ProviderError, UsageError
from elenchus.debate_engine.llm import scripted
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.retrying import Limits, complete
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.llm.scripted import Fault, Rule, Script, Scripted, ScriptedClient, client_of, load_script
from elenchus.debate_engine.protocols.judging.schemas import Ruling
from elenchus.debate_engine.protocols.socrasynth.schemas import Proposals
from tests.debate_engine.llm.replies import parse

AGENDA = (
    "The agenda\n1. Clean air vs. mobility — health against access\n2. Shops vs. squares — trade\nWrite a heading line."
)


class Score(BaseModel):
    quote: str = Field(description="copied exactly")
    why: str = Field(max_length=80)
    score: int = Field(ge=1, le=10)


def a_call(
    text: str = AGENDA, step: str = "opening/pro", prompt_id: str = "socrasynth/opening", **fields: object
) -> Call:
    return Call("demo", (Message("user", text),), step=step, prompt_id=prompt_id, max_tokens=50, **fields)  # type: ignore[arg-type]


async def test_the_demo_script_speaks_under_a_heading_for_each_topic() -> None:
    reply = await client_of("demo", {}).complete(a_call())
    assert [line for line in reply.text.splitlines() if line.startswith("#")] == [
        "## 1. Clean air vs. mobility", "## 2. Shops vs. squares",
    ]  # fmt: skip
    assert reply.raw["scripted"]


async def test_the_same_call_gets_the_same_words_and_another_step_gets_others() -> None:
    one, again, other = [
        await client_of("demo", {}).complete(a_call(step=step))
        for step in ("opening/pro", "opening/pro", "opening/con")
    ]
    assert one.text == again.text != other.text


async def test_a_schema_is_filled_with_plausible_values_and_quotes_from_the_prompt() -> None:
    text = "Judge this. The committee found that wider pavements cut accidents by half. Score it."
    reply = await client_of("demo", {}).complete(a_call(text, schema=json_schema_of(Score)))
    score = parse(reply.text, Score)
    assert score.quote in text
    assert len(score.why) <= 80


async def test_filler_for_an_agenda_has_whole_sentences_and_two_concerns_a_topic() -> None:
    client = client_of("demo", {})
    for n in range(60):
        reply = await client.complete(a_call(step=f"propose/{n}", schema=json_schema_of(Proposals)))
        for topic in parse(reply.text, Proposals).topics:
            assert topic.scope.endswith(".")
            assert topic.pro_concern != topic.con_concern


async def test_the_first_rule_that_fits_answers_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(
        "rules:\n"
        "  - {prompt: 'socrasynth/*', step: '*/con', text: Con speaks.}\n"
        "  - order: 2\n    text: The second call.\n"
        "  - prompt: judging/ruling\n    answers: [{json: {a: 1}}, {text: two}]\n"
    )
    client = client_of(str(path), {})
    got = [
        (await client.complete(call)).text
        for call in (
            a_call(step="opening/con"),
            a_call(step="opening/pro"),
            *[a_call("x", step="judge", prompt_id="judging/ruling")] * 3,
        )
    ]
    assert got == ["Con speaks.", "The second call.", '{"a": 1}', "two", "two"]
    assert [call.step for call in client.asked] == ["opening/con", "opening/pro", "judge", "judge", "judge"]


async def test_the_example_in_the_documentation_can_be_played(tmp_path: Path) -> None:
    (example,) = re.findall(r"\n\n((?:    .*\n)+)", scripted.__doc__ or "")
    path = tmp_path / "script.yaml"
    path.write_text(textwrap.dedent(example))
    client = client_of(str(path), {})
    assert (await client.complete(a_call(step="opening/pro", prompt_id="socrasynth/opening"))).text.endswith("first.\n")
    ruling = await client.complete(a_call(prompt_id="judging/ruling"))
    assert parse(ruling.text, Ruling).winner == "A"
    with pytest.raises(ProviderBusy):
        await client.complete(a_call(prompt_id="judging/ruling"))


async def test_a_function_may_answer_and_leave_the_rest_to_the_filler() -> None:
    client = ScriptedClient(answerer=lambda call: {"n": 1} if call.step == "one" else None)
    assert (await client.complete(a_call(step="one"))).text == '{"n": 1}'
    assert (await client.complete(a_call(step="two"))).text.startswith("## 1.")


async def test_it_streams_in_pieces() -> None:
    pieces: list[str] = []
    client = ScriptedClient(Script(piece=3, rules=(Rule(text="abcdefgh"),)))
    reply = await client.complete(a_call(), pieces.append)
    assert pieces == ["abc", "def", "gh"]
    assert reply.text == "abcdefgh"


async def test_a_latency_is_kept_and_calls_side_by_side_are_counted() -> None:
    client = ScriptedClient(Script(latency=0.05))
    started = asyncio.get_running_loop().time()
    await asyncio.gather(*(client.complete(a_call()) for _ in range(10)))
    assert 0.05 <= asyncio.get_running_loop().time() - started < 0.5
    assert (client.most_in_flight, client.in_flight) == (10, 0)


@pytest.mark.parametrize(
    "fault, error",
    [("busy", ProviderBusy), ("down", ProviderBusy), ("timeout", ProviderBusy), ("too_long", ContextTooLong)],
)
async def test_faults_that_a_vendor_raises_are_raised(fault: Fault, error: type[ProviderError]) -> None:
    client = ScriptedClient(Script(hang=0.01, rules=(Rule(fault=fault, retry_after=3.0),)))
    with pytest.raises(error) as caught:
        await client.complete(a_call())
    assert getattr(caught.value, "retry_after", None) == (3.0 if fault == "busy" else None)


@pytest.mark.parametrize(
    "fault, text, finish",
    [
        ("refused", "", "refused"),
        ("empty", "", "stop"),
        ("truncated", "abcd", "length"),
        ("garbled", "hgfedcba", "stop"),
    ],
)
async def test_faults_of_the_reply_spoil_the_written_answer(fault: Fault, text: str, finish: str) -> None:
    client = ScriptedClient(answerer=lambda _: Scripted(text="abcdefgh", fault=fault))
    reply = await client.complete(a_call())
    assert (reply.text, reply.finish, reply.raw["fault"]) == (text, finish, fault)


async def test_an_answer_that_never_stops_is_stopped_by_the_limits() -> None:
    client = ScriptedClient(Script(rules=(Rule(fault="endless"),)))
    limits = Limits(attempts=1, deadline=5.0)
    assert (await complete(client, a_call(), limits, lambda _: None)).finish == "length"
    with pytest.raises(ProviderBusy):
        await complete(client, a_call(), Limits(attempts=1, deadline=0.05))


async def test_faults_by_chance_have_their_share_and_repeat_with_the_seed() -> None:
    async def outcomes(seed: int) -> list[str]:
        client = client_of(f"demo?faults=0.3&hang=0&seed={seed}", {})
        out = []
        for n in range(400):
            try:
                reply = await client.complete(a_call(step=f"step/{n}"))
                out.append(str(reply.raw.get("fault", "")))
            except ProviderBusy as error:
                out.append(str(error))
        return out

    one, again, other = await outcomes(1), await outcomes(1), await outcomes(2)
    assert one == again != other
    counted = Counter(one)
    assert 0.6 < counted[""] / 400 < 0.8
    assert len(counted) >= 7


async def test_a_call_that_failed_by_chance_can_succeed_when_tried_again() -> None:
    registry = Registry(Settings(home=Path(), scripted=ScriptedSettings(retries=30, deadline=1.0)))
    model = registry.model("scripted:demo?faults=0.5&hang=0.01")
    replies = await asyncio.gather(*(model.complete(a_call(step=f"s/{n}"), None, None) for n in range(30)))
    assert len(replies) == 30


def test_settings_after_the_name_are_checked(tmp_path: Path) -> None:
    assert client_of("demo?latency=0.2&piece=5", {}).script == Script(latency=0.2, piece=5)
    with pytest.raises(UsageError, match="faults"):
        client_of("demo?faults=2", {})
    with pytest.raises(UsageError, match="speed"):
        client_of("demo?speed=2", {})


@pytest.mark.parametrize(
    "content, problem",
    [
        ("rules: [", "not valid YAML"),
        ("rules: [{txt: a}]", r"rules\.0\.txt"),
        ("rules: [{fault: sulks}]", r"rules\.0\.fault"),
        ("- a", "valid dictionary"),
        (None, "cannot be read"),
    ],
)
def test_a_script_that_cannot_be_used_is_named_with_its_mistake(
    tmp_path: Path, content: str | None, problem: str
) -> None:
    path = tmp_path / "script.yaml"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=rf"script\.yaml.*{problem}"):
        load_script(path)
