"""The parts of each protocol's spec fit together: the stub answers all that is asked, and each step has words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import ModuleType

import pytest

from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.protocols.rulegen import spec as rulegen
from elenchus.debate_engine.protocols.rulegen.casting import config_of
from elenchus.debate_engine.protocols.scene_reading import spec as scene_reading
from elenchus.debate_engine.protocols.scene_reading.protocol import Open, ReadingConfig
from elenchus.debate_engine.protocols.scene_writing import spec as scene_writing
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig
from elenchus.debate_engine.protocols.sweep import spec as sweep
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.scenes.library import find_scene

SCENE = find_scene("anchoring")
IN_SCENE = tuple(
    Seat(name=name, spec="scripted:m")
    for name in (*(role.name for role in SCENE.roles), "system", "judge-1", "judge-2", "judge-3")
)
RULE = Open(rule=3, line=9, mode="unicast", content="", initiator="", receivers=("Ben",), what="parties")
OPEN = (RULE, RULE.model_copy(update={"rule": 4, "what": "message"}))
CASES: tuple[tuple[ModuleType, FrozenModel, tuple[Seat, ...]], ...] = (
    (rulegen, config_of(SCENE, IN_SCENE), IN_SCENE),
    (sweep, SweepConfig(motion="Tea", heats=(0.9,)), tuple(Seat(name=n, spec="x:m") for n in ("pro", "con", "crit"))),
    (
        scene_writing,
        WritingConfig(bias="anchoring", name="Anchoring", definition="", elements=(), recipe=""),
        (Seat(name="writer", spec="x:m"),),
    ),
    (
        scene_reading,
        ReadingConfig(title="", background="", names=("Ada", "Ben"), cast=(), course=(), open=OPEN),
        (Seat(name="reader", spec="x:m"),),
    ),
)


@dataclass
class StubSeat:
    """Answers with the stub, and keeps which steps it was asked in."""

    stub: Stub
    asked: list[str]

    async def answer(self, ask: Ask) -> Answer:
        self.asked.append(ask.step)
        return Answer(self.stub(ask))

    def most(self, _: Ask) -> tuple[int, float]:
        return 0, 0.0


@pytest.mark.parametrize(("spec", "config", "seats"), CASES, ids=lambda case: getattr(case, "NAME", ""))
async def test_a_protocol_runs_with_its_stub_and_each_question_has_words(
    spec: ModuleType, config: FrozenModel, seats: tuple[Seat, ...]
) -> None:
    assert isinstance(config, spec.CONFIG)
    asked: list[str] = []
    log, stub = MemoryLog(), spec.stub(config)
    runner = Runner(log, {spec.NAME: spec.run}, lambda _seat, _context: StubSeat(stub, asked))
    started = SessionStarted(
        protocol=spec.NAME, title="", config=config.model_dump(mode="json"), seats=seats, seed=1, version="0"
    )
    run = await runner.run(await runner.start(started))
    assert run.state == "finished", run.reason
    spec.OUTCOME.model_validate(run.outcome)
    wordless = {step for step in asked if not any(re.search(pattern, step) for pattern, _ in spec.STEP_WORDS)}
    assert asked
    assert wordless == set()
    if spec.SPEECH_STEPS:
        speeches = [r.event for r in await log.read(run.session_id) if isinstance(r.event, StepDone)]
        assert any(re.search(spec.SPEECH_STEPS, event.step) for event in speeches)
