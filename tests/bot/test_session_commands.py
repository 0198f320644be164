"""`/session list|show|resume|delete`."""

from __future__ import annotations

import pytest

from elenchus.bot.bindings import Binding
from elenchus.debate_engine.errors import UnknownSession
from tests.bot.people.seated import agree, turn_of
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.debate_engine.reports.debates import started
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission

SCORES = ("A validity", "A credibility", "B validity", "B credibility")


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
        await finished(new)
        assert sum("opening · heat" in text for text in texts(new)) == 2


async def test_a_debate_that_is_over_is_shown_again_where_its_thread_was_deleted(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate()
        session = stage.session(thread)
        await finished(thread)
        here = await stage.alice.slash(thread, "session resume")
        assert "This debate is over, and everything of it stands in its thread." in here.text
        told = [text for text in texts(thread) if "[Report files]" not in text]
        changes.delete_channel(stage.discord.world, thread)
        answer = await stage.alice.slash(stage.channel, "session resume", session=session)
        assert "in a new thread" in answer.text
        await finished(stage.thread())
    assert [text for text in texts(stage.thread()) if "[Report files]" not in text] == told


async def test_a_record_is_deleted_after_one_more_question(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate()
        session = stage.session(thread)
        await finished(thread)
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


async def test_a_deleted_record_takes_the_consents_and_drafts_of_its_people_along(stage: Stage, bob: Person) -> None:
    async with stage.running():
        kept, gone = [await stage.debate(judges=bob.mention) for _ in range(2)]
        for thread in (kept, gone):
            opened = await agree(bob, await turn_of(thread, bob))
            await bob.fill(opened.modal, {"Rationale": "A was clearer.", **dict.fromkeys(SCORES, "5")})
        await stage.alice.slash(gone, "debate stop", reason="enough")
        await finished(gone)
        left = stage.session(kept)
        asked = await stage.alice.slash(gone, "session delete")
        assert "Deleted" in (await stage.alice.press(asked.message, "Delete it for good")).text
        assert stage.app is not None
        assert [key.split(":")[0] for key in await stage.app.store.all("consents")] == [left]
        assert [key.split(":")[0] for key in await stage.app.store.all("drafts")] == [left]


async def test_who_may_no_longer_steer_deletes_nothing(stage: Stage, bob: Person) -> None:
    world = stage.discord.world
    role = world.role(stage.guild, "moderators", Permission.MANAGE_THREADS)
    changes.give_role(world, bob.member, role)
    async with stage.running():
        thread = await stage.debate()
        await finished(thread)
        asked = await bob.slash(thread, "session delete")
        changes.take_role(world, bob.member, role)
        assert "You may not steer" in (await bob.press(asked.message, "Delete it for good")).text
        assert await stage.events(thread)


async def test_a_long_list_says_how_many_are_left_out_and_a_beginning_of_several_ids_is_not_enough(
    stage: Stage, bob: Person
) -> None:
    async with stage.running() as running:
        assert stage.app is not None
        for n in range(17):
            session, first = f"many{n:02}", started(motion=f"Motion {n}")
            await stage.app.log.create(session, first)
            await running.bindings.put(
                Binding(session=session, guild=stage.guild.id, channel=stage.channel.id, thread=n + 1, moderator=1)
            )
        text = (await bob.slash(stage.channel, "session list")).text
        assert sum(f"many{n:02}" in text for n in range(17)) == 15
        assert "… and 2 older ones" in text
        assert "Several debates" in (await bob.slash(stage.channel, "session show", session="many1")).text
        assert "Motion 16" in (await bob.slash(stage.channel, "session show", session="many16")).text
