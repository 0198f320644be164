"""Studies of scenes over HTTP: grids that the service plays, registrations, results; scenes by name or as text."""

from __future__ import annotations

import asyncio
import base64
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.lab.scene_files import neutral_of
from elenchus.service.lab.study_document import study_document, study_in
from tests.service.web.conftest import Served, served_from
from tests.twins import GREENHOUSE

SCENE = "anchoring-effect"
MODEL = "scripted:demo"


async def ended(served: Served, grid: str, state: str = "finished") -> dict[str, Any]:
    """The grid's document once it is in this state."""
    async with asyncio.timeout(60):
        while (document := await served.moderator.get(f"/grids/{grid}"))["state"] != state:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    return dict(document)


async def begun(served: Served, scene: Any = SCENE, **options: Any) -> dict[str, Any]:
    body = {"scene": scene, "options": {"model": MODEL, "seed": 7, **options}}
    return dict(await served.moderator.post("/grids", body))


@pytest.mark.slow
async def test_a_grid_is_played_by_the_service_registered_before_and_counted_after(served: Served) -> None:
    made = await begun(served, n=2)
    assert made["registered"]
    document = await ended(served, made["id"])
    assert (document["ended"], document["runs"]) == (len(document["sessions"]), len(document["sessions"]))
    results = await served.moderator.get(f"/grids/{made['id']}/results")
    study = await asyncio.to_thread(study_in, results["study"])
    assert study_document(study) == results["study"], "it reads back the same"
    assert {row["session"] for row in results["rows"]} == set(document["sessions"])
    status, packed = await served.moderator.ask("GET", f"/grids/{made['id']}/files")
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert (status, f"{made['id']}/report.md" in names) == (200, True), names
    assert [one["id"] for one in (await served.moderator.get("/grids"))["grids"]] == [made["id"]]
    with_command = await served.moderator.ask("POST", f"/grids/{made['id']}/commands", json={"command": "resume"})
    assert (with_command[0], with_command[1]["detail"]) == (409, "All runs of this grid are over.")


@pytest.mark.slow
async def test_a_grid_pauses_and_goes_on_by_command_and_with_the_service(tmp_path: Path) -> None:
    slow = "scripted:demo?latency=0.2"
    async with served_from(tmp_path) as first:
        made = await begun(first, model=slow, n=2, at_once=2)
        path = f"/grids/{made['id']}/commands"
        assert (await first.moderator.post(path, {"command": "pause"}))["state"] == "paused"
        assert (await first.moderator.ask("POST", path, json={"command": "pause"}))[0] == 409
    async with served_from(tmp_path) as second:
        assert (await second.moderator.get(f"/grids/{made['id']}"))["state"] == "paused", (
            "whom a moderator paused waits"
        )
        assert (await second.moderator.post(path, {"command": "resume"}))["state"] == "running"
    async with served_from(tmp_path) as third:
        document = await ended(third, made["id"])
        assert document["ended"] == document["runs"]


async def test_a_grid_whose_budget_holds_no_further_run_waits_for_a_larger_one(served: Served) -> None:
    made = await begun(served, n=1, budget_tokens=10)
    waiting = await ended(served, made["id"], "waiting")
    assert (waiting["out_of_budget"], "budget" in waiting["reasons"][0]) == (True, True)
    path = f"/grids/{made['id']}/commands"
    assert (await served.moderator.ask("POST", path, json={"command": "resume", "budget_tokens": 0}))[0] == 422
    await served.moderator.post(path, {"command": "resume", "budget_tokens": 10_000_000})
    assert (await ended(served, made["id"]))["reasons"] == []


async def test_the_same_grid_with_the_same_key_is_begun_once(served: Served) -> None:
    body = {"scene": SCENE, "options": {"model": MODEL}}
    made = [
        await served.moderator.ask("POST", "/grids", json=body, headers={"Idempotency-Key": "one"}) for _ in range(2)
    ]
    assert ([status for status, _ in made], made[0][1]["id"]) == ([201, 200], made[1][1]["id"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"scene": "no-such-scene"}, "no scene"),
        ({"scene": "/etc/passwd"}, "no scene"),
        ({"scene": SCENE, "options": {"subjects": ["human"]}}, "played by models"),
        ({"scene": SCENE, "options": {"n": 0}}, "n must be between"),
        ({"scene": SCENE, "options": {"subjectz": []}}, "subjects"),
        ({"scene": {"name": "mine", "text": "nothing of a scene"}}, ""),
        ({"scene": {"name": "../mine", "text": "x"}}, "plain name"),
        ({"scene": {"name": "mine", "text": "x", "files": {"../jar.png": "QUJD"}}}, "plain name"),
        ({"scene": {"name": "mine", "text": "x", "files": {"/etc/jar.png": "QUJD"}}}, "plain name"),
        ({"scene": {"name": "mine", "text": "x", "files": {"jar.png": "?"}}}, "scene"),
    ],
)
async def test_what_is_no_grid_is_refused_in_a_sentence_that_tells_nothing_of_the_server(
    served: Served, tmp_path: Path, body: dict[str, Any], said: str
) -> None:
    for path in ("/grids", "/studies", "/registrations"):
        sent = body if path == "/grids" else {"scene": body["scene"]}
        if path != "/grids" and "options" in body:
            continue
        status, refused = await served.moderator.ask("POST", path, json=sent)
        assert (status, said in refused["detail"]) == (422, True), refused
        assert "/tmp" not in refused["detail"]  # noqa: S108 - where such scenes lie
    assert (await served.moderator.get("/grids"))["grids"] == []


async def test_a_scene_of_ones_own_is_played_registered_and_counted_as_text_with_its_twin(served: Served) -> None:
    text = await asyncio.to_thread(Path(GREENHOUSE).read_text)
    twin = await asyncio.to_thread(neutral_of(Path(GREENHOUSE)).read_bytes)
    files = {"greenhouse-neutral.md": base64.b64encode(twin).decode()}
    scene = {"name": "mine", "text": text, "files": files}
    registered = await served.moderator.post("/registrations", {"scene": scene})
    assert (registered["scene"], registered["versions"]) == ("mine", ["treatment", "control"])
    made = await begun(served, scene)
    await ended(served, made["id"])
    counted = await served.moderator.post("/studies", {"scene": scene, "chosen": {"subjects": ["models"]}})
    assert len(counted["study"]["observed"]) == 2
    assert counted["study"]["registered"]
    compared = await served.moderator.post("/studies", {"scene": scene, "registered": registered})
    assert not any("was not kept here" in one for one in compared["study"]["departures"])
    status, packed = await served.moderator.ask("POST", "/studies/files", json={"scene": scene})
    assert (status, packed[:2]) == (200, b"PK")
    without = {**scene, "files": {}}
    status, refused = await served.moderator.ask("POST", "/registrations", json={"scene": without})
    assert (status, "greenhouse-neutral.md" in refused["detail"], "/tmp" in refused["detail"]) == (422, True, False)  # noqa: S108


async def test_studies_and_grids_are_for_moderators_of_the_house_alone(served: Served) -> None:
    session = await served.debate()
    teacher = await served.invited(session, "moderator")
    for method, path in (("GET", "/grids"), ("POST", "/grids"), ("POST", "/studies"), ("POST", "/registrations")):
        assert (await teacher.ask(method, path, json={"scene": SCENE}))[0] == 403
        assert (await served.nobody.ask(method, path, json={"scene": SCENE}))[0] == 401
