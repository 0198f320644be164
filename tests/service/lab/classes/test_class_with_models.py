"""Classes in which models sit beside the people; and runs of models shown beside what people said."""

from __future__ import annotations

from pathlib import Path

import pytest

import elenchus
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Said
from elenchus.service.lab.classes.new_class import ClassOptions
from tests.service.lab.classes.room import agreeing, come, in_stage, opened, playing, press, scene_in, until

MODEL = "scripted:demo"
PATIENCE = 120.0
"""Seconds: each line of a model is planned, said and looked at."""


def spoken_scene(home: Path) -> str:
    """The scene with a confederate whose lines nobody has written."""
    name = scene_in(home)
    file = Settings(home=home).own_scenes / f"{name}.md"
    rows = [row for row in file.read_text(encoding="utf-8").splitlines() if not row.strip().startswith("says:")]
    file.write_text("\n".join(rows), encoding="utf-8")
    return name


@pytest.mark.slow
async def test_models_speak_in_a_class_and_runs_of_models_are_labelled_beside_it(tmp_path: Path) -> None:
    scene = spoken_scene(tmp_path)
    async with elenchus.open(home=tmp_path) as lab:
        await lab.scene_grid(scene, n=1, subjects=[MODEL], confederate=MODEL, judges=[MODEL])
    async with opened(tmp_path) as (app, classes):
        made = await classes.create(ClassOptions(scene=scene, people=5, bots=0, confederate=MODEL, judges=(MODEL,)))
        live = await classes.open(made.room.id)
        people = await come(classes, live, 5)
        await press(classes, live, "playing")
        async with playing(live, {one.person.id: agreeing(10.0 + one.person.number) for one in people}):
            await until(live, lambda: all(one.progress.stage == "waiting" for one in people), PATIENCE)
            assert not [one.progress.trouble for one in people if one.progress.trouble]
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people, "played")
        await press(classes, live, "revealed")
        await until(live, lambda: live.progress.revealed)
        found = live.progress.revealed
        assert found is not None
        assert (found.of, found.analysed) == ("people", 5)
        assert {(row.subject, row.kind) for row in found.models} == {(MODEL, "script, simulated")}
        assert sum(row.runs for row in found.models) == 2, "one of each version"
        events = [r.event for r in await app.log.read(people[0].person.session)]
    assert [event for event in events if isinstance(event, Said) and event.speaker == "Ben"]
