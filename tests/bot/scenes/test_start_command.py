"""Options of the scenes' commands that are rarely given."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from elenchus.debate_engine.events import SessionStarted
from tests.bot.scenes.acting import MODEL, client, invitation, kinds, offered, over, play_on, started, taken_part
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person
from tests.twins import SEEDS


async def test_a_scene_has_the_budget_and_the_time_for_a_turn_that_were_asked_for(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage, budget=0.75, minutes=7)
        thread, _ = await taken_part(stage, bob)
        (first,) = await kinds(stage, thread, SessionStarted)
        assert first.budget_usd == 0.75
        (seat,) = [seat for seat in first.seats if seat.spec.startswith("human:")]
        assert seat.deadline == 7 * 60


async def test_a_model_is_the_subject_of_a_scene_in_which_all_other_lines_are_fixed(stage: Stage) -> None:
    first = {"grams": 40, "why": "I am hungry."}
    last = {"bag": "bags of 25 grams", "known": False, "aim": "Nuts."}
    stage.scripts["scene"] = client(state=lambda call: first if "grams" in str(call.schema) else last)
    async with stage.running():
        control = await started(stage, scene="unit", conditions="small/chat", subject=MODEL)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
    assert any("40 grams" in text for text in texts(control))


async def test_results_are_shown_of_the_play_that_is_named(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, conditions="control")
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, "One.", "Two.", "Three.")
        await over(thread)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
        await started(stage, conditions="control")  # a newer one, without results
        assert stage.bot is not None
        first = min(await stage.bot.scenes.sessions.plays.all(), key=lambda play: play.control)
        named = await stage.alice.slash(stage.channel, "scene results", play=first.id)
        assert "1 of 1" in named.text
        unnamed = await stage.alice.slash(stage.channel, "scene results")
        assert "1 of 1" not in unnamed.text
        unknown = await stage.alice.slash(stage.channel, "scene results", play="zzzz")
        assert "reference" in unknown.text


async def test_a_subject_who_left_the_server_after_the_offer_hinders_the_start_and_that_is_said(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        offer = (await offered(stage, subject=bob.mention)).with_buttons
        await bob.leave()
        pressed = await stage.alice.press(offer, "Start")
        await until(lambda: "nobody of this server" in pressed.text)
        await until(lambda: offer.content == "Nothing was started.")


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("minutes: [5, 8]\n", "about 5 to 8 minutes"),
        ("minutes: [6, 6]\n", "about 6 minutes"),
        ("", "about ten minutes"),
    ],
)
async def test_invitation_and_consent_say_the_minutes_that_the_file_names(
    stage: Stage, bob: Person, plan: str, told: str
) -> None:
    source = Path(SEEDS).read_text(encoding="utf-8")
    script = re.sub(r"^(condition|twin|differs): .*\n", plan, source, count=1, flags=re.MULTILINE)
    script = re.sub(r"^(condition|twin|differs): .*\n", "", script, flags=re.MULTILINE)
    async with stage.running():
        await stage.alice.slash(stage.channel, "scene add", script=("timed.md", script.encode()))
        await started(stage, scene="timed")
        assert told in invitation(stage).content
        thread, _ = await taken_part(stage, bob)
        assert any(told in text for text in texts(thread))
