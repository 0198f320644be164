"""`elenchus debate` in processes of its own: results, exit codes, and what is refused before anything is spent."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.debate_engine.events import Seat
from elenchus.service.lab.new_sessions import warnings
from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, environment

MOTION = "Should homework be abolished?"
DEMO = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
SHORT = (*DEMO, "--topics", "1", "--max-rounds", "1")
KEYS = ["id", "state", "protocol", "title", "reason", "motion", "claim", "merged_by", "agenda", "rounds", "judges"]


def refused(result: Result, code: int = 2) -> str:
    """The one sentence of a command that was refused, which must say the same in JSON."""
    assert result.code == code, result
    error = result.json["error"]
    assert set(error) == {"kind", "message", "hint"}
    assert error["message"] in result.err
    assert "\n" not in error["message"]
    assert "Traceback" not in result.err
    return str(error["message"])


def test_a_debate_gives_one_json_document_and_everything_else_on_standard_error(elenchus: Program) -> None:
    result = elenchus.from_a_shell("debate", MOTION, *SHORT, "--json")
    assert result.code == 0, result.err
    assert list(result.json)[: len(KEYS)] == KEYS
    assert result.json["state"] == "finished"
    assert result.json["motion"] == MOTION
    assert len(result.json["agenda"]) == 1
    assert [set(r) >= {"n", "heat", "gamma"} for r in result.json["rounds"]] == [True]
    assert result.json["rounds"][0]["heat"] == pytest.approx(0.75)
    assert result.json["winner"] in ("pro", "con", "tie", "undecided")
    assert [judge["judge"] for judge in result.json["judges"]] == ["judge-1"]
    assert result.json["usage"]["calls"] > 10
    assert result.json["usage"]["usd"] == 0
    assert "[pro, opening, heat 0.90" in result.err
    assert "judge-1 judges with a model that debates too" in result.err


def test_plain_lines_go_to_standard_output_where_no_terminal_is(elenchus: Program) -> None:
    result = elenchus("debate", MOTION, *SHORT)
    assert result.code == 0, result.err
    for line in (
        "[agenda]",
        "[con, closing, heat 0.",
        "[verdict]",
        "[quality after round 1]",
        "\n\n[in short]\nThe motion was",
    ):
        assert line in result.out
    assert "\x1b" not in result.out


def test_an_agenda_by_hand_is_debated_as_it_stands(elenchus: Program) -> None:
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice: evenings\n- joy vs. marks\n")
    result = elenchus("debate", MOTION, *DEMO, "--agenda", "agenda.md", "--max-rounds", "1", "--json")
    assert [topic["title"] for topic in result.json["agenda"]] == ["rest vs. practice", "joy vs. marks"]


def test_all_options_of_a_debate_reach_the_session(elenchus: Program) -> None:
    (elenchus.folder / "brief.txt").write_text("Pupils sleep 7 hours.")
    result = elenchus(
        "debate", "What ails the patient?", *SHORT, "--open-question", "--brief", "brief.txt", "--heat", "0.8",
        "--decay", "2", "--floor", "0.2", "--temperature", "0.3", "--simultaneous", "--coach", "--compare-qa",
        "--language", "Latin", "--budget-tokens", "900000", "--budget-usd", "3", "--seed", "11", "--export", "out",
        "--crit", "scripted:demo?seed=2", "--words", "40", "--stop", "paper", "--json",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert result.json["open_outcome"]
    shown = elenchus("sessions", "show", result.json["id"]).out
    assert f"[question] {result.json['open_outcome']}\n" in shown
    assert "[compared] better information: " in shown
    assert "\nask next: " in shown
    lines = (elenchus.folder / "out" / "events.jsonl").read_text().splitlines()
    started = json.loads(lines[0])
    config = started["config"]
    assert config["brief"] == "Pupils sleep 7 hours."
    assert (config["heat"], config["decay"], config["floor"], config["language"]) == (0.8, 2, 0.2, "Latin")
    assert (config["words_per_topic"], config["stop"]) == (40, "paper")
    assert all(config[flag] for flag in ("open_question", "simultaneous", "coach", "compare_qa"))
    assert (started["seed"], started["seed_models"], started["temperature"]) == (11, True, 0.3)
    assert (started["budget_tokens"], started["budget_usd"]) == (900000, 3)
    seats = {seat["name"]: seat["spec"] for seat in started["seats"]}
    assert seats["crit"] == "scripted:demo?seed=2"
    assert seats["answerer"] == "scripted:demo"
    assert {Path(file).name for file in result.json["export"]} >= {"report.md", "report.html", "run.json", "scores.csv"}


def test_without_a_key_the_embedded_model_sits_everywhere_and_three_judges_judge(elenchus: Program) -> None:
    plan = elenchus("debate", MOTION, "--dry-run", "--json").json
    assert {row["model"] for row in plan["by_seat"]} == {"local:smollm2-135m"}
    assert {row["seat"] for row in plan["by_seat"]} == {"pro", "con", "crit", "judge-1", "judge-2", "judge-3"}


def test_with_a_key_a_vendors_cheap_model_takes_the_seats(elenchus: Program) -> None:
    plan = elenchus("debate", MOTION, "--dry-run", "--json", env={"ANTHROPIC_API_KEY": "sk-test"}).json
    assert {row["model"].partition(":")[0] for row in plan["by_seat"]} == {"anthropic"}
    assert plan["usd"] > 0


def test_whoever_takes_the_embedded_model_or_has_a_debater_judge_is_warned() -> None:
    names = ("pro", "con", "judge-1")

    def warned(*specs: str) -> str:
        return "\n".join(warnings([Seat(name=name, spec=spec) for name, spec in zip(names, specs, strict=True)]))

    assert "a very small model: it shows how everything works" in warned(
        "scripted:a", "local:smollm2-135m", "scripted:b"
    )
    assert "judge-1 judges with a model that debates too" in warned("scripted:a", "scripted:b", "scripted:a")
    both = [Seat(name=name, spec="scripted:a") for name in ("pro", "con", "judge-1", "judge-2")]
    assert "judge-1, judge-2 judge with a model that debates too" in "\n".join(warnings(both))
    assert "a script speaks and scores" in warned("openai:a", "scripted:b", "openai:c")
    assert warned("openai:a", "anthropic:b", "gemini:c") == ""


@pytest.mark.slow
def test_an_export_over_another_sessions_files_is_warned_of(elenchus: Program) -> None:
    first = elenchus("debate", MOTION, *DEMO, "--json", "--export", "out")
    assert "holds files of session" not in first.err
    again = elenchus("sessions", "export", first.json["id"], "--export", "out")
    assert (again.code, again.err) == (0, "")
    second = elenchus("debate", MOTION, *DEMO, "--json", "--export", "out")
    assert second.code == 0, second.err
    assert f"out holds files of session {first.json['id']}" in second.err
    other = elenchus("sessions", "export", first.json["id"], "--export", "out")
    assert f"out holds files of session {second.json['id']}" in other.err


# ── refused before anything is spent ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["", *DEMO], "motion is empty"),
        (["\udcff\x1b", *DEMO], "no UTF-8"),
        (["x" * 3000, *DEMO], "3,000 characters"),
        (["x" * 5_000_000, *DEMO], "5,000,000 characters"),
        ([MOTION, *DEMO, "--pro", "nobody:x"], "PROVIDER is one of"),
        ([MOTION, *DEMO, "--con", "openai:"], "names no model"),
        ([MOTION, *DEMO, "--con", "enginer"], "'enginer' is no model, persona or person"),
        ([MOTION, *DEMO, "--con", "openai:gpt-6-luna"], "OPENAI_API_KEY"),
        ([MOTION, *DEMO, "--con", "local:nothing"], "local:nothing"),
        ([MOTION, *DEMO, "--heat", "1.5"], "--heat must be between 0 and 1"),
        ([MOTION, *DEMO, "--heat", "nan"], "--heat must be between 0 and 1"),
        ([MOTION, *DEMO, "--heat", "hot"], "--heat"),
        ([MOTION, *DEMO, "--heat=-0.1"], "--heat must be between 0 and 1"),
        ([MOTION, *DEMO, "--decay", "0.9"], "--decay must be between 1 and 100"),
        ([MOTION, *DEMO, "--decay", "nan"], "--decay must be between 1 and 100"),
        ([MOTION, *DEMO, "--floor", "-1"], "--floor must be"),
        ([MOTION, *DEMO, "--topics", "0"], "--topics must be"),
        ([MOTION, *DEMO, "--max-rounds", "-1"], "--max-rounds must be"),
        ([MOTION, *DEMO, "--max-rounds", "0", "--decay", "1"], "never ends"),
        ([MOTION, *DEMO, "--temperature", "9"], "--temperature must be"),
        ([MOTION, *DEMO[:4], "--judge", "none"], "at least one judge"),
        ([MOTION, *DEMO[:4], "--judge", ""], "at least one judge"),
        ([MOTION, *DEMO, "--agenda", "nowhere.md"], "cannot be read"),
        ([MOTION, *DEMO, "--agenda", "."], "cannot be read"),
        ([MOTION, *DEMO, "--brief", "nowhere.txt"], "cannot be read"),
        ([MOTION, *DEMO, "--export", "/proc/out"], "choose another folder"),
        ([MOTION, *DEMO, "--budget-tokens", "0"], "pays for nothing"),
        ([MOTION, *DEMO, "--budget-usd", "-2"], "pays for nothing"),
        ([MOTION, *DEMO, "--no-such-option"], "No such option"),
        ([*DEMO], "Missing argument"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_refused_in_one_sentence_before_anything_is_spent(
    elenchus: Program, inside: Callable[..., Result], arguments: list[str], says: str
) -> None:
    assert says in refused(inside("debate", *arguments, "--json"))
    assert not elenchus.home.exists()


@pytest.mark.parametrize(
    ("option", "written", "says"),
    [
        ("--agenda", b"\xff\xfe\x00", "not UTF-8 but UTF-16"),
        ("--agenda", b"", "no topic"),
        ("--agenda", b"Rest and practice", "no topics"),
        ("--agenda", b"- a vs. b\n" * 40_000, "large"),
        ("--brief", b"\xff\xff\x00", "line 1: it is not UTF-8"),
        ("--brief", b"x" * 100_000, "large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_read_is_refused_before_anything_is_spent(
    elenchus: Program, inside: Callable[..., Result], option: str, written: bytes, says: str
) -> None:
    (elenchus.folder / "file.md").write_bytes(written)
    message = refused(inside("debate", MOTION, *DEMO, option, "file.md", "--json"))
    assert says in message
    assert "file.md" in message
    assert not elenchus.home.exists()


def test_an_export_folder_that_cannot_be_written_is_refused_before_anything_is_spent(elenchus: Program) -> None:
    (elenchus.folder / "file").write_text("")
    assert "is a file" in refused(elenchus("debate", MOTION, *SHORT, "--export", "file/out", "--json"))
    assert not elenchus.home.exists()


def test_a_setting_that_cannot_be_read_is_named(elenchus: Program) -> None:
    result = elenchus("debate", MOTION, *SHORT, "--json", env={"ELENCHUS_OPENAI_CONCURRENCY": "many"})
    assert "ELENCHUS_OPENAI_CONCURRENCY" in refused(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_home_that_cannot_be_written_ends_with_the_code_of_storage(elenchus: Program) -> None:
    elenchus.home.mkdir()
    elenchus.home.chmod(0o500)
    assert "ELENCHUS_HOME" in refused(elenchus("debate", MOTION, *SHORT, "--json"), 5)


def test_a_home_that_is_a_file_ends_with_the_code_of_storage(elenchus: Program) -> None:
    elenchus.home.write_text("")
    assert "ELENCHUS_HOME" in refused(elenchus("debate", MOTION, *SHORT, "--json"), 5)


def test_a_disk_that_is_full_ends_with_the_code_of_storage_and_loses_nothing(elenchus: Program) -> None:
    """As the system sees it: no file may grow beyond 100 kB."""
    command = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash", *ELENCHUS, "debate", MOTION, *SHORT, "--json"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=elenchus.folder, timeout=PATIENCE, check=False,
        env=environment(elenchus.home, {"PYTHONPATH": str(ROOT)}),
    )  # fmt: skip
    assert "no room left" in refused(Result(done.returncode, done.stdout, done.stderr), 5)
    (row,) = elenchus("sessions", "list", "--json").json
    assert row["state"] == "interrupted"
    assert elenchus("sessions", "resume", row["id"], "--json").json["state"] == "finished"


def test_a_debate_that_nobody_reads_any_more_is_paused(elenchus: Program) -> None:
    slow = [part.replace("demo", "demo?latency=0.3") for part in SHORT]
    with elenchus.start("debate", MOTION, *slow) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 130
    assert elenchus.events("session_paused")[0]["why"] == "interrupt"


# ── budget and provider ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_budget_that_is_reached_pauses_and_the_session_goes_on_when_it_is_raised(elenchus: Program) -> None:
    result = elenchus("debate", MOTION, *SHORT, "--budget-tokens", "4000", "--json")
    assert result.code == 4, result
    assert result.json["state"] == "paused"
    assert "4,000 tokens" in result.json["reason"]
    session = result.json["id"]
    assert f"elenchus sessions budget {session}" in result.err
    assert elenchus("sessions", "resume", session, "--json").code == 4
    assert elenchus("sessions", "budget", session, "--tokens", "900000").code == 0
    resumed = elenchus("sessions", "resume", session, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["state"] == "finished"


def test_a_provider_that_is_down_pauses_the_session_with_its_exit_code(elenchus: Program) -> None:
    (elenchus.folder / "down.yaml").write_text("rules: [{fault: down}]\n")
    result = elenchus(
        "debate", MOTION, *DEMO, "--con", "scripted:down.yaml", "--json", env={"ELENCHUS_SCRIPTED_RETRIES": "1"}
    )
    assert result.code == 3, result
    assert result.json["state"] == "paused"
    assert "503" in result.json["reason"]
    assert "sessions resume" in result.err


def test_a_resumed_session_repeats_no_call(elenchus: Program) -> None:
    first = elenchus("debate", MOTION, *SHORT, "--seed", "5", "--budget-tokens", "4000", "--json").json
    elenchus("sessions", "budget", first["id"], "--tokens", "900000")
    resumed = elenchus("sessions", "resume", first["id"], "--json").json
    whole = elenchus("debate", MOTION, *SHORT, "--seed", "5", "--json").json
    assert resumed["usage"]["calls"] == whole["usage"]["calls"]
    assert resumed["rounds"] == whole["rounds"]


def test_words_out_of_range_and_a_rule_that_is_none_are_refused_with_what_there_is(elenchus: Program) -> None:
    few = elenchus("debate", MOTION, *DEMO, "--words", "10")
    assert few.code == 2
    assert "--words" in few.err
    none = elenchus("debate", MOTION, *DEMO, "--stop", "never")
    assert none.code == 2
    assert "--stop noise or --stop paper" in none.err
