"""Scenes of free speech, and their twins, played from beginning to end: by models, and with a person as the subject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.protocols.rulegen.casting import asked, target_of
from elenchus.debate_engine.protocols.rulegen.moves import is_fixed
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import Stage
from tests.twins import twin_scenes

SCENES = twin_scenes()


def stated(call: Call) -> Any:
    """Something for every measure."""
    return filled(call.schema)


def filled(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """A small answer of that form."""
    assert schema is not None
    some = {"number": 7, "integer": 7, "boolean": True, "string": "For no reason."}
    return {name: one["enum"][0] if "enum" in one else some[one["type"]] for name, one in schema["properties"].items()}


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_is_played_by_models_and_no_prompt_of_a_role_gives_it_away(name: str) -> None:
    scene = SCENES[name]
    stage = Stage(scene, {"rulegen/state": stated}, target=target_of(scene.bias))
    played = await stage.played()
    assert len(played.record) == len(scene.rules)
    assert [one.measure for one in played.stated if one.value is not None] == [one.name for one in scene.measures]
    assert [entry.content for entry in played.record if entry.trans_way == "self-receiving"] == [
        rule.message for rule in scene.rules if rule.message
    ]
    asks = await stage.asks()
    assert leaks(stage.cfg, asks) == []
    roles = {role.name for role in scene.roles}
    spoken = [rule for rule in scene.rules if rule.initiator in roles and not is_fixed(rule)]
    told = {(ask.seat, rule.initiator) for ask in asks for rule in spoken if rule.content in ask.text}
    assert {pair for pair in told if pair[0] in roles} == {(name, name) for name in asked(scene)}, (
        "a direction is the speaker's"
    )


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_is_played_with_a_person_as_its_subject(name: str) -> None:
    scene = SCENES[name]
    subject = scene.roles[0].name
    people = {subject: lambda ask: filled(ask.answer_schema) if ask.answer_schema else f"my words at {ask.step}"}
    stage = Stage(scene, people=people, target=target_of(scene.bias))
    played = await stage.played()
    own = [turn for turn in played.turns if turn.speaker == subject]
    assert [turn.rule for turn in own] == [n for n, rule in enumerate(scene.rules, 1) if rule.initiator == subject]
    assert leaks(stage.cfg, await stage.asks()) == []
