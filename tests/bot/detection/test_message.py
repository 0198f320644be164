"""The menu entry “Detect biases” of a message."""

from __future__ import annotations

import pytest

from tests.bot.detection.looking import TEXT, looking, result, threads
from tests.bot.people.seated import turn_of
from tests.bot.stage import ENDLESS, Stage, finished, posts
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

MENU = "Detect biases"
IMAGE = {"boat.png": b"\x89PNG\r\n"}


async def test_a_message_is_examined_from_its_menu_by_the_full_method(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        message = await bob.write(stage.channel, TEXT)
        offer = await bob.menu(message, MENU)
        assert offer.ephemeral
        assert "full: screen, detectors, debates, two referees" in offer.text
        told = await result(stage, bob, offer)
        assert "three years" not in stage.thread().name, "a thread's name stays when its words are forgotten"
    assert "Bias: Sunk cost fallacy" in told
    assert "**all that money would have been for nothing**" in told


async def test_a_message_with_an_image_and_words_is_examined_by_its_words(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        message = await bob.write(stage.channel, TEXT, files=IMAGE)
        assert "We have put three years" in (await bob.menu(message, MENU)).text


async def test_a_message_without_words_is_refused_in_one_sentence(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        image = await stage.alice.write(stage.channel, "", files=IMAGE)
        emoji = await stage.alice.write(stage.channel, "😀 …")
        for message in (image, emoji):
            answer = await bob.menu(message, MENU)
            assert "That message has no words to examine" in answer.text
            assert not answer.message.components
    assert not threads(stage)


@pytest.mark.slow
async def test_a_message_in_a_private_thread_is_examined_in_a_private_one(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        thread = await stage.debate(private=True)
        await finished(thread)
        message = await stage.alice.write(thread, TEXT)
        assert "a private thread" in (await stage.alice.menu(message, MENU)).text
        assert "a public thread" in (await bob.slash(stage.channel, "detect", text=TEXT)).text


@pytest.mark.slow
async def test_a_personas_post_is_examined_as_the_whole_speech_with_speaker_and_turn(stage: Stage, bob: Person) -> None:
    async with looking(stage, {"detectors/check": {"quotes": [], "reason": "So it goes.", "present": "yes"}}):
        thread = await stage.debate()
        await finished(thread)
        offer = await bob.menu(speech_in(thread, "opening"), MENU)
        told = await result(stage, bob, offer)
        events = [r.event for r in await stage.events(stage.thread())]
        source = stage.session(thread)
    assert "The text that is examined** (pro, turn 1)" in told
    assert events[0].source == source  # type: ignore[union-attr]


async def test_what_the_bot_posted_is_not_examined_while_people_sit_in_a_debate_that_goes_on(
    stage: Stage, bob: Person
) -> None:
    async with looking(stage):
        thread = await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS, topics=1)
        await turn_of(thread, bob)
        opened = next(p for p in posts(thread) if p.content.endswith("#1.1"))
        assert "That session goes on" in (await stage.alice.menu(opened, MENU)).text
        assert "Look for biases?" in (await stage.alice.menu(await stage.alice.write(thread, TEXT), MENU)).text


def speech_in(thread: Channel, about: str) -> Message:
    """The first persona's post about this."""
    return next(p for p in posts(thread) if p.webhook_id and f"-# {about}" in p.content)
