"""What a debate would cost, told before anything is spent."""

from __future__ import annotations

import pytest

from tests.service.cli.program import Program
from tests.service.cli.test_debate import DEMO, MOTION, refused


def test_a_dry_run_tells_calls_tokens_money_and_minutes_and_makes_no_session(elenchus: Program) -> None:
    plan = elenchus(
        "debate", MOTION, "--pro", "openai:gpt-6-luna", "--con", "openai:some-model", "--judge", "scripted:demo",
        "--dry-run", "--json", env={"OPENAI_API_KEY": "sk-test"},
    ).json  # fmt: skip
    assert plan["calls"] > 100
    assert plan["input_tokens"] > plan["output_tokens"] > 1000
    assert plan["minutes"] > 0
    assert plan["usd"] is None
    assert {row["usd"] is None for row in plan["by_seat"] if row["seat"] == "pro"} == {False}
    shown = elenchus(
        "debate", MOTION, *DEMO, "--con", "openai:some-model", "--dry-run", env={"OPENAI_API_KEY": "sk-test"}
    )
    assert "unknown price" in shown.out
    assert not elenchus.home.exists()


@pytest.mark.parametrize("seed", ["2", "3"])
def test_a_dry_run_is_that_of_the_session_with_its_seed(elenchus: Program, seed: str) -> None:
    short = ("debate", MOTION, *DEMO, "--topics", "1", "--max-rounds", "1", "--seed", seed, "--json")
    plan = elenchus(*short, "--dry-run").json
    (merging,) = [row["seat"] for row in plan["by_seat"] if row["what"] == "socrasynth/merge-topics"]
    assert merging == elenchus(*short).json["merged_by"]


def test_a_dry_run_without_a_seed_says_of_which_one_it_is_the_plan(elenchus: Program) -> None:
    short = ("debate", MOTION, *DEMO, "--topics", "1", "--max-rounds", "1", "--dry-run")
    plan = elenchus(*short, "--json").json
    assert elenchus(*short, "--seed", plan["seed"], "--json").json == plan
    assert "who merges and drafts is drawn: this is the plan of --seed " in " ".join(elenchus(*short).out.split())


def test_a_dry_run_needs_no_key_and_says_which_are_missing(elenchus: Program) -> None:
    three = ("--pro", "openai:gpt-6-luna", "--con", "anthropic:claude-haiku-5-5", "--judge", "gemini:gemini-3.5-flash")
    result = elenchus("debate", MOTION, *three, "--dry-run", "--json")
    assert result.code == 0, result.err
    assert result.json["usd"] > 0
    assert "set ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENAI_API_KEY" in result.err
    assert "OPENAI_API_KEY" in refused(elenchus("debate", MOTION, *three, "--json"))
    assert not elenchus.home.exists()


@pytest.mark.slow
def test_a_dry_run_tells_apart_what_hidden_reasoning_may_take(elenchus: Program) -> None:
    seats = [part for seat in ("--pro", "--con", "--judge", "--crit") for part in (seat, "scripted:demo")]
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text("scripted: {demo*: {thinking: 500, usd: {input: 0, output: 40.0}}}\n")
    plan = elenchus("debate", MOTION, *seats, "--dry-run", "--json").json
    assert plan["reasoning_tokens"] == 500 * plan["calls"]
    assert plan["reasoning_usd"] == pytest.approx(plan["reasoning_tokens"] * 40 / 1e6)
    assert plan["usd"] == pytest.approx(plan["output_tokens"] * 40 / 1e6)
    shown = elenchus("debate", MOTION, *seats, "--dry-run").out
    assert f"hidden reasoning comes on top: at the most {plan['reasoning_tokens']:,} tokens out" in shown
    (elenchus.home / "models.yaml").unlink()
    assert elenchus("debate", MOTION, *seats, "--dry-run", "--json").json["reasoning_tokens"] == 0
    assert "hidden reasoning" not in elenchus("debate", MOTION, *seats, "--dry-run").out
