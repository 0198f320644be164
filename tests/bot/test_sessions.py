"""`/session list|show|resume|delete`."""

from __future__ import annotations

import pytest

from debate_engine.errors import UnknownSession
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person

ENDLESS = "scripted:demo?latency=60"


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.discord.world.person("Bob", guild=stage.guild)


async def test_the_list_shows_the_debates_of_this_server_newest_first(stage: Stage, bob: Person) -> None:
    async with stage.running():
        assert "There is no debate here yet" in (await bob.slash(stage.channel, "session list")).text
        await stage.debate(motion="First **motion** @everyone", pro=ENDLESS, con=ENDLESS)
        await stage.debate(motion="Second motion", pro=ENDLESS, con=ENDLESS)
        answer = await bob.slash(stage.channel, "session list")
        assert answer.ephemeral
        text = answer.text
        assert text.index("Second motion") < text.index("First")
        assert "▶ running" in text
        assert "@everyone" not in text


async def test_a_private_debate_is_listed_for_its_moderator_and_the_servers_alone(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(motion="A secret matter", private=True, pro=ENDLESS, con=ENDLESS)
        assert "A secret matter" not in (await bob.slash(stage.channel, "session list")).text
        refused = await bob.slash(stage.channel, "session show", session=stage.session(thread))
        assert "No debate here has an id" in refused.text
        assert "A secret matter" in (await stage.alice.slash(stage.channel, "session list")).text


async def test_a_debate_is_shown_by_the_beginning_of_its_id(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS)
        answer = await bob.slash(stage.channel, "session show", session=stage.session(thread)[:4])
        assert "Cities should ban cars" in answer.text
        assert "Running" in answer.text
        assert "No debate here has an id" in (await bob.slash(stage.channel, "session show", session="zz")).text


async def test_a_debate_whose_thread_was_deleted_goes_on_in_a_new_one(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro="scripted:demo?latency=0.2")
        session = stage.session(thread)
        await until(lambda: any("opening · heat" in text for text in texts(thread)))
        changes.delete_channel(stage.discord.world, thread)
        await until(lambda: any("was deleted, so I paused" in p.content for p in stage.discord.world.posts))
        refused = await bob.slash(stage.channel, "session resume", session=session)
        assert "You may not steer" in refused.text
        answer = await stage.alice.slash(stage.channel, "session resume", session=session)
        assert "in a new thread" in answer.text
        new = stage.thread()
        assert new is not thread
        await until(lambda: any("report.md" in text for text in texts(new)))
        assert sum("opening · heat" in text for text in texts(new)) == 2


async def test_a_record_is_deleted_after_one_more_question(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate()
        session = stage.session(thread)
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert "You may not steer" in (await bob.slash(thread, "session delete")).text
        asked = await stage.alice.slash(thread, "session delete")
        assert "This cannot be undone" in asked.text
        assert "Deleted" in (await stage.alice.press(asked.message, "Delete it for good")).text
        assert stage.app is not None
        with pytest.raises(UnknownSession):
            await stage.app.log.read(session)
        assert posts(thread)
        assert "There is no debate here" in (await bob.slash(stage.channel, "session list")).text


async def test_a_running_debate_is_not_deleted(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS)
        asked = await stage.alice.slash(thread, "session delete")
        refused = await stage.alice.press(asked.message, "Delete it for good")
        assert "still running: stop it first" in refused.text
