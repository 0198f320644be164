"""`elenchus class` as a process: what it shows, in which server the class is held, slips, robots, and deleting one."""

from __future__ import annotations

import http.client
import json
import re
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.cli.context import GARBAGE
from elenchus.service.qr_codes import as_characters
from tests.service.cli.program import PATIENCE, ROOT, Program, Result
from tests.service.cli.served import Server, free_port, served
from tests.service.lab.classes.room import scene_in

SHOWS_COLLECTOR = """\
import gc, signal
from pathlib import Path
signal.signal(signal.SIGUSR1, lambda *_: Path("collector.json").write_text(str(list(gc.get_threshold()))))
"""


@contextmanager
def held(elenchus: Program, *arguments: str, env: dict[str, str] | None = None) -> Iterator[tuple[Server, Any]]:
    """A class in a server that is started for it, and its first line."""
    scene_in(elenchus.home)
    process = elenchus.start("class", "parcel", "--port", "0", "--json", *arguments, env=env)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        first = process.stdout.readline()
        assert first, process.stderr.read()
        ready = json.loads(first)
        server = Server(process, ready["url"], ready["moderator"], int(ready["url"].rpartition(":")[2]))
        server.token = elenchus("tokens", "create", "--role", "owner", "--json").json["secret"]
        yield server, ready
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=PATIENCE)
        process.stdout.close()
        process.stderr.close()


def signed_in(server: Server, link: str) -> tuple[int, str, str]:
    """Press the button behind a link: status, where it leads, and the cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    connection.request("POST", "/sign-in", f"link={link.rpartition('=')[2]}", headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("Location", ""), answer.headers.get("Set-Cookie", "").partition(";")[0]


def test_its_first_line_has_the_code_to_join_by_and_a_link_that_leads_one_browser_to_the_class(
    elenchus: Program,
) -> None:
    with held(elenchus, "--people", "3", "--conditions", "high,low") as (server, ready):
        assert ready.keys() == {"url", "moderator", "class", "code", "join"}
        assert ready["join"] == f"{ready['url']}/join/{ready['code']}"
        assert signed_in(server, ready["moderator"])[:2] == (303, f"/classes/{ready['class']}")
        assert signed_in(server, ready["moderator"])[0] == 401
        room = server.ask(f"/api/v1/classes/{ready['class']}")[2]
        assert (room["phase"], room["places"], room["people"]) == ("lobby", 3, 0)
        assert server.ask("/api/v1/class-places", {"code": ready["code"]}, headers={"Authorization": ""})[0] == 200
        assert server.ask(f"/api/v1/classes/{ready['class']}")[2]["people"] == 1
        assert server.end() == 0


def test_the_link_leads_this_class_and_nothing_else_of_the_house(elenchus: Program) -> None:
    with held(elenchus, "--people", "3") as (server, ready):
        _, _, cookie = signed_in(server, ready["moderator"])
        other = server.ask("/api/v1/classes", {"options": {"scene": "parcel", "people": 2}})[2]["id"]
        server.token = ""
        by: dict[str, Any] = {"headers": {"Cookie": cookie}}
        assert server.ask(f"/api/v1/classes/{ready['class']}/teacher", **by)[0] == 200
        assert server.ask(f"/api/v1/classes/{other}/teacher", **by)[0] == 404
        assert server.ask("/api/v1/classes", **by)[0] == 403


def test_where_a_server_of_these_sessions_runs_the_class_is_made_there(elenchus: Program) -> None:
    scene_in(elenchus.home)
    with served(elenchus) as server:
        made = elenchus("class", "parcel", "--people", "2", "--port", str(server.port), "--json")
        assert made.code == 0, made
        room = server.ask(f"/api/v1/classes/{made.json['class']}")[2]
        assert (room["code"], room["phase"]) == (made.json["code"], "lobby")
        assert made.json["url"] == server.url
        assert signed_in(server, made.json["moderator"])[:2] == (303, f"/classes/{made.json['class']}")
        labels = [one["label"] for one in elenchus("tokens", "list", "--json").json]
        assert "elenchus class" not in labels, "what it asked the server with is good no more"


def test_what_cannot_be_listened_at_is_refused_also_where_a_server_runs(elenchus: Program) -> None:
    scene_in(elenchus.home)
    with served(elenchus) as server:
        refused = elenchus("class", "parcel", "--lan", "--host", "127.0.0.1", "--port", str(server.port))
        assert (refused.code, "leave --host away" in refused.err) == (2, True)
        assert server.ask("/api/v1/classes")[2] == {"classes": []}


def test_a_server_of_other_sessions_is_left_alone(elenchus: Program, tmp_path: Path) -> None:
    scene_in(elenchus.home)
    with served(Program(tmp_path / "other", elenchus.folder)) as server:
        refused = elenchus("class", "parcel", "--port", str(server.port))
        assert refused.code == 2
        assert "is taken" in refused.err
        assert server.ask("/api/v1/classes")[2] == {"classes": []}


def test_slips_are_codes_that_only_their_owner_reads_one_for_each_person(elenchus: Program) -> None:
    for name in ("slips.html", "slips.txt"):
        file = elenchus.folder / name
        with held(elenchus, "--people", "3", "--slips", str(file)) as (server, ready):
            text = file.read_text()
            codes = re.findall(r"\b[a-z2-9]{4}-[a-z2-9]{4}\b", re.sub(r"<svg.*?</svg>", "", text))
            assert len(set(codes)) == 3
            assert text.count("<svg") == (3 if name.endswith("html") else 0)
            assert ready["url"] + "/join" in text
            assert "link=" not in text
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            by_all, by_one = (
                server.ask("/api/v1/class-places", {"code": code}, headers={"Authorization": ""})[0]
                for code in (ready["code"], codes[0])
            )
            assert (by_all, by_one) == (422, 200)
            assert server.end() == 0


def test_codes_that_may_be_in_use_are_not_written_over_and_no_empty_file_is_left(
    elenchus: Program, inside: Callable[..., Result]
) -> None:
    file = elenchus.folder / "slips.txt"
    file.write_text("in use")
    refused = inside("class", "bandwagon", "--port", "0", "--slips", str(file))
    assert refused.code == 2
    assert "is there already" in refused.err
    assert file.read_text() == "in use"
    refused = inside("class", "bandwagon", "--port", "0", "--slips", str(elenchus.folder / "new.txt"), "--hours", "0")
    assert refused.code == 2
    assert not (elenchus.folder / "new.txt").exists()
    refused = elenchus("class", "nonesuch", "--port", "0", "--slips", str(elenchus.folder / "new.txt"))
    assert refused.code == 2
    assert "nonesuch" in refused.err
    assert not (elenchus.folder / "new.txt").exists()


@pytest.mark.slow
def test_robots_alone_are_led_to_what_came_out_which_is_called_simulated(elenchus: Program) -> None:
    with held(elenchus, "--people", "0", "--bots", "10") as (server, ready):
        assert server.process.stderr is not None
        said = ""
        while "n = " not in said:
            line = server.process.stderr.readline()
            assert line, said
            said += line
        assert "10 answering robots (simulated: they answer by lot, nobody has said any of it)" in said
        shown = server.ask(f"/api/v1/classes/{ready['class']}/revealed")[2]
        assert (shown["of"], shown["analysed"]) == ("robots", 10)
        assert server.ask(f"/api/v1/classes/{ready['class']}")[2]["people"] == 0


def test_on_a_terminal_the_code_to_photograph_is_the_one_to_join_and_never_the_teachers_link(
    elenchus: Program,
) -> None:
    scene_in(elenchus.home)
    with elenchus.terminal("class", "parcel", "--port", str(free_port()), columns=160, lines=60) as terminal:
        terminal.expect("People join at http://127.0.0.1:")
        terminal.expect("Only this machine reaches it: for phones say --lan.")
        terminal.expect("Ctrl-C ends the server")
        terminal.interrupt()
        assert terminal.wait() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", terminal.screen)
    join, code = re.search(r"People join at (\S+) by the code (\S+)", plain).groups()  # type: ignore[union-attr]
    (link,) = re.findall(r"http://\S+/sign-in\?link=\S+", plain)
    assert as_characters(f"{join}/{code}").splitlines()[3] in plain
    assert as_characters(link).splitlines()[3] not in plain


def test_a_dry_run_makes_no_class_and_says_what_it_would_ask_of_models(elenchus: Program) -> None:
    scene_in(elenchus.home)
    plan = elenchus("class", "parcel", "--people", "28", "--bots", "2", "--dry-run", "--json")
    assert plan.code == 0, plan
    assert (plan.json["runs"], plan.json["calls"]) == (30, 0)
    assert elenchus("sessions", "list", "--json").json == []


# ── deleting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def phase(server: Server, room: str, to: str) -> None:
    found = server.ask(f"{room}/phase", {"to": to, "sure": True})[2]
    assert found["done"], found


def test_a_class_that_is_over_is_deleted_with_what_was_said_once_somebody_is_sure(elenchus: Program) -> None:
    scene_in(elenchus.home)
    with served(elenchus) as server:
        port = ("--port", str(server.port))
        class_id = elenchus("class", "parcel", "--people", "1", *port, "--json").json["class"]
        room = f"/api/v1/classes/{class_id}"
        early = elenchus("class", class_id, "--delete", "--yes", *port)
        assert (early.code, "End the class first" in early.err) == (2, True)
        phase(server, room, "over")
        unsure = elenchus("class", class_id, "--delete", *port)
        assert (unsure.code, "say --yes" in unsure.err) == (2, True)
        deleted = elenchus("class", class_id, "--delete", "--yes", *port)
        assert deleted.out == f"deleted the class {class_id}\n"
        assert server.ask(room)[0] == 404


def test_a_class_is_deleted_where_no_server_runs_too(elenchus: Program) -> None:
    with held(elenchus, "--people", "1") as (server, ready):
        phase(server, f"/api/v1/classes/{ready['class']}", "over")
        assert server.end() == 0
    port = ("--port", str(free_port()))
    assert elenchus("class", ready["class"], "--delete", "--yes", *port).code == 0
    again = elenchus("class", ready["class"], "--delete", "--yes", *port)
    assert (again.code, "There is no such class" in again.err) == (2, True)


# ── the program's collector of garbage ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "class"])
def test_a_server_looks_for_garbage_as_seldom_as_the_program_does(
    elenchus: Program, command: str, tmp_path: Path
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SHOWS_COLLECTOR)
    env = {"PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}:{ROOT / 'src'}"}
    cold = elenchus.from_a_shell
    holding = held(cold, "--people", "1", env=env) if command == "class" else served(cold, env=env)
    with holding as found:
        server = found if isinstance(found, Server) else found[0]
        server.process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + PATIENCE
        while not (told := elenchus.folder / "collector.json").exists() or not told.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert tuple(json.loads(told.read_text())) == GARBAGE
        assert server.end() == 0


def test_a_class_finds_the_server_that_runs_without_being_told_where_it_listens(elenchus: Program) -> None:
    scene_in(elenchus.home)
    with served(elenchus) as server:
        made = elenchus("class", "parcel", "--json")
        assert made.code == 0, made
        assert made.json["url"] == server.url
        assert [one["id"] for one in server.ask("/api/v1/classes")[2]["classes"]] == [made.json["class"]]
