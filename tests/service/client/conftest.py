"""A service, and a laboratory over it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import elenchus
from tests.service.client.services import QUICK, TOKEN, Service, service_at


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with service_at(tmp_path / "served") as made:
        yield made


@pytest.fixture
async def lab(service: Service) -> AsyncIterator[elenchus.Lab]:
    async with elenchus.connect(service.url, TOKEN, timeouts=QUICK) as connected:
        yield connected
