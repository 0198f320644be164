"""A model that cannot be used at all: the session waits, whatever was asked for, and the exit code says so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.fakes.llm.loopback import KEY, Fail, Raw, serving
from tests.fakes.llm.openai import FakeOpenAI
from tests.service.cli.program import Program

TEXT = "We have put all our savings into the café, so we sign for another year. Doctors say that coffee is healthy."
TROUBLE = {
    "its key is refused": Fail(401, "Incorrect API key."),
    "it is overloaded": Fail(503, "Overloaded"),
    "it is something else": Raw(b"<html>welcome</html>"),
}


@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
async def test_a_text_is_not_scored_by_a_model_that_cannot_be_used_and_its_session_waits(
    elenchus: Program, tmp_path: Path, trouble: Fail | Raw
) -> None:
    text = tmp_path / "text.md"
    text.write_text(TEXT)
    async with serving(FakeOpenAI()) as server:
        server.will(*[trouble] * 20)
        env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{server.url}/v1", "ELENCHUS_OPENAI_RETRIES": "0"}
        command = ("crit", text, "--model", "openai:m", "--unpriced-ok", "--json")
        ended = await asyncio.to_thread(elenchus, *command, env=env)
        assert ended.code == 3
        assert ended.json["state"] == "paused"
        assert f"elenchus sessions resume {ended.json['id']}" in ended.json["next"]
        assert len(server.requests) == 1
        server.plans.clear()
        again = await asyncio.to_thread(elenchus, "sessions", "resume", ended.json["id"], "--json", env=env)
    assert again.json["state"] == "finished"
    assert again.code == 0


DIES = """
rules:
  - prompt: crit/validate
    fault: down
"""


def test_a_model_that_dies_while_it_scores_leaves_the_session_waiting_and_the_scores_are_asked_for_later(
    elenchus: Program, tmp_path: Path
) -> None:
    (tmp_path / "text.md").write_text(TEXT)
    (tmp_path / "model.yaml").write_text(DIES)
    env = {"ELENCHUS_SCRIPTED_RETRIES": "0"}
    command = ("crit", tmp_path / "text.md", "--model", f"scripted:{tmp_path / 'model.yaml'}", "--json")
    ended = elenchus(*command, env=env)
    assert ended.code == 3
    assert ended.json["state"] == "paused"
    assert f"elenchus sessions resume {ended.json['id']}" in ended.json["next"]
    (tmp_path / "model.yaml").write_text("rules: []")
    again = elenchus("sessions", "resume", ended.json["id"], "--json", env=env)
    assert again.code == 0
    assert again.json["gamma"] is not None
