"""The scenes that come with the program, played from beginning to end: by models, and with a person as the subject."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.rulegen.casting import target_of
from elenchus.debate_engine.scenes.library import load_scenes
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import Stage

SCENES = load_scenes()


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_is_played_by_models_and_no_prompt_of_a_role_gives_it_away(name: str) -> None:
    scene = SCENES[name]
    stage = Stage(scene, target=target_of(scene.bias))
    played = await stage.played()
    assert len(played.record) == len(scene.rules)
    assert [entry.content for entry in played.record if entry.trans_way == "self-receiving"] == [
        rule.message for rule in scene.rules if rule.message
    ]
    asks = await stage.asks()
    assert leaks(stage.cfg, asks) == []
    roles = {role.name for role in scene.roles}
    spoken = [rule for rule in scene.rules if rule.initiator in roles]
    told = {(ask.seat, rule.initiator) for ask in asks for rule in spoken if rule.content in ask.text}
    assert {pair for pair in told if pair[0] in roles} == {(name, name) for name in roles}, (
        "a direction is the speaker's"
    )


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_is_played_with_a_person_as_its_subject(name: str) -> None:
    scene = SCENES[name]
    subject = scene.roles[0].name
    stage = Stage(scene, people={subject: lambda ask: f"my words at {ask.step}"}, target=target_of(scene.bias))
    played = await stage.played()
    own = [turn for turn in played.turns if turn.speaker == subject]
    assert [turn.rule for turn in own] == [n for n, rule in enumerate(scene.rules, 1) if rule.initiator == subject]
    assert leaks(stage.cfg, await stage.asks()) == []
