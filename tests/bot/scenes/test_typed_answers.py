"""What a subject or another person on a seat writes in the own thread, counted as the answer."""

from __future__ import annotations

from functools import partial

from elenchus.debate_engine.events import TurnAnswered
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from tests.bot.people.seated import question, settle
from tests.bot.scenes.acting import agree, all_posts, called, finished, invitation, kinds, speak, started, taken_part
from tests.bot.stage import Stage, granted, until
from tests.fakes.discord.people import Person

SAID = "Luna gave eleven kilos last summer."


async def test_a_plain_message_in_the_subjects_thread_is_what_the_subject_says(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        control = await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        asked = await called(thread, bob)
        early = await bob.write(thread, "yes")
        await agree(thread, bob)
        last = asked
        for text in (SAID, "Luna.", "The shade."):
            last = await called(thread, bob, last)
            other = await stage.alice.write(control, "I would say Sol.")
            written = await bob.write(thread, text)
            await bob.press(await question(thread, last), "Send it")
            await until(partial(getattr, written, "reactions"))
            assert not other.reactions
        played = await finished(stage, thread)
        answers = await kinds(stage, thread, TurnAnswered)
    assert not early.reactions, "agreement is by a button"
    assert [turn.text for turn in played.turns if turn.speaker == "Robin"] == [SAID, "Luna.", "The shade."]
    assert all(is_pseudonym(answer.by) for answer in answers)


async def test_a_member_on_another_seat_may_write_plainly_too(stage: Stage, bob: Person, carla: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        await started(stage, confederate=bob.mention)
        await carla.press(invitation(stage), "Take part")
        own, others = all_posts(stage, carla), await until(lambda: all_posts(stage, bob))
        await agree(own, carla)
        asked = await agree(others, bob)
        first = await called(own, carla)
        await called(own, carla, first)
        await carla.write(own, SAID)
        await carla.press(await question(own), "Send it")
        turn = await called(others, bob, asked)
        written = await bob.write(others, "Everybody I know takes Sol.")
        await bob.press(await question(others), "Send it")
        await until(lambda: written.reactions)
        await until(lambda: any("takes Sol" in post.content for post in own.messages.values()))
        assert turn.id < written.id


async def test_what_was_written_while_the_bot_was_away_counts_when_it_is_back(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
    written = await bob.write(thread, SAID)
    async with stage.running():
        await bob.press(await question(thread), "Send it")
        await until(lambda: written.reactions)
        await called(thread, bob, turn)
        assert [one.answer for one in await kinds(stage, thread, TurnAnswered)][-1] == SAID


async def test_a_plain_message_counts_for_nothing_where_the_server_does_not_let_it(stage: Stage, bob: Person) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        written = await bob.write(thread, "Not this.")
        assert "You have said it." in (await speak(bob, turn, SAID)).text
        await called(thread, bob, turn)
        assert [one.answer for one in await kinds(stage, thread, TurnAnswered)][-1] == SAID
    assert not written.reactions
