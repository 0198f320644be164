from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.config.settings import LocalSettings, Settings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.protocols.crit.document import DocumentResult, crit_document
from elenchus.debate_engine.protocols.crit.report import of_document
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.crit.test_document import DOCUMENT
from tests.debate_engine.protocols.short_answers import ShortAnswers


@pytest.mark.local_model
@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_the_embedded_model_gets_through_a_document_and_every_score_is_on_the_scale(tmp_path: Path) -> None:
    registry = Registry(Settings(home=tmp_path, local=LocalSettings(threads=1)))
    model = registry.model("local:smollm2-135m")
    log = MemoryLog()
    brief = 80  # tokens: scores are shorter; without it, the analysis at the end is repeated 700 tokens long
    runner = Runner(
        log,
        {"crit": crit_document},
        lambda seat, context: ShortAnswers(ModelSeat(context, model, Persona("CRIT")), structured=brief),
    )
    seats = (Seat(name="crit", spec=model.spec),)
    settings = {
        "title": "tram.txt",
        "document": DOCUMENT[:300],
        "max_reasons": 1,
        "context_tokens": model.context_tokens,
    }
    started = SessionStarted(protocol="crit", title="tram", config=settings, seats=seats, seed=1, version="0")
    try:
        run = await runner.run(await runner.create(started))
    finally:
        await registry.aclose()
    assert run.state == "finished", run
    result = DocumentResult.model_validate(run.outcome)
    assert result.claim
    scores = [(r.gamma, r.theta) for r in (*result.reasons, *result.rivals)]
    assert scores
    assert all(score is None or 1 <= score <= 10 for pair in scores for score in pair)
    assert (result.gamma is None) == (2 * result.unreadable > len(scores))
    assert of_document(result)[0] == "### tram.txt"
