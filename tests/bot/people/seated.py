"""Debates with a member on a seat, for the tests."""

from __future__ import annotations

from copy import copy
from typing import Any

from elenchus.bot.bindings import OVER
from elenchus.bot.guild import GuildSettings, keep
from elenchus.debate_engine.events import Event, StepDone
from tests.bot.stage import DEMO, VOTE, Stage, finished, posts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

SPEECH = "My grandmother kept seventeen bees in Lisbon, so cars must go."


async def turn_of(thread: Channel, who: Person, after: Message | None = None, patience: float = 120) -> Message:
    """Wait for the newest post that calls a member to a turn, made after another post."""

    def found() -> Message | None:
        called = [p for p in posts(thread) if who.id in p.pinged and "el:turn:" in str(p.components)]
        new = [p for p in called if after is None or p.id > after.id]
        return new[-1] if new else None

    post: Message = await until(found, patience)
    return post


async def question(thread: Channel, after: Message | None = None) -> Message:
    """Wait for the question whether a message is the answer."""

    def found() -> Message | None:
        asked = [p for p in posts(thread) if "el:plain:" in str(p.components)]
        return next((p for p in asked if after is None or p.id > after.id), None)

    post: Message = await until(found)
    return post


async def vote_in(thread: Channel, words: str) -> Message:
    """Wait for the audience's vote that is called so."""
    post: Message = await until(lambda: next((p for p in posts(thread) if words in p.content), None))
    return post


def seen_before(post: Message) -> Message:
    """The post as it stands now for somebody whose Discord will not hear of its next edit."""
    return copy(post)


async def agree(who: Person, turn: Message) -> Answer:
    """Press Answer for the first time and agree; the answer that brings the form."""
    asked = await who.press(turn, "Answer")
    return await who.press(asked.message, "I agree")


async def speak(who: Person, turn: Message, text: str = SPEECH, *, first: bool = False) -> Answer:
    """Answer an open turn with a speech; the answer to the filled-in form."""
    opened = await agree(who, turn) if first else await who.press(turn, "Answer")
    return await who.fill(opened.modal, {"Your words": text})


async def result_of(stage: Stage, thread: Channel, step: str) -> Any:
    """What the log holds as a step's result, None as long as there is none."""
    events = [r.event for r in await stage.events(thread)]
    return next((e.result for e in events if isinstance(e, StepDone) and e.step == step), None)


async def turn_for(thread: Channel, who: Person, words: str, after: Message | None = None) -> Message:
    """Pass every turn until the one whose call has these words."""
    turn = await turn_of(thread, who, after)
    while words not in turn.content:
        await who.press(turn, "Pass")
        turn = await turn_of(thread, who, turn)
    return turn


async def kinds(stage: Stage, thread: Channel, kind: type[Event]) -> list[Event]:
    """The events of one kind in a thread's session."""
    return [r.event for r in await stage.events(thread) if isinstance(r.event, kind)]


async def settle(stage: Stage, **changes: object) -> None:
    """Change the server's settings while the bot runs."""
    assert stage.app is not None
    settings = GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone", vote_minutes=VOTE)
    await keep(stage.app.store, stage.guild.id, settings.model_copy(update=changes))


async def over(stage: Stage, thread: Channel) -> None:
    """Wait until the bot has nothing more to do for a debate."""
    await finished(thread)
    assert stage.bot is not None
    await until(lambda: stage.bot and stage.bot.bindings.in_thread(thread.id).closed == OVER)


def traces(thread: Channel, who: Person) -> list[str]:
    """What in a thread names a member: posts that call them, and attached files with their id."""
    calls = [post.content for post in posts(thread) if who.mention in post.content]
    return calls + [a.filename for p in posts(thread) for a in p.attachments if str(who.id).encode() in a.data]


async def waiting(stage: Stage, *people: Person) -> Channel:
    """A debate that waits for the first of these members; the others sit as well."""
    await settle(stage, turn_seconds=60)
    seats: dict[str, Any] = {seat: one.mention for seat, one in zip(("pro", "con", "judges"), people, strict=False)}
    thread = await stage.debate(**seats)
    await turn_of(thread, people[0])
    return thread


async def stop(stage: Stage, thread: Channel) -> None:
    """End the debate as its moderator."""
    assert (await stage.alice.slash(thread, "debate stop", reason="Enough.")).text
