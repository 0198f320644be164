"""Debates whose models fail in 30 % of the calls: each ends in a defined state and counts nothing that was not read."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from elenchus.config.settings import ScriptedSettings, Settings, VendorSettings
from elenchus.debate_engine.events import CallFailed, Recorded, Seat, SessionFailed, SessionStarted, StepDone
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.protocols.socrasynth.open_question import SAME_FROM_THE_START
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.debate_engine.run_context import Draft
from elenchus.debate_engine.run_ends import Run
from elenchus.service.app import App, open_app
from tests.debate_engine.protocols.socrasynth.audit import Audit
from tests.debate_engine.protocols.socrasynth.scripted_debate import MOTION, TOPICS
from tests.fakes.llm.loopback import KEY, serving
from tests.fakes.llm.unreliable import Unreliable, UnreliableAnthropic, UnreliableGemini, UnreliableOpenAI

pytestmark = pytest.mark.slow

SHORT: dict[str, Any] = {"motion": MOTION, "topics": 1, "max_rounds": 1}
KINDS: tuple[dict[str, Any], ...] = (
    {},
    {"agenda": TOPICS[:1], "compare_qa": True},
    {"simultaneous": True, "coach": True, "max_rounds": 2},
    {"open_question": True},
)
"""The debates by turns."""
LONGEST = 60.0
"""Seconds that a debate may take."""
PAUSES = 20
"""How often a debate may be paused by its models until it must have ended."""

AT_MOST_WITHOUT_TOPICS = 2
"""Debates of a test that may fail because both lists were lost, each to a refusal or to two faults in a row."""


def started(specs: Sequence[str], number: int) -> SessionStarted:
    """A debate between the first two models; where there are more, all of them judge."""
    judges = tuple(f"judge-{n}" for n in range(1, max(2, len(specs)) + 1))
    cfg = DebateConfig(**SHORT | KINDS[number % len(KINDS)], judges=judges)
    names = ("pro", "con", *judges, "crit", "answerer")
    seats = tuple(Seat(name=name, spec=specs[n % len(specs)]) for n, name in enumerate(names))
    return SessionStarted(
        protocol="socrasynth", title=MOTION, config=cfg.model_dump(mode="json"), seats=seats, seed=number, version="0"
    )


def watch(_: Draft) -> None:
    """Somebody watches, so that replies are streamed and can also fail in the middle."""


async def held(app: App, began: SessionStarted) -> tuple[list[Run], list[Recorded]]:
    """Run a debate, and go on with it as often as it pauses: all its ends, and its log."""
    session = await app.runner.create(began)
    runs: list[Run] = []
    while not runs or (runs[-1].state == "paused" and len(runs) <= PAUSES):
        async with asyncio.timeout(LONGEST):
            runs.append(await app.runner.run(session, on_draft=watch))
    return runs, await app.log.read(session)


def assert_without_topics(last: Run, failed: Sequence[SessionFailed], audit: Audit) -> None:
    """The one way to fail: neither side's list of topics could be read. The reason tells why."""
    assert [event.error for event in failed] == ["NoAgenda"]
    assert (last.state, last.exit_code) == ("failed", 3)
    for side in SIDES:
        proposed = audit.steps[f"agenda/propose/{side}"].result
        assert f"{side}'s list of topics could not be read: {proposed['declined']}" in last.reason
    assert "agenda/agreed" not in audit.steps


def check(runs: list[Run], recorded: list[Recorded]) -> Audit:
    """The debate ended, as it should, and its numbers are true."""
    *paused, last = runs
    assert {(run.state, run.exit_code) for run in paused} <= {("paused", 3)}
    assert all("pro:" in run.reason or "con:" in run.reason for run in paused), "only a needed seat pauses"
    audit = Audit(recorded)
    audit.look()
    failed = [r.event for r in recorded if isinstance(r.event, SessionFailed)]
    if failed:
        assert_without_topics(last, failed, audit)
        return audit
    assert (last.state, last.exit_code) == ("finished", 0)
    outcome = Debate.model_validate(runs[-1].outcome)
    judgement = outcome.judgement
    if outcome.ended == SAME_FROM_THE_START:
        assert (judgement, outcome.winner, outcome.rounds) == (None, "", ())
        return audit
    assert judgement is not None
    assert judgement.model_dump(mode="json") == audit.steps["judging/judgement"].result
    assert (outcome.winner == "undecided") is (judgement.winner == "undecided")
    for known in outcome.rounds:
        quality = audit.steps[f"round/{known.n}/crit/quality"].result
        assert (known.gamma, known.standing) == (quality["gamma"], quality["standing"])
    return audit


@pytest.mark.parametrize(
    ("retries", "hang", "deadline"),
    [(0, 3600.0, 0.3), (1, 0.05, 30.0), (4, 0.05, 30.0), (2, 3600.0, 0.3)],
    ids=["no retries", "one retry", "four retries", "two retries and a deadline"],
)
async def test_of_debates_whose_calls_fail_in_30_percent_each_ends_and_counts_nothing_unread(
    tmp_path: Path, retries: int, hang: float, deadline: float
) -> None:
    """25 debates for each way of trying again, 100 in all."""
    settings = Settings(home=tmp_path, scripted=ScriptedSettings(retries=retries, deadline=deadline))
    states: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    unread = 0
    async with open_app(settings, leave_on=frozenset({"provider"})) as app:
        specs = [f"scripted:demo?faults=0.3&hang={hang:g}&seed={n}" for n in range(25)]
        async with asyncio.TaskGroup() as group:
            debates = [group.create_task(held(app, started([spec], n))) for n, spec in enumerate(specs)]
        for spec, debate in zip(specs, debates, strict=True):
            runs, recorded = debate.result()
            audit = check(runs, recorded)
            client = app.registry.model(spec).client
            assert isinstance(client, ScriptedClient)
            assert audit.calls == len(client.asked), "what happened to each call is in the log"
            states.update(run.state for run in runs)
            if runs[-1].state == "finished":
                states[f"winner: {Debate.model_validate(runs[-1].outcome).winner}"] += 1
            faults.update(r.event.error for r in recorded if isinstance(r.event, CallFailed))
            unread += audit.unread
    print(f"retries {retries}: {dict(states)}; failed attempts {dict(faults)}; answers that could not be had: {unread}")
    assert states["failed"] <= AT_MOST_WITHOUT_TOPICS
    assert unread > 25
    assert faults["ProviderBusy"] > 25


async def test_of_debates_over_http_whose_requests_fail_in_30_percent_each_ends_and_counts_nothing_unread(
    tmp_path: Path,
) -> None:
    """12 debates through the vendors' own SDKs: a vendor for pro, another for con, all three on the panel."""
    async with (
        serving(UnreliableOpenAI()) as openai,
        serving(UnreliableAnthropic()) as claude,
        serving(UnreliableGemini()) as gemini,
    ):
        limits: dict[str, Any] = {"key": SecretStr(KEY), "retries": 2, "deadline": 2.0}
        settings = Settings(
            home=tmp_path,
            openai=VendorSettings(base_url=f"{openai.url}/v1", **limits),
            anthropic=VendorSettings(base_url=claude.url, **limits),
            gemini=VendorSettings(base_url=gemini.url, **limits),
        )
        fakes: tuple[Unreliable, ...] = (openai, claude, gemini)
        specs = ("openai:gpt-6-luna", "anthropic:claude-x", "gemini:gemini-x")
        async with open_app(settings, leave_on=frozenset({"provider"})) as app, asyncio.TaskGroup() as group:
            turned = [(*specs[n % 3 :], *specs[: n % 3]) for n in range(12)]
            debates = [group.create_task(held(app, started(three, n))) for n, three in enumerate(turned)]
        audits = [check(*debate.result()) for debate in debates]
    came = sum((fake.came for fake in fakes), Counter[str]())
    states = Counter(run.state for debate in debates for run in debate.result()[0])
    print(f"{dict(states)}; requests {dict(came)}; answers that could not be had: {sum(a.unread for a in audits)}")
    assert states["failed"] <= AT_MOST_WITHOUT_TOPICS
    assert len(came) == 24, "every fault came up"
    assert 0.2 < 1 - came["well"] / came.total() < 0.4
    known = sum(audit.calls for audit in audits)
    assert known >= came.total()


async def test_a_debate_in_which_neither_list_of_topics_can_be_read_fails_with_the_reasons(
    tmp_path: Path,
) -> None:
    (tmp_path / "mute.yaml").write_text("rules: [{prompt: socrasynth/propose-topics, text: I would rather not.}]\n")
    async with open_app(Settings(home=tmp_path)) as app:
        runs, recorded = await held(app, started([f"scripted:{tmp_path / 'mute.yaml'}"], 0))
    assert [run.state for run in runs] == ["failed"]
    check(runs, recorded)


async def test_the_auditor_finds_every_number_that_is_planted(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        runs, recorded = await held(app, started(["scripted:demo?faults=0.2&hang=0.01&seed=5"], 1))
        check(runs, recorded)
    steps = Audit(recorded).steps
    score = next(name for name in steps if name.endswith("/score") and "value" in steps[name].result)
    quality = steps["round/1/crit/quality"].result
    judgement = steps["judging/judgement"].result
    planted: dict[str, Any] = {
        score: {"declined": "nothing could be read"},
        "judging/judgement": judgement | {"a": 0.0, "b": 0.0},
        "round/1/crit/quality": quality | {"gamma": (quality["gamma"] or 5) + 0.5},
        "closing/crit/quality": steps["closing/crit/quality"].result | {"standing": 0.0},
    }
    for step, result in planted.items():
        forged = [
            r.model_copy(update={"event": r.event.model_copy(update={"result": result})})
            if isinstance(r.event, StepDone) and r.event.step == step
            else r
            for r in recorded
        ]
        with pytest.raises(AssertionError):
            Audit(forged).look()
