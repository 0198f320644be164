"""A budget that is reached pauses the debate, says so and can be raised: tokens, and dollars of priced models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.llm.loopback import KEY, serving
from tests.fakes.llm.unreliable import UnreliableOpenAI
from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import MOTION, SHORT, refused
from tests.twins import GREENHOUSE

PRICED = "scripted: {demo*: {usd: {input: 10.0, output: 40.0}}}\n"
"""A person's own prices, in dollars for a million tokens."""


def test_a_budget_of_dollars_pauses_and_the_session_goes_on_when_it_is_raised(elenchus: Program) -> None:
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text(PRICED)
    whole = elenchus("debate", MOTION, *SHORT, "--seed", "7", "--json").json["usage"]
    assert whole["usd"] == pytest.approx(whole["input_tokens"] * 1e-5 + whole["output_tokens"] * 4e-5)
    limit = round(whole["usd"] / 2, 4)

    paused = elenchus("debate", MOTION, *SHORT, "--seed", "7", "--budget-usd", limit, "--json")
    assert paused.code == 4, paused.err
    assert paused.json["state"] == "paused"
    assert f"of ${limit:.4f} are spent" in paused.json["reason"]
    assert 0 < paused.json["usage"]["usd"] <= limit, "no dollar more than was allowed"
    session = paused.json["id"]
    assert f"elenchus sessions budget {session} --tokens N (or --usd X)" in paused.err

    again = elenchus("sessions", "resume", session, "--json")
    assert (again.code, again.json["usage"]) == (4, paused.json["usage"]), "nothing is spent before it is raised"
    assert "pays for nothing" in refused(elenchus("sessions", "budget", session, "--usd", "0", "--json"))
    assert elenchus("sessions", "budget", session, "--usd", whole["usd"] * 3).code == 0
    resumed = elenchus("sessions", "resume", session, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "finished"), resumed.err
    assert resumed.json["usage"]["usd"] == pytest.approx(whole["usd"]), "and nothing was paid twice"


async def test_a_budget_of_dollars_holds_for_a_vendors_model_with_its_price_in_the_catalogue(
    elenchus: Program, tmp_path: Path
) -> None:
    seats = [part for seat in ("--pro", "--con", "--judge") for part in (seat, "openai:gpt-6-luna")]
    async with serving(UnreliableOpenAI(share=0.0)) as vendor:
        env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{vendor.url}/v1"}
        short = ("debate", MOTION, *seats, "--topics", "1", "--max-rounds", "1", "--json")
        paused = await asyncio.to_thread(elenchus, *short, "--budget-usd", "0.005", env=env)
        assert paused.code == 4, paused.err
        assert 0 < paused.json["usage"]["usd"] <= 0.005, "8,000 tokens of hidden reasoning are held back for a call"
        assert paused.json["usage"]["calls"] == len(vendor.requests)
        session = paused.json["id"]
        assert (await asyncio.to_thread(elenchus, "sessions", "budget", session, "--usd", "1")).code == 0
        resumed = await asyncio.to_thread(elenchus, "sessions", "resume", session, "--json", env=env)
        assert (resumed.code, resumed.json["state"]) == (0, "finished"), resumed.err
        assert resumed.json["usage"]["calls"] == len(vendor.requests), "no call was made twice"


# ── a price that nobody knows ────────────────────────────────────────────────────────────────────────────────────

NO_PRICE = "scripted: {demo*: {note: no price}}\n"
"""A person's own catalogue, in which the scripted model has no known price. That is no 0."""


@pytest.fixture
def unpriced(elenchus: Program) -> Program:
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text(NO_PRICE)
    (elenchus.folder / "text.md").write_text("Homework harms, because children sleep badly.")
    (elenchus.folder / "records.csv").write_text("id,bias,answer,human\n1,Anchoring,I guess 7.,yes\n")
    return elenchus


SPENDING: list[tuple[str, ...]] = [
    ("debate", MOTION, "--model", "scripted:demo"),
    ("sweep", MOTION, "--model", "scripted:demo"),
    ("crit", "text.md", "--model", "scripted:demo"),
    ("detect", "text.md", "--model", "scripted:demo"),
    ("scene", "run", GREENHOUSE, "--model", "scripted:demo"),
    ("scene", "run", GREENHOUSE, "--model", "scripted:demo", "--subject", "human"),
    ("scene", "new", "--bias", "anchoring", "--model", "scripted:demo"),
    ("bench", "static", "--model", "scripted:demo", "--judge", "scripted:demo", "--limit", "1"),
    ("bench", "unlabelled", "--model", "scripted:demo", "--limit", "2"),
    ("bench", "evaluator", "records.csv", "--judge", "scripted:demo"),
    ("bench", "questions", "--bias", "anchoring", "--model", "scripted:demo", "--out", "new"),
]


@pytest.mark.parametrize("command", SPENDING, ids=lambda command: " ".join(command[:2]))
def test_a_budget_of_dollars_is_refused_where_it_cannot_bind(
    inside: Callable[..., Result], unpriced: Program, command: tuple[str, ...]
) -> None:
    """Before the start, with the model's name and what can be done."""
    said = refused(inside(*command, "--budget-usd", "0.0001", "--json"))
    assert "scripted:demo, whose price is not known" in said
    assert all(remedy in said for remedy in ("--price IN,OUT", "models.yaml", "--unpriced-ok"))
    assert unpriced.events("session_started") == []


def test_a_price_that_is_given_makes_the_budget_bind(unpriced: Program) -> None:
    priced = (*SHORT, "--seed", "7", "--price", "10,40", "--json")
    whole = unpriced("debate", MOTION, *priced).json["usage"]
    assert whole["usd"] == pytest.approx(whole["input_tokens"] * 1e-5 + whole["output_tokens"] * 4e-5)
    limit = round(whole["usd"] / 2, 4)
    paused = unpriced("debate", MOTION, *priced, "--budget-usd", limit)
    assert (paused.code, paused.json["state"]) == (4, "paused"), paused.err
    assert 0 < paused.json["usage"]["usd"] <= limit
    session = paused.json["id"]
    assert unpriced("sessions", "budget", session, "--usd", whole["usd"] * 3).code == 0
    resumed = unpriced("sessions", "resume", session, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "finished"), resumed.err
    assert resumed.json["usage"]["usd"] == pytest.approx(whole["usd"]), "the price is the session's, also later"
    for wrong in ("10", "a,b", "-1,2", "nan,1", "1,2,3"):
        assert "is no price" in refused(unpriced("debate", MOTION, *SHORT, "--price", wrong, "--json"))
    plan = unpriced("debate", MOTION, *SHORT, "--price", "0,1", "--dry-run", "--json").json
    assert plan["usd"] == pytest.approx(plan["output_tokens"] * 1e-6)


def test_whoever_agrees_to_calls_without_a_price_is_told_and_they_are_counted(unpriced: Program) -> None:
    result = unpriced("debate", MOTION, *SHORT, "--budget-usd", "0.0001", "--unpriced-ok", "--json")
    assert result.code == 0, result.err
    assert "warning: the budget of dollars does not count the calls of scripted:demo" in result.err
    assert result.json["usage"]["usd"] is None
    assert result.json["usage"]["unpriced_calls"] == result.json["usage"]["calls"] > 0


def test_a_later_budget_of_dollars_is_refused_too_where_it_cannot_bind(unpriced: Program) -> None:
    paused = unpriced("debate", MOTION, *SHORT, "--budget-tokens", "2000", "--json")
    assert paused.code == 4
    session = paused.json["id"]
    assert "scripted:demo, whose price is not known" in refused(
        unpriced("sessions", "budget", session, "--usd", "1", "--tokens", "9000000", "--json")
    )
    agreed = ("sessions", "budget", session, "--usd", "1", "--tokens", "9000000", "--unpriced-ok")
    assert unpriced(*agreed).code == 0
    resumed = unpriced("sessions", "resume", session, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "finished"), resumed.err


def test_a_session_whose_model_has_lost_its_price_is_not_resumed_within_dollars(elenchus: Program) -> None:
    """Also where the front end does not look, the engine makes no call that a budget of dollars cannot hold."""
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text(PRICED)
    paused = elenchus("debate", MOTION, *SHORT, "--budget-usd", "0.2", "--json")
    assert paused.code == 4, paused.err
    session, calls = paused.json["id"], paused.json["usage"]["calls"]
    (elenchus.home / "models.yaml").write_text(NO_PRICE)
    assert "say --unpriced-ok" in refused(elenchus("sessions", "resume", session, "--json"))
    assert elenchus("sessions", "show", session, "--json").json["usage"]["calls"] == calls
    resumed = elenchus("sessions", "resume", session, "--unpriced-ok", "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "finished"), resumed.err


@pytest.mark.slow
def test_a_grid_is_bound_by_a_price_and_asks_again_when_it_gets_dollars_later(unpriced: Program) -> None:
    run = ("scene", "run", GREENHOUSE, "--model", "scripted:demo", "-n", "2", "--condition", "treatment")
    plan = unpriced(*run, "--price", "10,40", "--dry-run", "--json").json
    assert plan["usd"] > plan["expected_usd"] > 0
    nothing = unpriced(*run, "--price", "10,40", "--budget-usd", "0.0001", "--json")
    assert nothing.code == 4
    grid = nothing.json["grid"]
    assert unpriced.events("step_done") == []
    assert unpriced("scene", "resume", grid, "--budget-usd", str(plan["usd"] * 3), "--json").code == 0
    used = sum(call["cost_usd"] for done in unpriced.events("step_done") for call in done["calls"])
    assert 0 < used <= plan["usd"]
    stopped = unpriced(*run, "--budget-tokens", "1", "--json")
    assert "whose price is not known" in refused(
        unpriced("scene", "resume", stopped.json["grid"], "--budget-usd", "1", "--budget-tokens", "9000000", "--json")
    )


@pytest.mark.slow
def test_the_runs_of_a_grid_that_gets_dollars_and_a_price_later_go_on_where_they_were(unpriced: Program) -> None:
    run = ("scene", "run", GREENHOUSE, "--model", "scripted:demo?latency=0.1", "-n", "2", "--condition", "treatment")
    with unpriced.start(*run, "--json") as process:
        grid = unpriced.wait_for("step_done").partition("-")[0]
        process.kill()
    before = len(unpriced.events("step_done"))
    resumed = unpriced("scene", "resume", grid, "--price", "10,40", "--budget-usd", "100", "--json")
    assert (resumed.code, resumed.json["ended"]) == (0, 2), resumed.err
    assert [event["why"] for event in unpriced.events("session_paused")].count("budget") == 0
    later = [call for done in unpriced.events("step_done")[before:] for call in done["calls"]]
    assert later
    assert all(call["cost_usd"] > 0 for call in later)


@pytest.mark.slow
def test_a_grid_that_is_given_a_price_and_no_dollars_is_bound_by_its_tokens_alone(unpriced: Program) -> None:
    run = ("scene", "run", GREENHOUSE, "--model", "scripted:demo?latency=0.1", "-n", "1", "--condition", "treatment")
    with unpriced.start(*run, "--budget-tokens", "9000000", "--json") as process:
        grid = unpriced.wait_for("step_done").partition("-")[0]
        process.kill()
    with unpriced.start("scene", "resume", grid, "--price", "10,40", "--json") as process:
        unpriced.wait_for("step_done", '"cost_usd":0.')
        process.kill()
    resumed = unpriced("scene", "resume", grid, "--json")
    assert (resumed.code, resumed.json["ended"]) == (0, 1), resumed.err
    assert [event["usd"] for event in unpriced.events("budget")] == [None, None]


@pytest.mark.parametrize(
    "line",
    [
        "debate M --budget-tokens",
        "debate M --topics",
        "debate M --max-rounds",
        "sessions budget none --tokens",
        "scene run unit -n",
    ],
)
@pytest.mark.parametrize("typed", ["100.000", "3.000", "2.0"])
def test_a_whole_number_with_a_point_is_not_guessed_at(elenchus: Program, line: str, typed: str) -> None:
    """100.000 is a hundred thousand to many."""
    said = elenchus(*line.split(), typed)
    assert (said.code, f"“{typed}” is not a whole number" in said.err) == (2, True), said.err
