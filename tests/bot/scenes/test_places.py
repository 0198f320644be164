"""A subject's place: given again where its scene ended early, with the same lot; whole or not there after a death."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, strategies as st

from elenchus.bot.bindings import NAMESPACE as VIEWS, Binding
from elenchus.bot.scenes import place_opener, play_opener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.thread_opener import NAMESPACE as THREADS
from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.scenes.scene import CONDITIONS
from elenchus.storage.sqlite_log import open_log
from tests.bot import child
from tests.bot.dying import killed
from tests.bot.scenes.acting import (
    SEEDS,
    finished,
    invitation,
    keep_seeds,
    kinds,
    offered,
    over,
    panel,
    play_on,
    session_in,
    started,
    taken_part,
    threads_of,
    version_in,
)
from tests.bot.stage import DEMO, Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

DEATHS = [(1, "before"), (1, "after"), (2, "after"), (4, "before"), (5, "after"), (7, "after")]
"""Around the writes of a place: itself, the session, the thread's opening, the thread's view, the opening's removal,
the room's view, the place's removal. Before the fourth the thread has been made.
"""


def play(places: int) -> Play:
    return Play(
        id="p", guild=1, channel=2, control=3, moderator=4, scene=SEEDS, title="Seeds", subject_seat="Robin",
        seats=(), conditions=CONDITIONS, seed=11, places=places,
    )  # fmt: skip


# ── the lot ──────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 12), st.lists(st.integers(0, 30), max_size=12))
def test_a_place_is_offered_again_once_for_each_who_left(places: int, gone: list[int]) -> None:
    one = play(places)
    ended: set[str] = set()
    for step in range(200):
        if not one.free:
            again = [session for session in one.sessions if session not in ended]
            if not gone:
                break
            session = again[gone.pop() % len(again)]
            ended.add(session)
            one = one.with_place_again(session).with_place_again(session)
            assert one.free == 1
        one = one.with_subject(f"s{step}")
    assert len([session for session in one.sessions if session not in ended]) == places


def test_a_place_that_is_given_again_in_a_play_that_was_closed_opens_no_other() -> None:
    one = play(9).with_subject("a").with_subject("b").model_copy(update={"closed": True})
    assert one.free == 0
    assert one.with_place_again("a").free == 1


# ── given again ──────────────────────────────────────────────────────────────────────────────────────────────────


async def withdrawn(stage: Stage, who: Person) -> Channel:
    thread, _ = await taken_part(stage, who)
    sure = await who.press(panel(thread), "Withdraw")
    await who.press(sure.message, "Yes, withdraw")
    await over(thread)
    await until(lambda: not panel(thread, "").components)
    return thread


@pytest.mark.slow
async def test_the_place_of_somebody_who_withdrew_is_offered_again_in_the_same_version(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subjects=1)
        thread = await withdrawn(stage, bob)
        assert "All places are taken" in (await carla.press(invitation(stage), "Take part")).text
        status = await until(lambda: _with_button(control, "Open a place"))
        assert "One more may take part" in (await stage.alice.press(status, "Open a place")).text
        assert "offered again already" in (await stage.alice.press(status, "Open a place")).text
        invited = invitation(stage)
        assert "You have taken part in this scene already" in (await bob.press(invited, "Take part")).text
        assert went_back(stage, status, "Open a place") == []
        second, asked = await taken_part(stage, carla)
        await play_on(second, carla, asked, "Luna gave more.", "Luna.", "The shade.")
        assert (await finished(stage, second)).ended == ""
        first = await version_in(stage, thread)
        assert await version_in(stage, second) == first
        assert first in CONDITIONS
        assert "1 of 1" in (results := (await stage.alice.slash(control, "scene results")).text) or "0 of 1" in results


def went_back(stage: Stage, panel: Message, label: str) -> list[str]:
    """The edits that took a button off a panel again."""
    made = stage.discord.made("PATCH", "/channels/{channel_id}/messages/{message_id}")
    edits = [str(edit.body) for edit in made if edit.values["message_id"] == str(panel.id)]
    first = next((n for n, text in enumerate(edits) if label in text), len(edits))
    return [text for text in edits[first:] if label not in text]


def _with_button(thread: Channel, label: str) -> Message | None:
    found = [post for post in posts(thread) if label in str(post.components)]
    return found[0] if found else None


async def test_no_place_can_be_opened_where_the_scene_counts(stage: Stage) -> None:
    async with stage.running():
        control = await started(stage, subject="scripted:scene", subjects=1)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
        await until(lambda: _with_button(control, "Results"))
        assert _with_button(control, "Open a place") is None


async def test_a_confederate_who_was_forgotten_is_played_by_the_stand_in_for_later_subjects(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subjects=2, confederate=bob.mention)
        dora = stage.discord.world.person("Dora", guild=stage.guild)
        joined = await dora.press(invitation(stage), "Take part")
        assert "Your thread is" in joined.text
        assert stage.app is not None
        await stage.alice.slash(control, "scene stop", number=1)
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "Done" in (await bob.press(asked.message, "Remove it for good")).text
        thread, question = await taken_part(stage, carla)
        await play_on(thread, carla, question, "Luna gave more.", "Luna.", "The shade.")
        (first,) = await kinds(stage, thread, SessionStarted)
    assert {seat.name: seat.spec for seat in first.seats}["Mika"] == "scripted:scene"


# ── a death in between ───────────────────────────────────────────────────────────────────────────────────────────


def threads(stage: Stage, start: str) -> list[Channel]:
    return [c for c in stage.guild.channels.values() if c.is_thread and c.name.startswith(start)]


async def held(stage: Stage) -> tuple[list[str], list[Binding], int]:
    """The sessions in the log, the views, and how much is still being opened."""
    log = await open_log(stage.home / "elenchus.db")
    sessions = [info.id for info in await log.sessions()]
    views = [Binding.model_validate(one) for one in (await log.key_value_store.all(VIEWS)).values()]
    drawers = (place_opener.NAMESPACE, THREADS, play_opener.NAMESPACE)
    left = sum([len(await log.key_value_store.all(namespace)) for namespace in drawers])
    await log.aclose()
    return sessions, views, left


def invitations(stage: Stage) -> int:
    return sum("el:sjoin:" in str(post.components) for post in posts(stage.channel))


async def settle(stage: Stage) -> None:
    """Let everybody start scenes, with a script on every seat; the server has a scene of its own."""
    await child.settle(stage, DEMO)
    log = await open_log(stage.home / "elenchus.db")
    await keep_seeds(log.key_value_store, stage.guild.id)
    await log.aclose()


async def begun(stage: Stage) -> None:
    """A play with two free places, whose bot has ended."""
    async with child.bot(stage) as bot:
        answer = await offered_there(stage)
        await stage.alice.press(answer, "Start")
        await until(lambda: invitations(stage))
        await bot.end()


async def offered_there(stage: Stage) -> Message:
    return (await stage.alice.slash(stage.channel, "scene start", scene=SEEDS, subjects=2)).with_buttons


@pytest.mark.kill
@pytest.mark.parametrize(("write", "when"), DEATHS)
@pytest.mark.slow
async def test_a_bot_that_dies_while_it_makes_a_subjects_place_leaves_all_of_it_or_nothing(
    stage: Stage, bob: Person, write: int, when: str
) -> None:
    stage.home.mkdir()
    await settle(stage)
    await begun(stage)

    async def join() -> None:
        await bob.press(invitation(stage), "Take part", patience=0)

    await killed(stage, write, when, join, (place_opener.NAMESPACE, THREADS, VIEWS))
    whole = (write, when) != (1, "before")
    async with child.bot(stage) as bot:
        if whole:
            (thread,) = await threads_of(stage, bob, 1)
            await until(lambda: any("Do you agree to take part?" in text for text in texts(thread)))
            assert "You have a place" in (await bob.press(invitation(stage), "Take part")).text
        else:
            assert "Your thread is" in (await bob.press(invitation(stage), "Take part")).text
        await bot.end()
    sessions, views, left = await held(stage)
    assert left == 0
    assert len(sessions) == 1
    assert {view.session for view in views} == set(sessions)
    seats = [view.thread for view in views if view.key.seat is not None]
    assert seats == [thread.id for thread in threads(stage, "You are")]
    assert [view.thread for view in views if view.key.seat is None] == [threads(stage, "Control")[0].id]


@pytest.mark.slow
@pytest.mark.kill
@pytest.mark.parametrize("later", [0, 3_600], ids=["at once", "an hour later"])
@pytest.mark.parametrize(("write", "when"), [(1, "after"), (2, "before"), (2, "after"), (3, "before")])
async def test_a_bot_that_dies_while_it_begins_a_play_has_a_control_room_and_an_invitation_in_the_end(
    stage: Stage, write: int, when: str, later: int
) -> None:
    stage.home.mkdir()
    await settle(stage)

    async def start() -> None:
        await stage.alice.press(await offered_there(stage), "Start", patience=0)

    await killed(stage, write, when, start, (play_opener.NAMESPACE, "plays"))
    stage.discord.world.clock.advance(later)  # beyond the time for which Discord knows a nonce again
    async with child.bot(stage) as bot:
        await until(lambda: invitations(stage) == 1)
        for _ in range(300):
            if (await held(stage))[2] == 0:
                break
            await asyncio.sleep(0.1)
        await bot.end()
    (control,) = threads(stage, "Control")
    assert sum(text.startswith("**Control room** for") for text in texts(control)) == 1
    assert invitations(stage) == 1
    assert (await held(stage))[2] == 0


async def test_who_presses_twice_at_once_gets_one_place(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        await started(stage, subjects=2)
        post = invitation(stage)
        answers = await asyncio.gather(*(bob.press(post, "Take part") for _ in range(3)))
        assert sum("Your thread is" in answer.text for answer in answers) == 1
        assert sum("You have a place in this scene already" in answer.text for answer in answers) == 2
        assert "Your thread is" in (await carla.press(post, "Take part")).text
    assert len(threads(stage, "You are")) == 2


async def test_a_place_that_cannot_be_made_is_free_again_and_nothing_of_it_is_left(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await offered(stage)
        await started(stage)
        stage.discord.faults.fail("POST", "/channels/{channel_id}/threads", 500, times=2)
        assert "reference" in (await bob.press(invitation(stage), "Take part")).text
        assert threads(stage, "You are") == []
        thread, _ = await taken_part(stage, bob)
        assert session_in(stage, thread)
    sessions, _, left = await held(stage)
    assert len(sessions) == 1
    assert left == 0
