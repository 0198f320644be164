"""The audience's vote by buttons."""

from __future__ import annotations

from debate_engine.events import VoteClosed, Voted
from tests.bot.people.seated import turn_of
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message


async def asked(thread: Channel, words: str) -> Message:
    """Wait for the post that asks the audience."""
    post: Message = await until(lambda: next((p for p in posts(thread) if words in p.content), None))
    return post


async def votes(stage: Stage, thread: Channel) -> list[tuple[str, str, str]]:
    events = [r.event for r in await stage.events(thread)]
    return [(e.by, e.when, e.side) for e in events if isinstance(e, Voted)]


async def test_a_member_votes_and_changes_the_vote_before_the_debate(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS)
        post = await asked(thread, "before the debate?")
        answer = await bob.press(post, "For")
        assert answer.ephemeral
        assert "**For**" in answer.text
        assert "**Against**" in (await bob.press(post, "Against")).text
        by = f"discord:{bob.id}"
        assert await votes(stage, thread) == [(by, "before", "pro"), (by, "before", "con")]


async def test_the_vote_before_is_closed_by_the_first_speech(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate()
        post = await asked(thread, "before the debate?")
        await until(lambda: any("opening · heat" in text for text in texts(thread)))
        assert "This vote is closed" in (await bob.press(post, "For")).text
        assert await votes(stage, thread) == []


async def test_the_moderator_closes_the_vote_and_the_swing_stands_in_thread_and_report(
    stage: Stage, bob: Person
) -> None:
    carla = stage.discord.world.person("Carla", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)  # nothing is said before he leaves
        await turn_of(thread, bob)
        await carla.press(await asked(thread, "before the debate?"), "Against")
        await bob.slash(thread, "session leave")
        after = await asked(thread, "where do you stand now?")
        await carla.press(after, "For")
        assert "You may not steer this debate" in (await carla.press(after, "Close the vote")).text
        await finished(thread)
        await stage.alice.press(after, "Close the vote")
        await until(
            lambda: any("wins the room" in p.embeds[0].get("description", "") for p in posts(thread) if p.embeds)
        )
        last = await until(lambda: posts(thread)[-1] if posts(thread)[-1].attachments else None)
        assert "This vote is closed" in (await carla.press(after, "Against")).text
        closed = [r.event for r in await stage.events(thread) if isinstance(r.event, VoteClosed)]
        assert [e.when for e in closed] == ["after"]
        exported = await carla.slash(thread, "debate export")
    handed_out = [a for post in (*posts(thread), exported.message, *exported.followups) for a in post.attachments]
    assert any(b"voter-1" in a.data for a in handed_out), "ballots are secret: voters are numbered"
    assert not [a.filename for a in handed_out if str(carla.id).encode() in a.data]
    report = next(a.data for a in last.attachments if a.filename == "report.md").decode()
    assert "voted before and after: for +1 vote, against −1 vote" in report


async def test_who_sits_in_the_debate_is_no_audience(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        assert "no part of its audience" in (await bob.press(await asked(thread, "before the debate?"), "For")).text


async def test_the_buttons_of_a_vote_work_after_a_restart(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS)
        post = await asked(thread, "before the debate?")
    async with stage.running():
        assert "**Undecided**" in (await bob.press(post, "Undecided")).text
