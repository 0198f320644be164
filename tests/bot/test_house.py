"""Who runs a session, and what becomes of its thread when that is somebody else, or nobody any more."""

from __future__ import annotations

from debate_engine.events import ResumeAsked, SessionStopped
from storage.sqlite_log import open_log
from tests.bot.stage import ENDLESS, Stage, finished, texts, until


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
        assert not bot.house.runs(session)
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
        await until(lambda: bot.bindings.find(session) is None)
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
