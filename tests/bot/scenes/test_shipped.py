"""Each of the scenes that come with the program, with a member as its subject, in the first and the last version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.log import calls_of, heard_by, transcript
from elenchus.debate_engine.scenes.examples import ordinary
from elenchus.debate_engine.scenes.versions import versions
from tests.bot.scenes.acting import (
    agree,
    all_posts,
    called,
    everything,
    finished,
    invitation,
    kinds,
    log_of,
    offered,
    started,
    version_in,
)
from tests.bot.stage import Stage, texts, until
from tests.debate_engine.scenes.test_shipped import of_others
from tests.fakes.discord import payloads
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message
from tests.shipped_scenes import SCENES

ENDS = [(name, label) for name, scene in SCENES.items() for label in (min(versions(scene)), max(versions(scene)))]
MENU = 3
"""A component of a form in which one chooses."""

DECIDED = ("I agree", "Yes")
"""Buttons by which a question is answered that is no form: for the agreement, the age, and for what may be kept."""


def picked(component: Mapping[str, Any], answer: object) -> str:
    """What is put into a field of a form."""
    text = ("No", "Yes")[answer] if isinstance(answer, bool) else str(answer)
    assert component["type"] != MENU or text in [one["value"] for one in component["options"]], component
    return text


async def answered(bob: Person, turn: Message, answers: Mapping[str, Any]) -> str:
    """Answer what is asked: by its button, or in its form; what is said to that."""
    if button := next((label for label in DECIDED if f"'{label}'" in str(turn.components)), ""):
        return (await bob.press(turn, button)).text
    form = await bob.press(turn, "Answer")
    fields = [part["component"] for part in payloads.walk(form.modal.body["components"]) if part.get("component")]
    given = {one["custom_id"]: picked(one, answers[one["custom_id"]]) for one in fields}
    told = (await bob.fill(form.modal, given)).text
    assert "You have said it." in told
    return told


async def played_on(thread: Channel, bob: Person, answers: Mapping[str, Any]) -> list[str]:
    """Answer until the scene is over; what was said to each answer."""

    def ended() -> bool:
        return any("The scene is over." in text for text in texts(thread))

    def newest() -> Message | None:
        made = [post for post in thread.messages.values() if "el:sturn:" in str(post.components)]
        return next((post for post in reversed(made) if last is None or post.id > last.id), None)

    last: Message | None = None
    told: list[str] = []
    while await until(lambda: ended() or newest()):
        if (turn := newest()) is None:
            break
        last = turn
        told.append(await answered(bob, turn, answers))
    return told


async def test_the_control_room_says_which_version_is_played_once_the_lot_is_drawn(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, scene="bandwagon")
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await until(lambda: any("A scene begins** · drawn by lot" in text for text in texts(control)))
        await bob.press(await called(thread, bob, words="years old"), "Yes")
        await agree(thread, bob)
        await until(lambda: "Cleo" in str([post.author.name for post in thread.messages.values()]))
        label = await version_in(stage, thread)
        assert label in versions(SCENES["bandwagon"])
        await until(lambda: f"Subject 1 · {label}" in everything(control))


async def test_who_plays_is_told_the_part_of_the_version_that_is_drawn(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage, scene="sunk-cost", conditions="nothing/quiet, much/quiet")
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await bob.press(await called(thread, bob, words="years old"), "Yes")
        await agree(thread, bob)
        (card,) = await until(lambda: [text for text in texts(thread) if "**You are Sami.**" in text])
        label = await version_in(stage, thread)
    ticket = {"nothing/quiet": "won in the raffle at school", "much/quiet": "bought for all of 75 euros"}[label or ""]
    assert f"You have a ticket, {ticket} two weeks ago." in card


async def test_typing_offers_scenes_by_name_title_and_bias(stage: Stage, bob: Person) -> None:
    async def found(typed: str) -> list[str]:
        return [one["value"] for one in await stage.alice.complete(stage.channel, "scene start", "scene", typed)]

    async with stage.running():
        every = await stage.alice.complete(stage.channel, "scene start", "scene", "")
        assert [one["value"] for one in every] == [*SCENES]
        assert {"name": "belief: Two cards", "value": "belief"} in every
        assert await found("Bandwagon effect") == ["bandwagon", "conformity"]
        assert await found("penguins") == ["framing"]
        assert await found("sunk cost") == ["sunk-cost"]
        listed = (await stage.alice.slash(stage.channel, "scene list")).text
    assert [name for name in SCENES if f"`{name}`" not in listed] == []


async def test_a_scene_is_started_by_its_bias_and_where_two_are_about_it_both_are_named(stage: Stage) -> None:
    async with stage.running():
        assert "The race across the bay" in (await offered(stage, scene="Hindsight bias")).text
        refused = (await offered(stage, scene="bandwagon effect")).text
        for part in ("bandwagon (“A lamp for the bicycle”)", "conformity (“Eighteen rounds of lines”)", "by its name"):
            assert part in refused
        assert "There is no scene" in (await offered(stage, scene="halo effect")).text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "label"), ENDS)
async def test_a_member_plays_it_to_the_end_hears_what_is_for_the_subject_and_is_debriefed(
    stage: Stage, bob: Person, name: str, label: str
) -> None:
    scene = versions(SCENES[name])[label]
    (subject,) = [role.name for role in scene.roles if role.kind == "subject"]
    async with stage.running():
        control = await started(stage, scene=name, conditions=label)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await called(thread, bob)
        await played_on(thread, bob, ordinary(scene))
        played = await finished(stage, thread)
        log = await log_of(stage, thread)
    assert any(f"A scene begins** · {label}\n" in text for text in texts(control))
    assert played.ended == ""
    assert [one.value is None for one in played.outcomes] == [False]
    assert list(calls_of(log)) == [], "no model is asked for anything"
    said = transcript(log)
    heard = heard_by(subject, said)
    shown = everything(thread)
    assert not [one.text for one in said if one not in heard and one.text in shown]
    before, debriefed, _ = shown.partition("Afterwards: what this was about")
    assert debriefed
    crossed = [label] if "/" in label else []  # a single level is an everyday word
    told = [scene.title, scene.purpose, scene.observation, scene.bias, *crossed, *of_others(name, label)]
    assert not [text for text in told if text and text.casefold() in before.casefold()]


async def test_a_number_is_told_back_as_the_members_locale_writes_it(stage: Stage, bob: Person) -> None:
    bob.user.locale = "de"
    answers = {"first": "higher", "estimate": "1.200", "ticket": "0", "known": False, "aim": "A fair."}
    async with stage.running():
        await started(stage, scene="anchoring", conditions="none/quiet")
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        told = await played_on(thread, bob, answers)
        measured = [one for one in await kinds(stage, thread, StepDone) if one.step.endswith("/measures")]
    (understood,) = [text for text in told if "Read as" in text]
    assert understood.endswith("\nRead as: 1.200")
    assert measured[1].result[0]["value"] == 1200
