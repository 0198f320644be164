"""The parts of each protocol's spec fit together: the stub answers all that is asked, and each step has words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest

from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted, StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, RldfConfig, role_seats
from elenchus.debate_engine.protocols.rldf.topics import TopicsConfig
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.scene_reading.protocol import OpenRule, ReadingConfig
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig
from elenchus.debate_engine.protocols.spec import NEVER
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.cognition.profiles import GRETA
from tests.twins import twin_scenes

SCENE = twin_scenes()["bicycle"]
IN_SCENE = tuple(
    Seat(name=name, spec="scripted:m")
    for name in (*(role.name for role in SCENE.roles), "system", "judge-1", "judge-2", "judge-3")
)
RULE = OpenRule(rule=3, line=9, mode="unicast", content="", initiator="", receivers=("Ben",), what="parties")
OPEN = (RULE, RULE.model_copy(update={"rule": 4, "what": "message"}))
SWEEP = SweepConfig(motion="Tea", heats=(0.9,))
IN_DEBATE = tuple(Seat(name=n, spec="x:m") for n in (*role_seats(3), REFEREE))
MIND = CognitionConfig(profile=GRETA, questionnaire=("Tea is good.",), flows=(Flow(texts=("Tea grows on hills.",)),))
CASES: tuple[tuple[str, FrozenModel, tuple[Seat, ...]], ...] = (
    ("rulegen", config_for(SCENE, IN_SCENE), IN_SCENE),
    ("sweep", SWEEP, tuple(Seat(name=n, spec="x:m") for n in ("pro", "con", "crit"))),
    *(
        ("rldf", RldfConfig.model_validate({"bias": "age", "topic": "tea", "marking": marking}), IN_DEBATE)
        for marking in ("one", "all")
    ),
    ("rldf-topics", TopicsConfig(number=30), (Seat(name="writer", spec="x:m"),)),
    *(
        ("cognition", MIND.model_copy(update={"method": method}), (Seat(name="persona", spec="x:m"),))
        for method in ("coggpt", "cot")
    ),
    (
        "scene-writing",
        WritingConfig(bias="anchoring", name="Anchoring", definition="", elements=(), recipe=""),
        (Seat(name="writer", spec="x:m"),),
    ),
    (
        "scene-reading",
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


@pytest.mark.parametrize(("name", "config", "seats"), CASES, ids=[case[0] for case in CASES])
async def test_a_protocol_runs_with_its_stub_and_each_question_has_words(
    name: str, config: FrozenModel, seats: tuple[Seat, ...]
) -> None:
    spec = spec_of(name)
    given = config.model_dump(mode="json")
    assert spec.config_of(given) == config
    asked: list[str] = []
    log = MemoryLog()
    run = partial(spec.runs, **{need: spec.dry.given[need] for need in spec.needs})
    stub = spec.dry.stub(config)
    runner = Runner(log, {name: run}, lambda _seat, _context: StubSeat(stub, asked))
    started = SessionStarted(protocol=name, title="", config=given, seats=seats, seed=1, version="0")
    ended = await runner.run(await runner.create(started))
    assert ended.state == "finished", ended.reason
    assert spec.outcome_of(ended.outcome) is not None
    assert asked
    assert [step for step in asked if spec.doing(step).startswith("works on")] == []
    if spec.drafts != NEVER:
        steps = [r.event.step for r in await log.read(ended.session_id) if isinstance(r.event, StepDone)]
        assert any(spec.is_draft(step) for step in steps)
