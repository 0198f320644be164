"""A worker that counts as living has imported what its sessions need: whoever took over would wait for it otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.service.workers.fleet import ONE_DEBATE, Fleet, fleet_of_its_own

pytestmark = [pytest.mark.slow, pytest.mark.kill]


class Traced(Fleet):
    """Its workers tell on standard error what they import, and when."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"PYTHONPROFILEIMPORTTIME": "1"}


async def test_a_worker_imports_nothing_for_its_first_debate(tmp_path: Path) -> None:
    async with fleet_of_its_own(tmp_path, 0.0, Traced) as (fleet, app):
        worker = fleet.start()
        await fleet.ready(app, 1)
        run = await app.runner.run(await app.runner.create(ONE_DEBATE))
        assert run.state == "finished"
    before, _, since = worker.said.read_text().partition(" serves ")
    packages = {"elenchus", "httpx", "jinja2", "openai", "yaml"}
    assert imported(before) >= packages
    assert not imported(since) & packages


def imported(said: str) -> set[str]:
    """The packages of what was imported."""
    return {name.partition(".")[0] for name in re.findall(r"^import time: .*\| +(\S+)$", said, re.MULTILINE)}
