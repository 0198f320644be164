"""What is wrong with a package from outside is said in one sentence, and everything else goes on working."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted, now
from elenchus.debate_engine.protocols.presentation import NextTurn, Presentation, Projection, RoundProgress
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.service.app import open_app
from elenchus.service.lab.session_status import SessionStatus
from tests.foreign import turn_taking
from tests.foreign.packages import install
from tests.service.cli.program import Program, Result

SPEAKER = ("--seat", "speaker=scripted:demo")


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    folder = tmp_path / "folder"
    folder.mkdir()
    return Program(tmp_path / "home", folder)


def in_one_sentence(result: Result) -> bool:
    """Whether nothing of a traceback is told."""
    return "Traceback" not in result.err + result.out


# ── a package that cannot be loaded ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def broken(elenchus: Program, tmp_path: Path) -> dict[str, str]:
    """A machine on which a package fails on import, with a session of it that has finished and one that has not."""
    env = install(tmp_path, "talking", 'SPEC = ProtocolSpec(name="talking", run=talk)')
    ran = elenchus("run", "talking", *SPEAKER, env=env)
    assert ran.code == 0, ran.err
    asyncio.run(waiting(elenchus.home))
    (tmp_path / "talking.py").write_text("import teapot\n", encoding="utf-8")
    return env


async def waiting(home: Path) -> None:
    """A session `waiting` that nobody has run."""
    seats = (Seat(name="speaker", spec="scripted:demo"),)
    started = SessionStarted(protocol="talking", title="Tea", config={}, seats=seats, seed=1, version="0")
    async with open_app(Settings(home=home)) as app:
        await app.log.create("waiting", started)


WHY = (
    "The protocol talking is at fault: ModuleNotFoundError: No module named 'teapot' (talking.py, line 1, in <module>)."
)
WHOSE = "It is brought by the package talking 2.5: mend or replace that."


@pytest.mark.slow
def test_a_package_that_fails_on_import_is_named_and_its_sessions_are_shown_and_exported(
    elenchus: Program, broken: dict[str, str]
) -> None:
    [session] = [row["id"] for row in elenchus("sessions", "list", "--json", env=broken).json if row["id"] != "waiting"]
    shown = elenchus("sessions", "show", session, env=broken)
    assert (shown.code, "[speaker, scripted:demo]" in shown.out) == (0, True)
    assert f"warning: {WHY} {WHOSE}" in shown.err
    assert elenchus("sessions", "show", session, "--json", env=broken).json["faults"] == [f"{WHY} {WHOSE}"]
    exported = elenchus("sessions", "export", session, "--export", "out", env=broken)
    assert exported.code == 0, exported.err
    report = (elenchus.folder / "out" / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert WHY in report
    assert "| words |" in report
    assert "scores.csv" not in report
    for result in (shown, exported):
        assert in_one_sentence(result)


@pytest.mark.slow
def test_its_sessions_are_not_run_and_stay_as_they_are(elenchus: Program, broken: dict[str, str]) -> None:
    for refused in (
        elenchus("sessions", "resume", "waiting", env=broken),
        elenchus("run", "talking", *SPEAKER, env=broken),
    ):
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.endswith(f"elenchus: {WHY} {WHOSE}\n")
        assert in_one_sentence(refused)
    assert [event["kind"] for event in elenchus.events("session_started")] == ["session_started"] * 2


def test_the_doctor_says_which_packages_bring_protocols_and_what_is_wrong_with_them(
    elenchus: Program, broken: dict[str, str]
) -> None:
    found = elenchus("doctor", "--json", env=broken)
    assert found.code == 0, found.err
    ours = [one for one in found.json["protocols"] if one["protocol"] == "talking"]  # others may be installed here
    assert ours == [{"protocol": "talking", "name": "talking", "version": "2.5", "problem": f"{WHY} {WHOSE}"}]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("SPEC = 7", "talking:SPEC is no ProtocolSpec"),
        ('SPEC = ProtocolSpec(name="tea", run=talk)', "talking:SPEC calls itself 'tea', and its package 'talking'"),
        ('SPEC = ProtocolSpec(name="talking", run="talking:tlak")', "module 'talking' has no attribute 'tlak'"),
        (
            'def run(s, _):\n    return s.ask("a", "b", SPEAK).strip()\nSPEC = ProtocolSpec(name="talking", run=run)',
            "The protocol talking is at fault: what it runs is no `async def` (talking.py, line 14).",
        ),
        ("SPEC = (", "SyntaxError: '(' was never closed (talking.py, line 14)"),
    ],
)
def test_a_package_that_names_no_protocol_is_told(elenchus: Program, tmp_path: Path, source: str, said: str) -> None:
    refused = elenchus("run", "talking", *SPEAKER, env=install(tmp_path, "talking", source))
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert "Warning" not in refused.err
    assert in_one_sentence(refused)
    assert elenchus.events("session_started") == []


# ── an author's mistakes ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('async def run(s, config):\n    await s.ask("a", "nobody", SPEAK, topic="tea")',
         "it asks the seat 'nobody', but there are only speaker (talking.py, line 15, in run)"),
        ('async def run(s, config):\n    await s.record("a", 1)\n    await s.record("a", 1)',
         "(talking.py, line 16, in run)"),
        ('async def run(s, config):\n    await s.ask("a", "speaker", SPEAK)',
         "prompt p/speak: missing topic (talking.py, line 15, in run)"),
        ("async def run(s, config):\n    return 7", "it returned int, and no dict (talking.py, line 14)"),
        ('async def run(s, config):\n    return {}["tea"]', "KeyError: 'tea' (talking.py, line 15, in run)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dry", [False, True])
def test_a_mistake_in_a_protocol_is_told_by_its_name_what_and_where(
    elenchus: Program, tmp_path: Path, code: str, said: str, dry: bool
) -> None:
    env = install(tmp_path, "talking", f'{code}\n\nSPEC = ProtocolSpec(name="talking", run=run)')
    ran = elenchus("run", "talking", *SPEAKER, *(["--dry-run"] if dry else []), env=env)
    assert ran.code == 1
    assert "The protocol talking is at fault: " in ran.err
    assert said in ran.err
    assert in_one_sentence(ran)
    if not dry:
        assert "try again with: elenchus sessions resume" in ran.err


WINNER = """
from pydantic import BaseModel

class Result(BaseModel):
    winner: str

async def judge(s, config):
    return {"winnr": 3}

SPEC = ProtocolSpec(
    name="talking", run=judge, outcome=Result,
    presentation=Presentation(scores=Scores([Column("winner", "who won")], lambda view: [])),
)
"""


def test_an_outcome_of_another_form_than_the_protocol_declares_is_its_fault_and_no_result(
    elenchus: Program, tmp_path: Path
) -> None:
    env = install(tmp_path, "talking", WINNER)
    ran = elenchus("run", "talking", *SPEAKER, "--export", "out", env=env)
    fault = "The protocol talking is at fault: the outcome that it returned is not of its form: winner: Field required"
    assert (ran.code, in_one_sentence(ran)) == (1, True)
    assert f"failed: {fault} (talking.py, line 20)." in ran.err
    [session] = [row["id"] for row in elenchus("sessions", "list", "--json", env=env).json]
    assert elenchus("sessions", "show", session, "--json", env=env).json["state"] == "failed"
    assert fault in (elenchus.folder / "out" / "report.md").read_text(encoding="utf-8").replace("\\", "")


# ── a part that tells of sessions ────────────────────────────────────────────────────────────────────────────────

FAULTY = {
    "summary": "lambda view: [view.outcome['tea']]",
    "summary, a text": "lambda view: 'Tea.'",
    "settings": "lambda view: 1 / 0",
    "missing": "lambda view: 1 / 0",
    "small": "lambda view: 1 / 0",
    "failures": "lambda view: 1 / 0",
    "sections": "lambda view: 1 / 0",
    "sections, of something else": "lambda view: ['tea']",
    "pictures": "lambda view: 1 / 0",
    "run_facts": "lambda view: 1 / 0",
    "shown": "lambda r, view, seats: 1 / 0",
    "ended": "lambda view, seats: 1 / 0",
    "as_json": "lambda view: 1 / 0",
    "scores": "Scores([Column('words', 'how many')], lambda view: [{'tea': 1}])",
    "project": "lambda: 1 / 0",
    "project, of an event": "type('P', (Projection,), {'apply': lambda self, r: 1 / 0})",
}


@pytest.mark.slow
@pytest.mark.parametrize("part", FAULTY)
def test_all_is_exported_and_shown_but_the_part_that_is_at_fault_which_says_so(
    elenchus: Program, tmp_path: Path, part: str
) -> None:
    name = part.partition(",")[0]
    faulty = f'SPEC = ProtocolSpec(name="talking", run=talk, presentation=Presentation({name}={FAULTY[part]}))'
    env = install(tmp_path, "talking", faulty)
    ran = elenchus("run", "talking", *SPEAKER, "--export", "out", env=env)
    assert (ran.code, in_one_sentence(ran)) == (0, True), ran.err
    assert "[speaker, scripted:demo]" in ran.out
    assert "[words] " in ran.out
    folder = elenchus.folder / "out"
    assert {"report.md", "report.html", "events.jsonl", "run.json"} <= {file.name for file in folder.iterdir()}
    assert not (folder / "scores.csv").exists()
    codebook = folder / "scores-codebook.md"
    assert codebook.exists() == (name == "scores")
    if name == "scores":
        assert "There is no scores.csv" in codebook.read_text(encoding="utf-8")
    session = json.loads((folder / "run.json").read_text(encoding="utf-8"))["session"]
    shown = elenchus("sessions", "show", session, env=env)
    assert (shown.code, in_one_sentence(shown)) == (0, True), shown.err
    assert "[words] " in shown.out
    document = elenchus("sessions", "show", session, "--json", env=env)
    exported = elenchus("sessions", "export", session, "--export", "again", env=env)
    where = "projection" if name == "project" else name.replace("_", " ")
    fault = f"The protocol talking is at fault in its {where}: "
    for told in (ran.err, exported.err, *([] if name == "pictures" else [shown.err, document.err])):
        assert f"warning: {fault}" in told
    for out in (folder, elenchus.folder / "again"):
        assert fault in (out / "report.md").read_text(encoding="utf-8").replace("\\", "")
    kept = [json.loads((folder / "run.json").read_text(encoding="utf-8"))]
    if name != "pictures":  # they are drawn for an export alone
        kept.append(document.json)
    for read in kept:
        assert read["faults"][0].startswith(fault)


class Unsteady(Projection):
    """It can tell the stage and nothing else."""

    @property
    def standing(self) -> RoundProgress:
        raise LookupError("no rounds")

    def next_turn(self, wanted: float | None = None) -> NextTurn:
        raise LookupError("no turn")


def test_a_projection_that_cannot_tell_what_comes_next_tells_nothing_more_and_harms_no_live_view() -> None:
    register(ProtocolSpec(name="unsteady", run=turn_taking.take_turns, presentation=Presentation(project=Unsteady)))
    started = SessionStarted(protocol="unsteady", title="Tea", config={}, seats=(), seed=1, version="0")
    status = SessionStatus.of("s", [Recorded(seq=1, at=now(), event=started)])
    assert (status.next_turn, status.standing, status.state) == (None, None, "running")
    [fault] = status.view.faults
    assert fault.startswith(
        "The protocol unsteady is at fault in its projection: LookupError: no turn (test_faults.py, "
    )
    assert fault.endswith("in next_turn).")


# ── a session that nobody has run ────────────────────────────────────────────────────────────────────────────────


async def test_a_session_of_an_unknown_protocol_or_with_settings_that_it_refuses_is_not_made(tmp_path: Path) -> None:
    register(turn_taking.SPEC)
    started = SessionStarted(protocol="turn-taking", title="Tea", config={"motion": 7}, seats=(), seed=1, version="0")
    async with open_app(Settings(home=tmp_path / "home")) as app:
        with pytest.raises(UsageError, match="does not take these settings: motion: "):
            await app.runner.create(started)
        with pytest.raises(UsageError, match="There is no protocol 'tea'"):
            await app.runner.create(started.model_copy(update={"protocol": "tea"}))
        assert await app.log.sessions() == []


def test_a_session_that_nobody_has_run_is_called_so(elenchus: Program) -> None:
    asyncio.run(waiting(elenchus.home))
    assert [row["state"] for row in elenchus("sessions", "list", "--json").json] == ["not begun"]
    assert "not begun; go on with: elenchus sessions resume waiting" in elenchus("sessions", "show", "waiting").out
    elenchus("sessions", "export", "waiting", "--export", "out")
    assert "This session is not begun." in (elenchus.folder / "out" / "report.md").read_text(encoding="utf-8")
