"""`crit`, `sweep`, `models` and `doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import MOTION, refused

ESSAY = """Homework takes away sleep. A survey by the Sleep Institute found that pupils sleep an hour less.
Critics say that practice makes perfect. Therefore homework should be abolished.
"""


# ── crit ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_crit_scores_a_documents_claim_with_its_sources(elenchus: Program) -> None:
    (elenchus.folder / "essay.md").write_text(ESSAY)
    (elenchus.folder / "survey.md").write_text("We asked 1,200 pupils. Homework costs sleep.")
    result = elenchus.from_a_shell(
        "crit", "essay.md", "--source", "survey.md", "--model", "scripted:demo", "--export", "out", "--json"
    )
    assert result.code == 0, result.err
    document = result.json
    assert (document["state"], document["protocol"], document["title"]) == ("finished", "crit", "essay.md")
    assert document["claim"]
    assert 1 <= document["gamma"] <= 10
    assert document["reasons"]
    assert document["usage"]["calls"] > 3
    assert "[crit] essay.md" in result.err
    assert (elenchus.folder / "out" / "report.md").exists()
    assert elenchus("sessions", "list", "--json").json[0]["protocol"] == "crit"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.md"], "cannot be read"),
        (["empty.md"], "is empty"),
        (["essay.md", "--source", "none.md"], "cannot be read"),
        (["essay.md", "--model", "nobody:x"], "PROVIDER"),
        (["essay.md", "--max-reasons", "0"], "--max-reasons must be"),
        (["essay.md", "--temperature", "9"], "--temperature must be"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(
    elenchus: Program, inside: Callable[..., Result], arguments: list[str], says: str
) -> None:
    (elenchus.folder / "essay.md").write_text(ESSAY)
    (elenchus.folder / "empty.md").write_text(" \n")
    assert says in refused(inside("crit", *arguments, "--json"))
    assert not elenchus.home.exists()


def test_a_document_may_come_through_a_pipe(elenchus: Program) -> None:
    result = elenchus("crit", "-", "--model", "scripted:demo", "--json", stdin=ESSAY)
    assert result.code == 0, result.err
    assert result.json["title"] == "standard input"
    assert result.json["reasons"]
    assert "The document standard input is empty" in refused(
        elenchus("crit", "-", "--model", "scripted:demo", "--json", stdin=" ")
    )


def test_what_crit_costs_at_the_most_is_told_without_a_session_and_bounds_what_it_takes(elenchus: Program) -> None:
    (elenchus.folder / "essay.md").write_text(ESSAY)
    spec = ("crit", "essay.md", "--model", "scripted:demo", "--json")
    plan = elenchus(*spec, "--dry-run")
    assert plan.code == 0, plan.err
    assert not elenchus.home.exists()
    assert elenchus(*spec).json["usage"]["calls"] <= plan.json["calls"]


def test_a_script_that_reads_is_told_to_be_no_model(elenchus: Program) -> None:
    (elenchus.folder / "essay.md").write_text(ESSAY)
    assert "a script speaks and scores" in elenchus("crit", "essay.md", "--model", "scripted:demo").err


# ── sweep ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_sweep_costs_at_the_most_is_told_without_a_key_and_without_a_session(elenchus: Program) -> None:
    speakers = ("--pro", "openai:gpt-6-luna", "--con", "openai:gpt-6-luna", "--crit", "openai:gpt-6-luna")
    plan = elenchus("sweep", MOTION, *speakers, "--samples", "2", "--dry-run", "--json")
    assert plan.code == 0, plan.err
    assert sum(row["count"] for row in plan.json["by_seat"] if row["what"].endswith("/speak")) == 2 * 5 * 2
    assert "set OPENAI_API_KEY" in plan.err
    assert not elenchus.home.exists()


def test_a_sweep_speaks_at_every_heat(elenchus: Program) -> None:
    demo = ("--pro", "scripted:demo", "--con", "scripted:demo", "--crit", "scripted:demo")
    result = elenchus.from_a_shell("sweep", MOTION, *demo, "--heat", "0.9", "--heat", "0.1", "--topics", "1", "--json")
    assert result.code == 0, result.err
    assert (result.json["state"], result.json["protocol"]) == ("finished", "sweep")
    assert result.json["heats"] == [0.9, 0.1]
    assert len(result.json["takes"]) == 4
    assert "[pro, heat 0.9, speech 1" in result.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((" ",), "motion is empty"),
        ((MOTION, "--heat", "1.1"), "--heat must be"),
        ((MOTION, "--heat", "0.5", "--heat", "0.5"), "Two heats are the same"),
        ((MOTION, "--pro", "human"), "has models speak"),
        ((MOTION, "--samples", "0"), "--samples must be"),
        ((MOTION, "--temperature", "-1"), "--temperature must be"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_refused(
    inside: Callable[..., Result], arguments: tuple[str, ...], says: str
) -> None:
    assert says in refused(inside("sweep", *arguments, "--json"))


# ── models ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_models_are_listed_with_their_prices_and_what_their_use_needs(elenchus: Program) -> None:
    rows = elenchus("models", "list", "--json").json
    by_spec = {row["spec"]: row for row in rows}
    assert by_spec["openai:gpt-6-luna"]["usd"]["input"] > 0
    assert not by_spec["openai:gpt-6-luna"]["answers"]
    assert by_spec["scripted:*"]["answers"]
    assert "set ANTHROPIC_API_KEY" in elenchus("models", "list").out


def test_the_models_that_are_taken_by_default_are_known_with_their_price(elenchus: Program) -> None:
    from elenchus.config.defaults import CHEAP
    from elenchus.config.models import find, load_models

    assert all(find(load_models(), provider, model).usd for provider, model in CHEAP.items())


def test_a_model_is_tried_with_one_small_call(elenchus: Program) -> None:
    (elenchus.folder / "down.yaml").write_text("rules: [{fault: down}]\n")
    result = elenchus(
        "models", "check", "scripted:demo", "scripted:down.yaml", "openai:gpt-6-luna", "--json",
        env={"ELENCHUS_SCRIPTED_RETRIES": "0"},
    )  # fmt: skip
    assert result.code == 3
    assert [row["answers"] for row in result.json] == [True, False, False]
    assert "OPENAI_API_KEY" in result.json[2]["said"]
    assert elenchus("models", "check", "scripted:demo").code == 0
    assert "names no model" in refused(elenchus("models", "check", "gpt", "--json"))


@pytest.mark.slow
@pytest.mark.local_model
def test_pulling_weights_that_are_there_says_where(elenchus: Program) -> None:
    result = elenchus("models", "pull", "--json")
    assert result.code == 0, result.err
    assert Path(result.json["path"]).is_file()


# ── doctor ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_home_that_is_a_file_is_no_place_for_sessions(elenchus: Program) -> None:
    elenchus.home.write_text("a file")
    disk = elenchus("doctor", "--json").json["disk"]
    assert (disk["home"], disk["writable"]) == (str(elenchus.home), False)
    (line,) = [line for line in elenchus("doctor").out.splitlines() if "GB free" in line]
    assert line.startswith("✗")
    assert line.endswith("set ELENCHUS_HOME to another")


class Vendor(BaseHTTPRequestHandler):
    """A server that takes one key."""

    def do_GET(self) -> None:
        known = "sk-good" in str(self.headers)
        self.send_response(200 if known else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Vendor) as http:
        thread = Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def test_the_doctor_tells_what_is_there_and_shows_no_key(elenchus: Program, server: str) -> None:
    result = elenchus(
        "doctor", "--json",
        env={
            "OPENAI_API_KEY": "sk-good", "OPENAI_BASE_URL": f"{server}/v1",
            "ANTHROPIC_API_KEY": "sk-bad", "ANTHROPIC_BASE_URL": server, "GEMINI_BASE_URL": "http://127.0.0.1:9",
        },
    )  # fmt: skip
    assert result.code == 0, result.err
    found = result.json
    vendors = {vendor["provider"]: vendor for vendor in found["vendors"]}
    assert "takes the key" in vendors["openai"]["said"]
    assert "refuses the key" in vendors["anthropic"]["said"]
    assert (vendors["gemini"]["key"], vendors["gemini"]["answers"]) == (False, False)
    assert "sk-good" not in result.out + result.err
    assert "sk-bad" not in result.out + result.err
    assert found["packages"]["base"]["typer"]
    assert set(found["packages"]) == {"articles", "base", "detect", "local", "otel", "scale", "train"}
    assert found["database"]["state"] == "not made yet"
    assert found["disk"]["free_bytes"] > 0
    assert {end["name"] for end in found["front_ends"]} == {"terminal", "serve", "bot"}
    assert found["settings"] == []
    assert not elenchus.home.exists()


def test_the_doctor_tells_of_settings_that_are_mistyped(elenchus: Program) -> None:
    (elenchus.folder / ".env").write_text("OPENAI_API_KEY sk-secret\n")
    result = elenchus("doctor")
    assert "✗  line 1 of .env is no NAME=VALUE" in result.out
    assert "sk-secret" not in result.out + result.err


def test_a_file_may_have_any_name_but_words_in_another_encoding_are_refused(elenchus: Program) -> None:
    broken = os.fsdecode(b"gr\xf6.txt")
    (elenchus.folder / broken).write_text("Homework harms, because children sleep badly.")
    read = elenchus("crit", broken, "--model", "scripted:demo", "--json")
    assert read.code == 0, read.err
    assert read.json["title"] == "gr\ufffd.txt"
    beside = elenchus("crit", broken, f"--source={broken}", "--model", "scripted:demo", "--dry-run")
    assert beside.code == 0, beside.err
    refused = elenchus("debate", os.fsdecode(b"gr\xf6sser"), "--dry-run")
    assert refused.code == 2
    assert refused.err.startswith("elenchus: “gr\ufffdsser” holds bytes that are no UTF-8: set the terminal to UTF-8")


def test_the_doctor_counts_the_sessions(elenchus: Program) -> None:
    demo = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
    elenchus("debate", MOTION, *demo, "--budget-tokens", "10")
    found = elenchus("doctor", "--json").json
    assert (found["database"]["state"], found["database"]["sessions"]) == ("ok", {"paused": 1})
    assert "paused" in elenchus("doctor").out
