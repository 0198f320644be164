"""Playing a session through without asking anybody."""

from __future__ import annotations

import asyncio
import time

import pytest
from pydantic import BaseModel

from elenchus.debate_engine.dry_run.plan import Pace, Plan, PlannedCalls, side_by_side
from elenchus.debate_engine.dry_run.simulation import run_virtually, simulate
from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.errors import ProtocolBug
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.schema import bounded, check, json_schema_of
from elenchus.debate_engine.protocols.crit.schemas import FoundReasons, Validation
from elenchus.debate_engine.protocols.judging.schemas import Preference, Ruling
from elenchus.debate_engine.protocols.socrasynth import schemas
from tests.debate_engine.toy import toy, toy_started

ASKED = [
    schemas.Proposals, schemas.AgendaReview, schemas.AgendaChoice, schemas.FurtherArguments, schemas.ProposalDraft,
    schemas.ProposalReviews, schemas.OpenAnswer, schemas.Position, schemas.Recommendations, Validation, Ruling,
    Preference, bounded(FoundReasons, 4),
]  # fmt: skip


def test_hours_of_waiting_pass_at_once_and_in_order() -> None:
    async def sleepers() -> list[int]:
        woken: list[int] = []

        async def sleep(hours: int) -> None:
            await asyncio.sleep(hours * 3600)
            woken.append(hours)

        await asyncio.gather(*(sleep(hours) for hours in (3, 1, 2)))
        await asyncio.to_thread(time.sleep, 0.01)
        return woken

    began = time.monotonic()
    woken, seconds = run_virtually(sleepers())
    assert woken == [1, 2, 3]
    assert seconds == pytest.approx(3 * 3600)
    assert time.monotonic() - began < 30


def test_the_clock_stands_still_while_a_thread_is_at_work() -> None:
    async def side_by_side() -> float:
        sleeper = asyncio.create_task(asyncio.sleep(3600))
        await asyncio.to_thread(time.sleep, 0.05)
        worked = asyncio.get_running_loop().time()
        await sleeper
        return worked

    worked, seconds = run_virtually(side_by_side())
    assert worked == 0
    assert seconds == pytest.approx(3600)


@pytest.mark.parametrize("model", ASKED, ids=lambda model: model.__name__)
def test_a_stand_in_fills_every_form_that_is_asked(model: type[BaseModel]) -> None:
    schema = json_schema_of(model)
    model.model_validate(check(SchemaFiller().fill(schema), schema))


def test_no_two_texts_of_a_stand_in_are_alike() -> None:
    filler = SchemaFiller()
    assert len({filler.words(4) for _ in range(50)}) == 50


def toy_stand_in(ask: object) -> object:
    return {"words": 3} if getattr(ask, "answer_schema", None) else "A speech of some words."


def test_the_plan_of_any_protocol_counts_calls_and_the_longest_chain() -> None:
    plan = simulate(toy_started(rounds=3), toy, toy_stand_in, lambda _: Pace())
    assert {(c.seat, c.what, c.count) for c in plan.calls} == {
        ("a", "toy/speak", 3),
        ("b", "toy/speak", 3),
        ("c", "toy/count", 9),
    }
    assert plan.chain == 9  # in each round a, then b, then three counts side by side
    assert plan.seconds > 9


def test_a_protocol_that_breaks_off_gives_no_plan() -> None:
    started = SessionStarted(
        protocol="toy", title="", config={"rounds": 1}, seats=(Seat(name="a", spec="x"),), seed=0, version=""
    )
    with pytest.raises(ProtocolBug, match="broke off"):
        simulate(started, toy, toy_stand_in, lambda _: Pace())


# ── several side by side ─────────────────────────────────────────────────────────────────────────────────────────


def a_plan(seconds: float, count: int, model: str = "lab:m") -> Plan:
    """So many calls of a second each, one after another."""
    calls = PlannedCalls(seat="a", what="p", model=model, count=count, input_tokens=10 * count, output_tokens=count)
    return Plan(calls=(calls,), seconds=seconds, chain=count, said=count)


def at_once(places: int) -> Pace:
    return Pace(latency=1.0, reads=1e12, writes=1e12, at_once=places)


def test_many_sessions_take_as_long_as_their_providers_or_their_own_places_need() -> None:
    one = a_plan(60, 60)
    assert side_by_side([(one, 1)], lambda _: at_once(8)).seconds == 60
    thirty = side_by_side([(one, 30)], lambda _: at_once(8))
    assert thirty.seconds == pytest.approx(60 + 30 * 60 / 8)
    assert (thirty.count, thirty.tokens, thirty.chain, thirty.said) == (1800, (18_000, 1_800), 60, 1800)
    assert side_by_side([(one, 30)], lambda _: at_once(1000), 5).seconds == pytest.approx(60 + 29 * 60 / 5)


def test_calls_of_one_seat_to_several_models_are_kept_apart() -> None:
    both = side_by_side([(a_plan(5, 5), 2), (a_plan(7, 7, "annex:m"), 3)], lambda _: at_once(4))
    assert {calls.model: calls.count for calls in both.calls} == {"lab:m": 10, "annex:m": 21}
