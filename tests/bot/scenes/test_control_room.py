"""The control room: what it shows, its panel, and who may use it."""

from __future__ import annotations

import asyncio
import re

import pytest

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.scenes.start_command import minutes_of_posting
from elenchus.debate_engine.events import Guidance, PauseAsked, ResumeAsked
from tests.bot.scenes.acting import (
    MODEL,
    agree,
    all_posts,
    called,
    client,
    finished,
    invitation,
    kinds,
    offered,
    over,
    panel,
    play_on,
    started,
    taken_part,
)
from tests.bot.stage import PATIENCE, VOTE, Stage, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Message

OFF = {"what": "It is about coffee.", "why": "The rule is not.", "deviation": "micro", "steps": ["Speak of slips."]}


async def test_it_shows_who_spoke_to_whom_for_what_purpose_and_what_was_sent_back(stage: Stage, bob: Person) -> None:
    stage.scripts["scene"] = client(supervise=OFF)
    async with stage.running():
        control = await started(stage, conditions="treatment")
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, "Coffee.", "Coffee.", "Coffee.")
        await finished(stage, thread)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
    told = "\n".join(texts(control))
    for part in (
        "A scene begins** · treatment",
        "→ Robin · unicast · rule 3 · figuring things out",
        "→ Robin, Noor · self-receiving · rule 1",
        "Reply 1, sent back and heard by nobody",
        "Deviation (micro, seen by the system agent):",
        "1. Speak of slips.",
        "The supervisor's note",
        "Robin departs from the rule",
        "Robin was told what the scene was about.",
        "Robin: present** · 2 yes, 0 no",
    ):
        assert part in told, part


async def test_before_it_starts_it_says_what_it_costs_and_starts_only_when_confirmed(stage: Stage, bob: Person) -> None:
    async with stage.running():
        answer = await offered(stage, subjects=2, minutes=10)
        for part in ("Start this scene?", "calls", "tokens in", "2 as Robin (open to members)", "drawn by lot"):
            assert part in answer.text, part
        cancelled = await stage.alice.press(answer.with_buttons, "Cancel")
        assert "Nothing was started" in cancelled.text
    assert not [place for place in stage.guild.channels.values() if place.is_thread]


async def test_many_subjects_take_as_long_as_discord_lets_their_words_through(stage: Stage, bob: Person) -> None:
    """A channel's webhook makes 30 posts a minute, in all threads; the models of this test take no time."""
    async with stage.running():
        few, many = [minutes_in((await offered(stage, subjects=number)).text) for number in (1, 30)]
    posts = 30 * many * 30 / 34  # the room shows the faces of four of the thirty
    assert posts > 30 * 5, "everybody's scene has several turns"
    assert many >= 10 * few
    assert minutes_of_posting(said=300, places=30) == pytest.approx(300 * 34 / 30 / 30, abs=0.01)


def minutes_in(offer: str) -> int:
    found = re.search(r"about \*\*(\d+)\*\* min", offer)
    assert found, offer
    return int(found[1])


async def test_debates_and_scenes_are_paid_from_the_same_budget_of_the_day(stage: Stage, bob: Person) -> None:
    async with stage.running():
        assert stage.app is not None
        settings = GuildSettings(
            debater=MODEL, judges=(MODEL,), start="everyone", vote_minutes=VOTE, day_tokens=200_000
        )
        await keep(stage.app.store, stage.guild.id, settings)
        await started(stage, subject=bob.mention)
        refused = await stage.offer()
        assert "The server's budget of today has 0 tokens left" in refused.text
        assert "The server's budget of today has 0 tokens left" in (await offered(stage)).text


async def test_pausing_holds_the_scene_and_the_subject_knows_what_is_waited_for(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        await until(lambda: "**Now:** you" in panel(thread).embeds[0]["description"])
        assert "pauses" in (await stage.alice.press(panel(control, "el:room:"), "Pause")).text
        await until(lambda: "**Now:** a pause" in panel(thread).embeds[0]["description"])
        assert any("You need not do anything" in text for text in texts(thread))
        await until(lambda: "Resume" in str(panel(control, "el:room:").components))
        assert "It goes on" in (await stage.alice.press(panel(control, "el:room:"), "Resume")).text
        await until(lambda: any("The scene goes on" in text for text in texts(thread)))
        await play_on(thread, bob, asked, "Luna.")
        assert len(await kinds(stage, thread, PauseAsked)) == len(await kinds(stage, thread, ResumeAsked)) == 1
        assert turn.id


async def test_a_word_from_outside_is_heard_before_the_next_turn_and_stands_in_the_record(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        form = await stage.alice.press(panel(control, "el:room:"), "A word to…")
        sent = await stage.alice.fill(form.modal, {"to": "Robin", "text": "Take your time."})
        assert "before the next turn" in sent.text
        await play_on(thread, bob, asked, "Luna.", "Luna.", "Shade.")
        played = await finished(stage, thread)
        (word,) = await kinds(stage, thread, Guidance)
    assert word.to == ("Robin",)
    assert "Take your time." in [entry.content for entry in played.record]
    assert any("From whoever runs this scene:* Take your time." in text for text in texts(thread))


async def test_a_kind_end_comes_with_the_debriefing_and_counts_nowhere(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        sure = await stage.alice.press(panel(control, "el:room:"), "End kindly…")
        assert "will count nowhere" in sure.text
        await stage.alice.press(sure.message, "Yes, end it")
        await over(thread)
        assert (await finished(stage, thread)).ended == "closed"
    told = "\n".join(texts(thread))
    assert "nothing of that is due to you" in told
    assert "Afterwards: what this was about" in told


async def test_stopping_a_play_ends_all_its_scenes_kindly_and_gives_no_more_places(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subjects=3)
        (one, asked), (other, also) = await taken_part(stage, bob), await taken_part(stage, carla)
        await called(one, bob, asked)
        await called(other, carla, also)
        shown = (await stage.alice.slash(control, "scene status")).text
        assert "subject 1 · ▶ Running · rule 4 of 13 · waiting for Robin" in shown
        assert "subject 2 · ▶ Running" in shown
        assert "They end kindly" in (await stage.alice.slash(control, "scene stop")).text
        await over(one)
        await over(other)
        dora = stage.discord.world.person("Dora", guild=stage.guild)
        assert "No scene of this server" in (await dora.slash(stage.channel, "scene join")).text


async def test_only_who_runs_it_or_moderates_the_server_uses_it(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        assert not carla.can_see(panel(control, "el:room:"))
        assert not bob.can_see(panel(control, "el:room:"))
        assert not carla.can_see(panel(thread))
        for command in ("scene status", "scene stop", "scene results"):
            assert "There is no scene here that you run" in (await carla.slash(stage.channel, command)).text


async def test_a_deleted_thread_pauses_the_scene_and_resuming_opens_a_new_one(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        last = await play_on(thread, bob, asked, "Luna gave more.")
        await called(thread, bob, last)
        changes.delete_channel(stage.discord.world, thread)
        told = stage.discord.world
        await until(lambda: any("A thread of “Seeds for the shady bed” was deleted" in p.content for p in told.posts))
        await until(lambda: "Resume" in str(panel(control, "el:room:").components))
        assert "It goes on" in (await stage.alice.press(panel(control, "el:room:"), "Resume")).text
        await until(lambda: all_posts(stage, bob).id != thread.id)
        fresh = all_posts(stage, bob)
        turn = await called(fresh, bob, words="to speak to everybody")
        assert any("Luna gave more." in text for text in texts(fresh)), "it shows the scene from its beginning"
        await play_on(fresh, bob, [p for p in posts(fresh) if p.id < turn.id][-1], "Luna.", "Shade.")
        await over(fresh)


async def resumable(stage: Stage, number: int) -> Message:
    """Wait until a subject's scene is paused; the answer with the button."""
    async with asyncio.timeout(PATIENCE):
        for _ in range(600):
            answer = await stage.alice.slash(stage.channel, "scene status")
            if f"Resume {number}" in str([message.components for message in (answer.message, *answer.followups)]):
                return answer.with_buttons
            await asyncio.sleep(0.1)
    raise AssertionError("it is not paused")


async def test_a_deleted_control_room_is_made_anew_once_for_all_its_subjects(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subjects=3)
        first, asked = await taken_part(stage, bob)
        second, asked_too = await taken_part(stage, carla)
        await called(first, bob, asked)
        await called(second, carla, asked_too)
        changes.delete_channel(stage.discord.world, control)
        for number in (1, 2):  # else the second goes on in the room that the first one's resuming has made
            await resumable(stage, number)
        for number in (1, 2):
            status = await resumable(stage, number)
            assert "It goes on" in (await stage.alice.press(status, f"Resume {number}")).text
        rooms = [c for c in stage.guild.channels.values() if c.is_thread and c.name.startswith("Control")]
        assert len(rooms) == 1
        await until(lambda: {"subject 1", "subject 2"} <= set(re.findall(r"subject \d", "\n".join(texts(rooms[0])))))
        await play_on(first, bob, asked, "Luna gave more.", "Luna.", "Shade.")
        await over(first)
        await until(lambda: any("The scene is played." in text for text in texts(rooms[0])))
        dora = stage.discord.world.person("Dora", guild=stage.guild)
        assert "Your thread is" in (await dora.press(invitation(stage), "Take part")).text
        await until(lambda: any("subject 3" in text for text in texts(rooms[0])))


async def test_a_subject_who_leaves_the_server_ends_the_scene_kindly(stage: Stage, bob: Person) -> None:
    stage.settings = stage.settings.model_copy(update={"members": True})
    async with stage.running():
        control = await started(stage, subject=bob.mention)
        thread = all_posts(stage, bob)
        asked = await agree(thread, bob)
        await called(thread, bob, asked)
        await bob.leave()
        await until(lambda: any("Ended early" in text for text in texts(control)))
