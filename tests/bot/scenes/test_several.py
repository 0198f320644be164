"""Several subjects at once, each in a thread of their own, in versions drawn by lot; each sees only its own."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import SessionStarted, StepDone
from elenchus.debate_engine.log import heard_by, transcript
from elenchus.debate_engine.protocols.rulegen.assignment import drawn
from elenchus.debate_engine.protocols.rulegen.config import DrawnVersion, SceneConfig
from tests.bot.scenes.acting import (
    FINE,
    called,
    client,
    everything,
    finished,
    kinds,
    log_of,
    over,
    play_on,
    started,
    taken_part,
)
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

WHISPER = b"""---
scene: 1
title: "A tasting in the yard"
bias: "bandwagon-effect"
---

# Purpose
See whether a choice follows the number of others.

# Background
Three neighbours taste berries in a yard.

# Roles
## Robin (subject)
- Background: You grow berries.
- Task: Say which berries you take.
## Mika (confederate)
- Background: You have tasted them before.
- Task: Praise the red ones whatever is said.
## Noor (moderator)
- Background: You write the list.
- Task: Ask plainly.

# Rules
1. **self-receiving, SYS** system -> Noor: the secret list
   > The red ones are on eleven slips out of twelve.
2. **unicast, PAS** Robin -> Noor: Say how your summer was.
3. **unicast, ADV** Mika -> Noor: Whisper that the red ones have nearly won.
4. **broadcast, SDC** Mika -> all: Remark that the red ones are liked.
5. **broadcast, FEL** Robin -> all: Hand in your slip.
6. **unicast, FUT** Robin -> Noor: Say what weighed most.

# Observation
It is there if Robin takes the red ones because others do.

# Debrief
This was about following others.
"""
OFF: dict[str, Any] = {
    "what": "It is about coffee.",
    "why": "So it was.",
    "deviation": "micro",
    "steps": ["Speak of tea."],
}

SPEECHES = ("It was a summer of {}.", "My slip says {}.", "What weighed most: {}.")


async def played_at_once(stage: Stage, *people: Person, **options: Any) -> tuple[Channel, list[Channel]]:
    """Let these members play the scene at the same time; the control room and their threads."""
    control = await started(stage, subjects=len(people), **options)
    begun = [await taken_part(stage, one) for one in people]
    turns = [await called(thread, one, asked) for one, (thread, asked) in zip(people, begun, strict=True)]
    for one, (thread, asked), turn in zip(people, begun, turns, strict=True):
        assert turn.id > asked.id, "all have an open turn at the same time"
        await play_on(thread, one, asked, *(speech.format(f"{one.name}-berries") for speech in SPEECHES))
    for thread, _ in begun:
        await over(thread)
        await finished(stage, thread)
    return control, [thread for thread, _ in begun]


@pytest.mark.slow
async def test_two_subjects_play_at_once_in_both_versions_which_are_drawn_and_recorded(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control, threads = await played_at_once(stage, bob, carla)
        conditions = []
        for thread in threads:
            (first,) = await kinds(stage, thread, SessionStarted)
            cfg = SceneConfig.model_validate(first.config)
            (draw,) = [e for e in await kinds(stage, thread, StepDone) if e.step == "assignment"]
            place = DrawnVersion.model_validate(draw.result)
            assert cfg.scene.condition is None, "nothing tells which one it will be"
            assert cfg.assignment is not None
            assert place.version == drawn(cfg.assignment, place.number)
            conditions.append(place.version)
        shown = (await stage.alice.slash(control, "scene results")).text
    assert sorted(conditions) == ["control", "treatment"]
    told = "\n".join(texts(control))
    assert "Subject 1" in told
    assert "Subject 2" in told
    assert "people, treatment" in shown
    assert "people, control" in shown
    assert "people: not tested: treatment against control: " in shown


async def test_nothing_unheard_ever_stands_in_a_subjects_thread(stage: Stage, bob: Person, carla: Person) -> None:
    stage.scripts["scene"] = client(supervise=lambda call: OFF if "Mika" in str(call.messages) else FINE)
    async with stage.running():
        await stage.alice.slash(stage.channel, "scene add", script=("whisper.md", WHISPER))
        control, threads = await played_at_once(stage, bob, carla, scene="whisper")
        logs = [await log_of(stage, thread) for thread in threads]
    for own, thread, other in zip(("Bob", "Carla"), threads, ("Carla", "Bob"), strict=True):
        shown = everything(thread).casefold()
        assert f"{own}-berries".casefold() in shown
        assert f"{other}-berries".casefold() not in shown
    for thread, log in zip(threads, logs, strict=True):
        said = transcript(log)
        heard = {one.step for one in heard_by("Robin", said)}
        unheard = [one for one in said if one.step not in heard]
        assert {one.about for one in unheard} == {"unicast", "deviation", "self-receiving"}
        shown = everything(thread)
        assert not [one.text for one in unheard if one.text in shown]
        assert "wordrule3turn1answer1" not in shown, "what was sent back"
        assert isinstance(log[0].event, SessionStarted)
        scene = SceneConfig.model_validate(log[0].event.config).scene
        before, _, _ = shown.partition("Afterwards: what this was about")
        hidden = [scene.purpose, scene.observation, scene.background, scene.title, "bandwagon", "treatment"]
        hidden += [text for role in scene.roles if role.name != "Robin" for text in (role.background, role.task)]
        hidden += [rule.content for rule in scene.rules if rule.initiator != "Robin"]
        assert not [text for text in hidden if text.casefold() in before.casefold()]
    told = everything(control)
    for part in ("wordrule4turn1answer1", "Reply 1, sent back", "It is about coffee.", "wordrule3turn1answer1"):
        assert part in told, part


async def test_models_can_be_subjects_beside_people(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, subject="scripted:scene scripted:scene", subjects=2)
        await until(lambda: sum("The scene is played." in text for text in texts(control)) == 2)
        shown = (await stage.alice.slash(control, "scene results")).text
    assert "scripted:scene, treatment" in shown
    assert "scripted:scene, control" in shown


async def test_models_take_no_place_in_the_balance_of_people(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, subject=f"<@{bob.id}> scripted:scene")
        await until(lambda: "The scene is played." in "\n".join(texts(control)))
        assert stage.app is not None
        logs = [await stage.app.log.read(info.id) for info in await stage.app.log.sessions()]
    first = [log[0].event for log in logs]
    studies = {
        bool(config.people): config.assignment.study
        for event in first
        if isinstance(event, SessionStarted)
        for config in [SceneConfig.model_validate(event.config)]
        if config.assignment is not None
    }
    assert len(set(studies.values())) == 2
