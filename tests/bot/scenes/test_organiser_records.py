"""What is held on whoever runs scenes, its removal, and the deletion of what was played."""

from __future__ import annotations

import json
from typing import Any

import pytest

from elenchus.bot.scenes.library import NAMESPACE as SCRIPTS
from elenchus.bot.scenes.plays import NAMESPACE as PLAYS
from tests.bot.scenes.acting import called, invitation, over, play_on, session_in, started, taken_part
from tests.bot.scenes.test_several import WHISPER
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

SPEECHES = ("My seventeen-page diary says Luna.", "Luna, says the diary.", "The diary weighed most.")


async def exported(stage: Stage, who: Person) -> dict[str, Any]:
    answer = await who.slash(stage.channel, "privacy export")
    (file,) = [a for message in (answer.message, *answer.followups) for a in message.attachments]
    held: dict[str, Any] = json.loads(file.data)
    return held


async def forgotten(stage: Stage, who: Person) -> str:
    asked = await who.slash(stage.channel, "privacy forget")
    return (await who.press(asked.message, "Remove it for good")).text


async def shelved(stage: Stage) -> str:
    """All that stands in the store of scenes."""
    assert stage.app is not None
    return json.dumps([await stage.app.store.all(namespace) for namespace in (PLAYS, SCRIPTS, "scene-threads")])


async def played(stage: Stage, who: Person) -> Channel:
    thread, asked = await taken_part(stage, who)
    await play_on(thread, who, asked, *SPEECHES)
    await over(thread)
    return thread


# ── who runs scenes ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_runs_scenes_is_shown_them_and_forgotten_once_they_are_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await stage.alice.slash(stage.channel, "scene add", script=("whisper.md", WHISPER))
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        session = session_in(stage, thread)
        held = await exported(stage, stage.alice)
        assert stage.bot is not None
        (play,) = await stage.bot.scenes.sessions.plays.all()
        assert held["scenes run"] == [play.id]
        assert {view.partition("@")[0] for view in held["views of scenes run"]} == {session}
        assert held["scripts added"] == [f"{stage.guild.id}:whisper"]
        said = await forgotten(stage, stage.alice)
        assert "You still run 1 scene in which somebody plays" in said
        assert str(stage.alice.id) in await shelved(stage), "somebody must be told where it breaks off"
        await play_on(thread, bob, asked, *SPEECHES)
        await over(thread)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
        assert "still run" not in await forgotten(stage, stage.alice)
        assert str(stage.alice.id) not in await shelved(stage)
        assert "Nothing is held on you" in (await stage.alice.slash(stage.channel, "privacy export")).text
        assert "whisper" in (await stage.alice.slash(stage.channel, "scene list")).text, "the script is the server's"


async def test_a_play_that_nobody_runs_any_more_looks_for_no_subjects(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        assert "Done" in await forgotten(stage, stage.alice)
        assert "All places are taken" in (await bob.press(invitation(stage), "Take part")).text


# ── deletion ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def deleted(who: Person, where: Channel, **options: Any) -> Answer:
    asked = await who.slash(where, "scene delete", **options)
    return await who.press(asked.message, "Delete it for good")


async def test_a_deleted_scene_leaves_no_record_and_no_words_of_people_and_its_threads_are_told(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread = await played(stage, bob)
        session = session_in(stage, thread)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
        assert "There is no scene here that you run" in (await bob.slash(thread, "scene delete")).text
        assert "Deleted." in (await deleted(stage.alice, control)).text
        assert stage.app is not None
        assert session not in [info.id for info in await stage.app.log.sessions()]
        assert await stage.app.pseudonyms.find(f"discord:{bob.id}") is None
        assert str(bob.id) not in await shelved(stage)
        assert not (await stage.app.store.all(PLAYS))
        assert "There is no scene here that you run" in (await stage.alice.slash(control, "scene status")).text
        assert "You have taken part in no scene" in (await bob.slash(thread, "scene debrief")).text
    for place in (thread, control):
        shown = "\n".join(texts(place))
        assert "diary" not in shown
        assert "deleted" in shown
        assert not any("el:seat:" in str(p.components) or "el:room:" in str(p.components) for p in posts(place))
    assert "Afterwards: what this was about" in "\n".join(texts(thread)), "what it was about stays to be read"
    assert not [f for f in stage.home.rglob("*") if f.is_file() and b"seventeen-page" in f.read_bytes()]


@pytest.mark.slow
async def test_one_subjects_record_can_be_deleted_and_the_others_stay(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        control = await started(stage, subjects=2, conditions="control")
        first = await played(stage, bob)
        second, asked = await taken_part(stage, carla)
        await called(second, carla, asked)
        assert "Somebody still plays" in (await stage.alice.slash(control, "scene delete")).text
        assert "no subject with that number" in (await stage.alice.slash(control, "scene delete", number=3)).text
        await until(lambda: sum("The scene is played." in text for text in texts(control)) == 1)
        assert "Deleted." in (await deleted(stage.alice, control, number=1)).text
        await play_on(second, carla, asked, *SPEECHES)
        await over(second)
        await until(lambda: sum("The scene is played." in text for text in texts(control)) == 2)
        status = (await stage.alice.slash(control, "scene status")).text
        results = (await stage.alice.slash(control, "scene results")).text
    assert "subject 1 · deleted" in status
    assert "subject 2" in status
    assert "1 of 1" in results
    assert "seventeen-page" not in "\n".join(texts(first))
    assert "seventeen-page" in "\n".join(texts(second))


async def test_sessions_say_where_scenes_are(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, _ = await taken_part(stage, bob)
        session = session_in(stage, thread)
        for answer in (
            await stage.alice.slash(control, "session list"),
            await stage.alice.slash(control, "session show"),
            await stage.alice.slash(control, "session delete", session=session),
        ):
            assert "/scene status" in answer.text
        await stage.debate()
        assert "/scene status" in (await stage.alice.slash(stage.channel, "session list")).text
