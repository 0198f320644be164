"""`elenchus tokens`: made, listed, revoked; the secret is shown once and is in no file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.service.app import open_app
from elenchus.service.cli.options import tokens as offered
from elenchus.service.lab.access import Access, Grant
from tests.service.cli.program import Program, Result
from tests.service.cli.served import served

Inside = Callable[..., Result]
DEBATE = (
    "debate",
    "Homework should end",
    "--pro",
    "scripted:demo",
    "--con",
    "scripted:demo",
    "--judge",
    "scripted:demo",
)


def found_by(home: Path, secret: str) -> Grant | None:
    """What the program finds by a secret."""

    async def look() -> Grant | None:
        async with open_app(Settings(home=home)) as app:
            return await Access(app.store).find(secret)

    return asyncio.run(look())


def test_a_token_is_shown_once_works_until_it_is_revoked_and_is_in_no_file(elenchus: Program, inside: Inside) -> None:
    made = inside("tokens", "create", "--label", "grading", "--expires", "30d")
    assert made.code == 0, made
    secret = made.out.strip()
    assert secret.startswith("el_")
    assert "shown this once" in made.err
    grant = found_by(elenchus.home, secret)
    assert grant is not None
    assert (grant.role, grant.label) == ("moderator", "grading")
    assert grant.expires == grant.created + timedelta(days=30)
    listed = inside("tokens", "list").out
    assert listed.split("\t")[0] == grant.id
    assert "grading" in listed
    assert secret.encode() not in b"".join(path.read_bytes() for path in elenchus.home.rglob("*") if path.is_file())
    assert inside("tokens", "revoke", grant.id).out == f"{grant.id} is revoked\n"
    assert found_by(elenchus.home, secret) is None
    assert inside("tokens", "list").out == ""


def test_a_program_gets_one_json_document_with_a_link(elenchus: Program, inside: Inside) -> None:
    made = inside("tokens", "create", "--role", "owner", "--expires", "never", "--json").json
    assert (made["role"], made["expires"]) == ("owner", None)
    assert made["link"] == f"http://127.0.0.1:8321/sign-in?link={made['secret']}"
    (row,) = inside("tokens", "list", "--json").json
    assert row == {name: value for name, value in made.items() if name not in ("secret", "link")}
    assert datetime.fromisoformat(row["created"]).tzinfo
    assert inside("tokens", "revoke", made["id"], "--json").json == {"id": made["id"], "revoked": True}


def test_the_link_leads_to_the_address_that_people_see(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_WEB_PUBLIC_URL", "https://debate.example.org")
    assert inside("tokens", "create", "--json").json["link"].startswith("https://debate.example.org/sign-in?link=el_")


def test_the_link_leads_to_the_server_that_runs_wherever_it_listens(elenchus: Program, inside: Inside) -> None:
    with served(elenchus) as server:
        assert inside("tokens", "create", "--json").json["link"].startswith(f"{server.url}/sign-in?link=el_")
        assert server.end() == 0
    assert inside("tokens", "create", "--json").json["link"].startswith("http://127.0.0.1:8321/sign-in?link=el_")


def test_a_token_may_be_for_one_session_or_one_seat_of_it(elenchus: Program, inside: Inside) -> None:
    assert elenchus(*DEBATE, "--json").code == 0
    session = inside("sessions", "list", "--json").json[0]["id"]
    made = inside("tokens", "create", "--role", "seat", "--session", session[:6], "--seat", "con", "--json").json
    assert (made["session"], made["seat"]) == (session, "con")
    inside("tokens", "create", "--role", "moderator")
    assert [row["id"] for row in inside("tokens", "list", "--session", session, "--json").json] == [made["id"]]
    refused = inside("tokens", "create", "--role", "seat", "--session", session, "--seat", "king")
    assert refused.code == 2
    assert "has no seat 'king': it has pro, con" in refused.err


def test_a_session_that_is_deleted_takes_its_tokens_along(elenchus: Program, inside: Inside) -> None:
    assert elenchus(*DEBATE, "--json").code == 0
    session = inside("sessions", "list", "--json").json[0]["id"]
    house = inside("tokens", "create", "--json").json
    made = inside("tokens", "create", "--role", "audience", "--session", session, "--json").json
    assert inside("sessions", "delete", session, "--yes").code == 0
    assert [row["id"] for row in inside("tokens", "list", "--json").json] == [house["id"]]
    assert found_by(elenchus.home, made["secret"]) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("create --role king", "There is no role 'king' to give: take owner, moderator, seat, rater or audience."),
        ("create --role participant", "no role 'participant'"),
        ("create --role seat", "for one session: name it"),
        ("create --role audience", "one session or class"),
        ("create --role audience --session none", "No session's id begins with 'none'"),
        ("create --expires 30", "--expires takes minutes, hours or days, as 90m, 12h or 30d, or the word never."),
        ("create --expires 1y", "--expires takes"),
        ("create --expires 0d", "lasts up to"),
        ("create --expires 999999d", "lasts up to 3660 days"),
        ("create --expires -1d", "--expires takes"),
        ("list --session none", "No session's id begins with 'none'"),
        ("revoke none", "No token has the id 'none': `elenchus tokens list` shows those there are."),
        ("revoke environment", "unsetting ELENCHUS_API_TOKEN"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_and_makes_nothing(inside: Inside, line: str, said: str) -> None:
    refused = inside("tokens", *line.split())
    assert refused.code == 2
    assert said in refused.err
    assert "Traceback" not in refused.err
    assert inside("tokens", "list", "--json").json == []


def test_a_label_of_several_lines_is_refused(inside: Inside) -> None:
    refused = inside("tokens", "create", "--label", "two\nlines")
    assert refused.code == 2
    assert "label" in refused.err


def test_the_shell_is_offered_ids_with_what_they_are_for(inside: Inside) -> None:
    assert offered("") == []
    made = inside("tokens", "create", "--label", "grading", "--json").json
    assert offered(made["id"][:3]) == [(made["id"], "moderator grading")]


def test_who_has_none_is_told_how_to_make_one(inside: Inside) -> None:
    listed = inside("tokens", "list")
    assert (listed.code, listed.out) == (0, "")
    assert "elenchus tokens create" in listed.err
    assert json.loads(inside("tokens", "list", "--json").out) == []
