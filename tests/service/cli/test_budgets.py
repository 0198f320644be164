"""A budget that is reached pauses the debate, says so and can be raised: tokens, and dollars of priced models."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.fakes.llm.loopback import KEY, serving
from tests.fakes.llm.moody import MoodyOpenAI
from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION, SHORT, refused

PRICED = "scripted: {demo*: {usd: {input: 10.0, output: 40.0}}}\n"
"""A person's own prices, in dollars for a million tokens."""


def test_a_budget_of_dollars_pauses_and_the_session_goes_on_when_it_is_raised(elenchus: Program) -> None:
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text(PRICED)
    whole = elenchus("debate", MOTION, *SHORT, "--json").json["usage"]
    assert whole["usd"] == pytest.approx(whole["input_tokens"] * 1e-5 + whole["output_tokens"] * 4e-5)
    limit = round(whole["usd"] / 2, 4)

    paused = elenchus("debate", MOTION, *SHORT, "--budget-usd", limit, "--json")
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
    async with serving(MoodyOpenAI(share=0.0)) as vendor:
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


def test_a_budget_of_dollars_says_which_models_it_cannot_count(elenchus: Program) -> None:
    """A price that is not known is no 0: the person is told before the debate."""
    elenchus.home.mkdir()
    (elenchus.home / "models.yaml").write_text("scripted: {demo*: {note: no price}}\n")
    result = elenchus("debate", MOTION, *SHORT, "--budget-usd", "1", "--json")
    assert "warning: --budget-usd does not count scripted:demo, whose price is not known" in result.err
    assert result.json["usage"]["usd"] is None
    assert result.json["usage"]["unpriced_calls"] == result.json["usage"]["calls"]
