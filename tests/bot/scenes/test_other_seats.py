"""Members as confederate and as moderator of a scene: their directions are for their eyes alone."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.events import SeatLeft
from tests.bot.scenes.acting import (
    MODEL,
    agree,
    called,
    everything,
    finished,
    kinds,
    over,
    panel,
    play_on,
    speak,
    started,
    threads_of,
)
from tests.bot.scenes.test_control_room import resumable
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel


async def test_a_member_as_confederate_reads_the_direction_alone_and_is_heard_as_the_persona(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subject=bob.mention, confederate=carla.mention, conditions="treatment")
        (own,), (hers,) = await threads_of(stage, bob, 1), await threads_of(stage, carla, 1)
        assert hers.name == "You are Mika"
        asked, _ = await agree(own, bob), await agree(hers, carla)
        last = await play_on(own, bob, asked, "Luna gave more.")
        turn = await called(hers, carla, words="your turn to speak to everybody")
        form = await carla.press(turn, "Answer")
        above = str(form.modal.body)
        assert "practically the whole garden" in above, "the rule's direction stands above the form"
        read = await carla.press(turn, "What is asked")
        assert read.ephemeral
        assert "practically the whole garden" in read.text
        await carla.fill(form.modal, {"Your words": "Nearly everybody has taken Sol!"})
        await play_on(hers, carla, turn, "I was unsure as well, then took Sol.")
        await play_on(own, bob, last, "Luna for me.", "The shade.")
        played = await finished(stage, own)
        await over(hers)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
    heard = next(post for post in own.messages.values() if "Nearly everybody has taken Sol!" in post.content)
    assert heard.author.name == "Mika"
    assert heard.webhook_id
    assert next(turn.text for turn in played.turns if turn.speaker == "Mika") == "Nearly everybody has taken Sol!"
    assert "practically the whole garden" not in everything(own)
    assert "practically the whole garden" not in "\n".join(
        str((post.content, post.embeds)) for post in hers.messages.values() if not post.ephemeral
    )
    assert "Mika (the confederate): a person" in "\n".join(texts(own))
    assert "Carla" not in everything(own)


async def test_two_threads_of_one_confederate_have_two_names_and_one_that_is_made_anew_keeps_its_number(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        await started(stage, subject=f"{bob.mention} {MODEL}", confederate=carla.mention)
        first, second = await threads_of(stage, carla, 2)
        assert [first.name, second.name] == ["You are Mika · 1", "You are Mika · 2"]
        (own,) = await threads_of(stage, bob, 1)
        assert own.name == "You are Robin"
        changes.delete_channel(stage.discord.world, second)
        await stage.alice.press(await resumable(stage, 2), "Resume 2")
        await until(lambda: [c.name for c in threads_with(stage, carla)] == ["You are Mika · 1", "You are Mika · 2"])
        assert first in threads_with(stage, carla)
        assert second not in threads_with(stage, carla)


def threads_with(stage: Stage, who: Person) -> list[Channel]:
    return [c for c in stage.guild.channels.values() if c.is_thread and who.id in c.thread_members]


@pytest.mark.slow
async def test_a_member_as_moderator_gets_the_subjects_own_question_and_answers_it(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        await started(stage, subject=bob.mention, moderator=carla.mention)
        (own,), (hers,) = await threads_of(stage, bob, 1), await threads_of(stage, carla, 1)
        await agree(own, bob)
        begun = await agree(hers, carla)
        last = await play_on(hers, carla, begun, "Good evening, a slip from everybody, please.")
        turn = await called(hers, carla, last)
        form = await bob.press(panel(own), "Ask a question…")
        await bob.fill(form.modal, {"text": "May I plant both kinds?"})
        question = await called(hers, carla, words="a question that nobody foresaw")
        form = await carla.press(question, "Answer")
        assert "May I plant both kinds?" in str(form.modal.body)
        await carla.fill(form.modal, {"Your words": "One packet a bed, says the list."})
        await until(lambda: any("One packet a bed" in text for text in texts(own)))
        assert "You have said it." in (await speak(carla, turn, "How were the two last summer?")).text
        first = await called(own, bob, words="it is your turn to speak")
        await speak(bob, first, "Luna gave more.")
        asks = await called(hers, carla, question, "it is your turn")
        await speak(carla, asks, "Which is it to be?")
        slip = await called(own, bob, first)
        await speak(bob, slip, "Luna.")
        weighed = await called(hers, carla, asks)
        await speak(carla, weighed, "And what weighed most?")
        why = await called(own, bob, slip)
        await speak(bob, why, "The shade.")
        await play_on(hers, carla, weighed, "Thank you all.")
        played = await finished(stage, own)
    contents = [entry.content for entry in played.record]
    assert contents.index("May I plant both kinds?") < contents.index("One packet a bed, says the list.")
    answer = next(post for post in own.messages.values() if "One packet a bed" in post.content)
    assert answer.author.name == "Noor"


async def test_who_leaves_such_a_seat_is_replaced_by_a_model_and_the_subject_plays_on(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        await started(stage, subject=bob.mention, confederate=carla.mention)
        (own,), (hers,) = await threads_of(stage, bob, 1), await threads_of(stage, carla, 1)
        asked, _ = await agree(own, bob), await agree(hers, carla)
        sure = await carla.press(panel(hers), "Leave the seat")
        assert "a model may take it over" in sure.text
        await carla.press(sure.message, "Yes, leave")
        await play_on(own, bob, asked, "Luna gave more.", "Luna.", "The shade.")
        played = await finished(stage, own)
        assert len(await kinds(stage, own, SeatLeft)) == 1
    assert played.ended == ""
    assert [turn.text for turn in played.turns if turn.speaker == "Mika"] == [
        "wordrule6turn1answer1", "wordrule7turn1answer1",
    ]  # fmt: skip


async def test_whoever_has_another_part_is_no_subject_as_well(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        await started(stage, confederate=carla.mention)
        refused = await carla.slash(stage.channel, "scene join")
        assert "you cannot be its subject" in refused.text
        assert "Your thread is" in (await bob.slash(stage.channel, "scene join")).text
        await threads_of(stage, carla, 1)
