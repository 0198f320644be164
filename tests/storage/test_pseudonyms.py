"""The key to people's made-up names: one for one, in a file of its own, and destroyed without a trace in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym, made_up
from elenchus.storage.pseudonyms import SqlitePseudonyms


async def test_an_account_keeps_its_made_up_name_and_the_key_leads_back(tmp_path: Path) -> None:
    key = SqlitePseudonyms(tmp_path / "people.db")
    ada, bo = await key.of("discord:123"), await key.of("bo")
    assert ada != bo
    assert is_pseudonym(ada)
    assert await SqlitePseudonyms(tmp_path / "people.db").of("discord:123") == ada
    assert [await key.account_of(name) for name in (ada, bo, "P-zzzzzz")] == ["discord:123", "bo", None]


async def test_looking_for_a_made_up_name_makes_none(tmp_path: Path) -> None:
    key = SqlitePseudonyms(tmp_path / "people.db")
    assert await key.find("ada") is None
    assert not (tmp_path / "people.db").exists()
    ada = await key.of("ada")
    assert [await key.find(name) for name in ("ada", "bo")] == [ada, None]


async def test_many_at_once_give_one_name_to_an_account(tmp_path: Path) -> None:
    keys = [SqlitePseudonyms(tmp_path / "people.db") for _ in range(8)]
    assert len(set(await asyncio.gather(*(key.of("ada") for key in keys)))) == 1


async def test_a_forgotten_account_leaves_no_trace_in_the_file_and_gets_another_name_later(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    key = SqlitePseudonyms(path)
    before = await key.of("mathilda")
    await key.of("bo")
    assert b"mathilda" in path.read_bytes()
    assert await key.forget("mathilda")
    assert not await key.forget("mathilda")
    assert b"mathilda" not in path.read_bytes()
    assert await key.account_of(before) is None
    assert await key.of("mathilda") != before
    assert await key.account_of(await key.of("bo")) == "bo"


async def test_whom_a_session_expects_is_known_until_it_is_over_or_they_are_forgotten(tmp_path: Path) -> None:
    key = SqlitePseudonyms(tmp_path / "people.db")
    assert await key.expected() == {}
    ada, bo = await key.of("ada", "tasting"), await key.of("bo", "tasting")
    assert await key.of("ada", "later") == ada
    assert await key.expected() == {"later": [ada], "tasting": sorted([ada, bo])}
    await key.expect_nobody("tasting")
    assert await key.expected() == {"later": [ada]}
    assert await key.forget("ada")
    assert await key.expected() == {}
    assert await key.find("bo") == bo


async def test_a_destroyed_key_is_gone_and_a_new_one_begins_with_other_names(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    key = SqlitePseudonyms(path)
    before = await key.of("mathilda")
    assert await key.destroy() == 1
    assert list(tmp_path.iterdir()) == []
    assert await key.destroy() == 0
    assert await key.account_of(before) is None
    assert await key.of("mathilda") != before


async def test_a_destroyed_key_is_overwritten_and_not_only_unlinked(tmp_path: Path) -> None:
    path, other_name = tmp_path / "people.db", tmp_path / "the same bytes"
    key = SqlitePseudonyms(path)
    await key.of("discord:mathilda")
    other_name.hardlink_to(path)
    assert b"mathilda" in other_name.read_bytes()
    await key.destroy()
    assert not other_name.read_bytes().strip(b"\0")


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "people.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(StorageError, match=r"people\.db"):
        await SqlitePseudonyms(tmp_path / "people.db").of("ada")


@given(st.data())
def test_made_up_names_have_a_form_of_their_own(data: st.DataObject) -> None:
    assert is_pseudonym(made_up())
    assert not is_pseudonym(data.draw(st.sampled_from(["", "bo", "discord:123", "P-", "P-ABCDEF", "P-abcdefg"])))
