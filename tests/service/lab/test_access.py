"""Who may do what: grants by secrets, of which hashes alone are kept."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import NewerSchema, UsageError
from elenchus.debate_engine.key_value_store import Document, KeyValueStore
from elenchus.service.lab.access import BY_ENVIRONMENT, GRANTS, ROLES, Access, NewGrant, Role
from elenchus.service.lab.access_secrets import LETTERS, hash_of, new_code
from elenchus.storage.sqlite_log import open_log
from tests.fakes.memory_store import MemoryStore

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLACES: dict[Role, dict[str, str]] = {
    "owner": {},
    "moderator": {"session": "s1"},
    "seat": {"session": "s1", "seat": "con"},
    "rater": {"session": "s1"},
    "audience": {"session": "s1"},
    "participant": {"classroom": "c1", "person": "Brisk Heron"},
}


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at


class CountingStore(MemoryStore):
    """Counts what is asked of it; `all` of a namespace counts each document in it."""

    read = 0

    async def get(self, namespace: str, key: str) -> Document | None:
        self.read += 1
        found = self._namespaces.get(namespace, {}).get(key)
        return None if found is None else dict(json.loads(found))

    async def all(self, namespace: str) -> dict[str, Document]:
        found = await super().all(namespace)
        self.read += len(found)
        return found


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[KeyValueStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    log = await open_log(tmp_path / "elenchus.db")
    yield log.key_value_store
    await log.aclose()


@pytest.fixture
def access(store: KeyValueStore, clock: Clock) -> Access:
    return Access(store, clock)


@pytest.mark.parametrize("role", ROLES)
async def test_a_secret_gives_what_was_granted_and_another_nothing(access: Access, role: Role) -> None:
    made = await access.give(role, **PLACES[role], label="for Ada", lasts=HOUR)  # type: ignore[arg-type]
    assert await access.find(made.secret) == made.grant
    assert (made.grant.role, made.grant.label, made.grant.created) == (role, "for Ada", START)
    assert await access.by_id(made.grant.id) == made.grant
    other = made.secret[:-1] + ("A" if made.secret[-1] != "A" else "B")
    assert await access.find(other) is None


async def test_the_files_hold_no_secret_only_hashes(tmp_path: Path) -> None:
    log = await open_log(tmp_path / "elenchus.db")
    access = Access(log.key_value_store)
    long = [await access.give("moderator") for _ in range(5)]
    short = [await access.give("seat", session="s", seat="pro", short=8) for _ in range(5)]
    assert await access.take(long[0].secret)
    await log.aclose()
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert all(made.grant.id.encode() in written for made in long + short)
    secrets = [made.secret for made in long + short] + [made.secret.replace("-", "") for made in short]
    assert [secret for secret in secrets if secret.encode() in written] == []


async def test_a_grant_ends_at_its_time_by_the_clock(access: Access, clock: Clock) -> None:
    made = await access.give("audience", session="s1", lasts=HOUR)
    for_ever = await access.give("owner")
    clock.at = START + HOUR - timedelta(microseconds=1)
    assert await access.find(made.secret)
    clock.at = START + HOUR
    assert await access.find(made.secret) is None
    assert await access.by_id(made.grant.id) is None
    assert await access.grants() == [for_ever.grant]
    clock.at = START + timedelta(days=36_500)
    assert await access.find(for_ever.secret) == for_ever.grant


async def test_what_is_revoked_is_nothing_at_once_also_by_another_process(tmp_path: Path) -> None:
    ours, theirs = await open_log(tmp_path / "elenchus.db"), await open_log(tmp_path / "elenchus.db")
    here, there = Access(ours.key_value_store), Access(theirs.key_value_store)
    made = await here.give("moderator", label="script")
    assert await there.find(made.secret) == made.grant
    assert await here.revoke(made.grant.id)
    assert await there.find(made.secret) is None
    assert await there.by_id(made.grant.id) is None
    assert not await there.revoke(made.grant.id)
    await ours.aclose()
    await theirs.aclose()


async def test_of_twenty_who_take_a_one_time_secret_at_once_one_has_it(access: Access, clock: Clock) -> None:
    made = await access.give("moderator", once=True, lasts=timedelta(days=30), use_within=HOUR)
    assert await access.find(made.secret) == made.grant  # a preview's look does not use it up
    taken = await asyncio.gather(*(access.take(made.secret) for _ in range(20)))
    assert [grant for grant in taken if grant] == [made.grant]
    assert await access.find(made.secret) is None
    assert await access.take(made.secret) is None
    clock.at = START + timedelta(days=29)
    assert await access.by_id(made.grant.id) == made.grant  # who took it stays signed in
    assert await access.revoke(made.grant.id)
    assert await access.by_id(made.grant.id) is None


async def test_a_one_time_secret_is_good_until_its_time_only(access: Access, clock: Clock) -> None:
    made = await access.give("moderator", once=True, use_within=HOUR)
    clock.at = START + HOUR
    assert await access.find(made.secret) is None
    assert await access.take(made.secret) is None


async def test_a_grant_with_a_limit_of_a_newer_release_gives_nothing_and_hides_no_other(
    store: KeyValueStore, access: Access
) -> None:
    made = await access.give("owner", label="newer")
    await access.give("owner", label="ours")
    document = await store.get(GRANTS, made.grant.id)
    assert document is not None
    await store.put(GRANTS, made.grant.id, {**document, "only_on": "monday"})
    with pytest.raises(NewerSchema, match="only_on"):
        await access.find(made.secret)
    assert [one.label for one in await access.grants()] == ["ours"]
    assert await access.remove_ended() == 0


async def test_a_secret_that_is_not_for_once_can_be_taken_often(access: Access) -> None:
    made = await access.give("audience", session="s1")
    assert [await access.take(made.secret) for _ in range(3)] == [made.grant] * 3


async def test_a_short_code_is_found_however_people_type_it(access: Access) -> None:
    made = await access.give("seat", session="s1", seat="con", short=8)
    first, _, second = made.secret.partition("-")
    assert len(first) == len(second) == 4
    assert set(first + second) <= set(LETTERS)
    for typed in (made.secret, first + second, f"  {first.upper()} {second.upper()}\n", f"{first}–{second}"):
        assert await access.find(typed) == made.grant
    assert await access.find(first) is None
    in_class = await access.give("participant", classroom="c", person="p", short=6)
    assert [len(part) for part in in_class.secret.split("-")] == [3, 3]
    assert await access.find(in_class.secret) == in_class.grant


class OneCodeLeft(MemoryStore):
    """Has every code but the third that is tried."""

    tried = 0

    async def add(self, namespace: str, key: str, value: Document) -> bool:
        self.tried += 1
        return self.tried == 3 and await super().add(namespace, key, value)


def test_no_code_has_a_vowel_so_that_none_on_a_wall_is_a_word() -> None:
    drawn = "".join(new_code(6) + new_code(8) for _ in range(200))
    assert not set(drawn) & set("aeiou")


@pytest.mark.parametrize("code", ["ege-xsy", "63au-5ebr"])
async def test_a_code_with_vowels_that_was_given_before_is_still_one(code: str) -> None:
    assert await hash_of(code) == await hash_of(code.replace("-", " ").upper()) is not None


async def test_a_code_that_another_grant_has_is_drawn_again() -> None:
    store = OneCodeLeft()
    access = Access(store)
    made = await access.give("participant", classroom="c", person="p", short=6)
    assert store.tried == 3
    assert await access.find(made.secret) == made.grant


async def test_the_token_of_the_settings_is_a_moderators_and_no_part_of_it_is(store: KeyValueStore) -> None:
    token = "a-long-token-of-the-environment-ü"
    access = Access(store, token=token)
    found = await access.find(token)
    assert found is not None
    assert (found.role, found.id, found.session) == ("moderator", BY_ENVIRONMENT, "")
    for wrong in ("", token[:-1], token + "x", token.upper(), "\ud800"):
        assert await access.find(wrong) is None
    assert await Access(store).find("") is None
    assert not await access.revoke(BY_ENVIRONMENT)


async def test_grants_are_listed_and_revoked_by_session_and_by_class(access: Access, clock: Clock) -> None:
    made: list[NewGrant] = []
    for place in ({"session": "s1"}, {"session": "s2"}, {"classroom": "c1"}, {"classroom": "s1"}):
        made.append(await access.give("audience", **place))  # type: ignore[arg-type]
        clock.at += HOUR
    house = await access.give("moderator")
    assert await access.grants() == [one.grant for one in (*made, house)]
    assert await access.grants("s1") == [made[0].grant]
    assert await access.grants(classroom="s1") == [made[3].grant]
    assert await access.revoke_session("s1") == 1
    assert await access.revoke_session("", classroom="c1") == 1
    assert await access.revoke_session("") == 0
    assert [await access.find(one.secret) for one in made] == [None, made[1].grant, None, made[3].grant]
    assert await access.grants() == [made[1].grant, made[3].grant, house.grant]


async def test_what_ended_leaves_nothing_and_what_is_in_use_stays(store: KeyValueStore, clock: Clock) -> None:
    access = Access(store, clock)
    await access.give("audience", session="s1", lasts=HOUR)
    await access.give("moderator", once=True, use_within=HOUR)
    taken = await access.give("moderator", once=True, use_within=HOUR)
    assert await access.take(taken.secret)
    clock.at += 2 * HOUR
    assert await access.remove_ended() == 2
    assert await access.by_id(taken.grant.id)
    assert await access.revoke(taken.grant.id)
    for namespace in ("grants", "grant-secrets", "grants-used", "grants/session/s1"):
        assert await store.all(namespace) == {}


@pytest.mark.parametrize(
    ("role", "place", "words"),
    [
        ("seat", {"session": "s"}, "seat"),
        ("seat", {"seat": "con"}, "session"),
        ("rater", {}, "session"),
        ("audience", {}, "session or class"),
        ("participant", {"classroom": "c"}, "person"),
        ("owner", {"session": "s"}, "moderator"),
        ("moderator", {"seat": "con"}, "no seat"),
        ("moderator", {"session": "s", "classroom": "c"}, "one of them"),
        ("audience", {"session": "s", "person": "p"}, "nobody's own"),
        ("moderator", {"session": "../etc/passwd"}, "session"),
        ("moderator", {"session": "s\n"}, "session"),
        ("moderator", {"session": "s" * 201}, "session"),
        ("moderator", {"label": "x" * 201}, "label"),
        ("moderator", {"label": "two\nlines"}, "label"),
        ("moderator", {"label": "\ud800"}, "label"),
        ("king", {}, "role"),
        ("moderator", {"lasts": timedelta(0)}, "lasts"),
        ("moderator", {"lasts": timedelta(days=-1)}, "lasts"),
        ("moderator", {"lasts": timedelta(days=4000)}, "lasts"),
        ("moderator", {"short": 5}, "letters"),
        ("moderator", {"short": 1000}, "letters"),
        ("moderator", {"short": -8}, "letters"),
        ("moderator", {"use_within": HOUR}, "once"),
    ],
)
async def test_what_no_grant_can_be_is_refused_in_a_sentence(
    access: Access, role: Any, place: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        await access.give(role, **place)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)
    assert await access.grants() == []


@given(st.one_of(st.text(), st.text(LETTERS + "-", max_size=20), st.from_regex(r"el_[\w-]{40,46}"), st.binary()))
def test_whatever_is_given_as_a_secret_is_looked_at_and_gives_nothing(secret: str | bytes) -> None:
    async def found() -> object:
        access = Access(MemoryStore(), token="t" * 40)
        await access.give("owner")
        text = secret if isinstance(secret, str) else secret.decode(errors="surrogateescape")
        await access.by_id(text)
        assert not await access.revoke(text)
        return await access.find(text) or await access.take(text)

    assert asyncio.run(found()) is None


async def test_a_secret_of_ten_megabytes_costs_nothing(access: Access) -> None:
    began = time.perf_counter()
    assert await access.find("a" * 10_000_000) is None
    assert await access.find("el_" + "a" * 10_000_000) is None
    assert time.perf_counter() - began < 0.5


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=200))
def test_any_label_that_can_be_shown_comes_back_as_it_was(label: str) -> None:
    async def kept() -> str:
        access = Access(MemoryStore())
        made = await access.give("moderator", label=label)
        found = await access.find(made.secret)
        assert found == made.grant
        return found.label

    assert asyncio.run(kept()) == label


async def test_among_ten_thousand_grants_one_is_found_by_reading_two_documents() -> None:
    store = CountingStore()
    access = Access(store)
    made = [await access.give("audience", session=f"s{n % 100}") for n in range(10_000)]
    once = await access.give("moderator", once=True)
    store.read = 0
    assert await access.find(made[5_000].secret) == made[5_000].grant
    assert store.read == 2
    assert await access.take(once.secret)
    assert store.read == 5
    store.read = 0
    assert len(await access.grants("s7")) == 100
    assert store.read == 200
    store.read = 0
    assert await access.revoke(made[0].grant.id)
    assert store.read == 2


async def test_a_list_of_ten_thousand_grants_lets_others_have_their_turn() -> None:
    access, turns = Access(MemoryStore()), 0
    for n in range(10_000):
        await access.give("audience", session=f"s{n}")

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    assert len(await access.grants()) == 10_000
    task.cancel()
    assert turns >= 100
