"""Scenes, detections, scored documents and benches over HTTP, with a model that keeps to no form and fails in 30 %."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.llm.disobedient import Disobedient, DisobedientAnthropic, DisobedientOpenAI
from tests.fakes.llm.loopback import KEY, serving
from tests.service.cli.program import Program
from tests.twins import SEEDS

pytestmark = pytest.mark.slow

TEXT = (
    "We have put two years and all our savings into the café. Of course the street is empty since the bridge closed. "
    "But should all of that have been for nothing? So we sign for another year, and then we shall see."
)


def seats(spec: str, *names: str) -> list[str]:
    return [part for name in names for part in (f"--{name}", spec)]


async def over(elenchus: Program, vendor: Disobedient, name: str, *command: Any) -> Any:
    """The JSON document of a command whose models are this vendor's."""
    url = f"{vendor.url}/v1" if name == "OPENAI" else vendor.url
    env = {f"{name}_API_KEY": KEY, f"{name}_BASE_URL": url}
    done = await asyncio.to_thread(elenchus, *command, "--json", env=env)
    assert done.code == 0, done.err
    return done.json


async def test_no_judge_and_no_turn_of_a_scene_is_lost(elenchus: Program) -> None:
    async with serving(DisobedientOpenAI()) as vendor:
        spec = seats("openai:gpt-6-luna", "subject", "confederate", "moderator", "others", "judge")
        await over(elenchus, vendor, "OPENAI", "scene", "run", SEEDS, *spec, "-n", 1)
    listed = elenchus("sessions", "list", "--json").json
    assert len(listed) == 2, "both versions"
    for session in listed:
        shown = elenchus("sessions", "show", session["id"], "--json").json
        assert shown["no_answers"] == []
        assert [one["unread"] for one in shown["evaluation"]["opinions"]] == [""]
        assert shown["adjusted"]


@pytest.mark.parametrize("method", ["full", "candidates", "cot", "group"])
async def test_no_suspect_no_check_and_no_score_of_a_detection_is_lost(elenchus: Program, method: str) -> None:
    async with serving(DisobedientAnthropic()) as vendor:
        how = ("--labels", "Sunk cost fallacy,Anchoring effect") if method != "group" else ()
        model = ("--model", "anthropic:claude-x", "--method", method)
        text = elenchus.home.parent / "text.txt"
        text.write_text(TEXT, encoding="utf-8")
        found = await over(elenchus, vendor, "ANTHROPIC", "detect", text, *model, *how)
    assert found["no_answers"] == []
    assert found["verdict"] != "unread"
    assert all(card["scores"] for match in found["matches"] for card in match["cards"])
    assert all(candidate["unread"] == "" for candidate in found["candidates"])


async def test_no_reason_of_a_document_is_left_without_its_score_and_all_are_weighed_in_the_language_asked_for(
    elenchus: Program, tmp_path: Path
) -> None:
    document = tmp_path / "text.md"
    document.write_text(TEXT, encoding="utf-8")
    async with serving(DisobedientOpenAI()) as vendor:
        scored = await over(
            elenchus, vendor, "OPENAI", "crit", document, "--model", "openai:gpt-6-luna", "--language", "German"
        )
    assert scored["no_answers"] == []
    assert scored["unreadable"] == 0
    assert all(reason["gamma"] is not None for reason in [*scored["reasons"], *scored["rivals"]])
    justified = [str(request["messages"]) for request in vendor.requests if "justification" in str(request)]
    assert justified
    assert all("Write in German." in messages for messages in justified)


async def swept(program: Program, seed: int) -> Any:
    async with serving(DisobedientOpenAI()) as vendor:
        spec = seats("openai:gpt-6-luna", "pro", "con", "crit")
        how = (*spec, "--heat", "0.9", "--topics", 1, "--seed", seed)
        return await over(program, vendor, "OPENAI", "sweep", "Cars must go.", *how)


async def test_no_reading_of_a_sweep_is_lost_whatever_its_seed(elenchus: Program) -> None:
    for sweep in await asyncio.gather(*(swept(elenchus, seed) for seed in range(5))):
        assert sweep["no_answers"] == []
        assert [(take["reading_unread"], take["support_unread"]) for take in sweep["takes"]] == [("", "")] * 2


async def test_no_judgement_of_a_bench_is_lost(elenchus: Program) -> None:
    async with serving(DisobedientOpenAI()) as vendor:
        spec = seats("openai:gpt-6-luna", "model", "judge")
        bench = await over(elenchus, vendor, "OPENAI", "bench", "static", *spec, "--bias", "anchoring", "--limit", 3)
    assert {one["verdict"] for one in bench["judged"]} <= {"found", "none"}
