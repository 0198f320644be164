"""How wide a grid goes, what it is reckoned to take, and how long it still takes."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from typing import Any

import pytest
import yaml
from aiohttp import web

from elenchus.debate_engine.events import CallRecord, Recorded, Seat, SessionStarted, StepDone, now
from elenchus.service.cli.live.status import stages
from elenchus.service.cli.progress import Remaining, in_words
from elenchus.service.cli.show.terminal_view import TerminalView
from tests.fakes.llm.loopback import Plan, Say, serving
from tests.fakes.llm.unreliable import UnreliableOpenAI
from tests.service.cli.program import Program
from tests.twins import GREENHOUSE

RUN = ("scene", "run", GREENHOUSE, "--model", "lab:llama3", "--condition", "treatment")


@pytest.mark.slow
async def test_a_grid_goes_as_wide_as_its_servers_allow_or_as_it_is_told(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, key="no-key")) as server:
        elenchus.home.mkdir()
        lab = {"speaks": "openai", "url": f"{server.url}/v1", "concurrency": 20}
        (elenchus.home / "models.yaml").write_text(yaml.safe_dump({"servers": {"lab": lab}}))
        wide = await asyncio.to_thread(elenchus, *RUN, "-n", "30", "--dry-run", "--json")
        few = await asyncio.to_thread(elenchus, *RUN, "-n", "3", "--dry-run", "--json")
        told = await asyncio.to_thread(elenchus, *RUN, "-n", "30", "--at-once", "5", "--dry-run", "--json")
        assert [plan.json["side_by_side"] for plan in (wide, few, told)] == [30, 3, 5]
        assert wide.json["minutes"] < told.json["minutes"] < 30 * few.json["minutes"]
        both = await asyncio.to_thread(
            elenchus, "scene", "run", GREENHOUSE, "--subject", "lab:a", "--others", "scripted:demo", "--judge", "lab:a",
            "-n", "1000", "--dry-run", "--json",
        )  # fmt: skip
        assert both.json["side_by_side"] == 1530, "half as many again as the limits of all providers together"
        alone = await asyncio.to_thread(elenchus, *RUN, "-n", "3", "--at-once", "1", "--json")
    assert alone.code == 0, alone.err
    events = [(e["kind"], e["session"]) for e in _course(elenchus)]
    ends = [kind for kind, _ in events]
    assert ends == ["owner_started", "session_finished"] * 3, "one run after the other"
    refused = await asyncio.to_thread(elenchus, *RUN, "--at-once", "0", "--json")
    assert refused.code == 2
    assert "--at-once must be" in refused.err


class Slow(UnreliableOpenAI):
    """Takes its time, so that calls meet."""

    def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
        answer = super().plan(request, body)
        assert isinstance(answer, Say)
        return replace(answer, after=0.3)


@pytest.mark.slow
async def test_more_runs_than_eight_go_side_by_side_where_the_server_takes_more_calls(elenchus: Program) -> None:
    async with serving(Slow(share=0.0, key="no-key")) as server:
        elenchus.home.mkdir()
        lab = {"speaks": "openai", "url": f"{server.url}/v1", "concurrency": 14}
        (elenchus.home / "models.yaml").write_text(yaml.safe_dump({"servers": {"lab": lab}}))
        result = await asyncio.to_thread(elenchus, *RUN, "-n", "14", "--judge", "scripted:demo", "--json")
    assert result.code == 0, result.err
    assert 8 < server.most_in_flight <= 14


def _course(elenchus: Program) -> list[dict[str, str]]:
    """Which runs began and ended, in order."""
    import contextlib
    import sqlite3

    with contextlib.closing(sqlite3.connect(elenchus.home / "elenchus.db")) as connection:
        kinds = "('owner_started', 'session_finished')"
        rows = connection.execute(f"SELECT kind, session FROM events WHERE kind IN {kinds} ORDER BY id")
        return [{"kind": kind, "session": session} for kind, session in rows]


def test_an_estimate_shows_what_is_expected_beside_the_most(elenchus: Program) -> None:
    debate = ("debate", "Homework should end", "--model", "openai:gpt-6-luna", "--dry-run")
    plan = elenchus(*debate, "--json").json
    assert plan["expected_usd"] == pytest.approx(plan["usd"] / 2, abs=1e-6)
    shown = elenchus(*debate).out
    assert "(expected: $" in shown
    assert "expected is an assumption: 50% of the most" in shown
    unknown = elenchus("debate", "Homework should end", "--model", "openai:some", "--dry-run", "--json").json
    assert unknown["expected_usd"] is None


@pytest.mark.slow
def test_a_grid_tells_how_long_it_still_takes(elenchus: Program) -> None:
    slow = "scripted:demo?latency=0.05"
    result = elenchus(
        "scene", "run", GREENHOUSE, "--subject", slow, "--others", slow, "--judge", slow, "-n", "4", "--at-once", "2",
        "--condition", "treatment",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert "20% done, about " in result.err or "50% done, about " in result.err
    assert " left" in result.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
@pytest.mark.parametrize("columns", [40, 80])
def test_a_grid_on_a_terminal_tells_how_long_it_takes_and_what_was_answered(elenchus: Program, columns: int) -> None:
    slow = "scripted:demo?latency=0.05"
    seats = ("--subject", slow, "--others", slow, "--judge", slow)
    run = ("scene", "run", GREENHOUSE, *seats, "-n", "1", "--at-once", "1")
    with elenchus.terminal(*run, columns=columns) as terminal:
        terminal.expect("treatment 0/1")
        terminal.expect("control 0/1")
        terminal.expect("0 answers · no run is over yet")
        terminal.expect("treatment 1/1")
        terminal.expect("answers · about ")
        terminal.interrupt()
        terminal.expect("elenchus scene resume")
        terminal.wait()
    counted = re.findall(r"([0-9]+) answers", terminal.screen)
    assert int(counted[-1]) >= 3
    assert "-:--" not in terminal.screen
    again = re.search(r"elenchus scene resume (\S+)", terminal.screen)
    assert again
    with elenchus.terminal("scene", "resume", again[1], columns=columns) as terminal:
        terminal.expect("treatment 1/1")
        terminal.expect("control 0/1")
        terminal.expect("control 1/1")
        assert terminal.wait() == 0


SLOW = "scripted:demo?latency=0.5"
"""Two calls at once take over 3 s for the rest of either work after its first tenth: below that nobody is told."""


@pytest.mark.parametrize(
    "command",
    [
        ("bench", "static", "--model", SLOW, "--judge", SLOW, "--limit", "8"),
        ("sweep", "Homework should end", "--model", SLOW, "--topics", "1"),
    ],
    ids=lambda command: command[0],
)
@pytest.mark.slow
def test_a_bench_and_a_sweep_tell_how_long_they_still_take(elenchus: Program, command: tuple[str, ...]) -> None:
    result = elenchus(*command, "--json", env={"ELENCHUS_SCRIPTED_CONCURRENCY": "2"})
    assert result.code == 0, result.err
    assert "% done, about " in result.err
    assert " s left" in result.err


def test_the_rest_takes_as_long_for_each_piece_as_what_is_done() -> None:
    at = [0.0]
    remaining = Remaining(20, clock=lambda: at[0])
    assert remaining.seconds(0) is None
    assert remaining.news(0) == ""
    at[0] = 40.0
    assert remaining.seconds(4) == pytest.approx(160)
    assert remaining.news(4) == "20% done, about 3 min left"
    assert remaining.news(5) == "", "once for each tenth"
    at[0] = 41.0
    assert remaining.news(19) == "", "hardly anything is left"
    assert remaining.seconds(20) is None
    assert [in_words(seconds) for seconds in (0.2, 45, 89, 90, 3600, 4 * 3600)] == [
        "1 s", "45 s", "89 s", "2 min", "60 min", "4 h",
    ]  # fmt: skip


def test_what_is_there_at_once_does_not_make_the_rest_look_short() -> None:
    at = [0.0]
    remaining = Remaining(100, clock=lambda: at[0])
    for done in range(1, 61):
        assert remaining.news(done) == ""
    for done in range(61, 81):
        at[0] += 10.0
        remaining.news(done)
    assert remaining.seconds(80) == pytest.approx(200)


def test_the_live_view_of_a_long_session_shows_how_long_it_still_takes() -> None:
    at = [0.0]
    call = CallRecord(model="scripted:demo")
    terminal = TerminalView("b-1", remaining=Remaining(10, clock=lambda: at[0]))
    started = SessionStarted(
        protocol="bench-static",
        title="b",
        config={},
        seats=(Seat(name="judge", spec="scripted:demo"),),
        seed=1,
        version="0",
    )
    terminal.take(Recorded(seq=1, at=now(), event=started))
    assert "left" not in stages(terminal, 80).plain
    at[0] = 30.0
    done = StepDone(step="s", input_hash="x", calls=(call, call))
    terminal.take(Recorded(seq=2, at=now(), event=done))
    assert stages(terminal, 80).plain.endswith("2 calls answered, about 2 min left")
