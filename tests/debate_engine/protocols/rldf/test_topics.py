"""The writing of topics: as many as asked for, each once, and an end where the writer has no more."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.rldf.topics import WRITER, Topics, TopicsConfig, topics
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.scripted_session import GARBLED, Answer, ScriptedSession, written


@dataclass
class Writing(ScriptedSession):
    package = "rldf"

    cfg: TopicsConfig
    answer: Answer

    def __post_init__(self) -> None:
        self.log = MemoryLog()
        self.client = ScriptedClient(Script(), lambda call: written(self.answer, call))

    def started(self) -> SessionStarted:
        given = self.cfg.model_dump(mode="json")
        seats = (Seat(name=WRITER, spec="scripted:x"),)
        return SessionStarted(protocol="rldf-topics", title="t", config=given, seats=seats, seed=1, version="0")

    async def outcome(self) -> Topics:
        run = await self.run_by(Runner(self.log, {"rldf-topics": topics}, self.seat, frozenset({"provider"})))
        assert run.state == "finished", run.reason
        return Topics.model_validate(run.outcome)


async def test_topics_are_written_until_there_are_enough_and_the_writer_sees_what_is_there() -> None:
    number = count(1)

    def some(_: Call) -> dict[str, list[str]]:
        return {"topics": ["Gardening", *(f"subject {next(number)}" for _ in range(9))]}

    writing = Writing(TopicsConfig(number=25, there=("gardening",)), some)
    found = await writing.outcome()
    assert found.topics == tuple(f"subject {n}" for n in range(1, 26))
    assert found.same == 3
    assert "subject 9" in writing.words("write/2")
    assert "gardening" in writing.words("write/1")


async def test_a_writer_with_nothing_new_is_asked_three_more_times_and_no_more() -> None:
    writing = Writing(TopicsConfig(number=25), {"topics": ["tea", "the tea"]})
    assert (await writing.outcome()).topics == ("tea",)
    assert writing.steps == [f"write/{n}" for n in (1, 2, 3, 4)]
    muddled = Writing(TopicsConfig(number=25), GARBLED)
    assert (await muddled.outcome()).topics == ()
