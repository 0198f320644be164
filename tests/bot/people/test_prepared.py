"""A model drafts the forms of protocol for a person on a side, who sends them with a tap or changes them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.events import Said, SessionStarted, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.llm.schema import bounded, json_schema_of
from elenchus.debate_engine.log import calls_of
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import AgendaReview, FurtherArguments, ProposalDraft, Proposals
from elenchus.service.lab.forms import fields_of, named_as_in_the_form, shown_to_read, typed_of, value_of
from tests.bot.people.seated import kinds, result_of, settle, turn_of
from tests.bot.stage import Stage, finished, posts, texts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message


async def opened(who: Person, turn: Message) -> Answer:
    """Press Answer, agreeing where that is asked first."""
    answer = await who.press(turn, "Answer")
    return await who.press(answer.message, "I agree") if "Before you sit" in answer.text else answer


async def taps(stage: Stage, thread: Channel, who: Person) -> tuple[int, int]:
    """Play a whole debate, taking every draft; how many forms were filled in, and how many drafts sent by a tap."""
    forms = tapped = 0
    last: Message | None = None
    while True:
        turn = await until(lambda after=last: next_turn(thread, who, after))  # type: ignore[misc]
        if "el:turn:" not in str(turn.components):
            return forms, tapped
        answer, last = await opened(who, turn), turn
        if answer.has_modal:
            await who.fill(answer.modal, {"Your words": "Buses first, as they cost less than roads."})
            forms += 1
        else:
            assert "Your answer is in." in (await who.press(answer.message, "Yes, send this")).text
            tapped += 1


def next_turn(thread: Channel, who: Person, after: Message | None) -> Message | None:
    called = [p for p in posts(thread) if who.id in p.pinged and "el:turn:" in str(p.components)]
    new = [p for p in called if after is None or p.id > after.id]
    return new[0] if new else next((p for p in posts(thread) if "The debate is over" in p.content), None)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["pro", "con"])
async def test_a_person_on_a_side_fills_in_a_form_for_each_speech_and_no_other(
    stage: Stage, bob: Person, side: str
) -> None:
    async with stage.running():
        seats: dict[str, Any] = {side: bob.mention}
        thread = await stage.debate(rounds=2, **seats)
        forms, tapped = await taps(stage, thread, bob)
        spoken = [e for e in await kinds(stage, thread, Said) if isinstance(e, Said) and e.speaker == side]
        assert forms == len(spoken) >= 3, "an opening, refutations, a closing"
        assert tapped >= 4
        await finished(thread)
        answered = [a for a in await kinds(stage, thread, TurnAnswered) if isinstance(a, TurnAnswered)]
        assert sum(a.as_prepared for a in answered) == tapped
        report = next(a.data for p in posts(thread) for a in p.attachments if a.filename == "report.md").decode()
        assert f"A model drafted {tapped} forms for people on seats, who sent {tapped} of them unchanged." in report


async def test_the_log_says_who_drafted_what_it_cost_and_that_the_person_sent_it(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        assert "A draft is ready" in turn.content
        shown = await opened(bob, turn)
        assert shown.ephemeral
        assert "drafted by a model. Is it what you want to say?" in shown.text
        (asked,) = [e for e in await kinds(stage, thread, TurnOpened) if isinstance(e, TurnOpened)]
        assert [call.model for call in asked.calls] == ["scripted:demo"]
        assert asked.prepared["topics"][0]["pro_concern"] in shown.text
        assert asked.prepared["topics"][0]["pro_concern"] not in "\n".join(texts(thread)), "it is for the member alone"
        events = await stage.events(thread)
        assert asked.calls[0] in list(calls_of(events))
        await bob.press(shown.message, "Yes, send this")
        await turn_of(thread, bob, turn)
        (given,) = [e for e in await kinds(stage, thread, TurnAnswered) if isinstance(e, TurnAnswered)]
        assert given.as_prepared
        assert given.by == f"discord:{bob.id}"
        assert await result_of(stage, thread, "agenda/propose/pro") == {"value": asked.prepared}


async def test_a_draft_is_changed_in_the_form_that_holds_it(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        form = (await bob.press((await opened(bob, turn)).message, "Edit")).modal
        (asked,) = [e for e in await kinds(stage, thread, TurnOpened) if isinstance(e, TurnOpened)]
        held = json.dumps(form.body, ensure_ascii=False)
        assert asked.prepared["topics"][0]["con_concern"] in held
        await bob.fill(form, {"Topics": "Clean air | Shops | What a ban does to both."})
        await turn_of(thread, bob, turn)
        (given,) = [e for e in await kinds(stage, thread, TurnAnswered) if isinstance(e, TurnAnswered)]
        assert not given.as_prepared
        assert given.answer == {
            "topics": [{"pro_concern": "Clean air", "con_concern": "Shops", "scope": "What a ban does to both."}]
        }


async def test_a_mistake_is_named_as_the_form_names_the_field(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        form = (await bob.press((await opened(bob, turn)).message, "Edit")).modal
        refused = await bob.fill(form, {"Topics": "Air | Shops | both\n | Jobs | all"})
        assert "Topics, line 2: pro concern must not be empty" in refused.text
        assert "topics" not in refused.text


async def test_without_a_stand_in_the_form_comes_as_before(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, stand_in=False)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        assert "draft" not in turn.content
        assert (await opened(bob, turn)).has_modal
        (started,) = [e for e in await kinds(stage, thread, SessionStarted) if isinstance(e, SessionStarted)]
        assert not any(seat.prepares for seat in started.seats)


async def test_a_model_that_cannot_draft_leaves_the_form(stage: Stage, bob: Person) -> None:
    from elenchus.debate_engine.errors import ProviderBusy
    from elenchus.debate_engine.llm.scripted import ScriptedClient

    def busy(*_: Any) -> Any:
        raise ProviderBusy("429: too many requests")

    stage.scripts["busy"] = ScriptedClient(answerer=busy)
    async with stage.running():
        await settle(stage, debater="scripted:busy")
        thread = await stage.debate(pro=bob.mention, con="scripted:demo", judges="scripted:demo")
        turn = await turn_of(thread, bob)
        assert "draft" not in turn.content
        assert (await opened(bob, turn)).has_modal


async def test_the_draft_is_nobody_elses_and_outlives_the_bot(stage: Stage, bob: Person) -> None:
    carla = stage.discord.world.person("Carla", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        shown = await opened(bob, turn)
        for who in (carla, stage.alice):
            text = (await who.press(turn, "Answer")).text
            assert "draft" not in text
    async with stage.running():
        assert "Your answer is in." in (await bob.press(shown.message, "Yes, send this")).text
        await turn_of(thread, bob, turn)
        assert len(await kinds(stage, thread, TurnAnswered)) == 1
        drafted = [e for e in await kinds(stage, thread, TurnOpened) if isinstance(e, TurnOpened)]
        assert len([e for e in drafted if e.step == "agenda/propose/pro"]) == 1


async def test_who_leaves_before_sending_it_has_sent_nothing(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        shown = await opened(bob, await turn_of(thread, bob))
        await bob.slash(thread, "session leave")
        assert "This turn is over" in (await bob.press(shown.message, "Yes, send this")).text
        await finished(thread)
        assert await kinds(stage, thread, TurnAnswered) == []


async def test_a_persons_ruling_is_drafted_by_nobody(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(judges=bob.mention)
        turn = await turn_of(thread, bob)
        assert "a ruling on one topic" in turn.content
        assert "draft" not in turn.content
        assert not [
            e.step for e in await kinds(stage, thread, StepDone) if isinstance(e, StepDone) and "claims" in e.step
        ]


# ── forms, pure ──────────────────────────────────────────────────────────────────────────────────────────────────────

VALUES: list[tuple[Any, Any]] = [
    (bounded(Proposals, 3), {"topics": [{"pro_concern": "Air", "con_concern": "Jobs", "scope": "Both."}] * 2}),
    (FurtherArguments, {"more": True, "what": "costs"}),
    (FurtherArguments, {"more": False, "what": ""}),
    (
        bounded(AgendaReview, 2),
        {"topics": [{"number": 1, "verdict": "agree", "pro_concern": "", "con_concern": "", "scope": ""}]},
    ),
    (bounded(ProposalDraft, 2), {"items": [{"number": 1, "proposal": "Try it."}, {"number": 2, "proposal": "Wait."}]}),
]


@pytest.mark.parametrize(("form", "value"), VALUES)
def test_what_stands_in_the_fields_is_the_value_again(form: Any, value: Any) -> None:
    schema = json_schema_of(form)
    typed = typed_of(schema, value)
    assert typed.keys() <= {field.name for field in fields_of(schema)}
    assert value_of(schema, typed) == value
    assert "|" not in shown_to_read(schema, value)


def test_a_divider_in_a_drafts_text_does_not_move_its_values() -> None:
    schema = json_schema_of(Proposals)
    value = {"topics": [{"pro_concern": "a | b", "con_concern": "c\nd", "scope": "e"}]}
    again = value_of(schema, typed_of(schema, value))
    assert again == {"topics": [{"pro_concern": "a / b", "con_concern": "c d", "scope": "e"}]}


def test_every_complaint_of_a_form_names_its_fields() -> None:
    schema = json_schema_of(bounded(Proposals, 2))
    ask = Ask(step="s", seat="pro", prompt_id="p", prompt_hash="h", role="", material=(), task="", answer_schema=schema)
    values: list[Any] = [{"topics": []}, {"topics": [{"pro_concern": "", "con_concern": "x", "scope": ""}]}, {}]
    for value in values:
        with pytest.raises(UnreadableReply) as error:
            read_answer(ask, value)
        assert not re.search(r"\w_\w|\w\[", named_as_in_the_form(str(error.value)))
    assert named_as_in_the_form("topics[1].scope may have at most 5 characters; topics[0] lacks pro_concern") == (
        "Topics, line 2: scope may have at most 5 characters; Topics, line 1 lacks pro_concern"
    )
    assert named_as_in_the_form("the answer is empty") == "the answer is empty"
