"""A scene as its log tells it: who agreed, how far it is, what a person's turn is for and about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elenchus.debate_engine.events import Event, Recorded, SessionStarted, StepDone, TurnOpened, UnforeseenQuestion, now
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.protocols.rulegen.config import Assignment, SceneConfig
from elenchus.debate_engine.protocols.rulegen.played import Evaluation, Turn
from elenchus.debate_engine.protocols.rulegen.projection import Decision, SceneProjection, scene_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.scenes.library import find_scene
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import common_to, versions
from tests.debate_engine.protocols.rulegen.people.scripted_people import (
    AGREED,
    WORDS,
    Person,
    StartedScene,
    refusing,
    started_scene,
    willing,
)

QUESTION = "Does my choice count?"
UNFOUNDED = {"reason": "She follows.", "quotes": ["words that nobody said"], "present": "yes"}


async def asking(ask: Ask, here: StartedScene) -> Any:
    """The subject, who asks something at her turn."""
    if ask.schema_name == "Agreement":
        return AGREED
    await here.send(UnforeseenQuestion(by="bo", seat="Ada", text=QUESTION))
    await here.until(lambda event: isinstance(event, TurnOpened) and event.step.startswith("unscripted/"))
    return WORDS


async def judging(ask: Ask, _: StartedScene) -> Any:
    return AGREED if ask.schema_name == "Agreement" else UNFOUNDED


async def test_each_turn_of_a_person_has_a_kind_and_the_projection_knows_what_it_is_about(tmp_path: Path) -> None:
    people: dict[str, Person] = {"Ada": asking, "Cleo": willing, "judge-1": judging}
    async with started_scene(tmp_path, people) as here:
        await here.played()
        events = await here.events()
    spec, steps = spec_of("rulegen"), [r.event.step for r in events if isinstance(r.event, TurnOpened)]
    kinds = {step: spec.turn_kind(step) for step in steps}
    assert set(kinds.values()) == {"consent", "question", "judge", "again", "speak"}
    scene = scene_of(SessionView.of("s", events))
    assert [scene.question(step) for step, kind in kinds.items() if kind == "question"] == [QUESTION]
    about = [scene.direction(step) for step, kind in kinds.items() if kind == "speak"]
    assert [direction.rule for direction in about if direction] == [2, 3, 4]
    assert {scene.direction(step) for step, kind in kinds.items() if kind != "speak"} == {None}
    assert spec.turn_kind("rule/3/applies") == "applies"
    assert spec_of("socrasynth").turn_kind(steps[0]) == ""


async def test_what_the_last_event_brought_is_told_apart(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": willing}) as here:
        await here.played()
        events = await here.events()
    scene, brought, told = SceneProjection(), list[object](), list[int]()
    for r in events:
        scene.apply(r)
        brought += [scene.latest] if scene.latest else []
        told.append(len(scene.debriefings))
    assert brought[0] == Decision("Ada", agreed=True)
    assert [type(one) for one in brought[1:]] == [Turn, Turn, Turn, Turn, Evaluation]
    assert (scene.agreed, scene.rule, scene.rules, scene.ended) == ({"Ada": True}, 5, 5, "")
    assert scene.evaluation == brought[-1]
    assert (scene.is_subject("Ada"), scene.is_subject("Ben"), scene.has_moderator) == (True, False, True)
    assert told[-1] == 1
    assert "TOLD-AFTERWARDS" in scene.debriefings["Ada"]


def parts_told(name: str, versions_of: dict[str, Scene]) -> list[tuple[str, str]]:
    """The steps by which the subject learns who it is, with the background that is then known."""
    lot = Assignment(study="s", holder="s", seed=1, of=tuple(versions_of))
    config = SceneConfig(scene=common_to(versions_of), versions=versions_of, assignment=lot, people=(name,))
    steps = {
        f"consent/{name}/given": {"name": name, "agreed": True},
        "assignment": {"number": 1, "version": "much/quiet" if "much/quiet" in versions_of else [*versions_of][-1]},
        "rule/1/turn/1/meanwhile/asides": [],
    }
    first = SessionStarted(
        protocol="rulegen", title="", config=config.model_dump(mode="json"), seats=(), seed=1, version="0"
    )
    events: list[Event] = [first]
    events += [StepDone(step=step, input_hash="i", result=result) for step, result in steps.items()]
    scene, told = SceneProjection(), list[tuple[str, str]]()
    for number, event in enumerate(events, 1):
        scene.apply(Recorded(seq=number, at=now(), event=event))
        role = scene.role(name)
        told += [(getattr(event, "step", ""), role.background) for seat in scene.told_parts if role]
    return told


def test_who_plays_another_part_in_another_version_learns_it_when_the_version_is_drawn() -> None:
    ((step, background),) = parts_told("Sami", versions(find_scene("sunk-cost")))
    assert (step, "You have a ticket, bought for all of 75 euros" in background) == ("assignment", True)


def test_who_plays_the_same_part_in_all_versions_learns_it_at_the_agreement() -> None:
    ((step, background),) = parts_told("Robin", versions(find_scene("bandwagon")))
    assert (step, background.startswith("You cycle to work")) == ("consent/Robin/given", True)


async def test_a_scene_that_ended_early_says_why(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": refusing}) as here:
        await here.played()
        scene = scene_of(SessionView.of("s", await here.events()))
    assert (scene.agreed, scene.ended, scene.debriefings) == ({"Ada": False}, "no consent", {})


def test_another_session_is_no_scene() -> None:
    assert scene_of(SessionView("s")).config is None
