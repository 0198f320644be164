"""Scenes of free speech on the embedded model: everything fits its context, and a scene is played to its end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from elenchus.config.settings import LocalSettings, Settings
from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted, StepDone
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.protocols.rulegen.assignment import FirstPlace
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.protocols.rulegen.protocol import rulegen
from elenchus.debate_engine.protocols.rulegen.stub import stub
from elenchus.debate_engine.protocols.rulegen.study.grid import SeatSpecs, seats_of
from elenchus.debate_engine.retrieval import WordOverlap
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.truncation import truncated
from tests.debate_engine.protocols.short_answers import ShortAnswers
from tests.twins import twin_scenes

EMBEDDED = "local:smollm2-135m"
SMALL = 2_048
"""Tokens: the embedded model's context."""
TREATMENTS = {name: scene for name, scene in twin_scenes().items() if scene.condition == "treatment"}


async def played(session: Session, config: dict[str, object]) -> dict[str, object]:
    return await rulegen(session, config, WordOverlap(), FirstPlace())


def started(scene: Scene, **settings: int) -> SessionStarted:
    cast = SeatSpecs(confederate=EMBEDDED, moderator=EMBEDDED, other=EMBEDDED, system=EMBEDDED, judges=(EMBEDDED,))
    seats = seats_of(scene, EMBEDDED, cast)
    config = config_for(scene, seats, **settings).model_dump(mode="json")
    return SessionStarted(protocol="rulegen", title=scene.title, config=config, seats=seats, seed=1, version="0")


@dataclass
class Talkative:
    """A seat that says as much as it may, and keeps what it was asked."""

    asked: list[Ask]
    stub: Stub = field(default_factory=stub)

    async def answer(self, ask: Ask) -> Answer | Declined:
        self.asked.append(ask)
        return Answer(self.stub(ask))

    def most(self, _: Ask) -> tuple[int, float]:
        return 0, 0.0


@pytest.mark.parametrize("name", TREATMENTS)
async def test_every_prompt_of_a_scene_fits_a_small_context_although_everybody_speaks_at_length(name: str) -> None:
    log, asked = MemoryLog(), list[Ask]()

    def make_seat(_seat: Seat, _room: RunContext) -> Participant:
        return Talkative(asked)

    runner = Runner(log, {"rulegen": played}, make_seat)
    run = await asyncio.wait_for(runner.run(await runner.create(started(TREATMENTS[name]))), 60)
    assert run.state == "finished", run.reason
    shortened = set[str]()
    for ask in asked:
        fixed = sum(map(estimate_tokens, (ask.role, ask.task, str(ask.answer_schema or ""))))
        fitted = truncated(ask.material, SMALL - ask.max_tokens - fixed - 64, estimate_tokens)
        assert fixed + fitted.tokens_after + ask.max_tokens <= SMALL, (ask.step, fitted.left_out)
        cut = {place.partition(" (")[0] for place in fitted.left_out}
        shortened |= cut
        assert not cut & {"Who you are", "The bias", "How it is observed in this scene"}, ask.step
    assert shortened == {"The record"}, "only judges read so much that it does not fit"


@pytest.mark.local_model
@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_the_embedded_model_plays_a_scene_to_its_end_and_is_judged_or_said_to_be_unread(tmp_path: Path) -> None:
    """A greeting, what the subject is told and its first words, in few words and without corrections: nine calls."""
    greeting, told, _, asked, *_ = TREATMENTS["room"].rules
    scene = TREATMENTS["room"].model_copy(update={"rules": (greeting, told, asked)})
    run, events = await by_the_embedded_model(scene, tmp_path, threads=1, text=12)
    assert run.state == "finished", run.reason
    outcome = Played.model_validate(run.outcome)
    assert all(turn.text or turn.silent for turn in outcome.turns)
    assert all(len(entry.content) > 0 for entry in outcome.record)
    assert outcome.evaluation is not None
    assert len(outcome.evaluation.verdicts) == 1
    calls = [call for r in events if isinstance(r.event, StepDone) for call in r.event.calls]
    assert {call.model for call in calls} == {EMBEDDED}


async def by_the_embedded_model(
    scene: Scene, home: Path, threads: int = 0, text: int = 30
) -> tuple[Run, list[Recorded]]:
    registry, log = Registry(Settings(home=home, local=LocalSettings(threads=threads))), MemoryLog()
    model = registry.model(EMBEDDED)
    runner = Runner(
        log,
        {"rulegen": played},
        lambda seat, context: ShortAnswers(ModelSeat(context, model, Persona(seat.name)), text),
    )
    try:
        session = await runner.create(started(scene, corrections=0))
        return await runner.run(session), await log.read(session)
    finally:
        await registry.aclose()
