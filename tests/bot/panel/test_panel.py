"""The panel: every button and every command beside it, pressed by people on the strict fake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.panel.actions import Actions
from elenchus.debate_engine import events as ev
from tests.bot.people.seated import settle, turn_of
from tests.bot.stage import ENDLESS, VOTE, Stage, posts, stage_at, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel
from tests.fakes.discord.world import Times

SLOW = "scripted:demo?latency=0.3"


@pytest.fixture
async def thread(stage: Stage) -> AsyncIterator[Channel]:
    """A debate whose models take their time: nothing comes of itself."""
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        yield thread


async def commands(stage: Stage, thread: Channel, kind: type[Any]) -> list[Any]:
    return [r.event for r in await stage.events(thread) if isinstance(r.event, kind)]


async def kinds(stage: Stage, thread: Channel) -> list[str]:
    return [r.event.kind for r in await stage.events(thread)]


async def shown(stage: Stage, thread: Channel, words: str) -> None:
    await until(lambda: words in texts(thread)[0])


async def until_paused(stage: Stage, session: str) -> None:
    assert stage.app is not None
    async with asyncio.timeout(60), aclosing(stage.app.log.follow(session)) as events:
        async for r in events:
            if isinstance(r.event, ev.SessionPaused):
                return


async def test_pause_and_resume_by_button(stage: Stage, thread: Channel) -> None:
    answer = await stage.alice.press(stage.panel(thread), "Pause")
    assert "pauses before the next step" in answer.text
    assert answer.ephemeral
    await shown(stage, thread, "⏸ Paused")
    await stage.alice.press(stage.panel(thread), "Resume")
    await shown(stage, thread, "▶ Running")
    assert {"pause", "session_paused", "resume", "session_resumed"} <= set(await kinds(stage, thread))
    (paused,) = await commands(stage, thread, ev.PauseAsked)
    assert paused.by == f"discord:{stage.alice.id}"


async def test_pause_and_resume_by_command(stage: Stage, thread: Channel) -> None:
    await stage.alice.slash(thread, "debate pause", reason="lunch @everyone")
    await shown(stage, thread, "lunch")
    assert not any(post.pinged for post in posts(thread))
    assert "still" in (await stage.alice.slash(thread, "debate pause")).text
    await stage.alice.slash(thread, "debate resume")
    await shown(stage, thread, "▶ Running")
    assert "running already" in (await stage.alice.slash(thread, "debate resume")).text


async def test_a_debate_that_is_only_just_being_started_is_paused_as_well(stage: Stage) -> None:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await stage.alice.slash(thread, "debate pause")
        await shown(stage, thread, "⏸ Paused")
        first, session = (await stage.events(thread))[0].event, "another"
        assert isinstance(first, ev.SessionStarted)
        assert stage.app is not None
        await stage.app.runner.create(first, session)
        bot.manager.run(session)
        assert "pauses before the next step" in await Actions(bot.services, bot.manager).pause(session, "discord:1")
        await until_paused(stage, session)


async def test_quick_presses_of_the_heat_buttons_add_up(stage: Stage, thread: Channel) -> None:
    await stage.alice.slash(thread, "debate heat", value=0.5)
    for _ in range(2):
        await stage.alice.press(stage.panel(thread), "Heat −")
    await stage.alice.press(stage.panel(thread), "Heat +")
    assert [c.heat for c in await commands(stage, thread, ev.HeatSet)] == [0.5, 0.4, 0.3, 0.4]
    await asyncio.gather(*(stage.alice.press(stage.panel(thread), "Heat −") for _ in range(3)))
    assert [c.heat for c in await commands(stage, thread, ev.HeatSet)][4:] == [0.3, 0.2, 0.1]
    await shown(stage, thread, "0.10")


async def test_guidance_by_form_and_by_command(stage: Stage, thread: Channel) -> None:
    form = (await stage.alice.press(stage.panel(thread), "Guide…")).modal
    answer = await stage.alice.fill(form, {"side": "both", "text": "Mind the buses."})
    assert "hear it" in answer.text
    await stage.alice.slash(thread, "debate guide", to="con", text="Shorter.")
    given = [(c.to, c.text) for c in await commands(stage, thread, ev.Guidance)]
    assert given == [(("pro", "con"), "Mind the buses."), (("con",), "Shorter.")]


async def test_a_question_by_form_and_by_command(stage: Stage, thread: Channel) -> None:
    form = (await stage.alice.press(stage.panel(thread), "Ask…")).modal
    await stage.alice.fill(form, {"side": "pro", "text": "Who pays?"})
    await stage.alice.slash(thread, "debate ask", side="con", text="Who loses?")
    assert [(c.to, c.text) for c in await commands(stage, thread, ev.Question)] == [
        ("pro", "Who pays?"),
        ("con", "Who loses?"),
    ]


async def test_deepening_by_form_and_by_command(stage: Stage, thread: Channel) -> None:
    form = (await stage.alice.press(stage.panel(thread), "Deepen…")).modal
    await stage.alice.fill(form, {"side": "con"})
    answer = await stage.alice.slash(thread, "debate deepen", side="pro")
    assert "Pro is asked to deepen its weakest reason, as soon as its reasons have scores." in answer.text
    assert [c.to for c in await commands(stage, thread, ev.DeepenAsked)] == ["con", "pro"]


async def test_one_more_round_and_the_closings(stage: Stage, thread: Channel) -> None:
    await stage.alice.press(stage.panel(thread), "One more round")
    await stage.alice.slash(thread, "debate round")
    assert len(await commands(stage, thread, ev.RoundAsked)) == 2
    await stage.alice.press(stage.panel(thread), "To the closings")
    await stage.alice.slash(thread, "debate close")
    assert len(await commands(stage, thread, ev.CloseAsked)) == 2
    await shown(stage, thread, "closings come after this round")


async def test_stop_asks_why_and_leaves_only_the_files(stage: Stage, thread: Channel) -> None:
    form = (await stage.alice.press(stage.panel(thread), "Stop…")).modal
    assert "stopped" in (await stage.alice.fill(form, {"text": "The bell rang."})).text
    await shown(stage, thread, "⏹ Stopped")
    await until(lambda: any("The bell rang." in text for text in texts(thread)[1:]))
    assert "[Report files]" in texts(thread)[0]
    assert "Pause" not in texts(thread)[0]
    refused = await stage.alice.slash(thread, "debate heat", value=0.2)
    assert "over" in refused.text
    assert "reference" in refused.text


async def test_a_session_that_nobody_runs_is_stopped_as_well(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await stage.alice.slash(thread, "debate pause")
        await until(lambda: "⏸" in texts(thread)[0])
    async with stage.running():
        assert "It counts when the debate goes on." in (await stage.alice.slash(thread, "debate heat", value=0.2)).text
        await stage.alice.slash(thread, "debate stop", reason="enough")
        await shown(stage, thread, "⏹ Stopped")


async def test_status_and_export_are_for_everybody(stage: Stage, thread: Channel) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    status = await bob.slash(thread, "debate status")
    assert "Running" in status.text
    assert status.ephemeral
    files = await bob.slash(thread, "debate export")
    names = [a.filename for post in [files.message, *files.followups] for a in post.attachments]
    assert {name.partition("-")[2] for name in names} >= {"report.md", "report.html", "events.jsonl", "scores.csv"}


async def test_who_sits_in_a_debate_gets_its_files_when_it_is_over(stage: Stage) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS)
        assert "when it is over" in (await bob.slash(thread, "debate export")).text
        await stage.alice.slash(thread, "debate stop", reason="enough")
        await shown(stage, thread, "⏹ Stopped")
        assert "report.md" in (await bob.slash(thread, "debate export")).text


async def test_a_budget_that_is_used_up_can_be_raised_on_the_panel(stage: Stage) -> None:
    async with stage.running():
        assert stage.app is not None
        settings = GuildSettings(
            debater="scripted:demo", judges=("scripted:demo",), start="everyone", vote_minutes=VOTE, day_tokens=400_000
        )
        await keep(stage.app.store, stage.guild.id, settings)
        thread = await stage.debate()
        await stage.app.log.send(stage.session(thread), ev.BudgetRaised(by="test", tokens=3_000))
        await until(lambda: "Press Budget…" in texts(thread)[0])
        await stage.app.log.send(stage.session(thread), ev.BudgetRaised(by="test", tokens=1))  # less than it has used
        await until(lambda: "of 1 tokens" in texts(thread)[0])
        form = (await stage.alice.press(stage.panel(thread), "Budget…")).modal
        refused = await stage.alice.fill(form, {"tokens": "none", "usd": ""})
        assert "number" in refused.text
        for usd in ("0,50", "1.000,50"):
            form = (await stage.alice.press(stage.panel(thread), "Budget…")).modal
            assert "such as 1.50" in (await stage.alice.fill(form, {"tokens": "", "usd": usd})).text
        form = (await stage.alice.press(stage.panel(thread), "Budget…")).modal
        assert "A budget is a number" in (await stage.alice.fill(form, {"tokens": "", "usd": " "})).text
    async with stage.running():  # nobody runs it any more
        form = (await stage.alice.press(stage.panel(thread), "Budget…")).modal
        assert "400,000" in (await stage.alice.fill(form, {"tokens": "400,000"})).text
        await until(lambda: "✔ Finished" in texts(thread)[0])


async def test_only_who_may_steers_and_that_is_looked_up_at_each_click(stage: Stage, thread: Channel) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    refused = await bob.press(stage.panel(thread), "Pause")
    assert "may not steer" in refused.text
    assert "may not steer" in (await bob.press(stage.panel(thread), "Stop…")).text
    assert "may not steer" in (await bob.slash(thread, "debate close")).text
    role = stage.discord.world.role(stage.guild, "moderators", Permission.MANAGE_THREADS)
    bob.member.roles.add(role.id)
    assert "pauses" in (await bob.press(stage.panel(thread), "Pause")).text
    bob.member.roles.remove(role.id)
    assert "may not steer" in (await bob.press(stage.panel(thread), "Heat +")).text


async def test_a_form_that_was_open_when_the_right_was_taken_away_is_refused(stage: Stage, thread: Channel) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    role = stage.discord.world.role(stage.guild, "moderators", Permission.MANAGE_THREADS)
    bob.member.roles.add(role.id)
    form = (await bob.press(stage.panel(thread), "Guide…")).modal
    bob.member.roles.remove(role.id)
    assert "may not steer" in (await bob.fill(form, {"side": "pro", "text": "x"})).text
    assert await commands(stage, thread, ev.Guidance) == []


async def test_buttons_and_open_forms_work_after_a_restart(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        form = (await stage.alice.press(stage.panel(thread), "Guide…")).modal
    async with stage.running():
        await stage.alice.fill(form, {"side": "pro", "text": "Still here."})
        await stage.alice.press(stage.panel(thread), "Heat −")
        assert [c.text for c in await commands(stage, thread, ev.Guidance)] == ["Still here."]
        assert len(await commands(stage, thread, ev.HeatSet)) == 1


async def test_a_command_outside_a_debates_thread_says_where_it_belongs(stage: Stage, thread: Channel) -> None:
    assert "thread of a debate" in (await stage.alice.slash(stage.channel, "debate pause")).text


async def test_a_panel_that_was_deleted_comes_again(stage: Stage, thread: Channel) -> None:
    old = stage.panel(thread)
    carol = stage.discord.world.person(
        "Carol", guild=stage.guild, roles=[stage.discord.world.role(stage.guild, "mods", Permission.MANAGE_MESSAGES)]
    )
    await carol.delete(old)
    await stage.alice.slash(thread, "debate heat", value=0.3)
    await until(lambda: any("el:panel:" in str(post.components) for post in posts(thread)))
    assert stage.panel(thread).id != old.id


async def test_a_panel_too_old_to_be_edited_is_made_anew(tmp_path: Path) -> None:
    async with stage_at(tmp_path / "home", times=Times(old_edits=1)) as stage, stage.running():
        clock = stage.discord.world.clock
        clock.advance(-2 * 3600)
        clock._last_ms = 0  # the fake's ids begin again, two hours earlier
        await settle(stage, vote_minutes=10)  # the panel has no news of its own
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        old = stage.panel(thread)
        clock.advance(2 * 3600)
        for value in (0.1, 0.2, 0.3):
            await stage.alice.slash(thread, "debate heat", value=value)
            await until(lambda wanted=value: any(f"→ {wanted:.2f}" in text for text in texts(thread)))  # type: ignore[misc]
        assert stage.panel(thread).id != old.id


async def test_a_bot_that_comes_back_does_not_show_how_things_stood_before(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        await bob.press(asked.message, "I do not agree")  # his name is removed: where the log is read again
        await stage.alice.slash(thread, "debate heat", value=0.35)
        await shown(stage, thread, "0.35")
    before = len(edits(stage, thread))
    async with stage.running():
        await stage.alice.slash(thread, "debate heat", value=0.45)
        await shown(stage, thread, "0.45")
    news = edits(stage, thread)[before:]
    assert news
    assert [text for text in news if "0.35" not in text and "0.45" not in text] == []


def edits(stage: Stage, thread: Channel) -> list[str]:
    """What the panel was edited to, one after the other."""
    made = stage.discord.made("PATCH", "/channels/{channel_id}/messages/{message_id}")
    return [str(edit.body) for edit in made if edit.values["channel_id"] == str(thread.id)]
