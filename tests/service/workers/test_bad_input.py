"""What may be wrong with the stores that processes share, as who starts the program is told: in one sentence, at once.

Each command is a process of its own, against servers that run.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.service.cli.program import Program, Result
from tests.storage.postgres_server import (
    PASSWORD,
    USER,
    Server,
    as_nobody_special,
    new_database,
    postgres_url,
    program,
    server,
)
from tests.storage.redis_server import redis_server

SECRET = "gEheIm7"
DEBATE = ("debate", "A motion", "--model", "scripted:demo", "--max-rounds", "1", "--topics", "1")
COMMANDS = (DEBATE, ("worker",), ("sessions", "list"))


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    (tmp_path / "folder").mkdir()
    return Program(tmp_path / "home", tmp_path / "folder")


def refused(result: Result, said: str, code: int) -> None:
    """One sentence, and nothing else."""
    told = " ".join(result.err.split())
    assert said in told, result.err
    assert (result.code, result.out) == (code, ""), result
    assert "Traceback" not in told
    assert len(told) < 500
    assert SECRET not in told
    assert PASSWORD not in told


MISTYPED = [
    f"postgresql://ada:b:{SECRET}",
    f"postgresql://ada:{SECRET}",
    f"postgresql://ada:{SECRET}@{SECRET}@127.0.0.1/x",
    f"postgresql://ada:{SECRET}/{SECRET}@127.0.0.1/x",
    f"postgresql://ada:12/{SECRET}@127.0.0.1/x",
    f"postgresql://ada:{SECRET}%zz@127.0.0.1/x",
    f"postgresql://ada:{SECRET}@127.0.0.1:{SECRET}/x",
    f"postgresql://ada:{SECRET}@127.0.0.1:99999/x",
    f"postgresql://127.0.0.1/x?password={SECRET}&passwort={SECRET}",
    f"postgresq://ada:{SECRET}@127.0.0.1/x",
    f"ada:{SECRET}@127.0.0.1/x",
]


@pytest.mark.parametrize("url", MISTYPED)
def test_a_mistyped_address_is_a_sentence_in_which_none_of_it_stands(elenchus: Program, url: str) -> None:
    for command in COMMANDS:
        result = elenchus(*command, env={"ELENCHUS_DATABASE_URL": url})
        refused(result, "with USER:PASSWORD@ before the host where it wants that", 2)
    assert not elenchus.home.exists(), "nothing was made"


@pytest.mark.parametrize("url", [url for url in MISTYPED if "://" in url])
def test_a_place_to_copy_from_or_to_is_no_folder_where_it_looks_like_an_address(elenchus: Program, url: str) -> None:
    for words in (("--from", str(elenchus.home), "--to", url), ("--from", url, "--to", str(elenchus.home))):
        elenchus.home.mkdir(exist_ok=True)
        result = elenchus("store", "copy", *words)
        assert result.code == 2
        assert SECRET not in result.err
    assert list(elenchus.folder.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        f"redis://ada:b:{SECRET}", f"redis://:{SECRET}/{SECRET}@127.0.0.1/0", f"redis://:{SECRET}@127.0.0.1/zero",
        f"redis://ada:{SECRET}@127.0.0.1:99999/0", f"rediss//:{SECRET}@127.0.0.1/0", f"{SECRET}@127.0.0.1:6379",
    ],
)  # fmt: skip
def test_the_same_of_an_address_of_redis(elenchus: Program, url: str) -> None:
    for command in COMMANDS:
        refused(
            elenchus(*command, env={"ELENCHUS_REDIS_URL": url}),
            "with USER:PASSWORD@ before the host where it wants that",
            2,
        )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((PASSWORD, SECRET), "refuses the name or the password: correct ELENCHUS_DATABASE_URL."),
        ((f"{USER}:", "nobody:"), "refuses the name or the password: correct ELENCHUS_DATABASE_URL."),
        (("/postgres", "/none"), "is not there: create it (createdb), or correct ELENCHUS_DATABASE_URL."),
    ],
)
def test_what_the_server_refuses_is_a_sentence(elenchus: Program, wrong: tuple[str, str], said: str) -> None:
    for command in COMMANDS:
        refused(elenchus(*command, env={"ELENCHUS_DATABASE_URL": postgres_url().replace(*wrong)}), said, 5)


def test_a_server_that_is_not_there_is_a_sentence(elenchus: Program) -> None:
    url = f"postgresql://ada:{SECRET}@127.0.0.1:1/x"
    for command in COMMANDS:
        result = elenchus(*command, env={"ELENCHUS_DATABASE_URL": url})
        refused(result, "x at 127.0.0.1:1 cannot be reached", 5)


def test_redis_with_another_password_is_a_sentence(elenchus: Program) -> None:
    with redis_server("--requirepass", PASSWORD) as there:
        for command in (DEBATE,):
            result = elenchus(*command, env={"ELENCHUS_REDIS_URL": there.url.replace("://", f"://:{SECRET}@")})
            refused(result, "Redis refuses the name or the password: correct ELENCHUS_REDIS_URL.", 5)


def in_it(url: str, *statements: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements[:-1]:
            connection.execute(statement.encode())
        found = connection.execute(statements[-1].encode())
        return found.fetchall() if found.description else []


@pytest.mark.parametrize("part", ["elenchus", "elenchus_queue"])
def test_a_newer_schema_is_refused_and_an_older_one_brought_up_to_date(
    elenchus: Program, database_url: str, part: str
) -> None:
    env = {"ELENCHUS_DATABASE_URL": database_url}
    made = elenchus(*DEBATE, "--detach", "--json", env=env)
    assert made.code == 0, made.err
    newest = in_it(database_url, f"SELECT max(number) FROM {part}.migrations")[0][0]
    older = {
        "elenchus": ("DROP SCHEMA elenchus_people CASCADE",),
        "elenchus_queue": ("DROP TABLE elenchus_queue.waiting", "DROP TABLE elenchus_queue.counts"),
    }[part]
    in_it(database_url, *older, f"DELETE FROM {part}.migrations WHERE number = {newest}")
    assert elenchus(*DEBATE, "--detach", "--json", env=env).code == 0, "an older one"
    assert in_it(database_url, f"SELECT max(number) FROM {part}.migrations") == [(newest,)]
    in_it(database_url, f"INSERT INTO {part}.migrations VALUES (99, 'of tomorrow')")
    env |= {"DISCORD_TOKEN": "a.b.c"}
    commands = COMMANDS if part == "elenchus" else (("worker",), DEBATE, (*DEBATE, "--detach"))
    for command in (*commands, ("serve", "--port", "0"), ("bot",)):
        refused(elenchus(*command, env=env), "was written by a newer Elenchus", 5)
    assert len(in_it(database_url, "SELECT id FROM elenchus.sessions")) == 2, "none is begun that cannot be run"
    examined = elenchus("doctor", "--json", env=env)
    assert examined.code == 5
    assert any("newer Elenchus" in row["said"] for row in examined.json["shared"] if row["well"] is False)
    copied = elenchus("store", "copy", "--from", database_url, "--to", elenchus.home.with_name("other"))
    refused(copied, "was written by a newer Elenchus", 5)
    assert not list(elenchus.home.parent.glob("other/*"))


@pytest.mark.slow
def test_two_homes_with_the_same_session_are_not_copied_together(elenchus: Program, database_url: str) -> None:
    other = Program(elenchus.home.with_name("other"), elenchus.folder)
    for home, title in ((elenchus, "One motion"), (other, "Another motion")):
        done = home("debate", title, *DEBATE[2:], "--json")
        assert done.code == 0, done.err
        assert home("sessions", "export", done.json["id"], "--export", title[:3]).code == 0
        assert home("sessions", "import", title[:3], "--id", "same").code == 0
    first = elenchus("store", "copy", "--from", elenchus.home, "--to", database_url)
    assert first.code == 0, first.err
    before = in_it(database_url, "SELECT count(*) FROM elenchus.events")
    second = elenchus("store", "copy", "--from", other.home, "--to", database_url)
    refused(second, "Session same is in", 2)
    assert "nothing was copied; export and delete it in one of them" in " ".join(second.err.split())
    assert in_it(database_url, "SELECT count(*) FROM elenchus.events") == before


@pytest.mark.slow
def test_a_clock_that_differs_is_a_sentence(elenchus: Program, database_url: str) -> None:
    """By libfaketime, in whose process alone the time is another one."""
    library = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
    assert library is not None, "libfaketime is missing, which this test needs: apt-get install libfaketime"
    env = {"ELENCHUS_DATABASE_URL": database_url, "LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    for shift, said in (("+100s", "s ahead of that of"), ("-100s", "s behind that of")):
        for command in COMMANDS:
            result = elenchus.from_a_shell(*command, env={**env, "FAKETIME": shift})
            refused(result, said, 5)
            assert "set both by the same time server (NTP)." in " ".join(result.err.split())


@pytest.fixture(scope="module")
def replica() -> Iterator[Server]:
    """A standby of the server of the tests."""
    folder = Path(tempfile.mkdtemp(prefix="elenchus-replica-"))
    folder.chmod(0o777)
    of = server()
    made = Server(folder)
    connection = f"host=127.0.0.1 port={of.port} user={USER} password={PASSWORD}"
    done = subprocess.run(
        [program("pg_basebackup"), "-D", str(made.data), "-d", connection, "--checkpoint=fast", "-R", "--no-sync"],
        capture_output=True, text=True, check=False, cwd="/", **as_nobody_special(),  # type: ignore[call-overload]
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made.start()
    yield made
    made.remove()


@pytest.mark.slow
def test_a_replica_is_read_and_what_would_write_there_is_told(
    elenchus: Program, database_url: str, replica: Server
) -> None:
    made = elenchus(*DEBATE, "--json", env={"ELENCHUS_DATABASE_URL": database_url})
    assert made.code == 0, made.err
    env = {"ELENCHUS_DATABASE_URL": replica.url(database_url.rpartition("/")[2])}
    listed = elenchus("sessions", "list", "--json", env=env)
    assert [one["id"] for one in listed.json] == [made.json["id"]]
    for command in (DEBATE, ("worker",)):
        refused(elenchus(*command, env=env), "is a replica or read-only: set ELENCHUS_DATABASE_URL to the primary.", 5)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_keep_all_letters_is_refused_before_there_is_anything(
    elenchus: Program, encoding: str
) -> None:
    """Else the first speech with such a letter would be refused, and its session tried for ever."""
    name = encoding.lower()
    in_it(postgres_url(), f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    env = {"ELENCHUS_DATABASE_URL": postgres_url().rpartition("/")[0] + f"/{name}"}
    for command in (*COMMANDS, ("serve", "--port", "0")):
        refused(elenchus(*command, env=env), f"keeps text in {encoding}, which lacks letters that people", 5)
    assert in_it(env["ELENCHUS_DATABASE_URL"], "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'elenchus%'") == []
    assert elenchus("doctor", env=env).code == 5
    in_it(postgres_url(), f"DROP DATABASE {name} WITH (FORCE)")


def test_a_worker_that_cannot_read_the_queue_says_what_is_wrong_with_it(elenchus: Program, database_url: str) -> None:
    env = {"ELENCHUS_DATABASE_URL": database_url}
    assert elenchus(*DEBATE, "--detach", env=env).code == 0
    in_it(database_url, "DROP FUNCTION elenchus_queue.procrastinate_fetch_job_v2")
    result = elenchus("worker", "--queue", "sessions", env=env)
    assert result.code == 1
    assert "the queue is lost" in result.err
    assert "function procrastinate_fetch_job_v2" in result.err


def test_doctor_says_of_a_database_that_is_read_only_that_nothing_can_be_written_there(elenchus: Program) -> None:
    url = new_database("default_transaction_read_only = on")
    result = elenchus("doctor", "--json", env={"ELENCHUS_DATABASE_URL": url})
    (row,) = [row for row in result.json["shared"] if row["what"] == "PostgreSQL"]
    assert "read-only (default_transaction_read_only), which takes no changes" in row["said"]
    assert row["well"] is False
    assert result.code == 5
    assert elenchus("doctor", env={"ELENCHUS_DATABASE_URL": url}).code == 5
