"""Whoever is forgotten in a session is forgotten in the detections that examine it, in every place on the disk."""

from __future__ import annotations

import asyncio
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import Redacted, Seat, SessionFinished, SessionStarted, TurnAnswered, TurnOpened
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.detectors.examined_text import ExaminedText, turns_of
from elenchus.detectors.library import CatalogueLibrary
from elenchus.detectors.protocol import detect, seats_of
from elenchus.detectors.schemas import DetectConfig, Detection
from elenchus.storage.sqlite_log import open_log
from tests.debate_engine.toy import toy_runner, toy_started
from tests.detectors.scripted_detection import DetectionSession, Written

SPOKEN = "My grandmother kept seventeen bees in Lisbon, and named each one after a queen"
QUOTE = "kept seventeen bees in Lisbon"


def quoting(call: Call) -> Written:
    """A detector that quotes the person, exactly and at length."""
    return {"quotes": [QUOTE], "reason": f"They say “{QUOTE}”.", "present": "yes"}


def runner_over(log: EventLog) -> Runner:
    """Debates of the toy kind, and detections with scripted models."""
    detection = DetectionSession({"detectors/check": quoting})
    toy = toy_runner(log, Counter[str]())

    async def examine(s: Session, config: dict[str, Any]) -> dict[str, Any]:
        return await detect(s, config, CatalogueLibrary())

    def seat(seat: Seat, live: Any) -> Any:
        return detection.seat(seat, live) if seat.spec == "scripted:test" else toy.make_seat(seat, live)

    return Runner(log, {**toy.protocols, "detect": examine}, seat, frozenset({"provider"}))


async def debated(log: EventLog, runner: Runner) -> None:
    """A session `s` in which a person, bo, has spoken on the seat b, to its end."""
    await runner.create(toy_started(specs={"b": "human:bo"}), "s")
    running = asyncio.create_task(runner.run("s"))
    answers = {"round/1/b": SPOKEN, "round/2/b": "Yes"}
    async for r in log.follow("s"):
        if isinstance(r.event, TurnOpened):
            answer = answers.pop(r.event.step)
            await log.send("s", TurnAnswered(step=r.event.step, seat="b", by="bo", answer=answer))
            if not answers:
                break
    assert (await asyncio.wait_for(running, 30)).state == "finished"


async def examined(log: EventLog, runner: Runner, name: str = "d", **more: Any) -> None:
    """A detection that examines the session, to its end."""
    turns = turns_of(await log.read("s"))
    cfg = DetectConfig.model_validate({"turns": turns, "source": "s", **more})
    seats = tuple(Seat(name=seat, spec="scripted:test") for seat in seats_of(cfg))
    config = cfg.model_dump(mode="json")
    started = SessionStarted(
        protocol="detect", title="t", config=config, seats=seats, seed=1, version="0", source=cfg.source
    )
    await runner.create(started, name)
    assert (await asyncio.wait_for(runner.run(name), 30)).state == "finished"


def found_on_disk(path: Path, *needles: str) -> list[str]:
    """The needles that stand in any file of the log's folder, whatever their case."""
    return [
        needle
        for needle in needles
        if subprocess.run(["grep", "-rqaiF", needle, path.parent], check=False).returncode == 0
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "elenchus.db"


@pytest.mark.parametrize("who", ["bo", "b"])
async def test_no_word_is_left_in_the_detection_on_the_disk_and_the_detection_stays_whole(path: Path, who: str) -> None:
    log = await open_log(path)
    runner = runner_over(log)
    await debated(log, runner)
    await examined(log, runner)
    assert found_on_disk(path, "seventeen bees", QUOTE) == ["seventeen bees", QUOTE]
    changed = await runner.forget("s", who)
    assert found_on_disk(path, "seventeen", "grandmother", "bees in Lisbon", "after a queen") == []
    copy = await log.read("d")
    assert changed > sum(r.event.strings for r in copy if isinstance(r.event, Redacted)) > 3
    config = DetectConfig.model_validate(copy[0].event.config)  # type: ignore[union-attr]
    assert {turn.text for turn in config.turns if turn.speaker == "b"} == {REDACTED}, "short answers go as well"
    assert any(turn.text != REDACTED for turn in config.turns), "the others' words stay"
    await still_whole(log, runner)
    await log.aclose()


async def still_whole(log: EventLog, runner: Runner) -> None:
    """The detection can be read, run and exported, and its marks stand where its text has the words."""
    run = await runner.run("d")
    found = Detection.model_validate(run.outcome)
    assert (run.state, found.verdict) == ("finished", "found")
    events = await log.read("d")
    outcome = next(r.event.outcome for r in events if isinstance(r.event, SessionFinished))
    assert Detection.model_validate(outcome) == found
    text = ExaminedText.of(DetectConfig.model_validate(events[0].event.config)).text  # type: ignore[union-attr]
    spans = [span for candidate in found.candidates for quote in candidate.quotes for span in quote.spans]
    assert {text[start:end] for start, end in spans} == {REDACTED.strip("[]")}
    files = contents_of("d", events)
    assert not [name for name, content in files.items() if b"bees in Lisbon" in content]


async def test_a_copy_of_a_copy_is_reached_and_another_sessions_detection_is_left_alone(path: Path) -> None:
    log = await open_log(path)
    runner = runner_over(log)
    await debated(log, runner)
    await examined(log, runner)
    await examined(log, runner, "e", source="d")
    await examined(log, runner, "alone", source="", method="zero-shot", turns=[{"text": "Nobody said that."}])
    before = await log.read("alone")
    await runner.forget("s", "bo")
    assert found_on_disk(path, "seventeen bees") == []
    assert await log.read("alone") == before
    await log.aclose()


async def test_a_copy_that_another_process_runs_is_rewritten_by_that_one(path: Path) -> None:
    log, other = await open_log(path), await open_log(path)
    runner, elsewhere = runner_over(log), runner_over(other)
    await debated(log, runner)
    await elsewhere.create(await waiting_copy(other), "d")
    waiting = asyncio.create_task(elsewhere.run("d"))
    async for r in other.follow("d"):
        if isinstance(r.event, TurnOpened):
            break
    await asyncio.wait_for(runner.forget("s", "bo"), 60)
    assert found_on_disk(path, "seventeen bees") == []
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await log.aclose()
    await other.aclose()


async def waiting_copy(log: EventLog) -> SessionStarted:
    """A session that examines `s` and waits for a person, with the person's words in its settings."""
    turns = [turn.model_dump(mode="json") for turn in turns_of(await log.read("s"))]
    started = toy_started(specs={"a": "human:ada"})
    return started.model_copy(update={"source": "s", "config": {**started.config, "turns": turns}})


async def test_a_detection_can_forget_by_itself_what_its_source_still_has(path: Path) -> None:
    log = await open_log(path)
    runner = runner_over(log)
    await debated(log, runner)
    await examined(log, runner)
    await runner.forget("d", "bo")
    text = str(await log.read("d"))
    assert "seventeen" not in text
    assert "seventeen" in str(await log.read("s"))
    await log.aclose()


async def test_a_copy_of_a_copy_can_forget_by_itself_who_sat_in_the_first_session(path: Path) -> None:
    log = await open_log(path)
    runner = runner_over(log)
    await debated(log, runner)
    await examined(log, runner)
    report = [{"speaker": "detector", "text": f"Somebody says: {SPOKEN}."}]
    await examined(log, runner, "e", source="d", turns=report)
    assert "seventeen" in str(await log.read("e"))
    await runner.forget("e", "bo")
    assert "seventeen" not in str(await log.read("e"))
    assert "seventeen" in str(await log.read("d"))
    await log.aclose()


async def test_a_source_that_was_deleted_keeps_nobody_from_being_forgotten_by_name(path: Path) -> None:
    log = await open_log(path)
    runner = runner_over(log)
    await debated(log, runner)
    await examined(log, runner)
    await log.delete("s")
    await runner.forget("d", "bo")
    assert any(isinstance(r.event, Redacted) for r in await log.read("d"))
    await log.aclose()
