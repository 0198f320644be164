from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import CallFailed, CallRecord, OwnerStarted, Recorded, Said, SessionFailed, StepDone
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.methods import run_of
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.steps import RELEASE, hash_of
from tests.debate_engine.reports.debates import started
from tests.debate_engine.reports.test_view import numbered


def run(events: list[Recorded]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(run_of(SessionView.of("demo", events)), allow_nan=False))
    return made


def test_the_run_has_what_a_methods_section_needs(debate: list[Recorded]) -> None:
    made = run(debate)
    assert made["settings"]["decay"] == 1.2
    assert made["chance"] == {"seed": 7, "seed_passed_to_models": False, "temperature": 0.7}
    assert made["started"] == debate[0].at.isoformat()
    assert made["last_event"] == debate[-1].at.isoformat()
    (model,) = made["models"]
    assert (model["asked_for"], list(model["reported"])) == ("scripted:table", ["table-1"])
    assert model["seats"]["judge-1"] == model["reported"]["table-1"] - sum(
        n for seat, n in model["seats"].items() if seat != "judge-1"
    )
    assert {t["temperature"] for t in model["temperatures"]} <= {0.7, 0.0}
    assert made["versions_at_export"]["pydantic"]
    assert made["version"] == "0.1.0"


def test_the_steps_are_counted_by_the_release_that_recorded_them(debate: list[Recorded]) -> None:
    steps = sum(isinstance(r.event, StepDone | Said) for r in debate)
    assert run(debate)["steps_recorded_by"] == {RELEASE: steps}
    assert "more than one release" not in markdown_of(report_of(SessionView.of("demo", debate)))
    later = [StepDone(step=n, input_hash=hash_of(None, n)) for n in ("99.10", "99.9")]
    more = [Recorded(seq=len(debate) + n, at=debate[-1].at, event=event) for n, event in enumerate(later, 1)]
    view = SessionView.of("demo", [*debate, *more])
    assert list(run_of(view)["steps_recorded_by"].items()) == [(RELEASE, steps), ("99.9", 1), ("99.10", 1)]
    told = f"Steps were recorded by more than one release ({steps} by {RELEASE}, 1 by 99.9, 1 by 99.10), whose"
    assert told in markdown_of(report_of(view))


def test_every_prompt_is_listed_with_the_hash_of_its_file(debate: list[Recorded]) -> None:
    made = {p["id"]: p["hash"] for p in run(debate)["prompts"]}
    assert made["socrasynth/opening"] == prompts_of("elenchus.debate_engine.protocols.socrasynth").opening.hash
    assert made["judging/ruling"] == prompts_of("elenchus.debate_engine.protocols.judging").ruling.hash


def test_the_counts_are_those_of_the_log(debate: list[Recorded]) -> None:
    made = run(debate)
    calls = [c for r in debate if isinstance(r.event, StepDone) for c in r.event.calls]
    assert made["usage"]["calls"] == len(calls)
    assert made["usage"]["input_tokens"] == sum(c.input_tokens for c in calls)
    assert made["counts"]["failed_calls"] == sum(isinstance(r.event, CallFailed) for r in debate)
    assert made["counts"]["events"] == len(debate)
    assert made["counts"]["votes"] == 6


def test_calls_are_counted_with_what_was_sent_along() -> None:
    calls = [CallRecord(model="scripted:table", cost_usd=None, seed=seed) for seed in (7, None, 0)]
    step = StepDone(step="a", input_hash="", inputs={"seat": "pro", "prompt_id": "x"}, calls=tuple(calls))
    (model,) = run(numbered([started(), step]))["models"]
    assert (model["calls"], model["calls_with_seed"]) == (3, 2)


def test_no_key_no_machine_and_no_home_folder_is_in_it() -> None:
    key, home = "sk-ant-REDACTED", str(Path.home())
    local = f"local:{home}/models/big.gguf"
    call = CallRecord(model=local, reported_model=f"{home}/models/big.gguf", cost_usd=None)
    events = numbered([
        started(specs={"pro": local, "con": "scripted:/srv/class/answers.yaml"}),
        OwnerStarted(epoch=1, pid=4711, host=socket.gethostname()),
        StepDone(step="a", input_hash="", inputs={"seat": "pro", "prompt_id": "x"}, calls=(call,)),
        SessionFailed(error="OSError", message=f"cannot read {home}/models/big.gguf with {key}"),
    ])  # fmt: skip
    made = run(events)
    text = json.dumps(made)
    for secret in (key, home, socket.gethostname(), "4711", "/srv"):
        assert secret not in text
    assert made["models"][0]["asked_for"] == "local:big.gguf"
    assert made["reason"] == "cannot read ~/models/big.gguf with [key]"


@pytest.mark.parametrize(
    "given, shown",
    [
        ("openai:gpt-5-mini", "openai:gpt-5-mini"),
        ("openai:meta-llama/Llama-3", "openai:meta-llama/Llama-3"),
        ("local:C:\\Users\\Ann\\m.gguf", "local:m.gguf"),
        ("scripted:demo", "scripted:demo"),
        ("/opt/models/m.gguf", "m.gguf"),
    ],
)
def test_a_models_name_is_shown_without_a_folder(given: str, shown: str) -> None:
    assert safe.spec(given) == shown


@pytest.mark.parametrize(
    "text",
    ["The risk-averse desk-based basic income", "a task-specific key: none", "sk-", "Basic ideas matter", "/rooted"],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert safe.text(text) == text


def test_a_log_without_its_start_makes_a_run() -> None:
    assert run([])["protocol"] is None
