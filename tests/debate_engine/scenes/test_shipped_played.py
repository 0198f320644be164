"""The scenes that come with the program, played: by a person, by a model, in a rehearsal; in every version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import target_of
from elenchus.debate_engine.protocols.rulegen.rehearsal import rehearse
from elenchus.debate_engine.scenes.examples import ordinary, others_than
from elenchus.debate_engine.scenes.measures import Stated, stated
from elenchus.debate_engine.scenes.outcome import is_yes_or_no, names_in, outcome_of
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import Stage
from tests.debate_engine.scenes.test_shipped import FILES, VERSIONS, of_others, subject_of, version, with_names
from tests.shipped_scenes import SCENES


def asked_in(scene: Scene) -> list[str]:
    """What the subject states, in the order in which it is asked."""
    in_trials = {block.name: [one.name for one in block.measures] for block in scene.trials}
    return [name for rule in scene.rules for name in (*rule.measures, *in_trials.get(rule.trials, ()))]


@pytest.mark.parametrize("name", FILES)
async def test_a_rehearsal_has_every_rule_play_and_every_version_come_out_in_two_ways(name: str) -> None:
    done = await rehearse(SCENES[name])
    assert done.problems == ()
    found: dict[str, set[Any]] = {}
    for play in done.plays:
        found.setdefault(play.version, set()).update(one.value for one in play.outcomes)
    assert {label: len(values) for label, values in found.items()} == dict.fromkeys(versions(SCENES[name]), 2)


def some(scene: Scene) -> Iterator[dict[str, Stated | None]]:
    """What may be stated: ordinary answers, and others at the ends of what the outcome speaks of; counts with them."""
    first = ordinary(scene)
    measures = [*scene.measures, *(one for block in scene.trials for one in block.measures)]
    for answers in (first, *others_than(scene, first, names_in(scene.outcome))):
        values: dict[str, Stated | None] = {one.name: stated(one, answers[one.name]) for one in measures}
        for block in scene.trials:
            values |= block.counts(values)
        yield values


@pytest.mark.parametrize("name", FILES)
def test_every_version_can_come_out_at_either_end(name: str) -> None:
    found = {label: outcomes(scene) for label, scene in versions(SCENES[name]).items()}
    (ends,) = {(min(values), max(values)) for values in found.values()}
    assert ends[0] < ends[1]
    if is_yes_or_no(SCENES[name].outcome):
        assert ends == (False, True)


def outcomes(scene: Scene) -> list[float]:
    """What comes out of all that is tried; a yes is 1."""
    values = [outcome_of(scene.outcome, stated) for stated in some(scene)]
    assert not [value for value in values if value is None or isinstance(value, str)]
    return [float(value) for value in values if value is not None]


def answered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A small answer of that form, within its bounds."""
    some_of = {"boolean": True, "string": "For no reason."}
    return {
        name: one["enum"][0] if "enum" in one else some_of.get(one["type"], min(7, one.get("maximum", 7)))
        for name, one in schema["properties"].items()
    }


@pytest.mark.parametrize(("name", "label"), VERSIONS)
async def test_a_version_is_played_with_a_person_and_nobody_else_is_asked_for_anything(name: str, label: str) -> None:
    scene = version(name, label)
    subject = subject_of(scene)
    people = {subject: lambda ask: answered(ask.answer_schema or {})}
    stage = Stage(scene, people=people, target=target_of(scene.bias), judges=())
    played = await stage.played()
    assert [one.measure for one in played.stated if one.value is not None] == asked_in(scene)
    assert [outcome.value is None for outcome in played.outcomes] == [False]
    asks: list[Ask] = await stage.asks()
    assert {ask.seat for ask in asks} == {subject}
    assert leaks(stage.cfg, asks) == []
    read = "\n".join(text for ask in asks for text in (ask.role, ask.text))
    read += "\n".join(entry.content for entry in played.record)
    assert [line for line in of_others(name, label) if line in read] == []
    heard = [with_names(scene, rule.says) for rule in scene.rules if subject in rule.receivers]
    assert [line for line in heard if line not in read] == [], "and it hears all of its own"
    assert not [turn.silent for turn in played.turns if turn.silent]


@pytest.mark.parametrize(("name", "label"), VERSIONS)
async def test_a_model_as_the_subject_states_its_measures_and_remembers_and_is_asked_nothing_else(
    name: str, label: str
) -> None:
    scene = version(name, label)
    answers = {"rulegen/state": lambda call: answered(call.schema or {})}
    stage = Stage(scene, answers, target=target_of(scene.bias), judges=())
    played = await stage.played()
    assert [one.measure for one in played.stated if one.value is not None] == asked_in(scene)
    asks = await stage.asks()
    assert {(ask.seat, ask.prompt_id) for ask in asks} <= {
        (subject_of(scene), "rulegen/state"), (subject_of(scene), "rulegen/remember"),
    }  # fmt: skip
    assert leaks(stage.cfg, asks) == []
