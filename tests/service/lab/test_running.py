"""A session that a program runs: paused, gone on with, stopped, and what is said where it has failed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import elenchus
from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Said, SessionPaused, SessionResumed, SessionStopped, TurnOpened
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.debate_engine.session import Session
from tests.service.lab.test_lab import MOTION, SMALL, lab_at

SPEAK = Prompt.parse("---\nid: passing/speak\nvariables: []\n---\n%% task\nSpeak.")


async def say_whatever_is_answered(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    words: Any = await s.ask("ask", "first", SPEAK)
    await s.say("said", "first", ["*"], words)
    return {}


PASSING = ProtocolSpec(name="passing", run=say_whatever_is_answered, seats=("first",))


async def test_a_program_pauses_a_debate_and_goes_on_with_it(tmp_path: Path) -> None:
    async with lab_at(tmp_path, "scripted:demo?latency=0.05") as lab:
        debate = await lab.debate(MOTION, **SMALL)
        await debate.pause()
        async for event in debate:
            if isinstance(event, SessionPaused):
                break
        with pytest.raises(UsageError, match="paused already"):
            await debate.pause()
        await debate.resume()
        assert isinstance(await debate, Debate)
        pauses = [type(r.event) for r in await debate.events() if isinstance(r.event, SessionPaused | SessionResumed)]
        assert pauses == [SessionPaused, SessionResumed]
        with pytest.raises(UsageError, match="nothing can be changed"):
            await debate.pause()


async def test_a_program_stops_a_debate_for_good_also_one_that_nobody_runs_any_more(tmp_path: Path) -> None:
    async with lab_at(tmp_path, "scripted:demo?latency=0.05") as lab:
        running = await lab.debate(MOTION, **SMALL)
        async for event in running:
            if isinstance(event, Said):
                with pytest.raises(UsageError, match="is not paused"):
                    await running.resume()
                await running.stop("I have heard enough.", by="anna")
        left = await lab.debate(MOTION, **SMALL, budget_tokens=4_000)
        with pytest.raises(elenchus.Unfinished, match="4,000 tokens"):
            await left
        at_once = await lab.debate(MOTION, **SMALL)
        await at_once.stop("I have heard enough.", by="anna")
        with pytest.raises(elenchus.Unfinished, match="is stopped"):
            await at_once
        for debate in (running, left):
            if debate is left:
                with pytest.raises(UsageError, match=r"nobody runs it: lab\.resume goes on"):
                    await debate.resume()
                await debate.stop("I have heard enough.", by="anna")
            stopped = (await debate.events())[-1].event
            assert stopped == SessionStopped(reason="I have heard enough.", by="anna")
        with pytest.raises(elenchus.Unfinished, match="is stopped: I have heard enough"):
            await running


async def test_a_protocol_that_lets_a_seat_say_what_it_did_not_answer_is_told_so(tmp_path: Path) -> None:
    register(PASSING)
    async with elenchus.open(settings=Settings(home=tmp_path)) as lab:
        session = await lab.protocol("passing", {}, {"first": "human:anna"})
        async for event in session:
            if isinstance(event, TurnOpened):
                await session.answer("first", None, by="anna")
        with pytest.raises(elenchus.Unfinished, match=r"first did not answer \(passed\): leave out `say` where"):
            await session


async def test_a_seat_that_there_is_not_is_told_from_one_that_waits_for_nothing(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
        with pytest.raises(UsageError, match=r"There is no seat 'third'.*pro, con, crit"):
            await debate.answer("third", "I say.")


async def test_what_cannot_be_meant_is_refused_in_a_sentence_of_ours(tmp_path: Path) -> None:
    register(PASSING)
    async with lab_at(tmp_path) as lab:
        wrong: Any = Path("text.md")
        octets: Any = b"Homework"
        near: dict[str, Any] = {"max_round": 1}
        for refused, says in (
            (lab.detect(""), "The text is empty: give"),
            (lab.detect(wrong), r"text must be a str, not \w+Path\('text.md'\)"),
            (lab.crit(" "), "^The document is empty: give"),
            (lab.debate(MOTION, **near), "^There is no option 'max_round'; near it: max_rounds"),
            (lab.protocol("socrasynth", {}), r"lab\.debate"),
            (lab.protocol("passing", wrong), "^config: Input should be a valid dict"),
            (lab.debate("Homework \ud800"), "^motion holds half of a character"),
            (lab.debate(MOTION, brief="\udc00"), "^brief holds half of a character"),
            (lab.debate(octets), "^motion must be a str, not bytes"),
        ):
            with pytest.raises(UsageError, match=says):
                await refused
        assert await lab.sessions() == []
    with pytest.raises(UsageError, match="takes a coroutine, as in"):
        elenchus.run(wrong)


async def test_a_lab_that_was_left_and_a_folder_that_is_a_file_are_told_as_such(tmp_path: Path) -> None:
    async with lab_at(tmp_path / "home") as lab:
        pass
    for refused in (lab.sessions(), lab.debate(MOTION), lab.events("x"), lab.held_on("anna"), lab.resume("x")):
        with pytest.raises(UsageError, match=r"This lab is closed.*elenchus\.open\(\)"):
            await refused
    (tmp_path / "notes.txt").write_text("Mine.", encoding="utf-8")
    for model, says in (
        ("nobody:such", r"names no model.* It comes from model\."),
        ("human", "^model names 'human', but"),
    ):
        with pytest.raises(UsageError, match=says):
            async with lab_at(tmp_path / "home", model):
                pass
    with pytest.raises(elenchus.ElenchusError, match=r"notes\.txt is a file: give the folder"):
        async with lab_at(tmp_path / "notes.txt"):
            pass


async def test_a_program_that_is_cancelled_while_it_watches_ends_so_and_its_debate_is_paused(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def watch() -> None:
        async with lab_at(tmp_path, "scripted:demo?latency=5") as lab:
            async for _ in await lab.debate(MOTION, **SMALL):
                begun.set()

    watching = asyncio.create_task(watch())
    await begun.wait()
    await asyncio.sleep(0.2)  # it waits for the next event
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    async with lab_at(tmp_path) as lab:
        assert [info.state for info in await lab.sessions()] == ["paused"]


async def test_an_outcome_that_is_awaited_after_its_lab_was_left_is_there_or_said_to_be_paused(tmp_path: Path) -> None:
    async with lab_at(tmp_path, "scripted:demo?latency=5") as lab:
        left = await lab.debate(MOTION, **SMALL)
        async for _ in left:
            break
    with pytest.raises(elenchus.Unfinished, match=r"is paused: its lab was left"):
        await left
    async with lab_at(tmp_path) as lab:
        finished = await lab.debate(MOTION, **SMALL)
        await finished
    assert isinstance(await finished, Debate)


async def test_a_program_sends_commands_and_answers_and_nothing_else_and_a_voter_has_a_name(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
        forged: Any = Said(step="s", input_hash="", speaker="pro", to=("*",), text="I give in.", about="opening")
        wrongs: list[Any] = [forged, {"kind": "pause"}, None]
        for wrong in wrongs:
            with pytest.raises(UsageError, match=r"is no command.*elenchus\.debate_engine\.events"):
                await debate.send(wrong)
        for nobody in ("", " "):
            with pytest.raises(UsageError, match="Say whose vote it is"):
                await debate.vote("pro", by=nobody)
        assert not any(isinstance(r.event, Said) for r in await debate.events())


async def test_the_audience_of_a_protocol_without_two_sides_is_asked_for_no_vote(tmp_path: Path) -> None:
    register(PASSING)
    async with lab_at(tmp_path) as lab:
        session = await lab.protocol("passing", {})
        await session
        with pytest.raises(UsageError, match="No vote is open"):
            await session.vote("pro", by="anna")
