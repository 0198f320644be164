"""What is held on a member, and its removal, in the records and in the thread."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from debate_engine.events import Redacted
from tests.bot.people.seated import speak, turn_for
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import May
from tests.fakes.discord.state import Channel


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.discord.world.person("Bob", guild=stage.guild)


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
        await until(lambda: any("report.md" in text for text in texts(thread)))
        recorded = await records(stage)
        assert stage.app is not None
        assert await stage.app.shelf.all("consents") == {}
        for gone in ("seventeen", "bees", "Lisbon", str(bob.id), "Bob"):
            assert gone not in recorded
        for file in filter(Path.is_file, stage.home.rglob("*")):
            assert b"seventeen bees" not in file.read_bytes()
        redactions = [r for r in await stage.events(thread) if isinstance(r.event, Redacted)]
        assert len(redactions) == 1
    for gone in ("seventeen bees", "Bob", bob.mention):
        assert not any(gone in text for text in texts(thread))
    assert any("were removed from the record" in text for text in texts(thread))


async def test_a_finished_debate_forgets_a_member_and_a_vote_stays_without_the_name(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate()
        await until(lambda: any("report.md" in text for text in texts(thread)))
        vote = next(p for p in posts(thread) if "where do you stand now" in p.content)
        await bob.press(vote, "For")
        asked = await bob.slash(thread, "privacy forget")
        assert "1 vote" in asked.text
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        recorded = await records(stage)
        assert str(bob.id) not in recorded
        assert '"side": "pro"' in recorded


async def test_posts_that_may_not_be_deleted_are_counted(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await spoken(stage, bob)
        changes.deny(stage.discord.world, stage.channel, stage.discord.world.bot, May.VIEW_CHANNEL)
        asked = await bob.slash(stage.channel, "privacy forget")
        done = await bob.press(asked.message, "Remove it for good")
        assert "could not be deleted: ask a moderator" in done.text
        assert "seventeen" not in await records(stage)


async def test_the_report_of_a_finished_debate_is_replaced_by_one_without_the_words(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await spoken(stage, bob)
        await bob.slash(thread, "session leave")
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert any(b"seventeen bees" in a.data for p in posts(thread) for a in p.attachments)
        asked = await bob.slash(thread, "privacy forget")
        await bob.press(asked.message, "Remove it for good")
        again = await until(lambda: next((p for p in posts(thread) if "were removed" in p.content), None))
    attached = [a for p in posts(thread) for a in p.attachments]
    assert "report.md" in [a.filename for a in again.attachments]
    for gone in (b"seventeen bees", b"Bob", str(bob.id).encode()):
        assert not any(gone in a.data for a in attached)


async def test_a_member_asks_from_a_direct_message_and_a_moderator_is_forgotten_too(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(who=bob)
        await until(lambda: any("report.md" in text for text in texts(thread)))
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
