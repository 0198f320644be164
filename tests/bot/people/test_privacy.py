"""What is held on a member, and its removal, in the records and in the thread."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing
from pathlib import Path

import pytest

from elenchus.bot.rendering.posts import all_posts
from elenchus.debate_engine.events import Redacted
from elenchus.storage.sqlite_log import open_log
from tests.bot.people.seated import agree, settle, speak, turn_for, turn_of
from tests.bot.posting.standing import WEBHOOK, marks, speeches
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel

PICTURE = re.compile(rb"base64,[A-Za-z0-9+/=]+")
"""Any short word may stand in it by chance."""


async def spoken(stage: Stage, bob: Person) -> Channel:
    """A debate in which Bob's opening stands in the thread, and in which he has voted before that in another one."""
    thread = await stage.debate(pro=bob.mention)
    await speak(bob, await turn_for(thread, bob, "opening speech"), first=True)
    await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
    return thread


async def records(stage: Stage) -> str:
    assert stage.app is not None
    logs = [await stage.app.log.read(info.id) for info in await stage.app.log.sessions()]
    return "\n".join(json.dumps(r.line(), ensure_ascii=False) for log in logs for r in log)


async def redacted(stage: Stage, thread: Channel) -> None:
    """Wait until the log has forgotten somebody."""
    assert stage.app is not None
    async with asyncio.timeout(60), aclosing(stage.app.log.follow(stage.session(thread))) as events:
        async for r in events:
            if isinstance(r.event, Redacted):
                return


async def test_a_member_gets_everything_that_is_held_on_them_and_only_they_see_it(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        answer = await bob.slash(stage.channel, "privacy export")
        session = stage.session(thread)
    assert answer.ephemeral
    (file,) = [a for message in (answer.message, *answer.followups) for a in message.attachments]
    held = json.loads(file.data)
    assert held["member"] == f"discord:{bob.id}"
    assert [s["session"] for s in held["sessions"]] == [session]
    assert held["sessions"][0]["seats"] == ["pro"]
    assert "seventeen bees" in json.dumps(held["sessions"])
    assert [c["session"] for c in held["consents"]] == [session]


async def test_somebody_on_whom_nothing_is_held_is_told_so(stage: Stage, bob: Person) -> None:
    async with stage.running():
        assert "Nothing is held on you" in (await bob.slash(stage.channel, "privacy export")).text
        assert "Nothing is held on you" in (await bob.slash(stage.channel, "privacy forget")).text


async def test_a_running_debate_forgets_a_member_and_goes_on_without(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "1 session" in asked.text
        done = await bob.press(asked.message, "Remove it for good")
        assert "Done" in done.text
        assert "could not be deleted" not in done.text
        await finished(thread)
        recorded = await records(stage)
        assert stage.app is not None
        assert await stage.app.store.all("consents") == {}
        for gone in ("seventeen", "bees", "Lisbon", str(bob.id), "Bob"):
            assert gone not in recorded
        for file in filter(Path.is_file, stage.home.rglob("*")):
            assert b"seventeen bees" not in file.read_bytes()
        redactions = [r for r in await stage.events(thread) if isinstance(r.event, Redacted)]
        assert len(redactions) == 1
    for gone in ("seventeen bees", "Bob", bob.mention):
        assert not any(gone in text for text in texts(thread))
    assert any("were removed from the record" in text for text in texts(thread))


@pytest.mark.slow
async def test_a_finished_debate_forgets_a_member_and_a_vote_stays_without_the_name(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=0.05)
        thread = await stage.debate()
        vote = await until(lambda: next((p for p in posts(thread) if "where do you stand now" in p.content), None))
        await bob.press(vote, "For")
        await finished(thread)
        asked = await bob.slash(thread, "privacy forget")
        assert "1 vote" in asked.text
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        recorded = await records(stage)
        assert str(bob.id) not in recorded
        assert '"side": "pro"' in recorded


async def test_a_post_that_was_on_its_way_when_its_words_were_forgotten_is_deleted_when_it_arrives(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        with stage.discord.faults.hold(*WEBHOOK, having="thread_id"):
            await speak(bob, turn, first=True)
            await until(lambda: stage.discord.faults.waiting(*WEBHOOK))
            asked = await bob.slash(stage.channel, "privacy forget")
            pressed = asyncio.create_task(bob.press(asked.message, "Remove it for good"))
            await asyncio.wait({pressed}, timeout=1)  # it waits for the post
        assert "Done" in (await pressed).text
        await until(lambda: any("were removed from the record" in text for text in texts(thread)))
    assert any("seventeen bees" in call.body["content"] for call in speeches(stage)), "it was on its way"
    assert not any("seventeen bees" in text for text in texts(thread))


@pytest.mark.slow
async def test_what_waited_to_be_posted_is_posted_without_the_words_that_were_forgotten_meanwhile(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        with stage.discord.faults.hold(*WEBHOOK, having="thread_id"):
            await speak(bob, turn, first=True)
            await until(lambda: stage.discord.faults.waiting(*WEBHOOK))  # the opening of pro, and Bob's behind it
            await asyncio.sleep(0.3)
            asked = await bob.slash(stage.channel, "privacy forget")
            pressed = asyncio.create_task(bob.press(asked.message, "Remove it for good"))
            await redacted(stage, thread)
        assert "Done" in (await pressed).text
        await finished(thread)
        events = await stage.events(thread)
        removed = next(r.seq for r in events if isinstance(r.event, Redacted))
        later = [post.mark for post in all_posts(stage.session(thread), events) if post.mark.seq >= removed]
        await until(lambda: [mark for mark in marks(thread) if mark.seq >= removed] == later)
    assert marks(thread) == sorted(set(marks(thread)))
    assert not any("seventeen bees" in call.body["content"] for call in speeches(stage))


async def test_posts_that_may_not_be_deleted_are_counted(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await spoken(stage, bob)
        changes.deny(stage.discord.world, stage.channel, stage.discord.world.bot, Permission.VIEW_CHANNEL)
        asked = await bob.slash(stage.channel, "privacy forget")
        done = await bob.press(asked.message, "Remove it for good")
        assert "could not be deleted: ask a moderator" in done.text
        assert "seventeen" not in await records(stage)


@pytest.mark.slow
async def test_the_report_of_a_finished_debate_is_replaced_by_one_without_the_words(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        await bob.slash(thread, "session leave")
        await finished(thread)
        assert any(b"seventeen bees" in a.data for p in posts(thread) for a in p.attachments)
        asked = await bob.slash(thread, "privacy forget")
        await bob.press(asked.message, "Remove it for good")
        again = await until(lambda: next((p for p in posts(thread) if "were removed" in p.content), None))
    attached = [PICTURE.sub(b"", a.data) for p in posts(thread) for a in p.attachments]
    assert "report.md" in [a.filename for a in again.attachments]
    for gone in (b"seventeen bees", b"Bob", str(bob.id).encode()):
        assert not any(gone in data for data in attached)


async def test_a_debate_that_was_stopped_shows_that_somebody_was_forgotten_afterwards(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        reason = await stage.alice.slash(thread, "debate stop", reason="Enough.")
        assert reason.text
        await finished(thread)
        await until(lambda: stage.bot and stage.bot.bindings.in_thread(thread.id).closed)
        asked = await bob.slash(thread, "privacy forget")
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        await until(lambda: any("were removed from the record" in text for text in texts(thread)))


async def test_a_member_asks_from_a_direct_message_and_a_moderator_is_forgotten_too(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(who=bob)
        await finished(thread)
        direct = stage.discord.world.dm(bob.user)
        answer = await bob.slash(direct, "privacy export")
        held = json.loads(next(a.data for m in (answer.message, *answer.followups) for a in m.attachments))
        assert held["moderated"] == [stage.session(thread)]
        asked = await bob.slash(direct, "privacy forget")
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        assert "Nothing is held on you" in (await bob.slash(direct, "privacy export")).text


async def test_who_sits_gets_no_report_before_the_end(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        refused = await bob.slash(thread, "debate export")
        assert "its report is there for you when it is over" in refused.text


async def test_what_a_deleted_record_left_in_the_store_is_removed_too(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(judges=bob.mention)
        opened = await agree(bob, await turn_of(thread, bob))
        scores = dict.fromkeys(("A validity", "A credibility", "B validity", "B credibility"), "5")
        await bob.fill(opened.modal, {"Rationale": "A was clearer.", **scores})
        session = stage.session(thread)
    other = await open_log(stage.home / "elenchus.db")
    await other.delete(session)
    await other.aclose()
    async with stage.running():
        assert stage.app is not None
        assert len(await stage.app.store.all("drafts")) == len(await stage.app.store.all("consents")) == 1
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "in 0 sessions" in asked.text
        await bob.press(asked.message, "Remove it for good")
        assert "Nothing is held on you" in (await bob.slash(stage.channel, "privacy export")).text
        assert "Nothing is held on you" in (await bob.slash(stage.channel, "privacy forget")).text
        assert await stage.app.store.all("drafts") == await stage.app.store.all("consents") == {}


async def test_who_moderates_a_debate_that_goes_on_is_told_to_ask_again(stage: Stage, bob: Person) -> None:
    async with stage.running() as running:
        thread = await stage.debate(who=bob, pro=ENDLESS, con=ENDLESS)
        asked = await bob.slash(thread, "privacy forget")
        assert "You still moderate 1 debate" in (await bob.press(asked.message, "Remove it for good")).text
        assert running.bindings.in_thread(thread.id).moderator == bob.id


@pytest.mark.slow
async def test_one_session_can_be_forgotten_and_the_others_stay(stage: Stage, bob: Person) -> None:
    async with stage.running():
        kept, gone = [await stage.debate(judges=bob.mention) for _ in range(2)]
        for thread in (kept, gone):
            await agree(bob, await turn_of(thread, bob))
        asked = await bob.slash(stage.channel, "privacy forget", session=stage.session(gone))
        assert "in 1 session" in asked.text
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        names = [[str(r.line()) for r in await stage.events(thread)] for thread in (kept, gone)]
        assert [any(str(bob.id) in line for line in lines) for lines in names] == [True, False]
        assert stage.app is not None
        assert [key.split(":")[0] for key in await stage.app.store.all("consents")] == [stage.session(kept)]
        assert (await bob.press(await turn_of(kept, bob), "Answer")).has_modal
