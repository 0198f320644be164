"""The audience's vote by buttons."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.debate_engine.events import VoteClosed, Voted
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView
from tests.bot import child
from tests.bot.people.seated import result_of, seen_before, settle
from tests.bot.stage import Stage, finished, offer_in, posts, texts, until
from tests.debate_engine.reports.debates import debate_in
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message


async def asked(thread: Channel, words: str) -> Message:
    """Wait for the post that asks the audience."""
    post: Message = await until(lambda: next((p for p in posts(thread) if words in p.content), None))
    return post


async def votes(stage: Stage, thread: Channel) -> list[tuple[str, str, str]]:
    events = [r.event for r in await stage.events(thread)]
    return [(e.by, e.when, e.side) for e in events if isinstance(e, Voted)]


async def closed(stage: Stage, thread: Channel) -> list[tuple[str, str]]:
    events = [r.event for r in await stage.events(thread)]
    return [(e.when, e.by) for e in events if isinstance(e, VoteClosed)]


def shown(thread: Channel, words: str) -> bool:
    """Whether anything in the thread says this, posts and panel alike."""
    return any(words in text for text in texts(thread))


async def test_a_member_votes_and_changes_the_vote_before_the_debate(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate()
        post = await asked(thread, "before the debate?")
        answer = await bob.press(post, "For")
        assert answer.ephemeral
        assert "**For**" in answer.text
        assert "**Against**" in (await bob.press(post, "Against")).text
        by = f"discord:{bob.id}"
        assert await votes(stage, thread) == [(by, "before", "pro"), (by, "before", "con")]


async def test_the_opening_waits_for_the_vote_until_a_moderator_begins(stage: Stage, bob: Person) -> None:
    """The models are as fast as can be: without the vote all would be over in a moment."""
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate()
        post = await asked(thread, "before the debate?")
        await until(lambda: shown(thread, "1. "))  # the agenda is agreed
        await asyncio.sleep(1.5)
        assert not shown(thread, "opening · heat")
        assert shown(thread, "The audience votes before the debate; the opening comes <t:")
        await bob.press(post, "Against")
        assert "You may not steer this debate" in (await bob.press(post, "Begin the debate")).text
        before = seen_before(post)
        await stage.alice.press(post, "Begin the debate")
        await until(lambda: shown(thread, "opening · heat"))
        assert "This vote is closed" in (await bob.press(before, "For")).text
        await until(lambda: not post.components)
        assert await closed(stage, thread) == [("before", f"discord:{stage.alice.id}")]
        assert [side for _, _, side in await votes(stage, thread)] == ["con"]


@pytest.mark.slow
async def test_both_votes_close_by_themselves_when_their_time_is_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=0.03)
        thread = await stage.debate()
        await bob.press(await asked(thread, "before the debate?"), "For")
        await bob.press(await asked(thread, "where do you stand now?"), "For")
        await finished(thread)
        assert await closed(stage, thread) == [("before", "elenchus"), ("after", "elenchus")]
        assert [side for _, _, side in await votes(stage, thread)] == ["pro", "pro"]
        assert shown(thread, "The judges")


async def test_nobody_is_shown_the_verdict_while_the_vote_after_is_open(stage: Stage, bob: Person) -> None:
    carla = stage.discord.world.person("Carla", guild=stage.guild)
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate()
        before = await asked(thread, "before the debate?")
        await carla.press(before, "Against")
        await stage.alice.press(before, "Begin the debate")
        after = await asked(thread, "where do you stand now?")
        await until_recorded(stage, thread, "judging/judgement")
        await asyncio.sleep(0.7)
        session, verdict = stage.session(thread), ("The judges", "for the motion wins", "against the motion wins")
        status = (await bob.slash(thread, "debate status")).text
        listed = (await bob.slash(stage.channel, "session show", session=session)).text
        everything = "\n".join([*texts(thread), status, listed])
        assert not [words for words in verdict if words in everything]
        for who in (bob, stage.alice):
            assert "The audience is voting still" in (await who.slash(thread, "debate export")).text
        assert stage.app is not None
        view = SessionView.of(session, await stage.app.log.read(session))
        assert debate_in(view).verdict is None
        assert not debate_in(view).verdict
        files = contents_of(session, await stage.app.log.read(session))
        assert b"rulings" not in files["report.md"]
        await carla.press(after, "For")
        open_still = seen_before(after)
        await stage.alice.press(after, "Close the vote")
        await finished(thread)
        assert shown(thread, "The judges")
        assert "This vote is closed" in (await carla.press(open_still, "Against")).text
        await until(lambda: not after.components)
        exported = await carla.slash(thread, "debate export")
    posted = texts(thread)
    room = next(n for n, text in enumerate(posted) if "motion wins the room" in text)
    assert room < next(n for n, text in enumerate(posted) if "The judges" in text)
    assert "+1 (+100 points)" in posted[room].replace("\\", "")
    assert "%" not in posted[room]
    handed_out = [a for post in (*posts(thread), exported.message, *exported.followups) for a in post.attachments]
    assert any(b"voter-1" in a.data for a in handed_out), "ballots are secret: voters are numbered"
    assert not [a.filename for a in handed_out if str(carla.id).encode() in a.data]
    report = next(a.data for a in handed_out if a.filename.endswith("report.md")).decode()
    assert "voted before and after: for +1 vote, against −1 vote" in report


async def test_a_debate_that_is_stopped_while_the_room_votes_shows_the_verdict_there_is(stage: Stage) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate()
        await stage.alice.press(await asked(thread, "before the debate?"), "Begin the debate")
        post = seen_before(await asked(thread, "where do you stand now?"))
        await until_recorded(stage, thread, "judging/judgement")
        await stage.alice.slash(thread, "debate stop", reason="Enough.")
        await finished(thread)
        assert "This vote is closed" in (await stage.alice.press(post, "For")).text
        assert shown(thread, "The judges")


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_vote_goes_on_after_the_bot_died_and_closes_when_it_should_have(
    stage: Stage, bob: Person, when: str
) -> None:
    words = {"before": "before the debate?", "after": "where do you stand now?"}
    async with stage.running():
        await settle(stage, vote_minutes=10)
    async with child.bot(stage) as first:
        pressed = await stage.alice.press(offer_in(await stage.offer()), "Start")
        await until(lambda: "The debate is in" in pressed.text)
        thread = stage.thread()
        post = await asked(thread, words["before"])
        if when == "after":
            await stage.alice.press(post, "Begin the debate")
            post = await asked(thread, words["after"])
        await bob.press(post, "For")
        await first.kill()
    async with stage.running():
        await asyncio.sleep(1)
        assert not shown(thread, "opening · heat" if when == "before" else "The judges")
        assert "**Undecided**" in (await bob.press(post, "Undecided")).text
        await stage.alice.press(post, "Begin the debate" if when == "before" else "Close the vote")
        if when == "before":
            await until(lambda: shown(thread, "opening · heat"))
        else:
            await finished(thread)
        mine = [side for _, at, side in await votes(stage, thread) if at == when]
        assert mine == ["pro", "undecided"]
        assert len([post for post in posts(thread) if words[when] in post.content]) == 1


@pytest.mark.slow
async def test_a_vote_whose_time_ran_out_while_the_bot_was_away_is_closed_at_its_return(stage: Stage) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=0.05)
        thread = await stage.debate()
        await asked(thread, "before the debate?")
    await asyncio.sleep(3)
    async with stage.running():
        await finished(thread)
        assert await closed(stage, thread) == [("before", "elenchus"), ("after", "elenchus")]


async def test_nobody_votes_on_an_open_question(stage: Stage) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate(open_question=True)
        await finished(thread)
        assert not shown(thread, "where do you stand")


async def test_who_sits_in_the_debate_is_no_audience(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate(pro=bob.mention)
        assert "no part of its audience" in (await bob.press(await asked(thread, "before the debate?"), "For")).text


async def until_recorded(stage: Stage, thread: Channel, step: str) -> None:
    """Wait until the log has a step's result."""
    for _ in range(2_000):
        if await result_of(stage, thread, step) is not None:
            return
        await asyncio.sleep(0.05)
