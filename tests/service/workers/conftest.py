"""A database of its own for each test, of the server that this test process shares."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import psycopg
import pytest

from tests.storage.postgres_server import postgres_url


@pytest.fixture
def database_url() -> Iterator[str]:
    name = f"w{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield postgres_url().rpartition("/")[0] + f"/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
