"""Pictures of a scene in Discord: in the subject's thread, once each, with their words as the description."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from elenchus.bot.rendering.post import mark_in
from elenchus.debate_engine.events import Said, ShownPicture
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.scenes.library import BUILT_IN
from tests.bot.scenes.acting import all_posts, called, everything, invitation, kinds, speak, started
from tests.bot.stage import Stage, posts, until
from tests.debate_engine.scenes.test_pictures import SCENE
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message
from tests.shipped_scenes import SCENES

LINES = "conformity"
pytestmark = pytest.mark.skipif(LINES not in SCENES, reason="no scene with pictures comes with the program")

ROUTE = ("POST", "/channels/{channel_id}/messages")


def shown_in(thread: Channel) -> list[Message]:
    """The posts that show a picture."""
    return [post for post in posts(thread) if post.attachments]


async def begun(stage: Stage, who: Person) -> tuple[Channel, Message]:
    """Take part, old enough and agreed; the thread, and the first turn."""
    await who.press(invitation(stage), "Take part")
    thread = all_posts(stage, who)
    old_enough = await called(thread, who)
    await who.press(old_enough, "Yes")
    agreeing = await called(thread, who, old_enough)
    await who.press(agreeing, "I agree")
    return thread, await called(thread, who, agreeing)


async def judged(thread: Channel, who: Person, turn: Message) -> Message:
    """Choose the first line; the next turn."""
    assert "You have said it." in (await speak(who, turn, "1")).text
    return await called(thread, who, turn)


async def test_each_round_shows_its_card_with_its_words_as_the_description_and_no_name_that_tells(
    stage: Stage, bob: Person
) -> None:
    cards = {one.sha256: one for one in SCENES[LINES].pictures}
    async with stage.running():
        await started(stage, scene=LINES, conditions="right")
        thread, turn = await begun(stage, bob)
        await judged(thread, bob, await judged(thread, bob, turn))
        found = shown_in(thread)
        said = [event for event in await kinds(stage, thread, Said) if event.picture]
    for post, event in zip(found, said, strict=True):
        (file,) = post.attachments
        card = cards[event.picture.sha256]
        assert file.data == (BUILT_IN / card.file).read_bytes()
        assert file.filename == f"{card.sha256}.png"
        assert file.description == card.alt
        assert "You are shown:" in post.content
        assert "The four before you: Bo" in post.content
        assert "[picture:" not in post.content
        assert "━" not in post.content, "who sees the lines needs no words for them"
    assert len({post.attachments[0].filename for post in found}) == 3, "the first three rounds have cards of their own"


async def test_a_card_stands_once_whatever_is_lost_on_the_way_and_however_often_the_bot_starts(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        await started(stage, scene=LINES, conditions="wrong")
        thread, turn = await begun(stage, bob)
        stage.discord.faults.lose_reply(*ROUTE)
        turn = await judged(thread, bob, turn)
        stage.discord.faults.fail(*ROUTE, 502, after=True)
        turn = await judged(thread, bob, turn)
    async with stage.running():
        await judged(thread, bob, turn)
    marks = [mark for post in posts(thread) if (mark := mark_in(post.content))]
    assert marks == sorted(set(marks)), "in order, and none twice"
    assert len(shown_in(thread)) == 4


async def test_where_the_file_of_a_card_is_gone_its_words_stand_there(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage, scene=LINES, conditions="wrong")
        thread, turn = await begun(stage, bob)
        (second,) = [one for one in SCENES[LINES].pictures if one.name == "card_2"]
        store = PictureStore(stage.home / "pictures")
        store.path_of(ShownPicture(sha256=second.sha256, media_type=second.media_type)).unlink()
        await judged(thread, bob, turn)
        await until(lambda: "The picture cannot be shown. On it is: A line S" in everything(thread))
    assert len(shown_in(thread)) == 1


async def test_the_control_room_reads_what_is_on_a_card(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, scene=LINES, conditions="wrong")
        await begun(stage, bob)
        await until(lambda: "[picture: A line S, and beside it three others:" in everything(control))
    assert not shown_in(control)


async def test_a_script_that_names_pictures_is_refused_in_a_sentence_and_not_kept(stage: Stage) -> None:
    async with stage.running():
        script = ("cards.md", SCENE.encode())
        told = await stage.alice.slash(stage.channel, "scene add", script=script)
        assert "A scene with pictures cannot be added here, as a script brings none of them along" in told.text
        assert "`cards`" not in (await stage.alice.slash(stage.channel, "scene list")).text


def test_no_card_is_named_after_its_answer() -> None:
    files = [Path(one.file).name for one in SCENES[LINES].pictures]
    assert all(re.fullmatch(r"card-\d\.png", name) for name in files)
