"""A debate from `/debate start` to its thread, with the real client on the strict fake."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.rendering.post import mark_in
from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.runner import started_of
from tests.bot.stage import DEMO, VOTE, Stage, finished, offer_in, posts, texts, until
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.world import BOT_PERMISSIONS

ENDLESS: dict[str, Any] = dict.fromkeys(("pro", "con", "judges"), "scripted:demo?latency=60")


async def started(stage: Stage) -> SessionStarted:
    """The first event of the newest thread's session."""
    return started_of(await stage.events(stage.thread()))


async def threads(stage: Stage) -> int:
    return sum(channel.is_thread for channel in stage.guild.channels.values())


async def test_a_debate_started_by_a_slash_command_unfolds_in_its_thread(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate()
        await finished(thread)
    marks = [mark for post in posts(thread) if (mark := mark_in(post.content))]
    assert marks == sorted(set(marks))
    seen = "\n".join(texts(thread))
    assert "Cities should ban cars" in seen
    assert all(part in seen for part in ("round 1 · heat 0.75", "CRIT", "The judges", "Joint proposal", "report.html"))
    assert "✔ Finished" in texts(thread)[0]


async def test_the_offer_tells_calls_tokens_money_and_minutes(stage: Stage) -> None:
    async with stage.running():
        answer = await stage.offer()
    assert answer.ephemeral
    assert all(part in answer.text for part in ("calls", "tokens in", "$0.00", "min", "pro: scripted:demo", "public"))


async def test_what_was_asked_for_is_what_is_debated(stage: Stage) -> None:
    async with stage.running():
        wanted: dict[str, Any] = {
            "open_question": True,
            "brief": "There are buses.",
            "judges": "2",
            "language": "French",
            "budget": 1.5,
            "words": 45,
        }
        await stage.debate(motion="  How  should cities move? ", topics=3, rounds=4, heat=0.7, **wanted)
        event = await started(stage)
    config = event.config
    assert (config["motion"], config["open_question"]) == ("How should cities move?", True)
    assert (config["brief"], config["language"], config["heat"]) == ("There are buses.", "French", 0.7)
    assert (config["topics"], config["max_rounds"], config["judges"]) == (3, 4, ["judge-1", "judge-2"])
    assert event.budget_usd == 1.5
    assert config["words_per_topic"] == 45
    assert not any("demo" in seat.title for seat in event.seats), "a name tells the model"
    assert len({seat.title for seat in event.seats}) == len(event.seats)


async def test_personas_speak_under_their_names_and_their_models_are_told_how(stage: Stage) -> None:
    async with stage.running():
        found = await stage.alice.complete(stage.channel, "debate start", "pro", "engin", motion="x")
        assert [choice["value"] for choice in found] == ["engineer"]
        (judge,) = await stage.alice.complete(stage.channel, "debate start", "judges", f"{DEMO}, refer", motion="x")
        assert judge["value"] == f"{DEMO}, referee"
        thread = await stage.debate(pro="engineer", con=f"farmer@{DEMO}", judges="referee")
        await until(lambda: any("report.md" in text for text in texts(thread)))
        event = await started(stage)
    spoke = {post.author.name for post in posts(thread) if post.webhook_id}
    assert {"The engineer (pro)", "The farmer (con)"} <= spoke
    manner = next(seat.manner for seat in event.seats if seat.name == "pro")
    assert manner.startswith("You take every proposal for a system")


async def test_a_member_takes_a_side_by_mention(stage: Stage) -> None:
    bob = stage.discord.world.person("Bob @everyone", guild=stage.guild)
    async with stage.running():
        answer = await stage.offer(pro=bob.mention, con=DEMO)
        assert bob.mention in answer.text
        assert "People's turns" in answer.text
        await stage.alice.press(offer_in(answer), "Start")
        await until(lambda: stage.bot and [*stage.bot.bindings])
        pro = (await started(stage)).seats[0]
    assert pro.spec == f"human:discord:{bob.id}"
    assert pro.deadline == 24 * 3600
    assert pro.stand_in == DEMO


async def test_completion_offers_models_that_can_be_used_and_members(stage: Stage) -> None:
    async with stage.running():
        everything = await stage.alice.complete(stage.channel, "debate start", "pro", "", motion="x")
        assert everything[0]["value"] == stage.alice.mention
        assert not any(choice["value"].startswith("openai:") for choice in everything), "there is no key"
        assert await stage.alice.complete(stage.channel, "debate start", "con", "no such model") == []
        bob = stage.discord.world.person("Bobby", guild=stage.guild)
        (offered,) = await stage.alice.complete(stage.channel, "debate start", "con", "@bob", motion="x")
        assert offered == {"name": "Bobby", "value": bob.mention}
        (persona,) = await stage.alice.complete(stage.channel, "debate start", "pro", "engineer@smollm2", motion="x")
        assert persona["value"] == "engineer@local:smollm2-135m"
        several = await stage.alice.complete(stage.channel, "debate start", "judges", f"{DEMO}, ")
        assert all(choice["value"].startswith(f"{DEMO}, ") for choice in several)
        (judge,) = await stage.alice.complete(stage.channel, "debate start", "judges", f"{DEMO}, @bob", motion="x")
        assert judge == {"name": f"{DEMO}, Bobby", "value": f"{DEMO}, {bob.mention}"}


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"pro": "gpt"}, "names no model"),
        ({"pro": "human:bob"}, "choose the member"),
        ({"pro": "@bob"}, "choose the member"),
        ({"con": "<@123456789012345678>"}, "nobody of this server"),
        ({"judges": "0"}, "1 to 9 judges"),
        ({"judges": "openai:gpt-6-luna"}, "OPENAI_API_KEY"),
        ({"motion": "   "}, "motion is empty"),
    ],
)
async def test_what_cannot_be_done_is_refused_in_one_sentence(
    stage: Stage, options: dict[str, Any], sentence: str
) -> None:
    async with stage.running():
        answer = await stage.offer(**options)
        assert sentence in answer.text
        assert "reference" in answer.text
        assert answer.ephemeral
        assert await threads(stage) == 0


async def test_a_bot_takes_no_seat(stage: Stage) -> None:
    async with stage.running():
        answer = await stage.offer(pro=f"<@{stage.discord.world.bot.id}>")
    assert "bot cannot take a seat" in answer.text


async def test_who_may_start_is_the_servers_decision_and_looked_up_again_at_the_start(stage: Stage) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        assert stage.app is not None
        offered = await stage.offer(bob)
        only = GuildSettings(debater=DEMO, judges=(DEMO,), start="moderators", vote_minutes=VOTE)
        await keep(stage.app.store, stage.guild.id, only)
        assert "may not start" in (await stage.offer(bob)).text
        pressed = await bob.press(offer_in(offered), "Start")
        await until(lambda: "may not start" in pressed.text)
        role = stage.discord.world.role(stage.guild, "helpers")
        bob.member.roles.add(role.id)
        await keep(stage.app.store, stage.guild.id, only.model_copy(update={"moderator_role": role.id}))
        assert "Start this debate?" in (await stage.offer(bob)).text
        assert await threads(stage) == 0


async def test_an_offer_can_be_cancelled_and_counts_once(stage: Stage) -> None:
    async with stage.running():
        cancelled = await stage.offer()
        pressed = await stage.alice.press(offer_in(cancelled), "Cancel")
        assert "Nothing was started" in pressed.text or "Nothing was started" in cancelled.text
        offer = offer_in(await stage.offer(**ENDLESS))
        await asyncio.gather(*(stage.alice.press(offer, "Start") for _ in range(2)))
        await until(lambda: stage.bot and [*stage.bot.bindings])
        await asyncio.sleep(0.3)
        assert await threads(stage) == 1


async def test_who_left_the_server_after_the_offer_is_given_no_seat_and_the_offer_says_that_nothing_was_started(
    stage: Stage,
) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        offer = offer_in(await stage.offer(pro=bob.mention))
        await bob.leave()
        pressed = await stage.alice.press(offer, "Start")
        await until(lambda: "nobody of this server" in pressed.text)
        await until(lambda: offer.content == "Nothing was started.")
        assert await threads(stage) == 0


async def test_an_offer_from_before_a_restart_says_what_to_do(stage: Stage) -> None:
    async with stage.running():
        offer = offer_in(await stage.offer())
    async with stage.running():
        await stage.alice.press(offer, "Start")
        await until(lambda: "expired" in offer.content)
        assert await threads(stage) == 0


async def test_a_private_thread_holds_its_moderator_and_who_sits_in_it(stage: Stage) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    carol = stage.discord.world.person("Carol", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(private=True, **ENDLESS | {"con": bob.mention})
        assert thread.is_private_thread
        assert {stage.alice.id, bob.id} <= set(thread.thread_members)
        assert not carol.can_see(stage.panel(thread))


async def test_the_days_budget_bounds_a_debate_and_the_next(stage: Stage) -> None:
    async with stage.running():
        assert stage.app is not None
        settings = GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone", vote_minutes=VOTE, day_tokens=150_000)
        await keep(stage.app.store, stage.guild.id, settings)
        await stage.debate(**ENDLESS)
        assert (await started(stage)).budget_tokens == 150_000
        refused = await stage.offer()
        assert "budget of today" in refused.text
        assert "0 tokens left" in refused.text


async def test_what_was_offered_is_not_started_when_another_debate_has_taken_the_days_budget(stage: Stage) -> None:
    async with stage.running():
        assert stage.app is not None
        settings = GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone", vote_minutes=VOTE, day_tokens=150_000)
        await keep(stage.app.store, stage.guild.id, settings)
        first, second = [offer_in(await stage.offer(**ENDLESS)) for _ in range(2)]
        pressed = await stage.alice.press(first, "Start")
        await until(lambda: "The debate is in" in pressed.text)
        refused = await stage.alice.press(second, "Start")
        await until(lambda: "budget of today" in refused.text)
        assert await threads(stage) == 1


async def test_a_debate_can_be_started_from_inside_a_thread_but_not_in_a_direct_message(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(**ENDLESS)
        answer = await stage.alice.slash(thread, "debate start", motion="Another one", topics=1, rounds=1)
        await stage.alice.press(offer_in(answer), "Start")
        await until(lambda: stage.bot and len([*stage.bot.bindings]) == 2)
        assert stage.thread().parent is stage.channel
        direct = stage.discord.world.dm(stage.alice.user)
        with pytest.raises(NotPossible, match="not offered in direct messages"):
            await stage.alice.slash(direct, "debate start", motion="A third one")


async def test_a_channel_for_announcements_holds_no_debate_and_that_is_said(stage: Stage) -> None:
    news = stage.discord.world.text_channel(stage.guild, "news")
    news.type = 5
    async with stage.running():
        commands: dict[str, dict[str, Any]] = {"debate start": {"motion": "Cars?"}, "crit": {"text": "Ban cars."}}
        for command, options in commands.items():
            refused = await stage.alice.slash(news, command, **options)
            assert "needs an ordinary text channel" in refused.text
        assert await threads(stage) == 0


async def test_a_missing_right_to_make_threads_is_named(stage: Stage) -> None:
    from tests.fakes.discord import changes

    world = stage.discord.world
    changes.bot_may(world, stage.guild, BOT_PERMISSIONS)
    async with stage.running():
        offer = await stage.offer()
        changes.deny(world, stage.channel, world.bot, Permission.CREATE_PUBLIC_THREADS)
        pressed = await stage.alice.press(offer_in(offer), "Start")
        await until(lambda: "Create Public Threads" in pressed.text)
        assert stage.app is not None
        assert await stage.app.log.sessions() == []
