"""The grid: which runs there are, that only what is missing is run, and that no budget is exceeded."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import ProviderBusy, UsageError
from elenchus.debate_engine.events import Seat, SessionStarted, now
from elenchus.debate_engine.llm.budget import Budget
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log import usage_of
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell, Grid, GridRun, runs_of, scene_of
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridProgress, GridRunner, RunLimit, SharedBudget
from elenchus.debate_engine.protocols.rulegen.study.observation import Result
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.rulegen.study.selection import (
    Selection,
    counted,
    results_in,
    results_of,
    studied_scene,
)
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.service.app import App, open_app
from elenchus.service.lab.grid import started_of
from tests.debate_engine.protocols.rulegen.study.grids import CONTROL, MODEL, TREATMENT, grid

NEED = RunLimit(tokens=60_000, usd=0.0)


async def run(
    app: App, planned: Grid, need: RunLimit = NEED, at_once: int = 8
) -> tuple[GridProgress[GridRun], list[GridRun]]:
    """Run a grid; the runs that were begun, in order."""
    begun: list[GridRun] = []

    def on_run(one: GridRun, ended: Run | None) -> None:
        if ended is None:
            begun.append(one)

    async with asyncio.timeout(120):
        progress = await GridRunner(app.log, app.runner, planned, need, on_run, started_of, at_once).run()
    return progress, begun


# ── the plan ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_combination_is_run_n_times_with_a_session_and_a_seed_of_its_own() -> None:
    planned = grid(subjects=(MODEL, "scripted:other"), styles=("aggressive", "conservative"), n=3)
    runs = runs_of(planned)
    assert Counter(one.cell for one in runs) == dict.fromkeys(planned.cells, 3)
    assert len(planned.cells) == 8
    assert len({one.session for one in runs}) == len({one.seed for one in runs}) == 24
    assert runs == runs_of(planned), "the same on every machine"


def test_a_grid_that_is_broken_off_is_balanced() -> None:
    runs = runs_of(grid(n=5))
    for many in range(0, len(runs), 2):
        counts = Counter(one.cell.condition for one in runs[:many])
        assert counts["treatment"] == counts["control"]


def test_a_style_is_the_subjects_alone_and_the_condition_is_the_scenes() -> None:
    planned = grid(styles=("aggressive",))
    played = scene_of(planned, Cell(subject=MODEL, style="aggressive", condition="control"))
    assert {role.name: role.style for role in played.roles} == {"Ada": "aggressive", "Ben": "brash", "Cleo": ""}
    assert played.rules == CONTROL.rules


def test_seeds_reach_the_models_and_no_first_event_holds_a_condition_that_the_scene_does_not() -> None:
    planned = grid(temperature=0.7)
    one, other = [started_of(planned, one) for one in runs_of(planned)[:2]]
    assert one.seed_models
    assert one.temperature == 0.7
    assert one.seed != other.seed
    assert other.config["scene"]["condition"] == "control"


def test_too_many_runs_are_refused() -> None:
    with pytest.raises(UsageError, match="give a smaller -n"):
        runs_of(grid(n=2_501))


# ── running ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_grid_runs_each_run_as_a_session_and_again_runs_nothing(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        progress, begun = await run(app, grid())
        assert progress.done
        assert len(begun) == 4
        assert {info.id for info in await app.log.sessions()} == {one.session for one in runs_of(grid())}
        again, nothing = await run(app, grid())
    assert again.done
    assert nothing == []


async def test_only_what_is_missing_is_run(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        third = runs_of(grid())[2]
        await app.runner.run(await app.runner.create(started_of(grid(), third), third.session))
        progress, begun = await run(app, grid())
    assert progress.done
    assert third not in begun
    assert len(begun) == 3


async def test_the_numbers_of_a_grid_are_those_of_its_sessions(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        planned = grid(n=3)
        await run(app, planned)
        study, logs = await results_in(
            app.log, studied_scene("tasting", TREATMENT), [one.session for one in runs_of(planned)]
        )
        wide, _ = await results_of(app.log, "tasting", [TREATMENT, CONTROL])
        edited = TREATMENT.model_copy(update={"background": "Another garden."})
        other, _ = await results_of(app.log, "tasting", [edited])
        read = TREATMENT.model_copy(
            update={"written_by": "openai:x", "reviewed": "by Grace", "twin": "t.md", "debrief": "Ah."}
        )
        same, _ = await results_of(app.log, "tasting", [read, CONTROL])
    assert len(logs) == 6
    assert [(row.cell.condition, row.runs, row.played) for row in study.rows] == [
        ("treatment", 3, 3),
        ("control", 3, 3),
    ]
    apart: tuple[Result, ...] = ("undecided", "unread", "unfounded")
    assert sum(row.frequency.n + sum(row.results[one] for one in apart) for row in study.rows) == 6
    assert wide.rows == study.rows
    assert same.rows == study.rows, "who wrote it, and what is told afterwards, is no other scene"
    assert (other.left_out, other.rows) == (6, ()), "runs of another text are not mixed in"


async def test_results_are_of_the_chosen_sessions_and_pilots_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    first, second, tried = (grid(id=name, pilot=name == "tried") for name in ("first", "second", "tried"))
    async with open_app(Settings(home=tmp_path)) as app:
        await run(app, first)
        await run(app, tried)
        between = now()
        await run(app, second)

        async def found(**given: Any) -> tuple[int, int, str]:
            study, logs = await results_of(app.log, "tasting", [TREATMENT, CONTROL], Selection(**given))
            assert {one.session for one in study.observed} == logs.keys()
            return len(study.observed), study.pilots, study.only

        assert await found() == (8, 4, ""), "pilots are out, and counted"
        assert await found(pilots=True) == (12, 0, "")
        assert await found(grid="first") == (4, 0, "runs of first")
        assert await found(grid="tried") == (0, 4, "runs of tried")
        assert (await found(since=between))[:2] == (4, 0)
        assert (await found(sessions=("first-0001", "second-0002")))[:2] == (2, 0)
        assert (await found(subjects=("people",)))[:2] == (0, 0)
        assert await found(subjects=("models",)) == (8, 4, "subjects: models")
        assert (await found(subjects=("scripted:*", "people")))[:2] == (8, 4)
        assert (await found(subjects=("openai:*",)))[:2] == (0, 0)
        own, _ = await results_in(app.log, studied_scene("tasting", TREATMENT), [one.session for one in runs_of(tried)])
        study, _ = await results_of(app.log, "tasting", [TREATMENT, CONTROL])
    assert len(own.observed) == 4, "who asks for these runs by name gets them"
    assert "**Pilot.** 4 of 4 runs were started with --pilot" in study_markdown(own)
    assert "4 pilots left out" in study_markdown(study)


async def test_a_scene_without_a_title_is_counted_under_its_name() -> None:
    assert (await counted(studied_scene("tasting", TREATMENT.model_copy(update={"title": ""})), {})).title == "tasting"
    assert (await counted(studied_scene("tasting", TREATMENT), {})).title == TREATMENT.title


async def test_a_model_that_cannot_be_used_stops_its_own_cells_and_no_others_and_is_asked_again_later(
    tmp_path: Path,
) -> None:
    down = True
    planned = grid(subjects=("scripted:shy", MODEL), n=6)
    async with open_app(
        Settings(home=tmp_path), leave_on=frozenset({"provider"}), scripts={"shy": ScriptedClient(Script())}
    ) as app:
        patient = app.runner.make_seat

        def make_seat(seat: Seat, room: RunContext) -> Participant:
            return Refusing(patient(seat, room)) if seat.spec == "scripted:shy" and down else patient(seat, room)

        shy = replace(app, runner=replace(app.runner, make_seat=make_seat))
        progress, _ = await run(shy, planned)
        assert progress.ended == 12
        assert 0 < len(progress.waiting) < 12, "the rest is not even begun"
        assert {one.cell.subject for one, _ in progress.waiting} == {"scripted:shy"}
        assert {ended.exit_code for _, ended in progress.waiting} == {3}
        down = False
        progress, more = await run(shy, planned)
    assert progress.done
    assert {one.cell.subject for one in more} == {"scripted:shy"}


@dataclass
class Refusing:
    """A seat whose provider cannot be reached."""

    seat: Participant

    async def answer(self, ask: Ask) -> Answer | Declined:
        raise ProviderBusy("the provider does not answer")

    def most(self, ask: Ask) -> tuple[int, float | None]:
        return self.seat.most(ask)


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def used(app: App) -> int:
    total = 0
    for info in await app.log.sessions():
        usage, _ = usage_of(await app.log.read(info.id))
        total += usage.input_tokens + usage.output_tokens
    return total


async def test_a_budget_holds_for_all_runs_together_and_more_of_it_goes_on(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        planned = grid(n=4, budget_tokens=2 * NEED.tokens)
        progress, begun = await run(app, planned)
        assert progress.out_of_budget
        assert 0 < len(begun) < 8
        assert await used(app) <= 2 * NEED.tokens
        progress, more = await run(app, planned.model_copy(update={"budget_tokens": 10_000_000}))
    assert progress.done
    assert {one.session for one in begun} & {one.session for one in more} == set()


async def test_a_run_that_needs_more_than_its_share_waits_and_gets_another_share_later(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path), leave_on=frozenset({"budget"})) as app:
        planned = grid(n=1, budget_tokens=1_000_000)
        small = RunLimit(tokens=5_000, usd=0.0)
        progress, _ = await run(app, planned, small)
        assert {one.exit_code for _, one in progress.waiting} == {4}
        started = [(await app.log.read(info.id))[0].event for info in await app.log.sessions()]
        assert {event.budget_tokens for event in started if isinstance(event, SessionStarted)} == {5_000}
        for _ in range(20):
            progress, _ = await run(app, planned, small)
            if progress.done:
                break
    assert progress.done


async def test_a_purse_never_promises_more_than_it_holds() -> None:
    purse = SharedBudget(Budget(tokens=100))
    assert await purse.take(RunLimit(60, 0.0))
    waiting = asyncio.create_task(purse.take(RunLimit(60, 0.0)))
    await asyncio.sleep(0)
    assert not waiting.done(), "the other may give some back"
    await purse.give_back(RunLimit(60, 0.0), Usage(30, 10), 0.0)
    assert await waiting
    await purse.give_back(RunLimit(60, 0.0), Usage(30, 10), 0.0)
    assert not await purse.take(RunLimit(60, 0.0)), "20 are left, and nobody gives any back"
