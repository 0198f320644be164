"""Studies of scenes over a service: grids that it plays, registrations, results; scenes there and of this machine."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import elenchus
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SessionPaused
from elenchus.service.lab import uploaded_scene
from elenchus.service.lab.study_document import study_document, study_in
from elenchus.service.lab.uploaded_scene import SentScene, to_be_sent
from tests.debate_engine.scenes.pictures import picture
from tests.debate_engine.scenes.test_pictures import SCENE
from tests.service.client.services import QUICK, TOKEN, Service, service_at
from tests.twins import GREENHOUSE


async def test_a_grid_of_a_service_gives_the_table_that_a_grid_here_gives(lab: elenchus.Lab, tmp_path: Path) -> None:
    async def program(lab: elenchus.Lab) -> tuple[list[dict[str, object]], list[str]]:
        table = await lab.scene_grid("unit", n=2, seed=7, conditions=["small/chat"])
        for wrong, says in (
            (lab.scene_grid("unit", subjects=["scripted:demo", "scripted:demo"]), "subjects names the same twice"),
            (lab.scene_grid("unit", subjects=["human"]), "played by models"),
            (lab.scene_grid("no-such-scene"), "no scene 'no-such-scene'"),
            (lab.scene_grid("unit", n=0), "n must be between"),
        ):
            with pytest.raises(UsageError, match=says):
                await wrong
        rows = [{name: value for name, value in row.items() if name != "session"} for row in table]
        assert list(table.to_pandas()["session"]) == [row["session"] for row in table]
        return rows, list(table.study.departures)

    async with elenchus.open(tmp_path / "here", model="scripted:demo") as local:
        assert await program(lab) == await program(local)
    assert len(await lab.sessions()) == 2


async def test_a_study_is_registered_once_and_every_result_of_it_is_compared(lab: elenchus.Lab, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    registered = await lab.register_scene("unit", tmp_path / "unit.json")
    assert (await lab.register_scene("unit")).sha256 == registered.sha256
    with pytest.raises(UsageError, match="never overwritten"):
        await lab.register_scene("unit", tmp_path / "unit.json")
    await lab.scene_grid("unit", n=1, seed=7, conditions=["small/chat"])
    results = await lab.scene_results("unit", conditions="small/chat", registered=tmp_path / "unit.json")
    assert results.study.departures[0].startswith("Nobody played small/portion, large/portion")
    edited = json.loads((tmp_path / "unit.json").read_text(encoding="utf-8")) | {"n": 1}
    (tmp_path / "edited.json").write_text(json.dumps(edited), encoding="utf-8")
    unlike = await lab.scene_results("unit", registered=tmp_path / "edited.json")
    assert "differ" in unlike.study.departures[0]
    assert len((await lab.scene_results("unit", since=before)).study.observed) == 1
    assert (await lab.scene_results("unit", until=before - timedelta(days=1))).study.observed == ()
    (tmp_path / "out").mkdir()
    files = await results.export(tmp_path / "out")
    assert {"report.md", "methods.md", "runs.csv", "codebook.csv"} <= {file.name for file in files}
    assert "Nobody played small/portion" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    for wrong, says in (
        (lab.scene_results("unit", condition="treatment"), "are not chosen so"),  # type: ignore[call-arg]
        (lab.scene_results("unit", registered=tmp_path / "nowhere.json"), "cannot be read"),
        (lab.scene_results("no-such-scene"), "no scene"),
    ):
        with pytest.raises(UsageError, match=says):
            await wrong


async def test_a_scene_of_this_machine_is_sent_with_its_twin_and_its_pictures(
    lab: elenchus.Lab, service: Service, tmp_path: Path
) -> None:
    assert {row["condition"] for row in await lab.scene_grid(GREENHOUSE, seed=7)} == {"treatment", "control"}
    (tmp_path / "cards").mkdir()
    for name, content in {"table.png": "PNG", "cards/first.jpg": "JPEG", "second.webp": "WEBP"}.items():
        (tmp_path / name).write_bytes(picture(content))
    (tmp_path / "cards.md").write_text(SCENE, encoding="utf-8")
    table = await lab.scene_grid(tmp_path / "cards.md", conditions=["wrong"])
    files = await lab.export(table.rows[0]["session"], tmp_path / "out")
    assert len([path for path in files if path.parent.name == "pictures"]) == 2
    assert (await lab.register_scene(str(tmp_path / "cards.md"))).scene == "cards"
    assert len((await lab.scene_results(tmp_path / "cards.md")).study.observed) == len(table)
    (tmp_path / "table.png").unlink()
    with pytest.raises(UsageError, match=r"line 32: the picture table\.png cannot be read"):
        await lab.scene_grid(tmp_path / "cards.md")
    with pytest.raises(UsageError, match="There is no file"):
        await lab.scene_grid(tmp_path / "nowhere.md")
    assert not list((service.app.settings.home).rglob("cards.md")), "it is read there, and not kept"


async def test_what_is_sent_of_a_scene_is_read_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    for name, content in {"table.png": "PNG", "cards/first.jpg": "JPEG", "second.webp": "WEBP"}.items():
        (tmp_path / name).write_bytes(picture(content))
    (tmp_path / "cards.md").write_text(SCENE, encoding="utf-8")
    sent = await asyncio.to_thread(to_be_sent, tmp_path / "cards.md")
    assert isinstance(sent, SentScene)
    assert set(sent.files) == {"table.png", "cards/first.jpg", "second.webp"}
    assert SentScene.model_validate_json(sent.model_dump_json()) == sent
    assert sum(map(len, sent.files.values())) < uploaded_scene.MOST_BYTES


async def test_a_grid_that_is_cancelled_is_paused(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path, model="scripted:demo?latency=0.3") as service,
        elenchus.connect(service.url, TOKEN, timeouts=QUICK) as lab,
    ):
        playing = asyncio.ensure_future(lab.scene_grid("unit", n=3, at_once=2))
        async with asyncio.timeout(60):
            while not await lab.sessions():  # noqa: ASYNC110 - over HTTP
                await asyncio.sleep(0.1)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        (grid,) = await service.web.grids.ids()
        kept = await service.web.grids.kept(grid)
        assert (await service.web.grids.at_work(kept))[0] == "paused"
        states = {info.state for info in await lab.sessions()}
        assert "running" not in states
        last = [(await lab.events(info.id))[-1].event for info in await lab.sessions() if info.state == "paused"]
        assert all(isinstance(event, SessionPaused) for event in last)
        again = asyncio.ensure_future(lab.scene_grid("unit", n=1))
        await asyncio.sleep(0.01)
        again.cancel()
        with pytest.raises(asyncio.CancelledError):
            await again
        for kept in [await service.web.grids.kept(one) for one in await service.web.grids.ids()]:
            assert (await service.web.grids.at_work(kept))[0] == "paused", "also where it was cancelled as it began"


@pytest.mark.slow
async def test_a_grid_goes_on_through_a_restart_of_the_service(tmp_path: Path) -> None:
    async with service_at(tmp_path, model="scripted:demo?latency=0.1") as first:
        port = first.port
        connected = elenchus.connect(first.url, TOKEN, timeouts=elenchus.Timeouts(outage=30))
        lab = await connected.__aenter__()
        playing = asyncio.ensure_future(lab.scene_grid("unit", n=2, seed=7, at_once=1))
        async with asyncio.timeout(60):
            while not await lab.sessions():  # noqa: ASYNC110 - over HTTP
                await asyncio.sleep(0.1)
    async with service_at(tmp_path, port), asyncio.timeout(120):
        table = await playing
        assert len(table) == len({row["session"] for row in table}) == len(await lab.sessions())
        assert all(row["result"] != "unfinished" for row in table)
    await connected.__aexit__(None, None, None)


async def test_a_study_reads_back_the_same_with_numbers_that_json_has_no_sign_for(lab: elenchus.Lab) -> None:
    study = (await lab.scene_grid("unit", n=1, seed=7)).study
    row = study.rows[0]
    odd = study.model_copy(update={
        "rows": (row.model_copy(update={"frequency": row.frequency.model_copy(update={"effective": float("inf")})}),)
    })  # fmt: skip
    document = json.loads(json.dumps(study_document(odd), allow_nan=False))
    assert study_in(document) == odd
