"""Files of a session: each is what all of them hold, and only what is asked for is made."""

from __future__ import annotations

import asyncio
import io
import zipfile

from elenchus.debate_engine.reports import canvas
from tests.service.web.conftest import Served
from tests.service.web.test_sessions import until


async def test_each_file_alone_is_the_one_among_all(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    path = f"/sessions/{session}/exports"
    names = (await served.moderator.get(path))["files"]
    _, packed = await served.moderator.ask("GET", f"{path}/all.zip")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        whole = {one.removeprefix(f"{session}/"): archive.read(one) for one in archive.namelist()}
    assert {*whole, "all.zip"} == set(names)
    for name in ("events.jsonl", "scores.csv", "scores-codebook.md", "heat-and-quality.svg"):
        content = whole[name]
        status, alone = await served.moderator.ask("GET", f"{path}/{name}")
        assert (status, alone) == (200, content), name
    status, refused = await served.moderator.ask("GET", f"{path}/pictures/none.png")
    assert (status, "report.md" in refused["detail"]) == (404, True)


async def test_the_log_and_the_scores_are_taken_home_without_a_report_being_made(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    path = f"/sessions/{session}/exports"
    with canvas._LOCK:  # whoever draws waits
        for name in ("events.jsonl", "scores.csv", "scores-codebook.md"):
            assert (await served.moderator.ask("GET", f"{path}/{name}"))[0] == 200
        drawn = asyncio.create_task(served.moderator.ask("GET", f"{path}/report.html"))
        await asyncio.wait([drawn], timeout=0.3)
        assert not drawn.done()
    assert (await drawn)[0] == 200


async def test_many_who_want_files_at_once_get_them_one_after_the_other_and_others_are_served(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    service = served.service
    async with service.exporting, service.exporting:
        path = f"/sessions/{session}/exports/events.jsonl"
        wanted = [asyncio.create_task(served.moderator.ask("GET", path)) for _ in range(5)]
        assert (await served.moderator.get(f"/sessions/{session}"))["state"] == "finished"
        await asyncio.sleep(0.2)
        assert not [one for one in wanted if one.done()]
    assert {status for status, _ in await asyncio.gather(*wanted)} == {200}


async def test_a_file_is_saved_and_never_shown(served: Served) -> None:
    session = await served.debate()
    for name in ("report.html", "report.md", "events.jsonl", "all.zip"):
        headers = {"Authorization": f"Bearer {served.moderator.token}"}
        async with served.client.get(f"/api/v1/sessions/{session}/exports/{name}", headers=headers) as came:
            assert came.status == 200
            assert came.headers["Content-Disposition"] == f'attachment; filename="{session}-{name}"'
            assert came.content_type in ("application/octet-stream", "application/zip")
