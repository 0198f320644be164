"""What the panel's rarer buttons and commands do, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine import events as ev
from elenchus.storage.sqlite_log import open_log
from tests.bot.stage import ENDLESS, Stage, posts, texts, until
from tests.fakes.discord import interacting
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel

ENDLESS_DEBATE: dict[str, Any] = dict.fromkeys(("pro", "con", "judges"), ENDLESS)


async def commands(stage: Stage, thread: Channel, kind: type[Any]) -> list[Any]:
    return [r.event for r in await stage.events(thread) if isinstance(r.event, kind)]


def names(answer: Answer) -> set[str]:
    """The files that somebody was sent."""
    return {a.filename.partition("-")[2] for post in (answer.message, *answer.followups) for a in post.attachments}


async def test_the_report_files_are_for_everybody_by_the_panels_button_too(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(**ENDLESS_DEBATE)
        await stage.alice.slash(thread, "debate stop", reason="enough")
        await until(lambda: "[Report files]" in texts(thread)[0])
        given = await bob.press(stage.panel(thread), "Report files")
    assert given.ephemeral
    assert all(followup.ephemeral for followup in given.followups)
    assert names(given) >= {"report.md", "report.html", "events.jsonl", "scores.csv"}


async def test_a_budget_is_set_by_command_and_stands_on_the_panel(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(**ENDLESS_DEBATE)
        assert "may not steer" in (await bob.slash(thread, "debate budget", tokens=5)).text
        answer = await stage.alice.slash(thread, "debate budget", tokens=123_456, usd=2.5)
        assert "123,456" in answer.text
        await until(lambda: "123,456" in texts(thread)[0])
        assert "2.50" in texts(thread)[0]
        (raised,) = await commands(stage, thread, ev.BudgetRaised)
        assert (raised.tokens, raised.usd) == (123_456, 2.5)
        refused = await stage.alice.slash(thread, "debate budget")
        assert "A budget is a number" in refused.text


@pytest.mark.parametrize(
    ("button", "given"),
    [
        ("Guide…", {"side": "pro", "text": " \n "}),
        ("Ask…", {"side": "con", "text": "  "}),
        ("Stop…", {"text": "\t"}),
        ("Stop…", {"text": "\u200b"}),
    ],
)
async def test_a_form_without_words_sends_nothing(stage: Stage, button: str, given: dict[str, str]) -> None:
    async with stage.running():
        thread = await stage.debate(**ENDLESS_DEBATE)
        form = (await stage.alice.press(stage.panel(thread), button)).modal
        refused = await stage.alice.fill(form, given)
        assert "The text is empty: write what you mean." in refused.text
        sent = [*await commands(stage, thread, ev.Guidance), *await commands(stage, thread, ev.Question)]
        assert [*sent, *await commands(stage, thread, ev.StopAsked)] == []


async def breaks_off(stage: Stage) -> Channel:
    """A debate that a mistake ended while the bot was away."""
    async with stage.running() as bot:
        thread = await stage.debate(**ENDLESS_DEBATE)
        session = stage.session(thread)
        await until(lambda: bot.manager.runs(session))
        await until(lambda: any("where do you stand before" in post.content for post in posts(thread)))
    log = await open_log(stage.home / "elenchus.db")
    owner = await log.claim(session)
    await log.append(session, [ev.SessionFailed(error="Mistake", message="a mistake")], owner.epoch)
    await owner.release()
    await log.aclose()
    return thread


async def test_a_debate_that_broke_off_says_so_and_can_be_tried_again_or_stopped(stage: Stage) -> None:
    thread = await breaks_off(stage)
    async with stage.running() as bot:
        await until(lambda: "✖ Failed: a mistake" in texts(thread)[0])
        assert all(f"[{button}]" in texts(thread)[0] for button in ("Resume", "Stop…", "Report files"))
        await until(lambda: any("broke off" in post.content for post in posts(thread)))
        told = next(post.content for post in posts(thread) if "broke off" in post.content)
        assert "**The session broke off:** a mistake" in told
        assert f"reference {stage.session(thread)}" in told
        assert "It goes on" in (await stage.alice.press(stage.panel(thread), "Resume")).text
        await until(lambda: bot.manager.runs(stage.session(thread)))
        form = (await stage.alice.press(stage.panel(thread), "Stop…")).modal
        await stage.alice.fill(form, {"text": "It will not work."})
        await until(lambda: "⏹ Stopped" in texts(thread)[0])


async def test_a_debate_that_broke_off_can_be_tried_again_while_somebody_is_being_dismissed_from_it(
    stage: Stage,
) -> None:
    thread = await breaks_off(stage)
    async with stage.running() as bot:
        await until(lambda: "✖ Failed: a mistake" in texts(thread)[0])
        await until(lambda: not bot.manager.runs(stage.session(thread)))
        async with bot.manager.ending[stage.session(thread)]:  # as a dismissal does
            assert "It goes on" in (await stage.alice.press(stage.panel(thread), "Resume")).text


async def test_who_steers_another_server_steers_nothing_here(stage: Stage) -> None:
    world, other = stage.discord.world, stage.discord.world.guild("Elsewhere")
    place = world.text_channel(other, "far-away")
    boss = world.person("Mallory", guild=other, roles=[world.role(other, "boss", Permission.ADMINISTRATOR)])
    async with stage.running():
        thread = await stage.debate(**ENDLESS_DEBATE)
        data: dict[str, Any] = {"custom_id": f"el:panel:{stage.session(thread)}:pause", "component_type": 2}
        post = await boss.write(place, "A message with a button that says so.")
        click = interacting.begin(world, 3, boss.user, place, data, post)
        await until(lambda: click.original is not None and click.original.content)
        assert click.original is not None
        assert "You may not steer this debate" in click.original.content
        assert await commands(stage, thread, ev.PauseAsked) == []


async def test_who_is_named_in_the_thread_for_what_they_did_is_not_pinged_by_it(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(**ENDLESS_DEBATE)
        await stage.alice.press(stage.panel(thread), "Heat −")
        named = await until(lambda: next((p for p in posts(thread) if "sets the heat" in p.content), None))
    assert stage.alice.mention in named.content
    assert not named.pinged
