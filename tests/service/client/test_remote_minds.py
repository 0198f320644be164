"""Personas over a service: made, fed, surveyed, asked, rated, looked at, estimated, taken home, deleted as here."""

from __future__ import annotations

from pathlib import Path

import pytest

import elenchus
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Fed, Surveyed
from elenchus.service.lab.lab_minds import MindWaits
from elenchus.service.lab.mind_options import MindOptions, typed
from elenchus.service.lab.options import options_of
from tests.debate_engine.protocols.cognition.minds import FERRY, OPINIONS
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON


def greta(**more: object) -> MindOptions:
    given = {"name": "greta", "person": "invented", "profile": GRETA_AS_JSON, "opinions": OPINIONS, **more}
    return options_of(MindOptions, {"model": "scripted:demo", **given})


async def lived(lab: elenchus.Lab, folder: Path) -> list[object]:
    """What a program does with a persona, and what it is told."""
    minds = lab.minds
    made = await minds.create(greta(), by="anna")
    plan = await minds.estimate("greta", Fed(by="anna", texts=(FERRY,)), Surveyed(by="anna", questions=OPINIONS))
    survey = await minds.survey("Greta", by="ben")
    reading = await minds.feed("greta", typed(FERRY, "Ferries"), by="anna")
    said = await minds.ask("greta", "Do you like ferries?", by="ben")
    await minds.rate("greta", {OPINIONS[0]: 4}, by="carla")
    now, before = await minds.look("greta"), await minds.look("greta", iteration=0)
    folder.mkdir()
    files = await minds.export("greta", folder)
    for wrong, says in (
        (minds.create(greta(), by="anna"), "choose another name"),
        (minds.look("nobody"), "There is no mind called 'nobody' here"),
        (minds.feed("nobody", typed(FERRY), by="anna"), "There is no mind called 'nobody' here"),
        (minds.rate("greta", {OPINIONS[0]: 9}, by="carla"), "5"),
        (minds.rate("greta", {"What nobody asked": 3}, by="carla"), "is not asked about"),
        (minds.survey("greta", tuple(map(str, range(101))), by="ben"), "100"),
    ):
        with pytest.raises(UsageError, match=says):
            await wrong
    await minds.delete("greta")
    assert await minds.all() == []
    return [
        made.versions[0].profile, plan["calls"], [one.question for one in survey.answers], reading.taken, said.said,
        now.mind, before.iteration, now.people, [talk.by for talk in now.talks], sorted(file.name for file in files),
    ]  # fmt: skip


async def test_a_persona_of_a_service_is_as_one_here(lab: elenchus.Lab, tmp_path: Path) -> None:
    async with elenchus.open(tmp_path / "here", model="scripted:demo") as local:
        assert await lived(lab, tmp_path / "there-out") == await lived(local, tmp_path / "here-out")


async def test_what_is_kept_back_is_told_with_its_reason(lab: elenchus.Lab) -> None:
    await lab.minds.create(greta(budget_tokens=1, person="myself"), by="anna")
    with pytest.raises(MindWaits, match=r"budget.*what it was given is kept"):
        await lab.minds.survey("greta", by="ben")
    assert [one.title for one in await lab.minds.all()] == ["greta"]
