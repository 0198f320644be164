"""A member's name comes with their agreement; before it, it stands in no file and in no post of the bot."""

from __future__ import annotations

import pytest

from elenchus.bot.people.consent import VERSION
from elenchus.bot.people.members import is_named
from elenchus.debate_engine.events import SeatNamed
from elenchus.debate_engine.reports.view import SessionView
from tests.bot.people.seated import SPEECH, agree, kinds, settle, speak, turn_for
from tests.bot.stage import Stage, finished, posts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

NAME = "Bartholomew Quill"


def called_so(bob: Person) -> None:
    bob.user.name = bob.member.nick = NAME


def files_with(stage: Stage, *words: str) -> list[str]:
    """The bot's files in which any of these words stands."""
    files = {file.name: file.read_bytes() for file in stage.home.rglob("*") if file.is_file()}
    assert "elenchus.db" in files
    return [name for name, content in files.items() if any(word.encode() in content for word in words)]


def shown(thread: Channel) -> str:
    """Everything that the bot has put into a thread: words, embeds, names of those who post, attachments.

    A mention is the bare id there; what a client shows in its place comes from Discord.
    """
    attached = [a.data.decode(errors="replace") for post in posts(thread) for a in post.attachments]
    return "\n".join([f"{post.author.name}: {post.content} {post.embeds}" for post in posts(thread)] + attached)


async def test_before_a_member_agrees_their_name_stands_nowhere_and_then_their_posts_bear_it(
    stage: Stage, bob: Person
) -> None:
    called_so(bob)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")  # the turns before it are passed without agreement
        asked = await bob.press(turn, "Answer")
        assert "What is recorded" in asked.text
        assert files_with(stage, "Bartholomew", "Quill") == []
        assert "Quill" not in shown(thread)
        assert "For: A member (pro)" in shown(thread)
    assert files_with(stage, "Bartholomew", "Quill") == []
    async with stage.running():
        opened = await bob.press(asked.message, "I agree")
        await bob.fill(opened.modal, {"Your words": SPEECH})
        post = await until(lambda: next((p for p in posts(thread) if "seventeen bees" in p.content), None))
    assert post.author.name == f"{NAME} (pro)"
    assert "elenchus.db" in " ".join(files_with(stage, NAME))


@pytest.mark.slow
async def test_who_never_answers_is_named_neither_in_the_thread_nor_in_the_report_nor_in_any_file(
    stage: Stage, bob: Person
) -> None:
    called_so(bob)
    async with stage.running():
        await settle(stage, turn_seconds=0.2, stand_in=True)
        thread = await stage.debate(pro=bob.mention)
        await finished(thread)
    assert "Quill" not in shown(thread)
    assert files_with(stage, "Bartholomew", "Quill") == []


async def test_one_agreement_names_every_seat_of_a_member_once(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, judges=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        await speak(bob, turn)
        named = [(e.seat, e.title) for e in await kinds(stage, thread, SeatNamed) if isinstance(e, SeatNamed)]
        assert named == [("pro", "Bob"), ("judge-1", "Bob")]
        view = SessionView.of(stage.session(thread), await stage.events(thread))
        assert [view.name("pro"), view.name("judge-1")] == ["Bob (pro)", "Bob (judge-1)"]


async def test_a_member_who_agreed_and_was_not_named_before_the_bot_died_is_named_at_the_next_click(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        assert stage.app is not None
        consent = {"member": bob.id, "session": stage.session(thread), "version": VERSION, "at": "2026-01-01T00:00:00Z"}
        await stage.app.store.put("consents", f"{stage.session(thread)}:discord:{bob.id}", consent)
        await bob.press(turn, "Answer")
        view = SessionView.of(stage.session(thread), await stage.events(thread))
        assert is_named(view, "pro")
