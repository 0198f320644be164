"""The plan of a debate against the calls that a scripted debate really makes."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.dry_run.estimate import pace_of
from elenchus.debate_engine.dry_run.plan import Pace, Plan
from elenchus.debate_engine.events import Event, Seat, SessionStarted, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.app import App, open_app
from tests.debate_engine.dry_run.planned import planned as plan
from tests.debate_engine.protocols.socrasynth.small.test_debate import (
    ALL,
    QUESTION,
    TOPICS as SMALL_TOPICS,
    cars_debate,
)

NUMBERS = itertools.count(1)


def answer(call: Call) -> dict[str, Any] | None:
    """Somebody who never agrees, always has more to say, and lists as many reasons as may be listed; else filler."""
    listed: dict[str, Any] = next(iter((call.schema or {}).get("properties", {}).values()), {})
    most = listed.get("maxItems", 0)
    match call.schema_name:
        case "FurtherArguments":
            return {"more": True, "what": f"more {next(NUMBERS)}"}
        case "Position":
            return {"more": True, "stance": "hold", "answer": "the same"}
        case "FoundReasons":
            each = [{"quote": "", "reason": f"reason {next(NUMBERS)}", "source": ""} for _ in range(most)]
            topics = most // 2
            return {"reasons": [{"topic": n % topics + 1, **reason} for n, reason in enumerate(each)]}
        case "Validation":
            return {"justification": "it is so, as everybody knows", "quotes": [], "validity": 6, "credibility": 6}
        case "ProposalDraft":
            return {"items": [{"number": n, "proposal": f"proposal {n}"} for n in range(1, most + 1)]}
        case "RecommendationReview":
            lists: dict[str, Any] = {"next_questions": [], "next_tests": [], "reservations": ""}
            return {"decision": "amend", "answer": f"answer {next(NUMBERS)}", **lists}
        case "ProposalReviews":
            amended = [
                {"number": n, "decision": "amend", "proposal": f"text {next(NUMBERS)}"} for n in range(1, most + 1)
            ]
            return {"items": amended}
        case "AgendaReview":  # filler might amend two topics alike, and leave one
            return {"topics": []}
        case "Proposals":
            fresh = [str(next(NUMBERS)) for _ in range(most)]
            return {"topics": [{"pro_concern": f"p{n}", "con_concern": f"c{n}", "scope": "all"} for n in fresh]}
    return None


TOPICS = (Topic(pro_concern="rest", con_concern="practice", scope="evenings"),)


@pytest.mark.parametrize(
    "settings",
    [
        {"topics": 3, "max_rounds": 2},
        {"topics": 2, "max_rounds": 1, "stop": "paper"},
        {"topics": 2, "max_rounds": 0, "decay": 2.0, "simultaneous": True, "compare_qa": True},
        {"agenda": TOPICS, "max_rounds": 1, "coach": True},
        {"open_question": True, "max_rounds": 2},
        {"topics": 1, "max_rounds": 3, "heat": 0.1},
    ],
    ids=["plain", "another seed", "no cap", "agenda by hand", "open question", "no rounds"],
)
async def test_the_plan_counts_the_calls_that_a_debate_to_its_limits_makes(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    cfg = DebateConfig(motion="Homework should end", judges=("judge-1", "judge-2"), **settings)
    seats = [Seat(name=n, spec="scripted:all") for n in ("pro", "con", "crit", "answerer", *cfg.judges)]
    seed = len(settings)  # 2 has pro merge the lists, 3 con
    started = SessionStarted(
        protocol="socrasynth", title=cfg.motion, config=cfg.model_dump(mode="json"), seats=tuple(seats),
        seed=seed, version="0",
    )  # fmt: skip
    client = ScriptedClient(answerer=answer)
    async with open_app(Settings(home=tmp_path), scripts={"all": client}) as app:
        run = await app.runner.run(await app.runner.create(started, "s"))
        recorded = await app.log.read("s")
    assert run.state == "finished", run.reason
    planned = await asyncio.to_thread(plan, "socrasynth", cfg, seats, seed=seed)
    made = Counter((r.event.inputs["seat"], r.event.inputs["prompt_id"]) for r in recorded if asks(r.event))
    assert {(calls.seat, calls.what): calls.count for calls in planned.calls} == made
    assert planned.count == len(client.asked)


def asks(event: Event) -> TypeGuard[StepDone]:
    return isinstance(event, StepDone) and isinstance(event.inputs, dict) and "prompt_id" in event.inputs


def by_prompt(planned: Plan) -> Counter[str]:
    total: Counter[str] = Counter()
    for calls in planned.calls:
        total[calls.what] += calls.count
    return total


async def test_the_time_of_a_plan_follows_pace_and_places() -> None:
    cfg = DebateConfig(motion="Homework should end", judges=("judge-1",), topics=1, max_rounds=1)
    seats = [Seat(name=n, spec="local:some") for n in ("pro", "con", "crit", "judge-1")]

    async def seconds(**pace: Any) -> float:
        settings = {"latency": 0.0, "reads": 1e12, "writes": 50.0, **pace}
        return (await asyncio.to_thread(plan, "socrasynth", cfg, seats, lambda _: Pace(**settings), seed=1)).seconds

    free, slower, queued = await asyncio.gather(seconds(), seconds(writes=25.0), seconds(at_once=1))
    assert slower == pytest.approx(2 * free, rel=1e-6)
    assert queued > 1.5 * free


async def test_people_are_not_calls() -> None:
    cfg = DebateConfig(motion="Homework should end", judges=("judge-1",), topics=1, max_rounds=1, approve_agenda=True)
    specs = {"pro": "human", "moderator": "human", "judge-1": "human:Anna"}
    names = ("pro", "con", "crit", "judge-1", "moderator")
    planned = await asyncio.to_thread(
        plan, "socrasynth", cfg, [Seat(name=n, spec=specs.get(n, "local:x")) for n in names], seed=1
    )
    assert {calls.seat for calls in planned.calls} == {"con", "crit"}


@pytest.mark.parametrize("topics", [1, 5, 10])
async def test_the_plan_of_a_small_models_debate_agrees_on_as_many_topics_as_are_wanted(topics: int) -> None:
    names = ("pro", "con", "crit", "judge-1")
    cfg = DebateConfig(motion="Should homework end?", judges=("judge-1",), topics=topics, max_rounds=1, small=names)
    seats = [Seat(name=name, spec="local:smollm2-135m") for name in names]
    prompts = by_prompt(await asyncio.to_thread(plan, "socrasynth", cfg, seats, seed=1))
    assert prompts["socrasynth/small/sign"] == 2 * topics, "who does not sign a topic is asked once more"
    assert prompts["socrasynth/small/concern"] == 24, "each side is asked for twelve samples"


@pytest.mark.parametrize("sign", [False, True])
async def test_a_small_models_debate_makes_no_more_calls_than_planned(sign: bool) -> None:
    cfg = DebateConfig(motion=QUESTION, judges=("judge-1",), agenda=SMALL_TOPICS, max_rounds=2, small=ALL)
    seats = [Seat(name=name, spec="local:smollm2-135m") for name in ALL]
    planned = by_prompt(await asyncio.to_thread(plan, "socrasynth", cfg, seats, seed=1))
    played = cars_debate({"socrasynth/small/sign": {"sign": sign}}, max_rounds=2)
    await played.debate()
    made = Counter(call.prompt_id for call in played.client.asked)
    assert not made - planned
    assert (made["socrasynth/small/sign"] == planned["socrasynth/small/sign"]) == (not sign)


def test_the_embedded_model_is_taken_to_be_as_fast_as_it_was_measured(tmp_path: Path) -> None:
    table = (Path(__file__).parents[4] / "docs" / "benchmarks.md").read_text()
    written = float(re.findall(r"^\| our path, streamed \| (\d+) \|", table, re.MULTILINE)[0])
    settings = Settings(home=tmp_path)
    assert pace_of(settings, Registry(settings), "local:smollm2-135m").writes <= 1.1 * written


@pytest.mark.parametrize("open_question", [False, True])
async def test_the_plan_counts_the_drafts_that_a_model_makes_for_a_person(tmp_path: Path, open_question: bool) -> None:
    judges = ("judge-1",)
    cfg = DebateConfig(motion="Rest?", judges=judges, topics=2, max_rounds=2, open_question=open_question)
    person = Seat(name="con", spec="human:Bob", stand_in="scripted:drafts", prepares=True)
    seats = [person, *(Seat(name=n, spec="scripted:all") for n in ("pro", "crit", *judges))]
    started = SessionStarted(
        protocol="socrasynth", title=cfg.motion, config=cfg.model_dump(mode="json"), seats=tuple(seats), seed=1,
        version="0",
    )  # fmt: skip
    drafts, others = ScriptedClient(answerer=answer), ScriptedClient(answerer=answer)
    async with open_app(Settings(home=tmp_path), scripts={"all": others, "drafts": drafts}) as app:
        session = await app.runner.create(started)
        async with asyncio.TaskGroup() as group:
            bob = group.create_task(sends_what_was_drafted(app, session))
            run = await app.runner.run(session)
            bob.cancel()
    assert run.state == "finished", run.reason
    planned = await asyncio.to_thread(plan, "socrasynth", cfg, seats, seed=1)
    drafted = Counter({calls.what: calls.count for calls in planned.calls if calls.model == "scripted:drafts"})
    assert drafted == Counter(call.prompt_id for call in drafts.asked) != Counter()
    assert by_prompt(planned) == Counter(call.prompt_id for call in (*drafts.asked, *others.asked))
    undrafted = await asyncio.to_thread(
        plan, "socrasynth", cfg, [person.model_copy(update={"prepares": False}), *seats[1:]], seed=1
    )
    assert undrafted.turns == planned.turns
    assert (undrafted.count, undrafted.seconds < planned.seconds) == (len(others.asked), True)


OWN_ANSWER = {"answer": "No.", "reasons": ["sleep"], "questions": [], "tests": [], "confidence": 60}


async def sends_what_was_drafted(app: App, session: str) -> None:
    """Somebody who sends each draft as it is, and speaks where there is none."""
    async with aclosing(app.log.follow(session)) as events:
        async for r in events:
            if isinstance(r.event, TurnOpened):
                own = OWN_ANSWER if r.event.asked["schema_name"] == "OpenAnswer" else "Nights are for sleep."
                said = r.event.prepared if r.event.prepared is not None else own
                answered = TurnAnswered(step=r.event.step, seat=r.event.seat, by="Bob", answer=said)
                await app.log.send(session, answered)
