"""`elenchus run NAME` and `lab.protocol` start a protocol that an installed package brings, in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.foreign.packages import install, known
from tests.service.cli.program import Program, environment

TURNS = ("run", "turn-taking", "--model", "scripted:demo")
MOTION = ("--set", "motion=Tea is better than coffee")


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    folder = tmp_path / "folder"
    folder.mkdir()
    return Program(tmp_path / "home", folder)


@pytest.fixture
def turns(tmp_path: Path) -> dict[str, str]:
    """The environment in which the example is installed."""
    return known(tmp_path, "turn-taking", "tests.foreign.turn_taking:SPEC")


def test_a_protocol_is_run_by_its_name_shown_and_exported(elenchus: Program, turns: dict[str, str]) -> None:
    out = elenchus.folder / "out"
    ran = elenchus(*TURNS, *MOTION, "--title", "Tea", "--export", out, env=turns)
    assert ran.code == 0, ran.err
    assert "[first, turn 1, scripted:demo]" in ran.out
    assert "first, second, judge: scripted:demo (default: --model)" in ran.err
    assert "protocol turn-taking 2.5" in (out / "report.md").read_text(encoding="utf-8").replace("\\", "")
    run = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert (run["title"], run["protocol_version"], run["settings"]) == (
        "Tea", "2.5", {"motion": "Tea is better than coffee"},
    )  # fmt: skip


def test_its_plan_is_told_and_nothing_is_stored(elenchus: Program, turns: dict[str, str]) -> None:
    plan = elenchus(*TURNS, *MOTION, "--dry-run", "--json", env=turns)
    assert plan.code == 0, plan.err
    assert [(row["seat"], row["count"]) for row in plan.json["by_seat"]] == [("first", 2), ("second", 2), ("judge", 1)]
    assert elenchus("sessions", "list", "--json", env=turns).json == []


def test_settings_come_from_a_file_seats_by_their_names_and_the_session_is_one_document(
    elenchus: Program, turns: dict[str, str]
) -> None:
    file = elenchus.folder / "tea.yaml"
    file.write_text("motion: Tea is better than coffee\n", encoding="utf-8")
    ran = elenchus(
        "run", "turn-taking", "--config", file, "--seat", "first=engineer@scripted:demo",
        "--seat", "judge=scripted:demo", "--model", "scripted:demo", "--json", env=turns,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert (ran.json["protocol"], ran.json["state"], ran.json["title"]) == ("turn-taking", "finished", "turn-taking")
    again = elenchus("sessions", "resume", ran.json["id"], "--json", env=turns)
    assert (again.code, again.json["better"]) == (0, ran.json["better"])


def test_who_judges_alone_at_the_terminal_sees_the_outcome(elenchus: Program, turns: dict[str, str]) -> None:
    ran = elenchus(*TURNS, *MOTION, "--seat", "judge=human", stdin="second\n", env=turns)
    assert ran.code == 0, ran.err
    assert ran.out.endswith("[better] second\n")
    [session] = [row["id"] for row in elenchus("sessions", "list", "--json", env=turns).json]
    assert "[better] second" in elenchus("sessions", "show", session, env=turns).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["run", "turn-taking", *MOTION, "--set", "moton=Tea"], "has no setting 'moton': its settings are motion"),
        (["run", "turn-taking"], "does not take these settings: motion: Field required"),
        (
            ["run", "turn-taking", *MOTION, "--seat", "third=human"],
            "no seat 'third': its seats are first, second, judge",
        ),
        (["run", "turn-taking", "--set", "motion"], "--set 'motion' gives no value: write --set NAME=VALUE"),
        (["run", "tea-tasting"], "There is no protocol 'tea-tasting' here: install the package that brings it"),
        (["run", "socrasynth"], "is started in a way of its own"),
        (["run", "turn-taking", "--config", "none.yaml"], "give a file that exists"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(
    elenchus: Program, turns: dict[str, str], given: list[str], said: str
) -> None:
    refused = elenchus(*given, env=turns)
    assert refused.code == 2
    assert said in refused.err
    assert refused.err.count("\n") <= 2
    assert not (elenchus.home / "elenchus.db").exists()


def test_a_setting_is_a_text_where_the_protocol_takes_one_and_else_what_it_says(
    elenchus: Program, tmp_path: Path
) -> None:
    env = install(
        tmp_path, "counting",
        """
        from pydantic import BaseModel

        class Config(BaseModel):
            topic: str
            times: int = 1
            names: list[str] = []

        async def tell(s, config):
            return config

        SPEC = ProtocolSpec(name="counting", run=tell, config=Config)
        """,
    )  # fmt: skip
    told = elenchus(
        "run", "counting", "--set", "topic=7", "--set", "times=3", "--set", 'names=["a"]',
        "--seat", "one=scripted:demo", "--json", env=env,
    )  # fmt: skip
    assert told.code == 0, told.err
    assert [told.json[name] for name in ("topic", "times", "names")] == ["7", 3, ["a"]]


PROGRAM = """
import asyncio, elenchus


async def main():
    async with elenchus.open(model="scripted:demo") as lab:
        options = elenchus.ProtocolOptions(protocol="turn-taking", config={"motion": "Tea"})
        print((await lab.estimate(options))["calls"])
        session = await lab.protocol("turn-taking", {"motion": "Tea"}, {"judge": "scripted:demo"}, title="Tea", seed=7)
        print(sorted(await session))
        try:
            await lab.protocol("turn-taking", {}, {})
        except elenchus.ElenchusError as error:
            print(error)


asyncio.run(main())
"""


def test_a_program_starts_it_estimates_it_and_awaits_its_outcome(elenchus: Program, turns: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, cwd=elenchus.folder,
        env=environment(elenchus.home, turns), timeout=100,
    )  # fmt: skip
    assert ran.stdout.splitlines() == [
        "5", "['better']", "The protocol turn-taking does not take these settings: motion: Field required."
    ], ran.stderr  # fmt: skip
