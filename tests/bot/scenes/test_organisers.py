"""What whoever runs a scene does for others' turns, and which play a command is for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from elenchus.debate_engine.events import SeatLeft, SessionStarted, TurnExtended, TurnOpened
from tests.bot.scenes.acting import (
    agree,
    all_posts,
    called,
    finished,
    kinds,
    log_of,
    offered,
    over,
    panel,
    play_on,
    session_in,
    started,
    taken_part,
    threads_of,
)
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message


async def waiting(control: Channel, who: str) -> Message:
    """The post of a control room that says who is waited for under a rule."""

    def found() -> Message | None:
        made = [p for p in posts(control) if "el:sturn:" in str(p.components) and "rule " in p.content]
        return next((post for post in made if f"Waiting for {who}" in post.content), None)

    post: Message = await until(found)
    return post


async def test_more_time_is_given_to_somebody_as_often_as_it_takes(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, minutes=10)
        thread, _ = await taken_part(stage, bob)
        post = await waiting(control, "Robin")
        for _ in range(4):
            assert "There is more time" in (await stage.alice.press(post, "More time")).text
        await until(lambda: any("There is more time" in text for text in texts(thread)))
        (opened,) = [e for e in await kinds(stage, thread, TurnOpened) if e.step.startswith("rule/")]
        extended = await kinds(stage, thread, TurnExtended)
        assert len({one.by for one in extended}) == 1
        assert opened.due < extended[0].due < extended[-1].due


async def test_a_turn_is_skipped_and_the_scene_goes_on_without_those_words(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        assert "Passed" in (await stage.alice.press(await waiting(control, "Robin"), "Skip the turn")).text
        await play_on(thread, bob, turn, "Luna.", "The shade.")
        played = await finished(stage, thread)
    own = [turn for turn in played.turns if turn.speaker == "Robin"]
    assert [(turn.text, turn.silent) for turn in own] == [
        ("", "passed by the moderator"), ("Luna.", ""), ("The shade.", ""),
    ]  # fmt: skip


async def test_a_confederate_taken_off_the_seat_is_played_by_a_model(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        control = await started(stage, subject=bob.mention, confederate=carla.mention)
        (own,), (hers,) = await threads_of(stage, bob, 1), await threads_of(stage, carla, 1)
        asked, _ = await agree(own, bob), await agree(hers, carla)
        last = await play_on(own, bob, asked, "Luna gave more.")
        taken = await stage.alice.press(await waiting(control, "Mika"), "Take off the seat")
        assert "free of its person" in taken.text
        await play_on(own, bob, last, "Luna.", "The shade.")
        played = await finished(stage, own)
    assert played.ended == ""
    assert next(turn.text for turn in played.turns if turn.speaker == "Mika") == "wordrule6turn1answer1"


async def test_a_subject_taken_off_the_seat_ends_the_scene_kindly_and_is_told_what_it_was_about(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread, _ = await taken_part(stage, bob)
        await stage.alice.press(await waiting(control, "Robin"), "Take off the seat")
        await over(thread)
        assert (await finished(stage, thread)).ended == "vanished"
        (left,) = await kinds(stage, thread, SeatLeft)
    assert left.seat == "Robin"
    assert "Afterwards: what this was about" in "\n".join(texts(thread))


async def test_the_state_of_one_subject_is_a_button_away(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        await taken_part(stage, bob)
        await waiting(control, "Robin")
        shown = (await stage.alice.press(panel(control, "el:room:"), "Status")).text
    for part in ("Subject 1", "4 of 13", "Robin"):
        assert part in shown, part


@pytest.mark.parametrize("budget", [None, 1.5])
async def test_each_subject_has_the_budget_that_was_given(stage: Stage, bob: Person, budget: float | None) -> None:
    async with stage.running():
        given: dict[str, Any] = {"budget": budget} if budget else {}
        await started(stage, subject=bob.mention, **given)
        thread = all_posts(stage, bob)
        (begun,) = [r.event for r in await log_of(stage, thread) if isinstance(r.event, SessionStarted)]
    assert begun.budget_usd == budget


async def test_a_model_takes_every_seat_that_nobody_else_was_given(stage: Stage, bob: Person) -> None:
    async with stage.running():
        shown = await offered(stage, subject=bob.mention, model="scripted:demo", confederate="scripted:scene")
    assert "Mika: scripted:scene" in shown.text
    assert "Noor: scripted:demo" in shown.text


async def test_a_command_is_for_the_play_that_is_named_wherever_it_is_used(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        first, second = await started(stage), await started(stage)
        listed = (await bob.slash(stage.channel, "scene list")).text
        newest, oldest = sorted(re.findall(r"/scene join play:(\w+)", listed), key=listed.index)
        if f"<#{first.id}>" in (await stage.alice.slash(second, "scene status", play=newest)).text:
            newest, oldest = oldest, newest
        assert "Your thread is" in (await bob.slash(stage.channel, "scene join", play=oldest)).text
        assert "Your thread is" in (await carla.slash(stage.channel, "scene join", play=newest)).text
        (one,), (other,) = await threads_of(stage, bob, 1), await threads_of(stage, carla, 1)
        await called(one, bob, await agree(one, bob))
        await called(other, carla, await agree(other, carla))
        assert f"<#{second.id}>" not in (await stage.alice.slash(second, "scene status", play=oldest)).text
        assert "Somebody still plays" in (await stage.alice.slash(second, "scene delete", play=oldest)).text
        await stage.alice.slash(second, "scene stop", play=oldest)
        await over(one)
        assert session_in(stage, one) != session_in(stage, other)
        assert "▶ Running" in (await stage.alice.slash(second, "scene status", play=newest)).text
        assert "There is no scene here that you run" in (await stage.alice.slash(first, "scene stop", play="x")).text
