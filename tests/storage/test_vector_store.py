"""The knowledge library as it is stored: real Chroma in a folder, other processes, damage."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.detectors.library import CatalogueLibrary, entries
from elenchus.storage import chroma
from elenchus.storage.embeddings import _Packaged
from elenchus.storage.vector_store import VectorCollection, key_of, vectors_of
from tests.storage.processes import ROOT
from tests.storage.vectors import TEXTS, WORDLLAMA, Counting, Told, library

if TYPE_CHECKING:
    pass

pytest.importorskip(
    "chromadb", reason="the extra `detect` (chromadb) is not installed: no test of the vector store ran"
)

# ── what it holds ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_it_knows_what_the_catalogue_knows(tmp_path: Path) -> None:
    catalogue = CatalogueLibrary()
    async with library(tmp_path) as stored:
        names = await stored.names()
        assert list(names.items()) == list((await catalogue.names()).items())
        for bias in names:
            assert await stored.about(bias, "") == await catalogue.about(bias, "")
        with pytest.raises(ValueError, match="no bias 'boat'"):
            await stored.about("boat", "")


async def test_it_finds_the_nearest_as_the_cosines_say(tmp_path: Path) -> None:
    import numpy as np

    of = entries()
    rows = vectors_of(of, WORDLLAMA)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    async with library(tmp_path) as stored:
        for text in TEXTS:
            alike = unit @ WORDLLAMA.vectors([text])[0]
            wanted = [of[place].id for place in np.argsort(-alike)[:8]]
            assert list(await stored.nearest(text, 8)) == wanted
        assert (await stored.nearest(TEXTS[0], 1)) == ("sunk-cost-fallacy",)
        assert len(await stored.nearest(TEXTS[0], 500)) == 73
        assert await stored.nearest(TEXTS[0], 0) == ()
        assert await stored.nearest("", 8) == ()


async def test_many_may_ask_at_once(tmp_path: Path) -> None:
    told = Told()
    async with library(tmp_path, told=told) as stored:
        found = await asyncio.gather(*(stored.nearest(text, 3) for text in TEXTS * 20))
        assert found == list(found[:3]) * 20
    assert told.steps[0] == (0, 73)
    assert told.steps[-1] == (73, 73)
    assert len(told.steps) == 6


# ── when it is built ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_neither_building_nor_asking_holds_up_the_event_loop(tmp_path: Path) -> None:
    embedding = Counting()
    async with library(tmp_path, embedding) as stored:
        await stored.nearest(TEXTS[0], 8)
    assert embedding.threads
    assert threading.main_thread() not in embedding.threads


async def test_it_is_built_at_first_use_and_only_then(tmp_path: Path) -> None:
    embedding, told = Counting(), Told()
    for _ in range(2):
        async with library(tmp_path, embedding, told=told) as stored:
            assert len(await stored.names()) == 73
    assert told.steps.count((73, 73)) == 1
    assert embedding.asked == sum(len(entry.passages) for entry in entries())


async def test_no_memory_of_the_process_is_left_in_its_files(tmp_path: Path) -> None:
    """Chroma's index file is made of memory as it comes: it held words that had been forgotten everywhere else."""
    indexes: list[Path] = []
    for _ in range(3):
        spoken = [bytearray(b"seventeen bees " * 5_000) for _ in range(400)]
        del spoken  # what the allocator gives out again holds it still
        async with library(tmp_path) as stored:
            await stored.names()
            await stored.nearest(TEXTS[0], 8)
            indexes = list(tmp_path.rglob("data_level0.bin"))
            assert indexes
            assert not any(any(index.read_bytes()) for index in indexes)
    assert not any(any(index.read_bytes()) for index in indexes)


async def test_it_is_built_anew_when_an_entry_or_the_embedding_is_another(tmp_path: Path) -> None:
    first, *rest = entries()
    changed = first.model_copy(update={"content": {**first.content, "definition": "Something else."}})
    for of, embedding in (((first, *rest), Counting()), ((changed, *rest), Counting()), ((first, *rest), WORDLLAMA)):
        told = Told()
        async with library(tmp_path, embedding, of, told) as stored:
            assert (await stored.about(first.id, "")).definition == of[0].content["definition"]
        assert told.steps[-1] == (73, 73)
    keys = {key_of(entries(), "a"), key_of(entries(), "b"), key_of((changed, *rest), "a"), key_of(rest, "a")}
    assert len(keys) == 4


async def test_a_building_that_failed_is_begun_again_by_the_next_question(tmp_path: Path) -> None:
    embedding = Counting(broken=True)
    async with library(tmp_path, embedding) as stored:
        with pytest.raises(StorageError, match="no weights"):
            await stored.names()
        embedding.broken = False
        assert len(await stored.names()) == 73


async def test_a_damaged_store_is_built_again(tmp_path: Path) -> None:
    async with library(tmp_path) as stored:
        await stored.names()
    (file,) = tmp_path.glob("*/*/chroma.sqlite3")
    file.write_bytes(b"not a database" * 1000)
    told = Told()
    async with library(tmp_path, told=told) as stored:
        assert (await stored.nearest(TEXTS[0], 1)) == ("sunk-cost-fallacy",)
    assert told.steps[-1] == (73, 73)
    assert not file.exists()


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with library(tmp_path / "file" / "library") as stored:
        with pytest.raises(StorageError, match=r"knowledge library at .* cannot be used"):
            await stored.names()


def test_an_embedding_that_is_not_installed_says_what_to_install() -> None:
    missing = _Packaged("no-such-embedding", lambda: WORDLLAMA.vectors)
    with pytest.raises(UsageError, match="pip install no-such-embedding"):
        missing.vectors(["text"])


async def test_the_store_itself_is_opened_without_telemetry(tmp_path: Path) -> None:
    async with library(tmp_path) as stored:
        await stored.names()
        assert isinstance(stored.collection, VectorCollection)
        assert stored.collection._open is not None
        assert stored.collection._open[0].get_settings().anonymized_telemetry is False


def test_telemetry_is_off_whatever_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("ANONYMIZED_TELEMETRY=true\nCHROMA_SERVER_HOST=elsewhere\n")
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "true")
    settings = chroma.settings()
    assert settings.anonymized_telemetry is False
    assert settings.chroma_server_host is None


# ── other processes ──────────────────────────────────────────────────────────────────────────────────────────────


class Child:
    """A process of vector_child.py."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def line(self) -> str:
        assert self.process.stdout
        return (await asyncio.wait_for(self.process.stdout.readline(), 120)).decode().strip()

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")

    async def rest(self) -> list[str]:
        assert self.process.stdout
        return (await asyncio.wait_for(self.process.stdout.read(), 120)).decode().splitlines()


@asynccontextmanager
async def child(folder: Path, slowness: float) -> AsyncIterator[Child]:
    program = str(Path(__file__).with_name("vector_child.py"))
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, program, str(folder), str(slowness),
        stdin=pipe, stdout=pipe, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.slow
@pytest.mark.kill
async def test_of_processes_that_come_at_once_one_builds_and_all_are_served(tmp_path: Path) -> None:
    async with child(tmp_path, 0.2) as one, child(tmp_path, 0.2) as two, child(tmp_path, 0.2) as three:
        children = (one, two, three)
        assert [await each.line() for each in children] == ["ready"] * 3
        for each in children:
            each.go()
        said = [await each.rest() for each in children]
    assert sorted("built 73" in lines for lines in said) == [False, False, True]
    for lines in said:
        assert "names 73" in lines
        assert lines[-1] == said[0][-1]
        assert lines[-1].startswith("nearest sunk-cost-fallacy")


@pytest.mark.slow
@pytest.mark.kill
async def test_what_a_killed_process_left_half_built_is_made_whole(tmp_path: Path) -> None:
    async with child(tmp_path, 0.5) as killed:
        assert await killed.line() == "ready"
        killed.go()
        assert await killed.line() == "built 0"
        assert await killed.line() == "built 16"
        killed.process.kill()
        await killed.process.wait()
    async with child(tmp_path, 0.0) as after:
        assert await after.line() == "ready"
        after.go()
        said = await after.rest()
    assert "built 73" in said
    assert "names 73" in said
    assert said[-1].startswith("nearest sunk-cost-fallacy")
