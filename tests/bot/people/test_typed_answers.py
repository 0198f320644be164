"""What a member writes in the thread, counted as an answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import TurnAnswered
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.log import EventLog
from elenchus.service.app import App
from tests.bot.people.seated import SPEECH, agree, kinds, question, result_of, settle, speak, turn_for, turn_of
from tests.bot.stage import Stage, granted, posts, services_of, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message


async def form_counts(stage: Stage, thread: Channel, who: Person, turn: Message) -> None:
    """The turn is open still, and what is said in its form is the answer."""
    counts = "The speech that counts."
    assert "Your answer is in." in (await speak(who, turn, counts)).text
    await until(lambda: any(post.webhook_id and counts in post.content for post in posts(thread)))
    assert await result_of(stage, thread, "opening/pro") == {"value": counts}


async def test_a_word_in_between_is_no_speech(stage: Stage, bob: Person) -> None:
    """Brb coffee: nothing counts before its writer says so, the last message is the draft, and only its writer's."""
    stage.settings = granted(message_content=True)
    carla = stage.discord.world.person("Carla", guild=stage.guild)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        answered = len(await kinds(stage, thread, TurnAnswered))
        await bob.write(thread, "brb coffee")
        first = await question(thread)
        assert "Is this the opening speech? Nothing counts before you say so." in first.content
        assert "another member's message" in (await carla.press(first, "Send it")).text
        assert "another member's message" in (await stage.alice.press(first, "Send it")).text
        assert "your turn is still open" in (await bob.press(first, "No, just talk")).text
        await until(lambda: first.deleted)
        await bob.write(thread, "hm, wait")
        second = await question(thread)
        await bob.write(thread, SPEECH)
        third = await question(thread, second)
        await until(lambda: second.deleted)
        assert len(await kinds(stage, thread, TurnAnswered)) == answered
        await bob.press(third, "Send it")
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}


class Slow:
    """A part of the storage whose named method waits before it does anything."""

    def __init__(self, real: Any, method: str, wait: Callable[[], Awaitable[Any]]) -> None:
        self._real, self._method, self._wait = real, method, wait

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._real, name)

        async def later(*given: Any, **named: Any) -> Any:
            await self._wait()
            return await real(*given, **named)

        return later if name == self._method else real


async def test_who_confirms_a_message_faster_than_it_is_kept_has_answered_all_the_same(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    keeping = asyncio.Event()
    keeping.set()

    def with_a_slow_store(app: App) -> BotServices:
        return replace(services_of(app), store=cast(KeyValueStore, Slow(app.store, "put", keeping.wait)))

    stage.services_of = with_a_slow_store
    async with stage.running() as bot:
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        await agree(bob, await turn_for(thread, bob, "opening speech"))
        keeping.clear()
        await bob.write(thread, SPEECH)
        answer = await bob.press(await question(thread), "Send it", patience=0)
        await asyncio.sleep(0.2)
        keeping.set()
        await answer.settled()
        assert "Your answer is in." in answer.text
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert not await bot.services.store.all("drafts")


async def test_of_a_form_and_a_plain_message_sent_at_the_same_moment_one_is_the_answer(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    slow = partial(asyncio.sleep, 0.5)
    stage.services_of = lambda app: replace(services_of(app), log=cast(EventLog, Slow(app.log, "send", slow)))
    async with stage.running():
        await settle(stage, plain_messages=True, stand_in=False)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        form = (await agree(bob, turn)).modal
        await bob.write(thread, SPEECH)
        asked = await question(thread)
        answers = await asyncio.gather(
            bob.press(asked, "Send it", patience=0), bob.fill(form, {"Your words": "In the form."}, patience=0)
        )
        for answer in answers:
            await answer.settled()
        assert sorted("Your answer is in." in answer.text for answer in answers) == [False, True]


async def test_a_plain_message_that_comes_after_the_turn_was_passed_is_not_sent(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        await bob.write(thread, SPEECH)
        asked = await question(thread)
        await bob.press(turn, "Pass")
        assert "reference" in (await bob.press(asked, "Send it")).text
        assert await result_of(stage, thread, "opening/pro") == {"declined": "passed"}


async def test_a_plain_message_counts_where_the_bot_may_read_it_and_the_server_lets_it(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        before = await bob.write(thread, "I have not agreed to anything yet.")
        await agree(bob, turn)
        answered = await kinds(stage, thread, TurnAnswered)
        written = await bob.write(thread, SPEECH)
        assert await kinds(stage, thread, TurnAnswered) == answered
        sent = await bob.press(await question(thread), "Send it")
        assert "Your answer is in." in sent.text
        await until(lambda: written.reactions)
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert not before.reactions
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}


async def test_a_plain_message_that_was_written_while_the_bot_was_away_counts_when_it_is_back(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        await agree(bob, await turn_for(thread, bob, "opening speech"))
    written = await bob.write(thread, SPEECH)
    async with stage.running():
        await bob.press(await question(thread), "Send it")
        await until(lambda: written.reactions)
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}


async def test_what_was_written_before_the_agreement_counts_for_nothing_when_the_bot_is_back(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        before = await bob.write(thread, "I have not agreed to anything yet.")
        await agree(bob, turn)
        assert stage.bot is not None
        late = await stage.bot.get_partial_messageable(thread.id).fetch_message(before.id)
        await stage.bot.on_message(late)  # as on a busy machine, on which it is heard after the agreement
    written = await bob.write(thread, SPEECH)
    async with stage.running():
        await bob.press(await question(thread), "Send it")
        await until(lambda: written.reactions)
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}
    assert not before.reactions


async def test_a_plain_message_counts_for_nothing_where_the_server_does_not_let_it(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        await bob.write(thread, SPEECH)
        await form_counts(stage, thread, bob, turn)


async def test_what_an_application_writes_is_nobodys_answer(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        bob.user.bot = True  # such a member is never seated; should one sit there, its words count for nothing
        written = await bob.write(thread, SPEECH)
        bob.user.bot = False
        await form_counts(stage, thread, bob, turn)
        assert not written.reactions


async def test_a_plain_message_is_no_answer_where_a_form_is_asked_for(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        assert "agenda" in turn.content
        await agree(bob, turn)
        written = await bob.write(thread, "A was clearer.")
        second = await stage.discord.world.person("Carla", guild=stage.guild).write(thread, "B was.")
        await bob.press(turn, "Pass")
        await turn_of(thread, bob, turn)
        answers = await kinds(stage, thread, TurnAnswered)
        assert [answer.model_dump()["declined"] for answer in answers] == ["passed"]
        assert not [*written.reactions, *second.reactions]


async def test_what_was_written_while_the_bot_was_away_counts_for_nothing_where_the_server_does_not_let_it(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
    written = await bob.write(thread, SPEECH)
    async with stage.running():
        await form_counts(stage, thread, bob, turn)
    assert not written.reactions


async def test_messages_that_cannot_be_looked_up_hold_the_bot_up_in_nothing(
    stage: Stage, bob: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
    stage.discord.faults.fail("GET", "/channels/{channel_id}/messages", 503, times=2)  # the thread's, and the turn's
    async with stage.running():
        await until(lambda: "messages could not be looked up" in caplog.text)
        await form_counts(stage, thread, bob, turn)
