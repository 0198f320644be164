"""The laboratory for programs: what it starts, what comes of it, and what is left behind."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import SecretStr

import elenchus
from elenchus.config.settings import Settings, VendorSettings
from elenchus.debate_engine.errors import MissingKey, UsageError
from elenchus.debate_engine.events import (
    Command,
    Event,
    Guidance,
    HeatSet,
    Said,
    SessionFinished,
    SessionPaused,
    SessionStarted,
    TurnOpened,
    Voted,
)
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
from tests.debate_engine.scenes.pictures import picture
from tests.debate_engine.scenes.test_pictures import SCENE
from tests.storage import json_lines_log

MOTION = "Should homework be abolished?"
SMALL: dict[str, Any] = {"topics": 1, "max_rounds": 1}


def lab_at(home: Path, model: str = "scripted:demo") -> AbstractAsyncContextManager[elenchus.Lab]:
    return elenchus.open(model=model, settings=Settings(home=home))


async def test_a_debate_is_watched_live_from_its_first_event_and_its_outcome_is_typed(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, **SMALL)
        seen = [event async for event in debate]
        outcome = await debate
        assert isinstance(outcome, Debate)
        assert isinstance(seen[0], SessionStarted)
        assert isinstance(seen[-1], SessionFinished)
        assert seen == [recorded.event for recorded in await debate.events()]
        assert [event async for event in debate] == seen, "again, after the end"
        assert (await debate) == outcome
        assert any("a script speaks" in warning for warning in debate.warnings)


async def test_a_debate_is_held_in_the_log_that_a_program_gives(tmp_path: Path) -> None:
    log = await json_lines_log.open_log(tmp_path / "log")
    settings = Settings(home=tmp_path)
    async with elenchus.open(model="scripted:demo", settings=settings, log=log) as lab:
        debate = await lab.debate(MOTION, **SMALL)
        assert isinstance(await debate, Debate)
    (only,) = await log.sessions()
    assert (only.id, only.state, only.owner) == (debate.id, "finished", None)
    await log.aclose()
    async with lab_at(tmp_path) as lab:
        assert await lab.sessions() == []


async def test_leaving_the_lab_pauses_a_debate_and_it_goes_on_in_another_without_repeating_a_call(
    tmp_path: Path,
) -> None:
    async with lab_at(tmp_path, "scripted:demo?latency=0.2") as lab:
        debate = await lab.debate(MOTION, **SMALL)
        heard: Event | None = None
        async for heard in debate:
            if isinstance(heard, Said):
                break
        assert heard is not None
    async with lab_at(tmp_path, "scripted:demo") as lab:
        before = await lab.events(debate.id)
        assert isinstance(before[-1].event, SessionPaused)
        outcome = await (await lab.resume(debate.id))
        assert isinstance(outcome, Debate)
        after = await lab.events(debate.id)
        assert after[: len(before)] == before


async def test_a_program_moderates_a_debate_sits_in_it_and_votes(tmp_path: Path) -> None:
    speech = "Practice makes a habit of what was understood."
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
        await debate.heat(0.5)
        await debate.guide("Be brief.", to="pro")
        await debate.vote("con", by="anna")
        async for event in debate:
            if isinstance(event, TurnOpened):
                await debate.answer("con", None if event.answer_schema else speech)
        await debate
        events = [recorded.event for recorded in await debate.events()]
        with pytest.raises(UsageError, match="nothing can be changed"):
            await debate.heat(0.2)
        assert (await debate.vote("pro", by="anna")).event == Voted(by="anna", when="after", side="pro")
    assert {"con"} == {event.speaker for event in events if isinstance(event, Said) and speech in event.text}
    assert next(event for event in events if isinstance(event, HeatSet)) == HeatSet(by="moderator", heat=0.5)
    assert next(event for event in events if isinstance(event, Guidance)).to == ("pro",)


async def test_what_makes_no_sense_is_refused_and_sends_nothing(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, con="human", **SMALL)
        async for event in debate:
            if isinstance(event, TurnOpened):
                break
        for wrong, says in (
            (debate.heat(7), "between 0 and 1"),
            (debate.heat(float("nan")), "between 0 and 1"),
            (debate.guide(" "), "text is empty"),
            (debate.guide("Hear!", to="crowd"), "no side"),
            (debate.ask("both", "Why?"), "no side"),
            (debate.answer("pro", "I say."), "turns of con wait"),
            (debate.answer("con", {"crowd": 1}), "a form is asked"),
            (debate.vote("maybe", by="anna"), "pro, con or undecided"),
            (debate.vote("pro", by="anna", when="after"), "No vote is open"),
        ):
            with pytest.raises(UsageError, match=says):
                await wrong
        sent = [type(recorded.event).__name__ for recorded in await debate.events()]
        assert not {kind.__name__ for kind in get_args(Command)} & set(sent), sent


async def test_what_has_no_outcome_says_why_and_can_be_gone_on_with(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        debate = await lab.debate(MOTION, **SMALL, budget_tokens=4_000)
        with pytest.raises(elenchus.Unfinished, match="4,000 tokens") as unfinished:
            await debate
        assert (unfinished.value.run.state, unfinished.value.exit_code) == ("paused", 4)
        assert [info.state for info in await lab.sessions()] == ["paused"]


async def test_what_cannot_be_started_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        with pytest.raises(UsageError, match="heat must be between 0 and 1"):
            await lab.debate(MOTION, heat=7)
        with pytest.raises(UsageError, match="motion is empty"):
            await lab.debate(" ")
        with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
            await lab.debate(MOTION, pro="openai:gpt-6-luna")
        with pytest.raises(UsageError, match="describes no session"):
            await lab.start(elenchus.GridOptions(scene="unit"))
        assert await lab.sessions() == []
    settings = Settings(home=tmp_path, openai=VendorSettings(key=SecretStr("x")))
    async with elenchus.open(settings=settings, model="openai:nobody-knows") as lab:
        with pytest.raises(UsageError, match="cannot hold back openai:nobody-knows"):
            await lab.debate(MOTION, budget_usd=1.0)
        assert await lab.sessions() == []


async def test_options_with_types_start_the_same_debate_and_tell_its_cost_beforehand(tmp_path: Path) -> None:
    options = elenchus.DebateOptions(motion=MOTION, topics=1, max_rounds=1, coach=True, seed=3)
    async with lab_at(tmp_path) as lab:
        cost = await lab.estimate(options)
        assert await lab.sessions() == []
        debate = await lab.start(options)
        await debate
        started = (await debate.events())[0].event
        assert isinstance(started, SessionStarted)
        assert (started.seed, started.config["coach"]) == (3, True)
    assert cost["calls"] > 10


async def test_debates_run_side_by_side_in_one_lab(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        running = [await lab.debate(MOTION, **SMALL, seed=seed) for seed in (1, 2)]
        outcomes = await asyncio.gather(*running)
    assert [outcome.motion for outcome in outcomes] == [MOTION, MOTION]


async def test_a_grid_gives_flat_rows_with_the_same_keys_and_a_study(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        table = await lab.scene_grid("unit", n=2, seed=7, conditions=["small/chat"])
        with pytest.raises(UsageError, match="subjects names the same twice"):
            await lab.scene_grid("unit", subjects=["scripted:demo", "scripted:demo"])
        with pytest.raises(UsageError, match="played by models"):
            await lab.scene_grid("unit", subjects=["human"])
    assert [row["condition"] for row in table] == ["small/chat"] * 2
    assert all(isinstance(row["outcome"], float) for row in table)
    assert len({tuple(row) for row in table}) == 1
    assert not any(isinstance(value, list | dict | tuple) for row in table for value in row.values())
    assert list(table.to_pandas()["session"]) == [row["session"] for row in table]
    assert len(table.study.observed) == len(table) == 2


async def test_a_study_is_registered_once_and_every_result_of_it_is_compared(tmp_path: Path) -> None:
    async with lab_at(tmp_path / "home") as lab:
        registered = await lab.register_scene("unit", tmp_path / "unit.json")
        assert (await lab.register_scene("unit")).sha256 == registered.sha256
        with pytest.raises(UsageError, match="never overwritten"):
            await lab.register_scene("unit", tmp_path / "unit.json")
        table = await lab.scene_grid("unit", n=1, seed=7, conditions=["small/chat"])
        unplayed, few = table.study.departures
        assert unplayed.startswith("Nobody played small/portion, large/portion")
        assert few == "120 subjects were planned; 1 run by models took part."
        results = await lab.scene_results("unit", conditions="small/chat", registered=tmp_path / "unit.json")
        assert unplayed in results.study.departures
        assert not any("they differ" in told for told in results.study.departures)
        edited = json.loads((tmp_path / "unit.json").read_text(encoding="utf-8")) | {"n": 1}
        (tmp_path / "edited.json").write_text(json.dumps(edited), encoding="utf-8")
        unlike = await lab.scene_results("unit", registered=tmp_path / "edited.json")
        assert unlike.study.departures[0].startswith("The registration that was given is not the one that is kept, of ")
        assert unlike.study.departures[0].endswith(": they differ in n.")
        files = await results.export(tmp_path / "out")
        with pytest.raises(UsageError, match="are not chosen so"):
            await lab.scene_results("unit", condition="treatment")  # type: ignore[call-arg]
    assert {"report.md", "methods.md", "runs.csv", "codebook.csv"} <= {file.name for file in files}
    assert unplayed in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


async def test_a_grid_that_nobody_registered_is_compared_with_its_own_plan(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        table = await lab.scene_grid("unit", n=1, seed=7)
        assert (table.study.registered[:3], table.study.departures) == ("202", ())
        assert not (await lab.scene_results("unit")).study.registered, "nothing was kept"


async def test_a_grid_of_a_scene_with_pictures_keeps_them_and_exports_them(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    for name, content in {"table.png": "PNG", "cards/first.jpg": "JPEG", "second.webp": "WEBP"}.items():
        (tmp_path / name).write_bytes(picture(content))
    (tmp_path / "cards.md").write_text(SCENE, encoding="utf-8")
    async with lab_at(tmp_path / "home") as lab:
        table = await lab.scene_grid(tmp_path / "cards.md", conditions=["wrong"])
        files = await lab.export(next(iter(table))["session"], tmp_path / "out")
    assert len([path for path in files if path.parent.name == "pictures"]) == 2
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Models read what is on a picture in words (its alt text), and saw none." in report
    assert "A short line and a long one." in report
    (tmp_path / "table.png").unlink()
    async with lab_at(tmp_path / "home") as lab:
        with pytest.raises(UsageError, match=r"line 32: the picture table\.png cannot be read"):
            await lab.scene_grid(tmp_path / "cards.md")


async def test_run_works_where_a_loop_runs_already() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert elenchus.run(work()) == 7


def test_run_works_where_no_loop_runs() -> None:
    async def work() -> int:
        return 7

    assert elenchus.run(work()) == 7


def test_a_name_that_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = elenchus.nothing
    assert {"open", "run", "Lab"} <= set(elenchus.__all__)
