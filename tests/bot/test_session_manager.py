"""Who runs a session, and what becomes of its thread when that is somebody else, or nobody any more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from elenchus.bot.bindings import ViewKey
from elenchus.bot.services import BotServices
from elenchus.debate_engine.errors import DiskFull
from elenchus.debate_engine.events import ResumeAsked, SessionStopped
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.log import EventLog
from elenchus.service.app import App
from elenchus.storage.sqlite_log import open_log
from tests.bot.stage import ENDLESS, Stage, finished, posts, services_of, texts, until


@dataclass
class FullDisk:
    """A log that takes no event any more once it is full."""

    real: Any
    full: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    async def append(self, *given: Any, **named: Any) -> Any:
        if self.full:
            raise DiskFull("The disk is full: make room.")
        return await self.real.append(*given, **named)


async def test_a_session_that_another_process_runs_is_shown_and_asked_to_go_on(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        session = stage.session(thread)
        await stage.alice.slash(thread, "debate pause")
        await until(lambda: "⏸" in texts(thread)[0])
    other = await open_log(stage.home / "elenchus.db")
    owner = await other.claim(session)
    async with stage.running() as bot:
        assert "It goes on" in (await stage.alice.slash(thread, "debate resume")).text
        assert not bot.manager.runs(session)
        assert any(isinstance(r.event, ResumeAsked) for r in await stage.events(thread))
        await other.append(session, [SessionStopped(reason="by the other front end")], owner.epoch)
        await until(lambda: "⏹ Stopped" in texts(thread)[0])
    await owner.release()
    await other.aclose()


async def test_a_session_that_was_deleted_elsewhere_is_let_go(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        session = stage.session(thread)
    other = await open_log(stage.home / "elenchus.db")
    await other.delete(session)
    await other.aclose()
    async with stage.running() as bot:
        await until(lambda: bot.bindings.find(ViewKey(session)) is None)
        assert "thread of a debate" in (await stage.alice.slash(thread, "debate pause")).text


async def test_a_debate_that_has_ended_is_let_alone_at_the_next_start(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await stage.alice.slash(thread, "debate stop", reason="enough")
        await finished(thread)
        await until(lambda: stage.bot and stage.bot.bindings.in_thread(thread.id).closed == "over")
    calls = len(stage.discord.calls)
    async with stage.running():
        assert "⏹ Stopped" in (await stage.alice.slash(thread, "debate status")).text
    assert not [call for call in stage.discord.calls[calls:] if "channels" in call.template]


async def test_a_session_that_runs_in_another_process_is_left_to_it_at_the_start(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        session = stage.session(thread)
        await until(lambda: "▶ Running" in texts(thread)[0])
    other = await open_log(stage.home / "elenchus.db")
    owner = await other.claim(session)
    async with stage.running() as bot:
        await until(lambda: "is left to the process that runs it" in caplog.text)
        await until(lambda: not bot.manager.runs(session))
        await other.append(session, [SessionStopped(reason="by the other front end")], owner.epoch)
        await until(lambda: "⏹ Stopped" in texts(thread)[0])
    await owner.release()
    await other.aclose()
    assert not posts(stage.discord.world.dm(stage.alice.user)), "nothing went wrong"


async def test_a_run_that_another_process_takes_over_is_left_to_it_and_nobody_is_told_that_it_broke_off(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    slow = "scripted:demo?latency=0.3"
    async with stage.running() as bot:
        thread = await stage.debate(pro=slow, con=slow)
        session = stage.session(thread)
        await until(lambda: len(posts(thread)) > 2)
        other = await open_log(stage.home / "elenchus.db")
        owner = await other.claim(session, take_over=True)
        await until(lambda: not bot.manager.runs(session))
        assert "is left to the process that runs it" in caplog.text
        await other.append(session, [SessionStopped(reason="by the other process")], owner.epoch)
        await until(lambda: "⏹ Stopped" in texts(thread)[0])
    await owner.release()
    await other.aclose()
    assert not posts(stage.discord.world.dm(stage.alice.user)), "nothing went wrong"


@pytest.mark.slow
async def test_a_run_that_breaks_off_is_told_to_the_moderator_with_a_reference_that_is_in_the_log(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    log: list[FullDisk] = []

    def on_a_disk_that_fills(app: App) -> BotServices:
        log.append(FullDisk(app.log))
        return replace(services_of(app), runner=replace(app.runner, log=cast(EventLog, log[-1])))

    stage.services_of = on_a_disk_that_fills
    direct = stage.discord.world.dm(stage.alice.user)
    slow = "scripted:demo?latency=0.3"
    async with stage.running() as bot:
        thread = await stage.debate(pro=slow, con=slow)
        session = stage.session(thread)
        log[-1].full = True
        (told,) = await until(lambda: texts(direct))
        assert f"try again with `/session resume {session}`" in told
        name = told.partition("reference ")[2][:6]
        assert f"[{name}] session {session} broke off" in caplog.text
        log[-1].full = False
        await until(lambda: not bot.manager.runs(session))
        await stage.alice.slash(thread, "session resume")
        await finished(thread)


async def test_resume_asks_both_sides_again_after_a_debate_ended_without_an_agenda(stage: Stage) -> None:
    mute = [True]

    def answer(call: Call) -> str | None:
        return "I would rather not." if mute and call.prompt_id == "socrasynth/propose-topics" else None

    stage.scripts["mute"] = ScriptedClient(answerer=answer)
    async with stage.running():
        thread = await stage.debate(pro="scripted:mute", con="scripted:mute")
        await until(lambda: "The session broke off" in "".join(texts(thread)))
        assert "`/debate start agenda:…`" in "".join(texts(thread))
        mute.clear()
        await until(lambda: "[Resume]" in texts(thread)[0])
        await stage.alice.press(stage.panel(thread), "Resume")
        await finished(thread)
