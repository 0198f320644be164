"""`elenchus scene run`, `resume`, `results`, `forget-key`: the real program, over the scripted model."""

from __future__ import annotations

import csv
import json
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from elenchus.debate_engine.protocols.rulegen.people.consent import CONSENT_VERSION
from tests.service.cli.program import PATIENCE, Program, Result
from tests.service.cli.test_scenes import SCRIPT
from tests.twins import GREENHOUSE, SEEDS

Inside = Callable[..., Result]
MODELS = ("--others", "scripted:demo", "--judge", "scripted:demo")
RUN = ("scene", "run", GREENHOUSE, "--subject", "scripted:demo", *MODELS)
SLOW = (
    "scene", "run", GREENHOUSE, "--subject", "scripted:demo?latency=0.05", "--others", "scripted:demo?latency=0.05",
    "--judge", "scripted:demo",
)  # fmt: skip


def grid_id(told: str) -> str:
    found = re.search(r"scene resume (\w+)", told)
    assert found, told
    return found[1]


# ── the grid ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_tells_calls_tokens_money_and_minutes_and_asks_nobody(elenchus: Program, inside: Inside) -> None:
    told = inside(*RUN, "--style", "aggressive,conservative", "-n", "20", "--dry-run", "--json")
    assert told.code == 0, told.err
    document = told.json
    assert (document["runs"], len(document["by_cell"])) == (80, 4)
    assert document["calls"] == 20 * sum(cell["calls"] for cell in document["by_cell"])
    assert document["input_tokens"] > 100_000
    assert document["usd"] == 0
    assert elenchus.events("session_started") == []


def test_a_dry_run_tells_who_takes_the_other_seats(inside: Inside) -> None:
    mixed = ("scene", "run", SEEDS, "--subject", "scripted:demo", "--others", "scripted:demo?latency=1",
             "--confederate", "scripted:demo?latency=2", "--judge", "scripted:demo?latency=3", "--dry-run")  # fmt: skip
    others = inside(*mixed, "--json").json["others"]
    assert [(seat["kind"], seat["model"][-1]) for seat in others] == [
        ("confederate", "2"), ("moderator", "1"), ("", "1"), ("", "3"),
    ]  # fmt: skip
    assert [seat["seat"] for seat in others[2:]] == ["system", "judge-1"]
    shown = inside(*mixed).out
    assert all(re.search(rf"{seat['seat']} +{seat['kind']} +{re.escape(seat['model'])}", shown) for seat in others)


def test_a_dry_run_with_a_person_on_a_seat_does_not_say_who_is_the_confederate(inside: Inside) -> None:
    planned = inside("scene", "run", SEEDS, "--subject", "human", *MODELS, "--dry-run")
    assert planned.code == 0, planned.err
    assert "scripted:demo" in planned.out
    assert "confederate" not in planned.out


def test_a_person_is_told_before_the_start_that_the_embedded_model_cannot_act(inside: Inside) -> None:
    alone = inside("scene", "run", SEEDS, "--subject", "human", "--dry-run")
    assert alone.code == 0, alone.err
    assert "the embedded model is too weak to act" in alone.err
    assert "--others scripted:demo" in alone.err
    beside = inside("scene", "run", SEEDS, "--subject", "human", "--others", "scripted:demo", "--dry-run")
    assert "too weak" not in beside.err


@pytest.mark.slow
def test_a_run_of_a_grid_may_use_all_the_hidden_reasoning_that_its_calls_may(elenchus: Program) -> None:
    elenchus.home.mkdir()
    plan = elenchus(*RUN, "--condition", "treatment", "--dry-run", "--json").json
    enough = str(2 * (plan["input_tokens"] + plan["output_tokens"]))
    (elenchus.home / "models.yaml").write_text("scripted: {demo*: {context: 100000, thinking: 5000}}\n")
    thinking = elenchus(*RUN, "--condition", "treatment", "--dry-run", "--json").json
    assert thinking["reasoning_tokens"] == 5000 * thinking["calls"]
    assert thinking["output_tokens"] == plan["output_tokens"]
    result = elenchus(*RUN, "--condition", "treatment", "--budget-tokens", enough, "--json")
    assert result.code == 4, "what would do without reasoning may not do with it"
    assert elenchus.events("step_done") == []
    more = str(2 * (thinking["input_tokens"] + thinking["output_tokens"] + thinking["reasoning_tokens"]))
    assert elenchus(*RUN, "--condition", "treatment", "--budget-tokens", more, "--json").code == 0


@pytest.mark.slow
def test_a_grid_is_played_counted_and_exported(elenchus: Program, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    result = elenchus.from_a_shell(*RUN, "-n", "2", "--seed", "3", "--temperature", "0.7", "--export", folder, "--json")
    assert result.code == 0, result.err
    assert [(row["cell"]["condition"], row["runs"]) for row in result.json["rows"]] == [
        ("treatment", 2),
        ("control", 2),
    ]
    assert len(result.json["contrasts"]) == 1
    names = {path.name for path in folder.iterdir()}
    assert {"report.md", "run.json", "frequency.png", "frequency.svg", "points.png", "methods.md"} <= names
    assert {"datapackage.json", "codebook.csv", "analysis.py", "analysis.R", "utterances.csv", "figures.csv"} <= names
    rows = list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))
    assert len({row["seed"] for row in rows}) == len(rows) == 4
    run = json.loads((folder / "run.json").read_text())
    assert run["plan"]["seed"] == 3
    assert {one["temperature"] for one in run["runs"]} == {0.7}
    assert all(one["version"] and one["started"] and one["seed_passed_to_models"] for one in run["runs"])
    assert {prompt["id"] for prompt in run["prompts"]} >= {"rulegen/answer", "rulegen/evaluate"}
    assert all(len(prompt["hash"]) == 16 for prompt in run["prompts"])
    report = (folder / "report.md").read_text()
    assert "Fisher" in report
    assert run["usage"]["calls"] > 4
    assert result.json["usage"] == run["usage"]
    assert f"## What it cost\n\n{run['usage']['calls']} calls, {run['usage']['input_tokens']:,} tokens in, " in report
    again = elenchus("scene", "results", GREENHOUSE)
    assert f"used: {run['usage']['calls']} calls, {run['usage']['input_tokens']:,} tokens in, " in again.out
    assert "known price" not in again.out


@pytest.mark.slow
def test_results_leave_pilots_out_and_take_filters(elenchus: Program, inside: Inside, tmp_path: Path) -> None:
    assert elenchus(*RUN, "--pilot", "--json").json["rows"], "who runs pilots sees what came of them"
    nothing = inside("scene", "results", GREENHOUSE)
    assert nothing.code == 0
    assert "no session counts (2 left out as pilots; to count them: --pilots)" in nothing.out
    told = elenchus(*RUN, "--json")
    counted = inside("scene", "results", GREENHOUSE, "--json").json
    assert (len(counted["observed"]), counted["pilots"]) == (2, 2)
    assert len(inside("scene", "results", GREENHOUSE, "--pilots", "--json").json["observed"]) == 4
    of_grid = inside("scene", "results", GREENHOUSE, "--grid", told.json["grid"], "--json").json
    assert (len(of_grid["observed"]), of_grid["only"]) == (2, f"runs of {told.json['grid']}")
    assert inside("scene", "results", GREENHOUSE, "--subject", "people", "--json").json["observed"] == []
    assert len(inside("scene", "results", GREENHOUSE, "--subject", "models", "--json").json["observed"]) == 2
    assert inside("scene", "results", GREENHOUSE, "--since", "2999-01-01", "--json").json["observed"] == []
    assert len(inside("scene", "results", GREENHOUSE, "--since", "2020-01-01", "--json").json["observed"]) == 2
    assert len(inside("scene", "results", GREENHOUSE, "--until", "2999-01-01", "--json").json["observed"]) == 2
    until = inside("scene", "results", GREENHOUSE, "--until", "2020-01-01", "--json").json
    assert (until["observed"], until["only"]) == ([], "sessions begun before 2020-01-02 00:00 UTC")
    treated = inside("scene", "results", GREENHOUSE, "--condition", "treat*", "--json").json
    assert [one["cell"]["condition"] for one in treated["observed"]] == ["treatment"]
    first = of_grid["observed"][0]["session"]
    assert len(inside("scene", "results", GREENHOUSE, "--session", first, "--json").json["observed"]) == 1
    shown = inside("scene", "results", GREENHOUSE, "--grid", told.json["grid"], "--export", str(tmp_path / "out"))
    assert f"Only runs of {told.json['grid']}." in shown.out
    assert f"Only runs of {told.json['grid']}." in (tmp_path / "out" / "report.md").read_text()
    assert "Only subjects: scripted:*.\n" in inside("scene", "results", GREENHOUSE, "--subject", "scripted:*").out
    assert inside("scene", "results", GREENHOUSE, "--since", "yesterday").code == 2


@pytest.mark.kill
@pytest.mark.slow
def test_a_killed_grid_goes_on_where_it_stopped_and_repeats_no_call(elenchus: Program) -> None:
    seeded = (*SLOW, "-n", "4", "--seed", "7", "--json")
    with elenchus.start(*seeded) as process:
        elenchus.wait_for("session_finished")
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    over = len(elenchus.events("session_finished"))
    made = elenchus.events("session_started")
    assert 0 < over < 8
    steps = [(event["step"], json.dumps(event["inputs"])) for event in elenchus.events("step_done")]
    again = elenchus("scene", "resume", first_session(elenchus).partition("-")[0], "--json")
    assert again.code == 0, again.err
    assert again.json["ended"] == again.json["runs"] == 8
    assert len(elenchus.events("session_finished")) == 8
    assert len(elenchus.events("session_started")) == 8
    assert elenchus.events("session_started")[: len(made)] == made, "what was begun is the same session"
    after = [(event["step"], json.dumps(event["inputs"])) for event in elenchus.events("step_done")]
    assert after[: len(steps)] == steps, "nothing that was done is done again"
    assert elenchus("scene", "resume", first_session(elenchus).partition("-")[0], "--json").json["ended"] == 8
    assert len(elenchus.events("step_done")) == len(after), "a grid that is over runs nothing"
    undisturbed = elenchus(*seeded).json
    assert (undisturbed["rows"], undisturbed["contrasts"]) == (again.json["rows"], again.json["contrasts"])


def first_session(elenchus: Program) -> str:
    return elenchus.wait_for("session_started")


@pytest.mark.slow
def test_ctrl_c_pauses_a_grid_and_prints_the_command_that_goes_on(elenchus: Program) -> None:
    with elenchus.start(*SLOW, "-n", "3") as process:
        elenchus.wait_for("step_done", "rule/2/turn/1")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "what is done is kept; go on with: elenchus scene resume " in told
    assert elenchus.events("session_paused")
    again = elenchus("scene", "resume", grid_id(told), "--json")
    assert again.code == 0, again.err
    assert again.json["ended"] == 6


def test_a_budget_too_small_for_one_run_spends_nothing_and_says_how_to_go_on(elenchus: Program) -> None:
    result = elenchus(*RUN, "-n", "2", "--budget-tokens", "1000", "--json")
    assert result.code == 4
    assert elenchus.events("step_done") == []
    assert "--budget-tokens N" in result.err
    again = elenchus("scene", "resume", grid_id(result.err), "--budget-tokens", "10000000", "--json")
    assert again.code == 0, again.err
    assert again.json["ended"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--condition", "placebo"), "no condition"),
        (("-n", "0"), "-n must be"),
        (("--subject", "scripted:demo"), "names the same twice"),
        (("--subject", "human", "-n", "3"), "played once"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_spent(
    elenchus: Program, arguments: tuple[str, ...], message: str
) -> None:
    result = elenchus(*RUN, *arguments)
    assert result.code == 2
    assert message in result.err
    assert elenchus.events("session_started") == []


def test_a_script_that_is_no_scene_is_not_played_and_what_was_guessed_of_another_is_told(elenchus: Program) -> None:
    path = elenchus.folder / "tea.md"
    path.write_text(
        SCRIPT.replace("1. (Self-receiving, receiving information from the system) The Subject gets the list.\n", "")
    )
    guessed = f"warning: {path}:15: nobody is named as spoken to: the likeliest is taken"
    for more in (("--dry-run",), ()):
        told = elenchus("scene", "run", path, *RUN[3:], *more)
        assert (told.code, guessed in told.err) == (0, True), told.err
        assert "warning: the scene names no bias, so nobody judges" in told.err
        assert "warning: Ada, a subject, speaks under no rule" in told.err
    path.write_text(path.read_text().replace("Ben praises", "Ben → Zoe: praises"))
    refused = elenchus("scene", "run", path, *RUN[3:])
    assert refused.code == 2
    assert "line 15: Zoe receives it, who is no role; take one of: Ada, Ben" in refused.err
    assert len(elenchus.events("session_started")) == 1


@pytest.mark.slow
def test_results_count_over_all_sessions_of_a_scene_whoever_ran_them(elenchus: Program, tmp_path: Path) -> None:
    empty = elenchus("scene", "results", GREENHOUSE)
    assert "has not been played yet" in empty.out
    for seed in ("1", "2"):
        assert elenchus(*RUN, "--condition", "treatment", "--seed", seed).code == 0
    result = elenchus("scene", "results", GREENHOUSE, "--export", tmp_path / "all", "--json")
    assert [row["runs"] for row in result.json["rows"]] == [2]
    assert (tmp_path / "all" / "frequency.png").exists()
    assert elenchus("scene", "results", "anchoring", "--json").json["rows"] == []


# ── people ───────────────────────────────────────────────────────────────────────────────────────────────────────

PERSON = ("scene", "run", GREENHOUSE, "--subject", "human", *MODELS, "--condition", "treatment")
WORDS = "I would rather take what my aunt Mathilda took, one of them and no more.\n.\n"


def test_a_person_agrees_plays_asks_and_is_debriefed_and_no_file_holds_the_account(
    elenchus: Program, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    typed = "yes\n/ask Is there a clock here?\n" + WORDS * 20
    result = elenchus(*PERSON, "--export", folder, stdin=typed)
    assert result.code == 0, result.err
    assert result.out.index("What is recorded") < result.out.index("Who you are")
    assert "Is there a clock here?" in result.out
    assert result.out.index("(debrief)") > result.out.rindex("[your turn")
    assert "a language model (scripted:demo)" in result.out
    for hidden in ("# Purpose", "Observation", "deviation", "works on"):
        assert hidden not in result.out
    (consent,) = [event for event in elenchus.events("step_done") if event["step"].endswith("/given")]
    assert consent["result"]["agreed"]
    assert consent["result"]["version"] == CONSENT_VERSION
    names = {event["by"] for kind in ("turn_answered", "unscripted") for event in elenchus.events(kind)}
    assert all(map(is_pseudonym, names))
    assert len(names) == 1
    assert (elenchus.home / "people.db").exists()
    events = (folder / "events.jsonl").read_text()
    assert names.pop() in events
    assert "people.db" not in events


def test_a_person_who_does_not_agree_has_nothing_played(elenchus: Program) -> None:
    result = elenchus(*PERSON, stdin="no\n")
    assert result.code == 0, result.err
    assert "perfectly fine" in result.out
    assert "(debrief)" not in result.out
    assert not [event for event in elenchus.events("step_done") if event["step"].startswith("rule/")]


def test_a_person_withdraws_and_the_words_are_gone_from_the_disk_while_the_debriefing_comes(elenchus: Program) -> None:
    result = elenchus(*PERSON, stdin=f"yes\n{WORDS}/withdraw\n")
    assert result.code == 0, result.err
    assert "You have stopped" in result.out
    assert result.out.index("You have stopped") < result.out.index("(debrief)")
    assert b"Mathilda" not in (elenchus.home / "elenchus.db").read_bytes()
    assert elenchus.events("session_finished")[0]["outcome"]["ended"] == "withdrawn"


def test_a_person_elsewhere_stands_under_a_made_up_name_and_who_says_no_under_none(elenchus: Program) -> None:
    arguments = ("scene", "run", GREENHOUSE, "--subject", "human:mathilda", *MODELS, "--condition", "control")
    with elenchus.start(*arguments, "--json") as process:
        session = elenchus.wait_for("turn_opened")
        unread = elenchus("sessions", "answer", session, "--text", "no", "--by", "mathilda")
        assert unread.code == 2
        assert 'a form is asked, so give {"agreed": "yes" or "no"}' in unread.err
        other = elenchus("sessions", "answer", session, "--text", '{"agreed": "yes"}', "--by", "bob")
        assert other.code == 2
        assert "nobody agrees or answers for another" in other.err
        assert b"bob" not in (elenchus.home / "people.db").read_bytes(), "who is refused is kept nowhere"
        done = elenchus("sessions", "answer", session, "--text", '{"agreed": "no"}', "--by", "mathilda")
        assert done.code == 0, done.err
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b"mathilda" not in (elenchus.home / "elenchus.db").read_bytes()
    (seat,) = [s for s in elenchus.events("session_started")[0]["seats"] if s["spec"].startswith("human")]
    assert seat["spec"] == "human", "of who does not agree not even the made-up name is kept"
    assert {event["by"] for event in elenchus.events("turn_answered")} == {"[redacted]"}
    assert b"mathilda" not in (elenchus.home / "people.db").read_bytes(), "nor in the key"


def test_the_key_to_a_made_up_name_can_be_destroyed(elenchus: Program) -> None:
    with elenchus.start("scene", "run", "unit", "--subject", "human:mathilda", *MODELS, "--json") as process:
        elenchus.wait_for("turn_opened")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert b"mathilda" not in (elenchus.home / "elenchus.db").read_bytes()
    assert b"mathilda" in (elenchus.home / "people.db").read_bytes()
    assert elenchus("scene", "forget-key", "--account", "mathilda", "--json").json["forgotten"] == 1
    assert b"mathilda" not in (elenchus.home / "people.db").read_bytes()
    assert "say --yes" in elenchus("scene", "forget-key").err
    assert elenchus("scene", "forget-key", "--yes").code == 0
    assert not (elenchus.home / "people.db").exists()


def test_a_scene_without_a_debriefing_is_for_models_only(elenchus: Program, tmp_path: Path) -> None:
    shown = elenchus("scene", "show", GREENHOUSE).out
    path = tmp_path / "bare.md"
    path.write_text(re.sub(r"# Debrief\n.*", "", shown, flags=re.DOTALL).replace('twin: "greenhouse-neutral.md"\n', ""))
    refused = elenchus("scene", "run", path, "--subject", "human", *MODELS)
    assert refused.code == 2
    assert "debrief" in refused.err
    assert elenchus.events("session_started") == []


def test_a_scene_for_who_sits_here_ends_at_once_where_nobody_can_type(elenchus: Program) -> None:
    refused = elenchus.from_a_shell("scene", "run", "anchoring", "--subject", "human")
    assert refused.code == 2
    assert "Nobody can type here" in refused.err
    assert "sessions answer" in refused.err
    assert elenchus.events("session_started") == []
    assert elenchus.from_a_shell("scene", "run", "anchoring", "--subject", "human", "--dry-run").code == 0
