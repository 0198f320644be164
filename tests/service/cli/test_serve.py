"""`elenchus serve` as a process: its first line, what it says where it cannot begin, and how it ends and goes on."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from elenchus.service.web.sign_in import COOKIE
from tests.service.cli.program import Program, Result
from tests.service.cli.served import ENDLESS, Server, served

SLOW = {"pro": ENDLESS, "con": ENDLESS}


def test_its_first_line_is_one_json_object_with_the_address_and_a_link_for_one_sign_in(elenchus: Program) -> None:
    process = elenchus.start("serve", "--port", "0", "--json")
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    rest, said = process.communicate(timeout=60)
    ready = json.loads(first)
    assert ready.keys() == {"url", "moderator"}
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", ready["url"])
    assert re.fullmatch(re.escape(ready["url"]) + r"/sign-in\?link=el_[\w-]{43}", ready["moderator"])
    assert rest == ""
    assert process.returncode == 0
    assert "el_" not in said
    (grant,) = elenchus("tokens", "list", "--json").json
    assert (grant["role"], grant["once"]) == ("owner", True)
    assert grant["use_by"] < grant["expires"]


def test_what_it_logs_is_a_json_document_a_line_with_the_session_that_it_concerns(elenchus: Program) -> None:
    with served(elenchus) as server:
        session = server.debate()
        server.until(f"/api/v1/sessions/{session}", state="finished")
        assert server.ask("/join/abcd-efgh?link=el_" + "x" * 43)[0] == 404
        assert server.end() == 0
    lines = [json.loads(line) for line in server.said]
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in lines)
    asked = [line for line in lines if line.get("path") == f"/api/v1/sessions/{session}"]
    assert asked
    assert all(line["session"] == session and line["status"] == 200 and line["ms"] >= 0 for line in asked)
    assert [line["path"] for line in lines if "/join/" in line.get("path", "")] == ["/join/***"]
    assert not [line for line in server.said if "abcd" in line or "xxxx" in line]
    assert lines[-1]["message"].startswith("stopping: sessions pause")


@pytest.mark.slow
@pytest.mark.kill
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_pauses_what_runs_and_it_goes_on_at_the_next_start(elenchus: Program, number: signal.Signals) -> None:
    with served(elenchus) as server:
        session = server.debate(**SLOW)
        elenchus.wait_for("owner_started")
        began = time.monotonic()
        assert server.end(number) == 0
        assert time.monotonic() - began < 20
    (paused,) = elenchus.events("session_paused")
    assert paused["why"] == "interrupt"
    with served(elenchus) as server:
        server.until(f"/api/v1/sessions/{session}", state="running")
        assert len(elenchus.events("session_resumed")) == 1
        assert server.end() == 0


@pytest.mark.kill
def test_after_a_kill_the_next_start_goes_on_with_what_ran_and_asks_nothing_twice(elenchus: Program) -> None:
    with served(elenchus) as server:
        session = server.debate(con=ENDLESS)
        elenchus.wait_for("step_done")
        server.end(signal.SIGKILL)
    done = elenchus.events("step_done")
    with served(elenchus) as server:
        server.until(f"/api/v1/sessions/{session}", state="running")
        assert elenchus.events("step_done")[: len(done)] == done
        assert server.end() == 0


def test_what_was_finished_or_paused_by_its_moderator_is_left_as_it_is(elenchus: Program) -> None:
    with served(elenchus) as server:
        finished, paused = server.debate(), server.debate(**SLOW)
        server.until(f"/api/v1/sessions/{finished}", state="finished")
        assert server.ask(f"/api/v1/sessions/{paused}/commands", {"command": "pause"})[0] == 202
        server.until(f"/api/v1/sessions/{paused}", state="paused")
        assert server.end() == 0
    with served(elenchus) as server:
        assert server.ask(f"/api/v1/sessions/{paused}")[2]["state"] == "paused"
        assert server.ask(f"/api/v1/sessions/{finished}")[2]["state"] == "finished"
        assert elenchus.events("session_resumed") == []


@pytest.mark.kill
def test_while_it_ends_new_work_is_refused_with_a_time_to_come_back(elenchus: Program) -> None:
    with served(elenchus) as server:
        answers = _asked_while_it_ends(server)
    refused = [(status, headers, document) for status, headers, document in answers if status != 201]
    assert refused, "it must still answer while it ends"
    for status, headers, document in refused:
        assert status == 503
        assert int(headers["Retry-After"]) > 0
        assert "stopping" in document["detail"]


def _asked_while_it_ends(server: Server) -> list[tuple[int, dict[str, str], dict[str, str]]]:
    """Every answer to requests for a new debate, from the signal until nobody listens any more."""
    body = {"protocol": "debate", "options": {"motion": "Homework should end", **SLOW, "judges": [ENDLESS]}}
    answers = []
    server.process.send_signal(signal.SIGTERM)
    while True:
        try:
            answers.append(server.ask("/api/v1/sessions", body))
        except (OSError, http.client.HTTPException):
            return answers
        time.sleep(0.05)


def test_a_second_signal_ends_it_without_waiting(elenchus: Program) -> None:
    with served(elenchus) as server:
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        assert server.end() == 0


def _form(server: Server, secret: str, cookie: str = "") -> tuple[int, str]:
    """Press the button of the page behind a link; the status and the cookie that is set."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", "Cookie": cookie}
    connection.request("POST", "/sign-in", f"link={secret}", headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("Set-Cookie", "")


def test_the_moderators_link_outlasts_previews_and_signs_one_browser_in(elenchus: Program) -> None:
    with served(elenchus) as server:
        path, secret = server.link.removeprefix(server.url), server.link.rpartition("=")[2]
        server.token = ""
        for _ in range(3):
            status, headers, page = server.ask(path, headers={"Accept": "text/html"})
            assert status == 200
            assert not headers.get("Set-Cookie", "").startswith(f"{COOKIE}="), "a preview is signed in to nothing"
            assert "<button" in page
        status, cookie = _form(server, secret)
        assert status == 303
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert _form(server, secret)[0] == 401
        signed_in = {"Cookie": cookie.partition(";")[0], "Accept": "text/html"}
        assert server.ask("/", headers=signed_in)[0] == 200
        assert server.ask("/api/v1/sessions", headers=signed_in)[0] == 200
        assert server.ask("/api/v1/sessions")[0] == 401


def test_what_the_moderators_browser_does_is_done_by_whoever_started_the_server(elenchus: Program) -> None:
    with served(elenchus) as server:
        session = server.debate(pro=ENDLESS)
        cookie = _form(server, server.link.rpartition("=")[2])[1].partition(";")[0]
        token, server.token = server.token, ""
        page = server.ask("/new/debate", headers={"Cookie": cookie, "Accept": "text/html"})[2]
        sent = {"Cookie": cookie, "X-CSRF-Token": re.findall(r'name="csrf" value="([^"]+)"', page)[0]}
        assert server.ask(f"/api/v1/sessions/{session}/commands", {"command": "pause"}, headers=sent)[0] == 202
        server.token = token
        paused = server.until(f"/api/v1/sessions/{session}", state="paused")
        assert paused["reason"] == "paused by whoever started the server"


# ── where it cannot begin ────────────────────────────────────────────────────────────────────────────────────────


def test_a_port_that_is_taken_is_a_sentence(inside: Callable[..., Result]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = inside("serve", "--port", str(port))
    assert refused.code == 2
    assert refused.err.startswith(f"elenchus: Port {port} of 127.0.0.1 is taken, perhaps by another Elenchus: ")
    assert refused.out == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--lan --host 127.0.0.1", "leave --host away"),
        ("--port 70000", "--port must be between 0 and 65535"),
        ("--port 80a", "not a whole number"),
    ],
)
def test_what_cannot_be_listened_at_is_a_sentence(inside: Callable[..., Result], line: str, said: str) -> None:
    refused = inside("serve", *line.split())
    assert refused.code == 2
    assert said in refused.err
    assert "Traceback" not in refused.err


def test_a_token_that_is_too_short_is_refused_before_anything_listens(
    inside: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELENCHUS_API_TOKEN", "secret")
    refused = inside("serve", "--port", "0")
    assert refused.code == 2
    assert "ELENCHUS_API_TOKEN cannot be used" in refused.err


# ── for people ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_on_a_terminal_people_read_where_to_go_and_see_no_code_where_nobody_else_can_come(elenchus: Program) -> None:
    with elenchus.terminal("serve", "--port", "0") as terminal:
        terminal.expect("Elenchus is served at http://127.0.0.1:")
        terminal.expect("/sign-in?link=el_")
        terminal.expect("Ctrl-C ends it")
        terminal.interrupt()
        assert terminal.wait() == 0
    assert "█" not in terminal.screen


@pytest.mark.usefixtures("_in_a_network")
def test_in_a_network_the_code_is_of_the_address_to_join_and_never_of_the_moderators_link(elenchus: Program) -> None:
    with elenchus.terminal("serve", "--port", "0", "--lan", columns=160, lines=60) as terminal:
        terminal.expect("/join")
        terminal.expect("Ctrl-C ends it")
        terminal.interrupt()
        assert terminal.wait() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", terminal.screen)
    joins = re.search(r"People join at (http://\S+/join)", plain)
    assert joins
    assert urlsplit(joins[1]).hostname != "127.0.0.1"
    assert "link=" not in joins[1]
    from elenchus.service.qr_codes import as_characters

    assert as_characters(joins[1]).splitlines()[3] in plain
    link = re.search(r"http://\S+/sign-in\?link=\S+", plain)
    assert link
    assert as_characters(link[0]).splitlines()[3] not in plain
    assert (urlsplit(link[0]).hostname, urlsplit(link[0]).port) == ("127.0.0.1", urlsplit(joins[1]).port)


@pytest.fixture
def _in_a_network() -> None:
    """Skips the test on a machine that has no address but loopback."""
    code = "from elenchus.service.web.listening import lan_address; lan_address()"
    if subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode:
        pytest.skip("this machine has no address in a network")


ASK = (
    "import sys, urllib.request, urllib.error\n"
    "asked = urllib.request.Request(sys.argv[1], headers={'Host': sys.argv[2]} if sys.argv[2:] else {})\n"
    "try: print(urllib.request.urlopen(asked, timeout=60).status)\n"
    "except urllib.error.HTTPError as refused: print(refused.code)\n"
)


@pytest.mark.usefixtures("_in_a_network")
def test_in_a_network_it_answers_by_its_address_and_by_nobody_elses_name(elenchus: Program) -> None:
    """Asked by a process of its own, as the tests may reach no address but loopback."""

    def status(*asked: str) -> int:
        return int(
            subprocess.run([sys.executable, "-c", ASK, *asked], capture_output=True, check=True, text=True).stdout
        )

    with served(elenchus, "--lan") as server:
        host = urlsplit(server.url).hostname
        assert host != "127.0.0.1"
        for path in ("/readyz", "/join", "/sign-in"):
            assert status(server.url + path) == 200
        assert status(f"{server.url}/join", "rebound.example") == 421
        assert status(f"http://127.0.0.1:{server.port}/join") == 200
        assert server.link.startswith(f"http://127.0.0.1:{server.port}/")
