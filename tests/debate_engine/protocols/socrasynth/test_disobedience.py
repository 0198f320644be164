"""Over HTTP, models that take a schema for a wish and fail in 30 % of the requests: no score, no list is lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from elenchus.config.settings import Settings, VendorSettings
from elenchus.debate_engine.events import Recorded, StepDone
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
from elenchus.debate_engine.reports.failures import Failures
from elenchus.service.app import open_app
from tests.debate_engine.protocols.socrasynth.test_faults import started
from tests.fakes.llm.disobedient import Disobedient, DisobedientAnthropic, DisobedientGemini, DisobedientOpenAI
from tests.fakes.llm.loopback import KEY, serving

pytestmark = pytest.mark.slow


def lost(recorded: Sequence[Recorded]) -> list[str]:
    """The questions by a schema that got no answer, with the reason."""
    steps = [r.event for r in recorded if isinstance(r.event, StepDone)]
    return [f"{s.step}: {s.result['declined']}" for s in steps if isinstance(s.result, dict) and "declined" in s.result]


def by_form(recorded: Sequence[Recorded]) -> list[str]:
    """The questions by a schema that were answered."""
    steps = [r.event for r in recorded if isinstance(r.event, StepDone) and r.event.calls]
    return [s.step for s in steps if isinstance(s.result, dict) and isinstance(s.result.get("value"), dict)]


async def test_debates_with_models_that_keep_to_no_form_lose_no_agenda_no_reason_and_no_score(tmp_path: Path) -> None:
    """Three debates: a vendor for pro, another for con, all three on the panel."""
    async with (
        serving(DisobedientOpenAI()) as openai,
        serving(DisobedientAnthropic()) as claude,
        serving(DisobedientGemini()) as gemini,
    ):
        limits: dict[str, Any] = {"key": SecretStr(KEY), "retries": 4, "deadline": 5.0}
        settings = Settings(
            home=tmp_path,
            openai=VendorSettings(base_url=f"{openai.url}/v1", **limits),
            anthropic=VendorSettings(base_url=claude.url, **limits),
            gemini=VendorSettings(base_url=gemini.url, **limits),
        )
        specs = ("openai:gpt-6-luna", "anthropic:claude-x", "gemini:gemini-x")
        async with open_app(settings, leave_on=frozenset({"provider"})) as app:
            turned = [(*specs[n % 3 :], *specs[: n % 3]) for n in range(3)]
            sessions = [await app.runner.create(started(three, n)) for n, three in enumerate(turned)]
            runs = await asyncio.gather(*(app.runner.run(session) for session in sessions))
            logs = [await app.log.read(session) for session in sessions]
    fakes: tuple[Disobedient, ...] = (openai, claude, gemini)
    came = sum((fake.came for fake in fakes), Counter[str]())
    assert 0.2 < 1 - came["well"] / came.total() < 0.4
    for run, recorded in zip(runs, logs, strict=True):
        assert run.state == "finished"
        assert lost(recorded) == []
        outcome = Debate.model_validate(run.outcome)
        assert outcome.agenda
        assert outcome.judgement is not None
        assert all(vote.read == vote.asked for vote in outcome.judgement.votes)
        assert outcome.quality is not None
        assert (outcome.quality.unreadable, outcome.quality.unread) == (0, ())
        assert all(reason.readable for reason in outcome.quality.reasons)
        failures = Failures()
        for r in recorded:
            failures.apply(r)
        assert by_form(recorded)
        assert [one.step for one in failures.adjusted] == by_form(recorded), "no answer came as it was asked for"
