"""Sessions of a service as a program has them: begun, watched, moderated, answered, taken home, brought back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import elenchus
from elenchus.debate_engine.errors import MissingKey, UnknownSession, UsageError
from elenchus.debate_engine.events import (
    BudgetRaised,
    Event,
    HeatSet,
    Said,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    TurnOpened,
    Voted,
)
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.debate_engine.session import Session
from elenchus.service.client.errors import AccessRefused
from tests.service.client.services import QUICK, TOKEN, Service, service_at

MOTION = "Should homework be abolished?"
SMALL: dict[str, Any] = {"topics": 1, "max_rounds": 1}
SPEAK = Prompt.parse("---\nid: speaking/speak\nvariables: []\n---\n%% task\nSpeak.")


async def speak(s: Session, _config: dict[str, Any]) -> dict[str, Any]:
    words = await s.ask("ask", "first", SPEAK)
    return {"said": "" if isinstance(words, Declined) else words}


async def test_a_debate_is_watched_live_from_its_first_event_and_its_outcome_is_typed(
    lab: elenchus.Lab, service: Service
) -> None:
    debate = await lab.debate(MOTION, **SMALL, seed=7)
    seen = [event async for event in debate]
    outcome = await debate
    assert isinstance(outcome, Debate)
    assert isinstance(seen[0], SessionStarted)
    assert isinstance(seen[-1], SessionFinished)
    assert seen == [recorded.event for recorded in await debate.events()]
    assert await debate.events() == await service.app.log.read(debate.id)
    assert [event async for event in debate] == seen, "again, after the end"
    assert (await debate) == outcome
    assert any("a script speaks" in warning for warning in debate.warnings)
    assert [(info.id, info.state, info.owner) for info in await lab.sessions()] == [(debate.id, "finished", None)]
    assert await lab.sessions() == await service.app.log.sessions()


async def test_the_same_program_runs_in_this_process_and_over_a_service(lab: elenchus.Lab, tmp_path: Path) -> None:
    async def program(lab: elenchus.Lab) -> tuple[Any, ...]:
        debate = await lab.debate(MOTION, **SMALL, seed=7)
        outcome = await debate
        scored = await lab.crit("Homework helps, because practice does.", max_reasons=1, seed=7)
        swept = await lab.sweep(MOTION, heats=[0.2, 0.9], topics=1, seed=7)
        found = await lab.detect("They spent nine millions, so it must be finished.", method="zero-shot", seed=7)
        plan = await lab.estimate(elenchus.DebateOptions(motion=MOTION, **SMALL))
        return outcome, scored, swept.model_dump(exclude={"id"}), found, plan["calls"]

    async with elenchus.open(tmp_path / "here", model="scripted:demo") as local:
        assert await program(lab) == await program(local)


async def test_a_program_moderates_a_debate_sits_in_it_and_votes(lab: elenchus.Lab) -> None:
    speech = "Practice makes a habit of what was understood."
    debate = await lab.debate(MOTION, con="human", **SMALL)
    await debate.heat(0.5)
    await debate.guide("Be brief.", to="pro")
    await debate.vote("con", by="anna")
    async for event in debate:
        if isinstance(event, TurnOpened):
            await debate.answer("con", None if event.answer_schema else speech, by="anna")
    await debate
    events = [recorded.event for recorded in await debate.events()]
    with pytest.raises(UsageError, match="nothing can be changed"):
        await debate.heat(0.2)
    assert (await debate.vote("pro", by="anna")).event == Voted(by="anna", when="after", side="pro")
    assert {"con"} == {event.speaker for event in events if isinstance(event, Said) and speech in event.text}
    assert next(event for event in events if isinstance(event, HeatSet)) == HeatSet(by="moderator", heat=0.5)


async def test_what_makes_no_sense_is_refused_in_the_same_sentences_as_here(lab: elenchus.Lab) -> None:
    debate = await lab.debate(MOTION, con="human", **SMALL)
    async for event in debate:
        if isinstance(event, TurnOpened):
            break
    before = len(await debate.events())
    for wrong, says in (
        (debate.heat(7), "between 0 and 1"),
        (debate.guide(" "), "text is empty"),
        (debate.ask("both", "Why?"), "no side"),
        (debate.answer("pro", "I say."), "turns of con wait"),
        (debate.answer("con", {"crowd": 1}), "a form is asked"),
        (debate.vote("maybe", by="anna"), "pro, con or undecided"),
        (debate.resume(), "is not paused"),
        (lab.debate(MOTION, heat=7), "heat must be between 0 and 1"),
        (lab.debate(" "), "motion is empty"),
        (lab.debate(MOTION, pro="nobody:there"), "nobody"),
        (lab.start(elenchus.GridOptions(scene="unit")), "describes no session"),
        (lab.protocol("socrasynth", {}), r"lab\.debate"),
        (lab.detect("A text.", weights="/etc/weights.yaml"), "weights are named"),
        (debate.send(SessionFinished(outcome={})), "session_finished"),
    ):
        with pytest.raises(UsageError, match=says):
            await wrong
    for unknown in (lab.events("nowhere"), lab.resume("nowhere"), lab.export("no/where", "x"), lab.events("../me")):
        with pytest.raises(UnknownSession):
            await unknown
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        await lab.debate(MOTION, pro="openai:gpt-6-luna")
    assert len(await debate.events()) == before
    assert len(await lab.sessions()) == 1


async def test_a_session_pauses_goes_on_and_stops(tmp_path: Path) -> None:
    async with (
        service_at(tmp_path, model="scripted:demo?latency=0.05") as service,
        elenchus.connect(service.url, TOKEN, timeouts=QUICK) as lab,
    ):
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
        stopped = await lab.debate(MOTION, **SMALL)
        await stopped.stop("I have heard enough.", by="anna")
        with pytest.raises(elenchus.Unfinished, match="is stopped: I have heard enough"):
            await stopped
        assert (await stopped.events())[-1].event == SessionStopped(reason="I have heard enough.", by="anna")


async def test_what_has_no_outcome_says_why_and_can_be_gone_on_with(lab: elenchus.Lab) -> None:
    debate = await lab.debate(MOTION, **SMALL, budget_tokens=4_000)
    for _ in range(2):
        with pytest.raises(elenchus.Unfinished, match="4,000 tokens") as unfinished:
            await debate
        assert (unfinished.value.run.state, unfinished.value.exit_code) == ("paused", 4)
        debate = await lab.resume(debate.id)
    await debate.send(BudgetRaised(by="anna", tokens=10_000_000))
    assert isinstance(await debate, Debate)
    assert isinstance(await (await lab.resume(debate.id)), Debate), "what is over is not run again"


async def test_a_session_that_nobody_runs_any_more_says_so_and_is_resumed(lab: elenchus.Lab, tmp_path: Path) -> None:
    async with elenchus.open(tmp_path / "here", model="scripted:demo?latency=0.2") as local:
        debate = await local.debate(MOTION, **SMALL)
        async for event in debate:
            if isinstance(event, Said):
                break
    async with elenchus.open(tmp_path / "here", model="scripted:demo") as local:
        await local.export(debate.id, tmp_path / "out")
    brought = await lab.import_session(tmp_path / "out")
    assert (brought.id, brought.state, brought.owner) == (debate.id, "paused", None)
    before = await lab.events(brought.id)
    assert isinstance(await (await lab.resume(brought.id)), Debate)
    assert (await lab.events(brought.id))[: len(before)] == before, "no call is repeated"
    with pytest.raises(UsageError, match="already a session"):
        await lab.import_session(tmp_path / "out")
    assert (await lab.import_session(tmp_path / "out", "another")).id == "another"
    with pytest.raises(UsageError, match="cannot be read"):
        await lab.import_session(tmp_path / "nowhere")


async def test_a_protocol_that_server_and_program_know_has_its_outcome(lab: elenchus.Lab) -> None:
    register(ProtocolSpec(name="speaking", run=speak, seats=("first",)))
    session = await lab.protocol("speaking", {}, {"first": "human:anna"}, title="Tea")
    async for event in session:
        if isinstance(event, TurnOpened):
            await session.answer("first", "Tea is warm.", by="anna")
    assert await session == {"said": "Tea is warm."}
    assert [info.title for info in await lab.sessions()] == ["Tea"]


async def test_the_files_of_a_session_are_those_that_are_written_here(
    lab: elenchus.Lab, service: Service, tmp_path: Path
) -> None:
    debate = await lab.debate(MOTION, **SMALL)
    await debate
    there = await debate.export(tmp_path / "there")
    again = await lab.export(debate.id, tmp_path / "again")
    async with elenchus.open(service.app.settings.home) as local:
        here = await local.export(debate.id, tmp_path / "here")
    assert [path.name for path in there] == [path.name for path in again] == [path.name for path in here]
    for one, other in zip(there, here, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


async def test_what_is_held_on_a_person_is_given_and_forgotten(lab: elenchus.Lab) -> None:
    debate = await lab.debate(MOTION, con="human:anna", **SMALL)
    async for event in debate:
        if isinstance(event, TurnOpened):
            await debate.answer("con", None if event.answer_schema else "Practice needs time.", by="anna")
    held = await lab.held_on("anna")
    assert [(one["title"], one["seats"]) for one in held["sessions"]] == [(MOTION, ["con"])]
    assert await lab.forget("anna", by="ben") > 0
    assert (await lab.held_on("anna"))["sessions"] == []
    assert not any("Practice needs time." in str(r.event) for r in await debate.events()), "what was read is read anew"
    for nobody in (lab.forget("anna"), lab.held_on(" "), lab.forget("ben", session=debate.id)):
        with pytest.raises(UsageError, match=r"[Nn]o person"):
            await nobody
    with pytest.raises(UnknownSession):
        await lab.forget("anna", session="nowhere")


async def test_many_sessions_at_once_need_no_more_streams_than_there_are(lab: elenchus.Lab) -> None:
    debates = [await lab.debate(MOTION, **SMALL, seed=seed) for seed in range(16)]
    outcomes = await asyncio.gather(*debates)
    assert [outcome.motion for outcome in outcomes] == [MOTION] * 16


async def test_a_lab_that_was_left_says_so_and_what_it_began_runs_on(service: Service) -> None:
    async with elenchus.connect(service.url, TOKEN, timeouts=QUICK) as left:
        debate = await left.debate(MOTION, con="human", **SMALL)
    for refused in (left.sessions(), left.debate(MOTION), left.held_on("anna"), debate.heat(0.5)):
        with pytest.raises(UsageError, match=r"This lab is closed.*elenchus\.connect\(\)"):
            await refused
    async with elenchus.connect(service.url, TOKEN, timeouts=QUICK) as lab:
        (info,) = await lab.sessions()
        assert (info.id, info.state, info.owner is not None) == (debate.id, "running", True)
        seen: list[Event] = []
        async for event in await lab.resume(info.id):
            seen.append(event)
            if isinstance(event, TurnOpened):
                break
        assert isinstance(seen[0], SessionStarted)


@pytest.mark.parametrize("role", ["seat", "audience", "moderator"])
async def test_a_token_for_a_part_of_the_house_is_not_enough(service: Service, role: str) -> None:
    async with elenchus.connect(service.url, TOKEN) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
    seat = {"seat": "con"} if role == "seat" else {}
    given = await service.web.access.give(role, session=debate.id, **seat)  # type: ignore[arg-type]
    with pytest.raises(AccessRefused, match=f"for the role {role}, of a part of the house"):
        async with elenchus.connect(service.url, given.secret):
            pass
